"""Expressions that may become rules: operands, thresholds and a few operations, and what they say in words.

Terms are the rules of a set, and the fields of the record that they see: numbers, and tables of numbers. A table that
has a place for each item, or for every few of them, is read at the item that is judged: `view.board[item]`,
`view.top[item // 10]`; of a short table without, each place is an operand. The pairs of rules are those of "Accurate
Intelligible Models with Pairwise Interactions" (Lou, Caruana, Gehrke and Hooker, KDD 2013), kept to forms that a person
reads at a glance. Those that are bred have up to three operands, see programs.py.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rulebots.game.checks import without_checks
from rulebots.game.defaults import move_itself
from rulebots.kernel import Kernel
from rulebots.rules import Rule, RuleSet
from rulebots.rules.scoring import built

Floats = npt.NDArray[np.float32]

#: Each number of a table is an operand where items do not tell its places apart and it has at most this many.
SHORT = 8
#: A field that holds larger numbers is taken for a set of bits.
LARGEST = 1000.0
#: Of other types, sums and products might not fit: they are read as floats.
_WIDE = (np.dtype(np.int32), np.dtype(np.int64), np.dtype(np.float64), np.dtype(np.bool_))
#: Thresholds are tried between these shares of an operand's different values.
CUTS = (0.25, 0.5, 0.75)
#: Significant digits of a threshold; more only where values lie closer together.
DIGITS = range(1, 8)
#: The longest name; a longer one is made of the names of the operands alone.
LONGEST_NAME = 60


@dataclass(frozen=True)
class Operand:
    """A rule, or a field, which is `text` in Python, an expression of `view` and `item`. A `truth` is always 0 or 1."""

    name: str
    words: str
    rule: Rule | None = None
    text: str = ""
    truth: bool = False

    @property
    def key(self) -> str:
        """What tells it from others: the key of the rule, or the text."""
        return self.rule.key if self.rule else self.text

    @property
    def operands(self) -> tuple[Operand, ...]:
        """Itself."""
        return (self,)

    def of(self, values: Mapping[str, Floats]) -> Floats:
        """The value for each move, float32[moves], by the keys of operands."""
        return values[self.key]

    def code(self, names: Mapping[str, str]) -> str:
        """The operand as Python text, where some are functions of these names, by key: rules, and what is `long`."""
        return f"{names[self.key]}(view, item)" if self.key in names else self.text

    @property
    def long(self) -> bool:
        """Whether its text is better a function of its own."""
        return " if " in self.text

    @property
    def kernel(self) -> Kernel[..., Any]:
        """A function of `view` and `item`."""
        if self.rule:
            return self.rule.kernel
        return built(f"def field(view, item):\n    return {self.text}\n", "field", {})


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
    """An operation on operands, or on what was made of them."""

    operation: Operation
    parts: tuple[Node, ...]
    at_least: float | None = None

    @property
    def truth(self) -> bool:
        """Whether it is always 0 or 1."""
        return self.operation.truth

    @property
    def operands(self) -> tuple[Operand, ...]:
        """The operands that it is made of, from left to right."""
        return tuple(operand for part in self.parts for operand in part.operands)

    @property
    def cut(self) -> str:
        """Its threshold in words; empty without one."""
        return "" if self.at_least is None else f"{self.at_least:g}"

    @property
    def name(self) -> str:
        """A name that says it all: `hoard_if_extra_turn`."""
        cut = self.cut.replace("-", "minus_").replace(".", "_").replace("+", "")
        return self.operation.name.format(*(part.name for part in self.parts), cut=cut)

    @property
    def words(self) -> str:
        """What it says, as part of a sentence."""
        bare = (
            part.words if isinstance(part, Operand) or part.at_least is not None else f"({part.words})"
            for part in self.parts
        )
        pointing = iter(("this", "that"))
        subjects = (
            part.words if isinstance(part, Operand) and not part.rule else f"{next(pointing)} ({part.words})"
            for part in self.parts
        )
        named = dict(zip(("this", "that"), subjects, strict=False))
        return self.operation.words.format(*bare, **named, cut=self.cut)

    def of(self, values: Mapping[str, Floats]) -> Floats:
        """The value for each move, float32[moves], from those of the operands by their keys."""
        given = [part.of(values) for part in self.parts]
        cut = () if self.at_least is None else (np.float32(self.at_least),)
        return np.asarray(self.operation.of(*given, *cut), np.float32)

    def code(self, names: Mapping[str, str]) -> str:
        """The expression as Python text; see `Operand.code`."""
        parts = (part.code(names) if isinstance(part, Operand) else f"({part.code(names)})" for part in self.parts)
        return self.operation.code.format(*parts, cut=repr(self.at_least))


#: What a rule may be: an operand, or something made of operands.
Node: TypeAlias = Operand | Made


@dataclass(frozen=True)
class Expression:
    """A rule for a group, made of operands. Its value is divided by `scale`, so that it is about 1 where it matters."""

    group: str
    node: Node
    scale: int = 1

    def of(self, values: Mapping[str, Floats]) -> Floats:
        """The value for each move, float32[moves], from those of the operands by their keys."""
        return self.node.of(values) / np.float32(self.scale)

    @property
    def name(self) -> str:
        """The name of the rule."""
        full = self.node.name
        return full if len(full) <= LONGEST_NAME else "_with_".join(operand.name for operand in self.operands)

    @property
    def meaning(self) -> str:
        """The rule in words, which are those of the rules that it is made of."""
        words = self.node.words if self.scale == 1 else f"{self.node.words}, divided by {self.scale}"
        return f"{words[:1].upper()}{words[1:]}."

    @property
    def operands(self) -> tuple[Operand, ...]:
        """The operands that it is made of."""
        return self.node.operands

    def code(self, names: Mapping[str, str]) -> str:
        """The expression as Python text, where rules are called by these names, by key."""
        code = self.node.code(names)
        if self.scale == 1:
            return code
        return f"{code if isinstance(self.node, Operand) else f'({code})'} / {self.scale}"

    def rule(self, early: float = 0.0, late: float = 0.0) -> Rule:
        """The rule of this expression."""
        called = {operand.key: operand.kernel for operand in self.operands if operand.rule or operand.long}
        names = {key: f"term_{number}" for number, key in enumerate(called)}
        text = f"def discovered(view, item):\n    return {self.code(names)}\n"
        value = built(text, "discovered", {names[key]: body for key, body in called.items()})
        return Rule(self.group, self.name, self.meaning, early, late, value)


def scaled(group: str, node: Node, values: Mapping[str, Floats]) -> Expression:
    """The expression of a node, divided by a power of ten where it has a field, and is larger than a rule should be."""
    most = 0.0 if all(operand.rule for operand in node.operands) else float(np.abs(node.of(values)).max())
    return Expression(group, node, 10 ** math.ceil(math.log10(most / 2)) if most > 2 else 1)


def expressions(rules: RuleSet, values: Mapping[str, Floats]) -> list[Expression]:
    """Products and thresholds of the rules of a set, given what these say of many moves: float32[moves] by key.

    The second rule of a pair must be one that every move has which has the first one.
    """
    operands = rule_operands(rules, values)
    kinds = kinds_of_groups(rules)
    cuts = {operand.key: list(thresholds(operand, values)) for operand in operands}
    found = [Expression(_group(operand), cut) for operand in operands for cut in cuts[operand.key]]
    for one, other in itertools.combinations(operands, 2):
        pair = (other, one) if one.truth and not other.truth else (one, other)
        first, second = pair if kinds[_group(pair[0])] <= kinds[_group(pair[1])] else pair[::-1]
        if kinds[_group(first)] <= kinds[_group(second)]:
            found.append(Expression(_group(first), product(first, second)))
    for first, second in itertools.permutations(operands, 2):
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


def rule_operands(rules: RuleSet, values: Mapping[str, Floats]) -> list[Operand]:
    """The rules of a set that differ from move to move, as operands."""
    different = {r.key: np.unique(values[r.key]) for r in rules.rules}
    return [rule_operand(r, truth=is_truth(different[r.key])) for r in rules.rules if len(different[r.key]) > 1]


def is_truth(values: Floats) -> bool:
    """Whether these are all 0 or 1."""
    return bool(np.isin(values, (0.0, 1.0)).all())


def thresholds(operand: Operand, values: Mapping[str, Floats]) -> Iterator[Made]:
    """That an operand is at least some short number between neighbouring values; nothing where it is a truth."""
    if operand.truth:
        return
    different = np.unique(values[operand.key])
    places = sorted({min(max(round(share * len(different)), 1), len(different) - 1) for share in CUTS})
    for place in places:
        low, high = float(different[place - 1]), float(different[place])
        rough = (float(f"{(low + high) / 2:.{digits}g}") for digits in DIGITS)
        yield from itertools.islice((Made(AT_LEAST, (operand,), cut) for cut in rough if low < cut < high), 1)


def kinds_of_groups(rules: RuleSet) -> dict[str, frozenset[int]]:
    """The kinds of moves that count each group."""
    return {g: frozenset(i for i, kind in enumerate(rules.mixes) if kind.mix.get(g)) for g in rules.groups}


def _group(operand: Operand) -> str:
    assert operand.rule is not None
    return operand.rule.group


def rule_operand(rule: Rule, *, truth: bool = False) -> Operand:
    """The operand of a rule; the first sentence of its meaning as part of another."""
    text = rule.meaning.split(". ")[0].rstrip(".")
    words = text if text[:2] in {"I ", "I'"} or text[1:2].isupper() else text[:1].lower() + text[1:]
    return Operand(rule.name, words, rule, truth=truth)


def field_operands(rules: RuleSet) -> list[Operand]:
    """The numbers that the rules of a set can see, besides the random state."""
    found = [Operand("item", "the number of what is judged", text="item")]
    for name, (kind, *_) in (rules.record.fields or {}).items():
        if name != "luck":
            found += [
                Operand(f"{name}{end}", words, text=_text(f"view.{name}{place}", kind.base, inside))
                for end, words, place, inside in _places(rules, name, kind.shape)
            ]
    return found


def _text(text: str, kind: np.dtype[Any], inside: str) -> str:
    """How a place of a field is read; `inside` tests that there is such a place, where there may be none."""
    read = text if kind in _WIDE else f"float({text})"
    return f"{read} if {inside} else 0" if inside else read


def _places(rules: RuleSet, name: str, shape: tuple[int, ...]) -> Iterator[tuple[str, str, str, str]]:
    """The places of a field that are operands: the end of a name, words, the index, and a test of the item."""
    if shape == ():
        yield "", f"the field {name}", "", ""
        return
    items, size, of_item = _items(rules), int(np.prod(shape)), f"the field {name} of the item"
    own = without_checks(rules.game.item) is not move_itself
    inside = f"0 <= item < {items}" if own else ""
    if len(shape) == 1 and items <= size:
        yield "_of_item", of_item, "[item]", inside
    elif len(shape) == 2 and items == size:
        yield "_of_item", of_item, f"[item // {shape[1]}, item % {shape[1]}]", inside
    elif len(shape) == 1 and items % size == 0 and (own or size > SHORT):
        each = items // size
        yield "_of_item", of_item, f"[item // {each}]", inside
    elif len(shape) == 1 and size <= SHORT:
        for place in range(size):
            yield f"_{place}", f"the field {name} at {place}", f"[{place}]", ""


def _items(rules: RuleSet) -> int:
    """How many items there are: as many as moves, or, where items are something else, as the moves of a kind."""
    game = rules.game
    if without_checks(game.item) is move_itself:
        return game.move_count
    return int(np.bincount([int(game.kind(move)) for move in range(game.move_count)]).max())


def field_rules(rules: RuleSet, operands: Sequence[Operand]) -> tuple[Rule, ...]:
    """A rule for each field, once for each group of `_groups`: as features of lessons they tell what it was."""
    return tuple(
        Rule(group, f"field_{number}", operand.words, 0.0, 0.0, operand.kernel)
        for group in _groups(rules)
        for number, operand in enumerate(operands)
    )


def field_values(
    rules: RuleSet, operands: Sequence[Operand], columns: Floats, shares: Mapping[str, Floats]
) -> dict[str, Floats]:
    """The value of each field for each move, float32[moves] by key, from the features of `field_rules`.

    `shares` are those of the groups in the score of each move. What is the same for all moves, not finite or too large
    is left out.
    """
    found = {}
    for number, operand in enumerate(operands):
        value = np.zeros(len(columns), np.float32)
        for place, group in enumerate(_groups(rules)):
            column, share = columns[:, place * len(operands) + number], shares[group]
            np.divide(column, share, out=value, where=share != 0)
        if np.isfinite(value).all() and np.abs(value).max() <= LARGEST and np.ptp(value) > 0:
            found[operand.key] = value
    return found


def _groups(rules: RuleSet) -> list[str]:
    """Groups of which every kind of move that counts any counts at least one."""
    found: list[str] = []
    for kind in rules.mixes:
        counted = [group for group, share in kind.mix.items() if share]
        if counted and not set(counted) & set(found):
            found.append(counted[0])
    return found
