"""What patterns are worth to a player of the rule set `patterns`: its weights, pattern by pattern.

The rules of the groups `attack` and `defence` look at the shapes of a point's lines and at nothing else. So what they
add to the score of a stone is a number for each pattern of its side, and one for each pattern of the other side.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rulebots.errors import UsageError
from rulebots.game.dtypes import records
from rulebots.games.gomoku.points import CELLS, WIDTH
from rulebots.games.gomoku.rules import LATE, patterns
from rulebots.games.gomoku.shapes import SHAPES
from rulebots.games.gomoku.threats.board import DIGITS, PATTERNS
from rulebots.players import RulePlayer

#: Values are whole numbers: so many to 1 of a score.
UNITS = 256
#: Larger weights are made smaller, all by one factor, so that a line's costs stay less than a win. No decision of the
#: guide's changes by that.
MOST = 1000.0
#: The groups whose rules look at the shapes of my stone, and of the opponent's.
ATTACK, DEFENCE = "attack", "defence"


@functools.cache
def features() -> npt.NDArray[np.float64]:
    """What each rule gives for each pattern: float64[PATTERNS, rules]; 0 for those of other groups."""
    counts = np.stack([(np.arange(PATTERNS)[:, None] // DIGITS % SHAPES == s).sum(axis=1) for s in range(SHAPES)], 1)
    kinds, which = np.unique(counts, axis=0, return_inverse=True)
    found = np.zeros((len(kinds), len(patterns.rules)))
    view = records(patterns.record, 1)[0]
    for row, shapes in enumerate(kinds):
        view.mine[:] = view.theirs[:] = shapes
        for column, rule in enumerate(patterns.rules):
            if rule.group in (ATTACK, DEFENCE):
                found[row, column] = float(rule.kernel(view, 0))
    return found[which.reshape(-1)]


class Values(NamedTuple):
    """What a player's weights say, at one stage of the game, in UNITS."""

    #: int64[PATTERNS]: what a stone is worth for the pattern that it makes, and for the one that it prevents.
    attack: npt.NDArray[np.int64]
    block: npt.NDArray[np.int64]
    #: int64[cells]: what a stone is worth for its place on the board.
    centre: npt.NDArray[np.int64]
    #: int64[3]: for each neighbour that is mine, for each that is theirs, and for the last move.
    beside: npt.NDArray[np.int64]


def values_of(guide: RulePlayer, state: Any) -> Values:
    """What the guide's weights say in this position.

    Raises:
        UsageError: the guide is a player of other rules.
    """
    if guide.rules is not patterns:
        raise UsageError(f"expected a player of the rule set '{patterns.name}', not of '{guide.rules.name}'")
    late = min(float(state.side * state.side - state.left) / (LATE * float(state.side)), 1.0)
    weights = (1.0 - late) * guide.weights[0] + late * guide.weights[1]
    weights = weights * min(1.0, MOST / max(float(np.abs(weights).max()), MOST))
    attack, block = (features() @ np.where(_group(group), weights, 0.0) for group in (ATTACK, DEFENCE))
    place = [weights[patterns.columns[f"place.{name}"]] for name in ("beside_mine", "beside_theirs", "near_last_move")]
    return Values(
        attack=_units(attack),
        block=_units(block),
        centre=_units(_centres(int(state.side)) * weights[patterns.columns["place.centre"]]),
        beside=_units(np.array(place)),
    )


def _units(values: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    return np.rint(UNITS * values).astype(np.int64)


def _group(name: str) -> npt.NDArray[np.bool_]:
    return np.array([rule.group == name for rule in patterns.rules])


@functools.cache
def _centres(side: int) -> npt.NDArray[np.float64]:
    """What the rule `centre` gives for each point: float64[cells]."""
    view, rule = records(patterns.record, 1)[0], patterns.rules[patterns.columns["place.centre"]]
    view.side = side
    found = np.zeros(CELLS)
    for row in range(1, side + 1):
        for point in range(row * WIDTH + 1, row * WIDTH + side + 1):
            found[point] = rule.kernel(view, point)
    return found
