"""Expressions that may become rules: two rules and a threshold at most, and what they say in words.

They are the pairs of "Accurate Intelligible Models with Pairwise Interactions" (Lou, Caruana, Gehrke and Hooker, KDD
2013), kept to forms that a person reads at a glance.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.kernel import kernel
from rulebots.rules import Rule, RuleSet

Floats = npt.NDArray[np.float32]

#: Thresholds are tried between these shares of a rule's different values.
CUTS = (0.25, 0.5, 0.75)
#: Significant digits of a threshold; more only where values lie closer together.
DIGITS = range(1, 8)


@dataclass(frozen=True)
class Expression:
    """A rule made of others. `at_least` is the threshold of the last of them, None without one.

    With a `second` rule it is their product; with a threshold, `first` counts where `second` reaches it. Without a
    second one it tells whether `first` reaches the threshold. `facts` are the rules that are always 0 or 1, of these.
    """

    group: str
    first: Rule
    second: Rule | None = None
    at_least: float | None = None
    facts: frozenset[str] = frozenset()

    def of(self, values: Mapping[str, Floats]) -> Floats:
        """The value for each move, float32[moves], from those of the rules by their keys."""
        first = values[self.first.key]
        last = first if self.second is None else values[self.second.key]
        counted = last if self.at_least is None else (last >= self.at_least).astype(np.float32)
        return counted if self.second is None else first * counted

    @property
    def name(self) -> str:
        """The name of the rule: `hoard_if_extra_turn`."""
        if self.second is None:
            return f"{self.first.name}_at_least_{_digits(self.at_least)}"
        if self.at_least is not None:
            return f"{self.first.name}_if_{self.second.name}_at_least_{_digits(self.at_least)}"
        joint = "times" if self.second.key not in self.facts else "and" if self.first.key in self.facts else "if"
        return f"{self.first.name}_{joint}_{self.second.name}"

    @property
    def meaning(self) -> str:
        """The rule in words, which are those of the rules that it is made of."""
        first = _phrase(self.first)
        if self.second is None:
            return f"This is at least {self.at_least:g}: {first}."
        second = _phrase(self.second)
        if self.at_least is not None:
            return f"Where this is at least {self.at_least:g} ({second}): {first}."
        if self.second.key not in self.facts:
            return f"The product of two rules: {first}; and {second}."
        return f"Both at once: {first}; and {second}." if self.first.key in self.facts else f"If {second}: {first}."

    def code(self, names: Mapping[str, str]) -> str:
        """The expression as Python text, over kernels that are called by these names."""
        first = f"{names[self.first.key]}(view, item)"
        if self.second is None:
            return f"{first} >= {self.at_least!r}"
        second = f"{names[self.second.key]}(view, item)"
        return f"{first} * {second}" if self.at_least is None else f"{first} * ({second} >= {self.at_least!r})"

    @property
    def terms(self) -> tuple[Rule, ...]:
        """The rules that it is made of."""
        return (self.first,) if self.second is None else (self.first, self.second)

    def rule(self, early: float = 0.0, late: float = 0.0) -> Rule:
        """The rule of this expression."""
        one, other = self.first.kernel, self.second.kernel if self.second else None
        cut = 0.0 if self.at_least is None else self.at_least
        if other is None:

            @kernel
            def value(view: Any, item: int) -> Any:
                return one(view, item) >= cut
        elif self.at_least is None:

            @kernel
            def value(view: Any, item: int) -> Any:
                return one(view, item) * other(view, item)
        else:

            @kernel
            def value(view: Any, item: int) -> Any:
                return one(view, item) * (other(view, item) >= cut)

        return Rule(self.group, self.name, self.meaning, early, late, value)


def expressions(rules: RuleSet, values: Mapping[str, Floats]) -> list[Expression]:
    """All candidates of a rule set, given what its rules say of many moves: float32[moves] by key.

    The second rule of a pair must be one that every move has which has the first one.
    """
    kinds = {g: {i for i, kind in enumerate(rules.mixes) if kind.mix.get(g)} for g in rules.groups}
    different = {r.key: np.unique(values[r.key]) for r in rules.rules}
    said = [r for r in rules.rules if len(different[r.key]) > 1]
    facts = frozenset(r.key for r in said if set(different[r.key].tolist()) <= {0.0, 1.0})
    cuts = {r.key: () if r.key in facts else tuple(_cuts(different[r.key])) for r in said}
    found = [Expression(r.group, r, at_least=cut) for r in said for cut in cuts[r.key]]
    for one, other in itertools.combinations(said, 2):
        pair = _ordered(one, other, facts)
        first, second = pair if kinds[pair[0].group] <= kinds[pair[1].group] else pair[::-1]
        if kinds[first.group] <= kinds[second.group]:
            found.append(Expression(first.group, first, second, facts=facts & {first.key, second.key}))
    for first, second in itertools.permutations(said, 2):
        if kinds[first.group] <= kinds[second.group]:
            found += [Expression(first.group, first, second, cut, facts & {first.key}) for cut in cuts[second.key]]
    names = {r.name for r in rules.rules}
    return [expression for expression in found if expression.name not in names]


def _ordered(one: Rule, other: Rule, facts: frozenset[str]) -> tuple[Rule, Rule]:
    """What is a number first, what is a fact second: "so much, if that holds"."""
    return (other, one) if one.key in facts and other.key not in facts else (one, other)


def _cuts(different: Floats) -> Iterator[float]:
    """Short numbers between neighbouring values."""
    places = sorted({min(max(round(share * len(different)), 1), len(different) - 1) for share in CUTS})
    for place in places:
        low, high = float(different[place - 1]), float(different[place])
        rough = (float(f"{(low + high) / 2:.{digits}g}") for digits in DIGITS)
        found = next((cut for cut in rough if low < cut < high), None)
        if found is not None:
            yield found


def _digits(number: float | None) -> str:
    return f"{number:g}".replace("-", "minus_").replace(".", "_").replace("+", "")


def _phrase(rule: Rule) -> str:
    """A rule's meaning as part of a sentence."""
    text = rule.meaning.rstrip(".")
    return text if text[:2] in {"I ", "I'"} or text[1:2].isupper() else text[:1].lower() + text[1:]


def unambiguous(rules: Sequence[Rule]) -> dict[str, str]:
    """A name in code for each rule, by key: its own, with its group where two have one name."""
    names = [r.name for r in rules]
    return {r.key: r.name if names.count(r.name) == 1 else f"{r.group}_{r.name}" for r in rules}
