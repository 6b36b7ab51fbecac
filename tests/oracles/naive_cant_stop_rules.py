"""The standard rules of Can't Stop in plain Python, on the board of naive_cant_stop.py.

Each gives a number for a choice: the columns of an advance, or () to stop. What is
told of the board is told of it after the choice.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Mapping
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


def rules_of(board: Board, choice: Columns) -> dict[str, float]:
    """The value of every rule: those of `advance` for an advance, those of `stop` for ()."""
    runners = board.after(board.runners, choice)
    assert runners is not None
    sides, me, marks = board.sides, board.turn, board.marks[board.turn]
    theirs, winners = board.marks[1 - me], set(board.winners)
    heights = {**marks, **runners}
    tops = {c for c, space in runners.items() if space == board.tops[c]}
    others = set(board.tops) - winners - set(runners)
    can_place = len(runners) < 3 and bool(others)
    after = frozenset(set(runners) - tops | (others if can_place else set()))
    missing, their_missing = board.needed - board.won(me), board.needed - board.won(1 - me)
    my_way = distance(board, marks, winners, missing)
    way = distance(board, heights, winners | tops, missing - len(tops))
    my_chance = chance(board, heights, winners | tops, missing - len(tops))
    wins = len(tops) >= missing
    their_chance = 0.0 if wins else chance(board, theirs, winners | tops, their_missing)
    bust = missed(sides, after)
    reach_top = 1 - missed(sides, frozenset(c for c, space in runners.items() if space == board.tops[c] - 1))
    if choice:
        used = set(choice)
        climbed = [sum(worth(sides, c) == steps for c in choice) for steps in range(1, 7)]
        all_placed = len(runners) == 3
        return {
            "middle": climbed[0],
            "one_off": climbed[1],
            "two_off": climbed[2],
            "three_off": climbed[3],
            "four_off": climbed[4],
            "five_off": climbed[5],
            "gained": sum(worth(sides, c) for c in choice) / 7,
            "begun": sum(marks.get(c, 0) > 0 for c in used),
            "height": sum(heights[c] / board.tops[c] for c in used),
            "contested": sum(theirs.get(c, 0) / board.tops[c] for c in used),
            "closer": (my_way - way) / 28,
            "tops": len(tops),
            "wins": wins,
            "runners": len(runners),
            "last_runner": not can_place,
            "bust": bust,
            "all_even": all_placed and all(c % 2 == 0 for c in runners),
            "all_odd": all_placed and all(c % 2 == 1 for c in runners),
            "one_sided": all_placed and (min(runners) >= sides + 1 or max(runners) <= sides + 1),
            "reaches_top": reach_top,
            "next_turn": my_chance,
            "their_turn": their_chance,
        }
    stake = sum((space - marks.get(c, 0)) * worth(sides, c) for c, space in runners.items())
    points = RULE_OF_28.points(board, runners, RULE_OF_28.progress) + RULE_OF_28.difficulty(board, runners)
    their_way = distance(board, theirs, winners, their_missing)
    shut_out = their_way if wins else distance(board, theirs, winners | tops, their_missing)
    return {
        "over_28": (points - 28) / 28,
        "at_stake": stake / 28,
        "fewer": (my_way - way) / 28,
        "risk": bust,
        "expected_loss": stake * bust / 7,
        "expected_delay": (my_way - way) * bust / 7,
        "expected_gain": brought(sides, after) / 7,
        "runner_left": can_place,
        "on_top": len(tops),
        "top_near": reach_top,
        "shuts_out": (shut_out - their_way) / 28,
        "ahead": (shut_out - way) / 28,
        "danger": their_chance,
        "promise": my_chance,
        "last_stand": their_chance * (1 - bust),
    }


class Standard:
    """A player of the standard rules."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights

    def blended(self, board: Board) -> dict[str, float]:
        """The weights at this moment of the game: the nearer a side is to its last column, the later."""
        nearest = min(
            distance(board, board.marks[seat], set(board.winners), board.needed - board.won(seat)) for seat in (0, 1)
        )
        late = max(0.0, 1 - nearest / distance(board, {}, set(), board.needed))
        return {rule: (1 - late) * early + late * at_last for rule, (early, at_last) in self.weights.items()}

    def score(self, board: Board, choice: Columns, weights: Mapping[str, float]) -> float:
        group = "advance" if choice else "stop"
        return sum(weights[f"{group}.{rule}"] * value for rule, value in rules_of(board, choice).items())

    def advance(self, board: Board, choices: Iterable[Columns]) -> Columns:
        weights, ordered = self.blended(board), in_order(choices)
        scores = [self.score(board, choice, weights) for choice in ordered]
        return next(c for c, score in zip(ordered, scores, strict=True) if score >= max(scores) - 1e-9)

    def stops(self, board: Board) -> bool:
        return self.score(board, (), self.blended(board)) >= -1e-9


def with_weights(rules: Any, weights: Any) -> Standard:
    """A player with the weights of a compiled one, float64[2, rules]."""
    return Standard(dict(zip(rules.columns, map(tuple, weights.T.tolist()), strict=True)))
