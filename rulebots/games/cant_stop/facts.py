"""The facts of the standard rules: how far both sides have to go, and what the next roll may bring.

Distances and progress are in points, as the Rule of 28 counts spaces (chances.py), without the point for a runner. A
side's distance is the points that are missing in its nearest columns, as many as it still has to win.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rulebots.game import View
from rulebots.games.cant_stop.chances import BUST, CLIMB, GAIN, VALUE
from rulebots.games.cant_stop.dice import MOST_SIDES, NO_COLUMN
from rulebots.games.cant_stop.game import columns_of, length_of
from rulebots.games.cant_stop.moves import HIGH, LOW
from rulebots.games.cant_stop.turn import FIELDS as TURN_FIELDS
from rulebots.games.cant_stop.turn import RUNNERS, all_placed, place_runners
from rulebots.kernel import kernel

#: Further away than any column.
FAR = 1000

FIELDS = [
    *TURN_FIELDS,
    # Before the move:
    ("my_distance", np.int32),
    ("their_distance", np.int32),
    # After it:
    ("climbed", np.int32, (MOST_SIDES,)),  # spaces that it climbs, by steps off the middle
    ("stake", np.int32),  # points that my runners have climbed this turn
    ("gained", np.int32),  # points that it adds to that
    ("counted", np.int32),  # the points of the turn as the Rule of 28 counts them
    ("bust", np.float64),  # how likely the next roll is a bust
    ("gain", np.float64),  # points that the next roll brings on average
    ("reach_top", np.float64),  # how likely the next roll brings a runner to its top
    ("wins", np.int32),  # whether I have won if I stop
    # If I stop then:
    ("distance_left", np.int32),  # mine
    ("distance_them", np.int32),  # theirs
    ("my_chance", np.float64),  # roughly how likely my next turn would win
    ("their_chance", np.float64),  # roughly how likely their next turn wins
]


@kernel
def look(view: View) -> None:
    """Work out the distances before the move."""
    view.my_distance = nearest(view, view.mine, view.my_won, view.closed)
    view.their_distance = nearest(view, view.theirs, view.their_won, view.closed)


@kernel
def weigh(view: View, move: int) -> None:
    """Work out FIELDS for a move."""
    place_runners(view, move)
    sides, low, high = view.sides, LOW[move], HIGH[move]
    stake, counted, almost, closed = 0, 0, 0, view.closed
    for off in range(sides):
        view.climbed[off] = 0
        counted += view.marked[off] * (off + 1)
    if low != NO_COLUMN:
        view.climbed[VALUE[sides, low] - 1] += 1
    if high != NO_COLUMN:
        view.climbed[VALUE[sides, high] - 1] += 1
    for column in range(columns_of(sides)):
        top = view.top[column]
        if top:
            stake += (top - view.mine[column]) * VALUE[sides, column]
            left = length_of(sides, view.shortest, column) - top
            if left == 0:
                closed |= 1 << column
            elif left == 1:
                almost |= 1 << column
        else:
            view.top[column] = view.mine[column]
    view.stake = stake
    view.counted = counted + adjustment(view)
    view.gained = VALUE[sides, low] + VALUE[sides, high]
    view.bust = BUST[sides, view.open]
    view.gain = GAIN[sides, view.open]
    view.reach_top = 1.0 - BUST[sides, almost]
    won = view.my_won + view.tops
    view.wins = won >= view.needed
    view.distance_left = nearest(view, view.top, won, closed)
    view.my_chance = chance_of(view, view.top, won, closed)
    if view.wins:  # there may be too few columns left for them
        view.distance_them, view.their_chance = view.their_distance, 0.0
    else:
        view.distance_them = nearest(view, view.theirs, view.their_won, closed)
        view.their_chance = chance_of(view, view.theirs, view.their_won, closed)


@kernel
def adjustment(view: View) -> int:
    """What the Rule of 28 adds for three runners that go badly or well together."""
    if not all_placed(view):
        return 0
    parity = int(view.evens == 0) - int(view.evens == view.placed)
    return 2 * parity + 4 * int(view.highs == view.placed) + 4 * int(view.lows == view.placed)


@kernel
def nearest(view: View, heights: Any, won: int, closed: int) -> int:
    """The points missing in a side's nearest columns, as many as it must still win."""
    first, second, third = FAR, FAR, FAR
    for column in range(columns_of(view.sides)):
        if not closed >> column & 1:
            left = length_of(view.sides, view.shortest, column) - heights[column]
            points = left * VALUE[view.sides, column]
            if points < first:
                first, second, third = points, first, second
            elif points < second:
                second, third = points, second
            elif points < third:
                third = points
    missing = view.needed - won
    return int(missing > 0) * first + int(missing > 1) * second + int(missing > 2) * third


@kernel
def chance_of(view: View, heights: Any, won: int, closed: int) -> float:
    """Roughly how likely a side wins in one turn: it must climb its most likely columns to the top."""
    first, second, third = 0.0, 0.0, 0.0
    for column in range(columns_of(view.sides)):
        if not closed >> column & 1:
            chance = CLIMB[view.sides, column, length_of(view.sides, view.shortest, column) - heights[column]]
            if chance > first:
                first, second, third = chance, first, second
            elif chance > second:
                second, third = chance, second
            elif chance > third:
                third = chance
    missing = view.needed - won
    return (first if missing > 0 else 1.0) * (second if missing > 1 else 1.0) * (third if missing > 2 else 1.0)


#: int64[sides, shortest, needed]: the distance of a side when the game begins.
START = np.ones((MOST_SIDES + 1, 4, RUNNERS + 1), np.int64)
for _sides in range(2, MOST_SIDES + 1):
    for _shortest in range(1, 4):
        _points = sorted(
            (_shortest + 2 * min(column, 2 * _sides - 2 - column)) * int(VALUE[_sides, column])
            for column in range(2 * _sides - 1)
        )
        START[_sides, _shortest, 1:] = np.cumsum(_points[:RUNNERS])


@kernel
def gone(view: View) -> float:
    """How far the nearer side has come: 0 when the game begins, 1 at its end."""
    start = START[view.sides, view.shortest, view.needed]
    return max(0.0, 1.0 - min(view.my_distance, view.their_distance) / start)
