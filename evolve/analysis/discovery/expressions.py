"""Expressions that may become rules: terms, thresholds and a few operations, and what they say in words.

The pairs of rules are those of "Accurate Intelligible Models with Pairwise Interactions" (Lou, Caruana, Gehrke and
Hooker, KDD 2013), kept to forms that a person reads at a glance. Those that are bred have up to three terms, see
programs.py.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from evolve.analysis.discovery.terms import Term, rule_term
from rulebots.rules import Rule, RuleSet
from rulebots.rules.scoring import built

Floats = npt.NDArray[np.float32]

#: Thresholds are tried between these shares of a term's different values.
CUTS = (0.25, 0.5, 0.75)
#: Significant digits of a threshold; more only where values lie closer together.
DIGITS = range(1, 8)
#: The longest name; a longer one is made of the names of the terms alone.
LONGEST_NAME = 60


@dataclass(frozen=True)
class Operation:
    """What is done with one or two values: in a name, in Python, in words, and with arrays.

    `{0}` and `{1}` are the values; `{this}` and `{that}` are the same, in words that can be the subject of a sentence.
    `{cut}` is a threshold. `truth` says that it gives 0 or 1.
    """

    name: str
    code: str
    words: str
    of: Callable[..., Any]
    truth: bool = False


PRODUCT = Operation("{0}_times_{1}", "{0} * {1}", "the product of {this} and {that}", np.multiply)
GIVEN = Operation("{0}_if_{1}", "{0} * {1}", "if {1}: {0}", np.multiply)
BOTH = Operation("{0}_and_{1}", "{0} * {1}", "both at once: {0}; and {1}", np.multiply, truth=True)
DIFFERENCE = Operation("{0}_less_{1}", "{0} - {1}", "{this} less {that}", np.subtract)
REACHES = Operation("{0}_reaches_{1}", "{0} >= {1}", "{this} is at least {that}", np.greater_equal, truth=True)
FAILS = Operation("not_{0}", "{0} == 0", "it is not so that {0}", lambda one: one == 0, truth=True)
AT_LEAST = Operation("{0}_at_least_{cut}", "{0} >= {cut}", "{this} is at least {cut}", np.greater_equal, truth=True)
BELOW = Operation("{0}_below_{cut}", "{0} < {cut}", "{this} is less than {cut}", np.less, truth=True)


@dataclass(frozen=True)
class Made:
    """An operation on terms, or on what was made of them."""

    operation: Operation
    parts: tuple[Node, ...]
    at_least: float | None = None

    @property
    def truth(self) -> bool:
        """Whether it is always 0 or 1."""
        return self.operation.truth

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms that it is made of, from left to right."""
        return tuple(term for part in self.parts for term in part.terms)

    @property
    def name(self) -> str:
        """A name that says it all: `hoard_if_extra_turn`."""
        cut = "" if self.at_least is None else f"{self.at_least:g}"
        cut = cut.replace("-", "minus_").replace(".", "_").replace("+", "")
        return self.operation.name.format(*(part.name for part in self.parts), cut=cut)

    @property
    def words(self) -> str:
        """What it says, as part of a sentence."""
        bare = (
            part.words if isinstance(part, Term) or part.at_least is not None else f"({part.words})"
            for part in self.parts
        )
        pointing = iter(("this", "that"))
        subjects = (
            part.words if isinstance(part, Term) and not part.rule else f"{next(pointing)} ({part.words})"
            for part in self.parts
        )
        named = dict(zip(("this", "that"), subjects, strict=False))
        return self.operation.words.format(*bare, **named, cut="" if self.at_least is None else f"{self.at_least:g}")

    def of(self, values: Mapping[str, Floats]) -> Floats:
        """The value for each move, float32[moves], from those of the terms by their keys."""
        given = [part.of(values) for part in self.parts]
        cut = () if self.at_least is None else (np.float32(self.at_least),)
        return np.asarray(self.operation.of(*given, *cut), np.float32)

    def code(self, names: Mapping[str, str]) -> str:
        """The expression as Python text; see `Term.code`."""
        parts = (part.code(names) if isinstance(part, Term) else f"({part.code(names)})" for part in self.parts)
        return self.operation.code.format(*parts, cut=repr(self.at_least))


#: What a rule may be: a term, or something made of terms.
Node: TypeAlias = Term | Made


