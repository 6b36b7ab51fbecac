"""A rule: one function whose docstring is its meaning, with the weights its author gave it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rulebots.errors import UsageError
from rulebots.kernel import Kernel, kernel


@dataclass(frozen=True)
class Rule:
    """A named feature of a move, 0 or 1 or a number of about that size, and its hand-tuned weights."""

    group: str
    name: str
    meaning: str
    early: float
    late: float
    kernel: Kernel[..., float]

    @property
    def key(self) -> str:
        """`group.name`: unique within a rule set."""
        return f"{self.group}.{self.name}"

    def __call__(self, view: Any, item: int) -> float:
        """The rule's value for one item, interpreted."""
        return float(self.kernel(view, item))


def rule(group: str, early: float = 0.0, late: float | None = None) -> Callable[[Callable[..., Any]], Rule]:
    """Turn a function `(view, item) -> number` into a rule; its docstring says what it means.

    `early` and `late` are its hand-tuned weights. Without `late` both are `early`.

    Raises:
        UsageError: the function has no docstring.
    """

    def named(function: Callable[..., Any]) -> Rule:
        body = function if isinstance(function, Kernel) else kernel(function)
        meaning = " ".join((inspect.getdoc(body.function) or "").split())
        if not meaning:
            raise UsageError(f"rule '{body.function.__name__}' needs a docstring: it is shown to players")
        name = body.function.__name__
        return Rule(group, name, meaning, float(early), float(early if late is None else late), body)

    return named


def rules_of(namespace: Mapping[str, Any]) -> list[Rule]:
    """The rules defined in a module, in their order: `rules_of(globals())`."""
    return [value for value in namespace.values() if isinstance(value, Rule)]
