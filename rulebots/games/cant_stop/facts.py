"""The facts of the rules: the runners as they stand after a move, what the next roll may bring, how far there is to go.

A set of columns is one bit each; what a roll may bring is worked out once for every set of columns in which a player
can advance. Points are those of Michael Keller's Rule of 28 (see rule_of_28.py): a space of the middle column is worth
1, and 1 more with each step away from it.

Distances and progress are in points, without the point for a runner. A side's distance is the points missing in its
nearest columns, as many as it still has to win. "They" are the best of the others: the nearest, and the likeliest to
win. Alone, they stand where I do before the move, and never win.
"""

from typing import Any

import numpy as np

from rulebots.game import View
from rulebots.games.cant_stop.game import MOST_NEEDED, MOST_SHORTEST
from rulebots.games.cant_stop.moves import (
    BROUGHT,
    COLUMNS,
    HIGH,
    LOW,
    MOST_SIDES,
    NO_COLUMN,
    ORDERS,
    PAIRED,
    ROLLS_WITH,
    RUNNERS,
    columns_of,
    length_of,
)
from rulebots.kernel import kernel

#: Each distance from the middle column: its name in rules, which columns it is with six-sided dice, and what reasons
#: call one of them: a move is seldom in both.
DISTANCES = (
    ("middle", "in the middle column (7)", "the middle column, the most frequent"),
    ("one_off", "one column off the middle (6 and 8)", "a column next to the middle one"),
    ("two_off", "two columns off the middle (5 and 9)", "a column two off the middle"),
    ("three_off", "three columns off the middle (4 and 10)", "a rather short column"),
    ("four_off", "four columns off the middle (3 and 11)", "a short column"),
    ("five_off", "five columns off the middle (2 and 12)", "one of the two shortest columns"),
)
#: The set of the columns with an even sum.
EVEN = sum(1 << column for column in range(0, COLUMNS, 2))


#: The most spaces of a column, and a table's length.
_SPACES = MOST_SHORTEST + 2 * (MOST_SIDES - 1) + 1
#: int64[sides, column]: the points of a space of a column; 0 where there is no such column.
VALUE = np.zeros((MOST_SIDES + 1, COLUMNS + 1), np.int64)
#: float64[sides, columns]: how likely it is that the next roll advances in none of these columns.
BUST = np.ones((MOST_SIDES + 1, 1 << COLUMNS))
#: float64[sides, columns]: the points that the next roll brings in these columns, at best and on average.
GAIN = np.zeros((MOST_SIDES + 1, 1 << COLUMNS))
#: float64[sides, column, spaces]: roughly how likely a turn is to climb that many spaces of a column: each time the
#: column must come before a bust, with runners in the two columns that go best with it.
CLIMB = np.zeros((MOST_SIDES + 1, COLUMNS, _SPACES))
#: int64[sides, shortest, needed]: the distance of a side when the game begins.
START = np.ones((MOST_SIDES + 1, MOST_SHORTEST + 1, MOST_NEEDED + 1), np.int64)
for _sides in range(2, MOST_SIDES + 1):
    _columns = range(columns_of(_sides))
    VALUE[_sides, : len(_columns)] = [abs(column - (_sides - 1)) + 1 for column in _columns]
    _rolls = int(ROLLS_WITH[_sides])
    _sets = np.arange(1 << len(_columns))[:, None]
    _misses = (_sets & BROUGHT[:_rolls]) == 0
    BUST[_sides, : len(_sets)] = _misses @ ORDERS[:_rolls] / _sides**4
    _points = np.where(_sets >> np.arange(NO_COLUMN + 1) & 1, VALUE[_sides], 0)
    _best = (_points[:, PAIRED[:_rolls, :, 0]] + _points[:, PAIRED[:_rolls, :, 1]]).max(axis=2)
    GAIN[_sides, : len(_sets)] = _best @ ORDERS[:_rolls] / _sides**4
    for _column in _columns:
        _hit = 1.0 - BUST[_sides, 1 << _column]
        _least = min(BUST[_sides, 1 << _column | 1 << a | 1 << b] for a in _columns for b in _columns)
        _chance = float(_hit / (_hit + _least))
        CLIMB[_sides, _column] = [_chance**space for space in range(_SPACES)]  # arrays' powers depend on the processor
    for _shortest in range(1, MOST_SHORTEST + 1):
        _distances = sorted(length_of(_sides, _shortest, column) * VALUE[_sides, column] for column in _columns)
        START[_sides, _shortest, 1:] = np.cumsum(_distances[:MOST_NEEDED])

