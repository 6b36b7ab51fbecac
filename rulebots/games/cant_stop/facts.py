"""The facts of the standard rules: how far both sides have to go, and what the next roll may bring.

Distances and progress are in points, as the Rule of 28 counts spaces (turn.py), without the point for a runner. A
side's distance is the points that are missing in its nearest columns, as many as it still has to win. "They" are the
best of the others: the nearest, and the likeliest to win. Alone, they stand where I do before the move, and never win.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rulebots.game import View
from rulebots.games.cant_stop.game import MOST_NEEDED, MOST_SHORTEST
from rulebots.games.cant_stop.moves import MOST_SIDES, columns_of, length_of
from rulebots.games.cant_stop.turn import BUST, CLIMB, VALUE, place_runners
from rulebots.games.cant_stop.turn import FIELDS as TURN_FIELDS
from rulebots.kernel import kernel

#: Further away than any column.
FAR = 1000

FIELDS = [
    *TURN_FIELDS,
    # Before the move:
    ("my_distance", np.int32),
    ("their_distance", np.int32),
    ("their_chance_now", np.float64),  # roughly how likely they would win in one turn
    # After it:
    ("bust", np.float64),  # how likely the next roll is a bust
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
    """Fill the facts of the position before the move."""
    view.my_distance, _ = standing(view, view.mine[:], view.my_won, view.closed)
    view.their_distance, view.their_chance_now = best_of_others(view, view.closed)


@kernel
def weigh(view: View, move: int) -> None:
    """Work out FIELDS for a move."""
    place_runners(view, move)
    view.bust = BUST[view.sides, view.open]
    view.reach_top = 1.0 - BUST[view.sides, view.almost]
    won = view.my_won + view.tops
    view.wins = won >= view.needed
    view.distance_left, view.my_chance = standing(view, view.top[:], won, view.shut)
    if view.wins:  # there may be too few columns left for them
        view.distance_them = view.their_distance
        view.their_chance = 0.0
    elif view.tops:
        view.distance_them, view.their_chance = best_of_others(view, view.shut)
    else:
        view.distance_them = view.their_distance
        view.their_chance = view.their_chance_now


@kernel
def best_of_others(view: View, closed: int) -> tuple[int, float]:
    """The distance of the nearest of the others, and roughly how likely the likeliest of them wins in one turn."""
    if view.seats == 1:
        return view.my_distance, 0.0
    nearest = MOST_NEEDED * FAR
    likeliest = 0.0
    for k in range(view.seats - 1):
        distance, chance = standing(view, view.others[k], view.others_won[k], closed)
        nearest = min(nearest, distance)
        likeliest = max(likeliest, chance)
    return nearest, likeliest


@kernel
def standing(view: View, heights: Any, won: int, closed: int) -> tuple[int, float]:
    """A side's distance, and roughly how likely it wins in one turn: its most likely columns must reach their tops.

    `heights` is a slice, for every side alike: a field of the view as it is would be compiled once more.
    """
    nearest = second = third = FAR
    best = next_best = last = 0.0
    for column in range(columns_of(view.sides)):
        if closed >> column & 1:
            continue
        left = length_of(view.sides, view.shortest, column) - heights[column]
        points = left * VALUE[view.sides, column]
        chance = CLIMB[view.sides, column, left]
        if points < third:
            third = max(second, points)
            second = max(nearest, min(second, points))
            nearest = min(nearest, points)
        if chance > last:
            last = min(next_best, chance)
            next_best = min(best, max(next_best, chance))
            best = max(best, chance)
    missing = view.needed - won
    distance = int(missing > 0) * nearest + int(missing > 1) * second + int(missing > 2) * third
    best = best if missing > 0 else 1.0
    next_best = next_best if missing > 1 else 1.0
    last = last if missing > 2 else 1.0
    return distance, best * next_best * last


#: int64[sides, shortest, needed]: the distance of a side when the game begins.
START = np.ones((MOST_SIDES + 1, MOST_SHORTEST + 1, MOST_NEEDED + 1), np.int64)
for _sides in range(2, MOST_SIDES + 1):
    for _shortest in range(1, MOST_SHORTEST + 1):
        _points = sorted(
            length_of(_sides, _shortest, column) * int(VALUE[_sides, column]) for column in range(columns_of(_sides))
        )
        START[_sides, _shortest, 1:] = np.cumsum(_points[:MOST_NEEDED])


@kernel
def gone(view: View) -> float:
    """How far the nearest side has come: 0 when the game begins, 1 at its end."""
    start = START[view.sides, view.shortest, view.needed]
    return max(0.0, 1.0 - min(view.my_distance, view.their_distance) / start)
