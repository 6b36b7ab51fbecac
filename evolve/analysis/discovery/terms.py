"""What expressions are made of: the rules of a set, and the fields of the record that they see.

A field is a number, or a table of numbers. Of a table that has a place for each item, or one for so many of them, the
place of the item that is judged is taken: `view.board[item]`, `view.top[item // 10]`; of a short one without, any.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.game.checks import without_checks
from rulebots.game.defaults import move_itself
from rulebots.kernel import Kernel
from rulebots.rules import Rule, RuleSet
from rulebots.rules.scoring import built

Floats = npt.NDArray[np.float32]

#: Tables of at most so many numbers that items do not tell apart have each of them as a term.
SHORT = 8
#: A field that holds larger numbers is taken for a set of bits.
LARGEST = 1000.0
#: Of other types, sums and products might not fit: they are read as floats.
_WIDE = (np.dtype(np.int32), np.dtype(np.int64), np.dtype(np.float64), np.dtype(np.bool_))


@dataclass(frozen=True)
class Term:
    """A rule, or a field, which is `text` in Python, an expression of `view` and `item`.

    `truth` says that it is always 0 or 1.
    """

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
    def terms(self) -> tuple[Term, ...]:
        """Itself."""
        return (self,)

    def of(self, values: Mapping[str, Floats]) -> Floats:
        """The value for each move, float32[moves], by the keys of terms."""
        return values[self.key]

    def code(self, names: Mapping[str, str]) -> str:
        """The term as Python text, where some are functions of these names, by key: rules, and what is `long`."""
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


def rule_term(rule: Rule, *, truth: bool = False) -> Term:
    """The term of a rule; the first sentence of its meaning as part of another."""
    text = rule.meaning.split(". ")[0].rstrip(".")
    words = text if text[:2] in {"I ", "I'"} or text[1:2].isupper() else text[:1].lower() + text[1:]
    return Term(rule.name, words, rule, truth=truth)


def field_terms(rules: RuleSet) -> list[Term]:
    """The numbers that the rules of a set can see, besides the random state."""
    found = [Term("item", "the number of what is judged", text="item")]
    for name, (kind, *_) in (rules.record.fields or {}).items():
        if name != "luck":
            found += [
                Term(f"{name}{end}", words, text=_text(f"view.{name}{place}", kind.base, inside))
                for end, words, place, inside in _places(rules, name, kind.shape)
            ]
    return found


def _text(text: str, kind: np.dtype[Any], inside: str) -> str:
    """How a place of a field is read; `inside` tests that there is such a place, where there may be none."""
    read = text if kind in _WIDE else f"float({text})"
    return f"{read} if {inside} else 0" if inside else read


def _places(rules: RuleSet, name: str, shape: tuple[int, ...]) -> Iterator[tuple[str, str, str, str]]:
    """The places of a field that are terms: the end of a name, words, the index, and a test of the item."""
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


def field_rules(rules: RuleSet, terms: Sequence[Term]) -> tuple[Rule, ...]:
    """A rule for each field, once for each group of `_groups`: as features of lessons they tell what it was."""
    return tuple(
        Rule(group, f"field_{number}", term.words, 0.0, 0.0, term.kernel)
        for group in _groups(rules)
        for number, term in enumerate(terms)
    )


def field_values(
    rules: RuleSet, terms: Sequence[Term], columns: Floats, shares: Mapping[str, Floats]
) -> dict[str, Floats]:
    """The value of each field for each move, float32[moves] by key, from the features of `field_rules`.

    `shares` are those of the groups in the score of each move. What is the same for all moves, not finite or too large
    is left out.
    """
    found = {}
    for number, term in enumerate(terms):
        value = np.zeros(len(columns), np.float32)
        for place, group in enumerate(_groups(rules)):
            column, share = columns[:, place * len(terms) + number], shares[group]
            np.divide(column, share, out=value, where=share != 0)
        if np.isfinite(value).all() and np.abs(value).max() <= LARGEST and np.ptp(value) > 0:
            found[term.key] = value
    return found


def _groups(rules: RuleSet) -> list[str]:
    """Groups of which every kind of move that counts any counts at least one."""
    found: list[str] = []
    for kind in rules.mixes:
        counted = [group for group, share in kind.mix.items() if share]
        if counted and not set(counted) & set(found):
            found.append(counted[0])
    return found