#: What all rule sets share: all of it is as after the move; to stop or to roll changes nothing.
TURN_FIELDS = [
    ("top", np.int32, (COLUMNS,)),  # my height in a column, with the runner where there is one
    ("marked", np.int32, (MOST_SIDES,)),  # by steps off the middle: spaces climbed this turn, and 1 for each runner
    ("stake", np.int32),  # points that the runners have climbed this turn, without those for the runners
    ("placed", np.int32),  # runners on the board
    ("tops", np.int32),  # columns whose top they have reached
    ("can_place", np.int32),  # whether a runner is left and a column that it could enter
    # Sets of columns, one bit each:
    ("occupied", np.int32),  # that hold a runner
    ("open", np.int32),  # in which the next roll could advance
    ("almost", np.int32),  # in which a runner is a space below the top
    ("shut", np.int32),  # that are closed if I stop
]


@kernel
def place_runners(view: View, move: int) -> None:
    """Work out TURN_FIELDS for a move."""
    sides = view.sides
    low = LOW[move]
    high = HIGH[move]
    stake = placed = tops = 0
    occupied = climbing = empty = almost = 0
    shut = view.closed
    for off in range(sides):
        view.marked[off] = 0
    for column in range(columns_of(sides)):
        steps = int(column == low) + int(column == high)
        runner = view.runner[column]
        top = view.mine[column]
        if runner or steps:
            climbed = (runner or top) + steps - top
            top += climbed
            points = VALUE[sides, column]
            view.marked[points - 1] += climbed + 1
            stake += climbed * points
            placed += 1
            occupied |= 1 << column
            left = length_of(sides, view.shortest, column) - top
            if left == 0:
                tops += 1
                shut |= 1 << column
            else:
                climbing |= 1 << column
                almost |= int(left == 1) << column
        elif not view.closed >> column & 1:
            empty |= 1 << column
        view.top[column] = top
    view.stake = stake
    view.placed = placed
    view.tops = tops
    view.can_place = placed < RUNNERS and empty != 0
    view.open = climbing | empty if placed < RUNNERS else climbing
    view.occupied = occupied
    view.almost = almost
    view.shut = shut


@kernel
def only_odd(view: View, move: int) -> bool:
    """Whether every runner is on the board, all in odd columns."""
    return view.placed == RUNNERS and view.occupied & EVEN == 0


@kernel
def only_even(view: View, move: int) -> bool:
    """Whether every runner is on the board, all in even columns."""
    return view.placed == RUNNERS and view.occupied & ~EVEN == 0


@kernel
def only_high(view: View, move: int) -> bool:
    """Whether every runner is on the board, none below the middle column."""
    return view.placed == RUNNERS and view.occupied & ((1 << view.sides - 1) - 1) == 0


@kernel
def only_low(view: View, move: int) -> bool:
    """Whether every runner is on the board, none above the middle column."""
    return view.placed == RUNNERS and view.occupied >> view.sides == 0


#: Further away than any column.
FAR = 1000
#: The facts of the standard rules.
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
    view.distance_them = view.their_distance
    view.their_chance = 0.0 if view.wins else view.their_chance_now
    if view.tops and not view.wins:  # there may be too few columns left for them then
        view.distance_them, view.their_chance = best_of_others(view, view.shut)


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


@kernel
def gone(view: View) -> float:
    """How far the nearest side has come: 0 when the game begins, 1 at its end."""
    start = START[view.sides, view.shortest, view.needed]
    return max(0.0, 1.0 - min(view.my_distance, view.their_distance) / start)
