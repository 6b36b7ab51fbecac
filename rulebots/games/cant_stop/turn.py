"""The facts that all rules share: the runners of the turn as they stand after a move."""

from __future__ import annotations

import numpy as np

from rulebots.game import View
from rulebots.games.cant_stop.chances import VALUE
from rulebots.games.cant_stop.dice import COLUMNS, MOST_SIDES
from rulebots.games.cant_stop.game import columns_of, length_of
from rulebots.games.cant_stop.moves import HIGH, LOW
from rulebots.kernel import kernel

#: All of it is as after the move; to stop or to roll changes nothing.
FIELDS = [
    ("top", np.int32, (COLUMNS,)),  # the space of my runner in a column; 0 where there is none
    ("marked", np.int32, (MOST_SIDES,)),  # by steps off the middle: spaces climbed this turn, and 1 for each runner
    ("placed", np.int32),  # runners on the board
    ("evens", np.int32),  # of these in even columns
    ("highs", np.int32),  # in the middle column or above
    ("lows", np.int32),  # in the middle column or below
    ("tops", np.int32),  # columns whose top they have reached
    ("can_place", np.int32),  # whether a runner is left and a column that it could enter
    ("open", np.int32),  # the columns in which the next roll could advance, one bit each
]
RUNNERS = 3


@kernel
def place_runners(view: View, move: int) -> None:
    """Work out FIELDS for a move."""
    sides, low, high = view.sides, LOW[move], HIGH[move]
    middle = sides - 1
    placed, evens, highs, lows, tops, climbing, empty = 0, 0, 0, 0, 0, 0, 0
    for off in range(sides):
        view.marked[off] = 0
    for column in range(columns_of(sides)):
        steps, runner = int(column == low) + int(column == high), view.runner[column]
        top = 0
        if runner or steps:
            top = (runner or view.mine[column]) + steps
            view.marked[VALUE[sides, column] - 1] += top - view.mine[column] + 1
            placed += 1
            evens += column % 2 == 0
            highs += column >= middle
            lows += column <= middle
            if top == length_of(sides, view.shortest, column):
                tops += 1
            else:
                climbing |= 1 << column
        elif not view.closed >> column & 1:
            empty |= 1 << column
        view.top[column] = top
    view.placed, view.evens, view.highs, view.lows, view.tops = placed, evens, highs, lows, tops
    view.can_place = placed < RUNNERS and empty != 0
    view.open = climbing | empty if placed < RUNNERS else climbing


@kernel
def all_placed(view: View) -> bool:
    """Whether every runner is on the board."""
    return view.placed == RUNNERS