@dataclass(frozen=True)
class Expression:
    """A rule for a group, made of terms. Its value is divided by `scale`, so that it is about 1 where it matters."""

    group: str
    node: Node
    scale: int = 1

    def of(self, values: Mapping[str, Floats]) -> Floats:
        """The value for each move, float32[moves], from those of the terms by their keys."""
        return self.node.of(values) / np.float32(self.scale)

    @property
    def name(self) -> str:
        """The name of the rule."""
        full = self.node.name
        return full if len(full) <= LONGEST_NAME else "_with_".join(term.name for term in self.terms)

    @property
    def meaning(self) -> str:
        """The rule in words, which are those of the rules that it is made of."""
        words = self.node.words if self.scale == 1 else f"{self.node.words}, divided by {self.scale}"
        return f"{words[:1].upper()}{words[1:]}."

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms that it is made of."""
        return self.node.terms

    def code(self, names: Mapping[str, str]) -> str:
        """The expression as Python text, where rules are called by these names, by key."""
        code = self.node.code(names)
        if self.scale == 1:
            return code
        return f"{code if isinstance(self.node, Term) else f'({code})'} / {self.scale}"

    def rule(self, early: float = 0.0, late: float = 0.0) -> Rule:
        """The rule of this expression."""
        called = {term.key: term.kernel for term in self.terms if term.rule or term.long}
        names = {key: f"term_{number}" for number, key in enumerate(called)}
        text = f"def discovered(view, item):\n    return {self.code(names)}\n"
        value = built(text, "discovered", {names[key]: body for key, body in called.items()})
        return Rule(self.group, self.name, self.meaning, early, late, value)


def scaled(group: str, node: Node, values: Mapping[str, Floats]) -> Expression:
    """The expression of a node, divided by a power of ten where it has a field, and is larger than a rule should be."""
    most = 0.0 if all(term.rule for term in node.terms) else float(np.abs(node.of(values)).max())
    return Expression(group, node, 10 ** math.ceil(math.log10(most / 2)) if most > 2 else 1)


def expressions(rules: RuleSet, values: Mapping[str, Floats]) -> list[Expression]:
    """Products and thresholds of the rules of a set, given what these say of many moves: float32[moves] by key.

    The second rule of a pair must be one that every move has which has the first one.
    """
    terms = rule_terms(rules, values)
    kinds = kinds_of_groups(rules)
    cuts = {term.key: list(thresholds(term, values)) for term in terms}
    found = [Expression(_group(term), cut) for term in terms for cut in cuts[term.key]]
    for one, other in itertools.combinations(terms, 2):
        pair = (other, one) if one.truth and not other.truth else (one, other)
        first, second = pair if kinds[_group(pair[0])] <= kinds[_group(pair[1])] else pair[::-1]
        if kinds[_group(first)] <= kinds[_group(second)]:
            found.append(Expression(_group(first), product(first, second)))
    for first, second in itertools.permutations(terms, 2):
        if kinds[_group(first)] <= kinds[_group(second)]:
            found += [Expression(_group(first), product(first, cut)) for cut in cuts[second.key]]
    names = {r.name for r in rules.rules}
    return [expression for expression in found if expression.name not in names]


def product(first: Node, second: Node) -> Made:
    """The product of two, in the words that suit what they are."""
    if not second.truth:
        return Made(GIVEN, (second, first)) if first.truth else Made(PRODUCT, (first, second))
    return Made(BOTH if first.truth else GIVEN, (first, second))


def negation(node: Node) -> Node:
    """That it is not so, in the words that suit what it is."""
    if isinstance(node, Made) and node.operation in (AT_LEAST, BELOW):
        return Made(BELOW if node.operation is AT_LEAST else AT_LEAST, node.parts, node.at_least)
    return node.parts[0] if isinstance(node, Made) and node.operation is FAILS else Made(FAILS, (node,))


def rule_terms(rules: RuleSet, values: Mapping[str, Floats]) -> list[Term]:
    """The rules of a set that differ from move to move, as terms."""
    different = {r.key: np.unique(values[r.key]) for r in rules.rules}
    return [rule_term(r, truth=is_truth(different[r.key])) for r in rules.rules if len(different[r.key]) > 1]


def is_truth(values: Floats) -> bool:
    """Whether these are all 0 or 1."""
    return bool(np.isin(values, (0.0, 1.0)).all())


def thresholds(term: Term, values: Mapping[str, Floats]) -> Iterator[Made]:
    """That a term is at least so much: for short numbers between neighbouring values. None where it is a truth."""
    if term.truth:
        return
    different = np.unique(values[term.key])
    places = sorted({min(max(round(share * len(different)), 1), len(different) - 1) for share in CUTS})
    for place in places:
        low, high = float(different[place - 1]), float(different[place])
        rough = (float(f"{(low + high) / 2:.{digits}g}") for digits in DIGITS)
        found = next((cut for cut in rough if low < cut < high), None)
        if found is not None:
            yield Made(AT_LEAST, (term,), found)


def kinds_of_groups(rules: RuleSet) -> dict[str, frozenset[int]]:
    """The kinds of moves that count each group."""
    return {g: frozenset(i for i, kind in enumerate(rules.mixes) if kind.mix.get(g)) for g in rules.groups}


def _group(term: Term) -> str:
    assert term.rule is not None
    return term.rule.group


def unambiguous(terms: Sequence[Term]) -> dict[str, str]:
    """A name in code for each term, by key: its own, with its group where two have one name."""
    names = [t.name for t in terms]
    return {
        t.key: t.name if names.count(t.name) == 1 else f"{t.rule.group if t.rule else 'field'}_{t.name}" for t in terms
    }
