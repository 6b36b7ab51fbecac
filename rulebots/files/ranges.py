"""Numeric settings with ranges: one line declares the default, the range and the meaning.

@dataclass(frozen=True)
class CoolingSettings:
    steps: int = number(100, 1, 10_000, "steps until it is cold")
    start: float = number(1.0, 0.0, 50.0, "the temperature of the first step")
    seconds: float | None = optional_number(float, 0.001, 3600.0, "stop after this time")

    def __post_init__(self) -> None:
        check_numbers(self)
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from rulebots.errors import UsageError

N = TypeVar("N", int, float)

_KEY = "range"


@dataclass(frozen=True)
class Range:
    """The values that a numeric setting may have: `low` to `high`, both included.

    With `whole` the value must be a whole number; with `optional` it may be None.
    """

    low: float
    high: float
    whole: bool = False
    optional: bool = False
    meaning: str = ""

    def holds(self, value: object) -> bool:
        """Whether a value is in the range. NaN, True and False never are."""
        if value is None:
            return self.optional
        kinds = (int,) if self.whole else (int, float)
        return isinstance(value, kinds) and not isinstance(value, bool) and self.low <= value <= self.high

    def __str__(self) -> str:
        if self.whole:
            return f"a whole number from {self.low:,} to {self.high:,}"
        return f"a number from {self.low:,.12g} to {self.high:,.12g}"


def number(default: N, low: N, high: N, meaning: str) -> N:
    """A field of a dataclass: a number from `low` to `high`, whole where the default is an int."""
    return _field(default, Range(low, high, isinstance(default, int), optional=False, meaning=meaning))


def optional_number(kind: type[N], low: N, high: N, meaning: str) -> N | None:
    """A field of a dataclass: None by default, else an int or a float from `low` to `high`."""
    return _field(None, Range(low, high, kind is int, optional=True, meaning=meaning))


def ranges_of(settings: Any) -> dict[str, Range]:
    """The ranges that a dataclass, or an instance of one, declares, by the name of the field."""
    return {f.name: f.metadata[_KEY] for f in fields(settings) if _KEY in f.metadata}


def check_numbers(settings: Any, owner: str = "") -> None:
    """Check every field that was declared by `number` or `optional_number`.

    Args:
        settings: an instance of a dataclass.
        owner: what has these settings, for the message: "mcts" gives "mcts: iterations: expected ...".

    Raises:
        UsageError: a value is not a number of its range; the message names the first one.
    """
    for name, allowed in ranges_of(settings).items():
        value = getattr(settings, name)
        if not allowed.holds(value):
            raise UsageError(f"{f'{owner}: ' if owner else ''}{name}: expected {allowed}, not {value!r}")


def _field(default: Any, allowed: Range) -> Any:
    return field(default=default, metadata={_KEY: allowed})
