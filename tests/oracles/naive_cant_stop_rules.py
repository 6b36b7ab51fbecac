"""The standard rules of Can't Stop in plain Python, on the board of naive_cant_stop.py.

Each gives a number for a choice: the columns of an advance, or () to stop. What is told of the board is told of it
after the choice.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from naive_cant_stop import Board, Columns, pairings, rolls
from naive_cant_stop_players import RULE_OF_28, in_order

#: Early and late weight of each rule, by `group.name`.
Weights = Mapping[str, tuple[float, float]]


def worth(sides: int, column: int) -> int:
    """Points of a space."""
    return abs(column - sides - 1) + 1


@functools.cache
def missed(sides: int, columns: frozenset[int]) -> float:
    """How likely a roll brings none of these columns."""
    count = sum(
        count for dice, count in rolls(sides).items() if not any(set(pair) & columns for pair in pairings(dice))
    )
    return count / sides**4


@functools.cache
def brought(sides: int, columns: frozenset[int]) -> float:
    """The points of a roll in these columns, paired as well as can be, on average."""
    total = 0
    for dice, count in rolls(sides).items():
        total += count * max(sum(worth(sides, c) for c in pair if c in columns) for pair in pairings(dice))
    return total / sides**4


@functools.cache
def climbs(sides: int, column: int, spaces: int) -> float:
    """How likely a column comes so many times before a bust, beside the two columns that go best with it."""
    hit, columns = 1 - missed(sides, frozenset({column})), range(2, 2 * sides + 1)
    least = min(missed(sides, frozenset({column, a, b})) for a in columns for b in columns)
    return float((hit / (hit + least)) ** spaces)


def distance(board: Board, heights: Mapping[int, int], closed: set[int], missing: int) -> int:
    """The points missing in the nearest columns."""
    left = [(top - heights.get(c, 0)) * worth(board.sides, c) for c, top in board.tops.items() if c not in closed]
    return sum(sorted(left)[: max(missing, 0)])


def chance(board: Board, heights: Mapping[int, int], closed: set[int], missing: int) -> float:
    """Roughly how likely a side wins in one turn."""
    each = [climbs(board.sides, c, top - heights.get(c, 0)) for c, top in board.tops.items() if c not in closed]
    return math.prod(sorted(each, reverse=True)[: max(missing, 0)])


class Facts:
    """What the rules ask of a choice, worked out each time that one asks."""

    def __init__(self, board: Board, choice: Columns) -> None:
        self.board, self.choice, self.sides = board, choice, board.sides
        self.marks = board.marks[board.turn]
        missing = [board.needed - board.won(seat) for seat in range(len(board.marks))]
        #: What each of the others has climbed, and the columns that it still has to win.
        self.others = [(m, missing[seat]) for seat, m in enumerate(board.marks) if seat != board.turn]

    @property
    def runners(self) -> dict[int, int]:
        found = self.board.after(self.board.runners, self.choice)
        assert found is not None
        return found

    @property
    def heights(self) -> dict[int, int]:
        return {**self.marks, **self.runners}

    @property
    def on_top(self) -> set[int]:
        return {c for c, space in self.runners.items() if space == self.board.tops[c]}

    @property
    def enterable(self) -> set[int]:
        """Columns that a further runner could enter."""
        free = len(self.runners) < 3
        return set(self.board.tops) - set(self.board.winners) - set(self.runners) if free else set()

    @property
    def missing(self) -> int:
        return self.board.needed - self.board.won(self.board.turn)

    @property
    def shut(self) -> set[int]:
        """The columns that are closed after stopping; only those that are closed now if that wins."""
        return set(self.board.winners) | self.on_top

    @property
    def won(self) -> bool:
        return len(self.on_top) >= self.missing

    @property
    def bust(self) -> float:
        return missed(self.sides, frozenset(set(self.runners) - self.on_top | self.enterable))

    @property
    def reach_top(self) -> float:
        below = frozenset(c for c, space in self.runners.items() if space == self.board.tops[c] - 1)
        return 1 - missed(self.sides, below)

    @property
    def shortened(self) -> int:
        """Points by which the turn has shortened my way."""
        return self.way_before - self.way

    @property
    def way_before(self) -> int:
        return distance(self.board, self.marks, set(self.board.winners), self.missing)

    @property
    def way(self) -> int:
        return distance(self.board, self.heights, self.shut, self.missing - len(self.on_top))

    @property
    def my_chance(self) -> float:
        return chance(self.board, self.heights, self.shut, self.missing - len(self.on_top))

    @property
    def their_chance(self) -> float:
        """Of the others the one that is most likely to win."""
        chances = [chance(self.board, marks, self.shut, missing) for marks, missing in self.others]
        return 0.0 if self.won else max(chances, default=0.0)

    @property
    def their_way(self) -> int:
        return self.nearest(set(self.board.winners))

    @property
    def their_way_then(self) -> int:
        return self.their_way if self.won else self.nearest(self.shut)

    @property
    def stake(self) -> int:
        return sum((space - self.marks.get(c, 0)) * worth(self.sides, c) for c, space in self.runners.items())

    def nearest(self, closed: set[int]) -> int:
        """The way of the nearest of the others; alone, my own before the choice."""
        ways = [distance(self.board, marks, closed, missing) for marks, missing in self.others]
        return min(ways, default=self.way_before)

    def highest(self, column: int) -> int:
        """How high the highest of the others stands."""
        return max((marks.get(column, 0) for marks, _ in self.others), default=0)

    def steps(self, off: int) -> int:
        """Spaces that the choice climbs so many columns off the middle."""
        return sum(abs(c - self.sides - 1) == off for c in self.choice)


class Noted(Facts):
    """The same, noted once a choice."""


for _name, _fact in list(vars(Facts).items()):
    if isinstance(_fact, property) and _fact.fget is not None:
        _noted = functools.cached_property(_fact.fget)
        setattr(Noted, _name, _noted)
        _noted.__set_name__(Noted, _name)


def placed(facts: Facts) -> bool:
    return len(facts.runners) == 3


RULES: dict[str, Callable[[Facts], float]] = {
    "advance.middle": lambda f: f.steps(0),
    "advance.one_off": lambda f: f.steps(1),
    "advance.two_off": lambda f: f.steps(2),
    "advance.three_off": lambda f: f.steps(3),
    "advance.four_off": lambda f: f.steps(4),
    "advance.five_off": lambda f: f.steps(5),
    "advance.gained": lambda f: sum(worth(f.sides, c) for c in f.choice) / 7,
    "advance.begun": lambda f: sum(f.marks.get(c, 0) > 0 for c in set(f.choice)),
    "advance.height": lambda f: sum(f.heights[c] / f.board.tops[c] for c in set(f.choice)),
    "advance.contested": lambda f: sum(f.highest(c) / f.board.tops[c] for c in set(f.choice)),
    "advance.closer": lambda f: f.shortened / 28,
    "advance.tops": lambda f: len(f.on_top),
    "advance.wins": lambda f: f.won,
    "advance.runners": lambda f: len(f.runners),
    "advance.last_runner": lambda f: not f.enterable,
    "advance.bust": lambda f: f.bust,
    "advance.all_even": lambda f: placed(f) and all(c % 2 == 0 for c in f.runners),
    "advance.all_odd": lambda f: placed(f) and all(c % 2 == 1 for c in f.runners),
    "advance.one_sided": lambda f: placed(f) and not min(f.runners) <= f.sides < max(f.runners) - 1,
    "advance.reaches_top": lambda f: f.reach_top,
    "advance.next_turn": lambda f: f.my_chance,
    "advance.their_turn": lambda f: f.their_chance,
    "stop.over_28": lambda f: (RULE_OF_28.counted(f.board, f.runners) - 28) / 28,
    "stop.at_stake": lambda f: f.stake / 28,
    "stop.fewer": lambda f: f.shortened / 28,
    "stop.risk": lambda f: f.bust,
    "stop.expected_loss": lambda f: f.stake * f.bust / 7,
    "stop.expected_delay": lambda f: f.shortened * f.bust / 7,
    "stop.expected_gain": lambda f: brought(f.sides, frozenset(set(f.runners) - f.on_top | f.enterable)) / 7,
    "stop.runner_left": lambda f: bool(f.enterable),
    "stop.on_top": lambda f: len(f.on_top),
    "stop.top_near": lambda f: f.reach_top,
    "stop.shuts_out": lambda f: (f.their_way_then - f.their_way) / 28,
    "stop.ahead": lambda f: (f.their_way_then - f.way) / 28,
    "stop.danger": lambda f: f.their_chance,
    "stop.promise": lambda f: f.my_chance,
    "stop.last_stand": lambda f: f.their_chance * (1 - f.bust),
}


class Standard:
    """A player of the standard rules."""

    def __init__(self, weights: Weights, facts_of: type[Facts] = Facts) -> None:
        self.facts_of = facts_of
        self.rules = {
            group: [(RULES[key], *pair) for key, pair in weights.items() if key.startswith(group)]
            for group in ("advance", "stop")
        }

    def late(self, board: Board) -> float:
        """The share of the late weights: the nearer a side is to its last column, the later it is."""
        nearest = min(
            distance(board, marks, set(board.winners), board.needed - board.won(seat))
            for seat, marks in enumerate(board.marks)
        )
        return max(0.0, 1 - nearest / distance(board, {}, set(), board.needed))

    def score(self, board: Board, choice: Columns, late: float) -> float:
        facts = self.facts_of(board, choice)
        rules = self.rules["advance" if choice else "stop"]
        return sum(((1 - late) * early + late * at_last) * rule(facts) for rule, early, at_last in rules)

    def advance(self, board: Board, choices: Iterable[Columns]) -> Columns:
        late, ordered = self.late(board), in_order(choices)
        scores = [self.score(board, choice, late) for choice in ordered]
        return next(c for c, score in zip(ordered, scores, strict=True) if score >= max(scores) - 1e-9)

    def stops(self, board: Board) -> bool:
        return self.score(board, (), self.late(board)) >= -1e-9


def with_weights(rules: Any, weights: Any, facts_of: type[Facts] = Facts) -> Standard:
    """A player with the weights of a compiled one, float64[2, rules]."""
    return Standard(dict(zip(rules.columns, map(tuple, weights.T.tolist()), strict=True)), facts_of)
