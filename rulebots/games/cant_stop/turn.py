"""The facts that all rules share: the runners of the turn as they stand after a move."""

from __future__ import annotations

import numpy as np

from rulebots.game import View
from rulebots.games.cant_stop.chances import VALUE
from rulebots.games.cant_stop.dice import COLUMNS, MOST_SIDES
from rulebots.games.cant_stop.game import columns_of, length_of
from rulebots.games.cant_stop.moves import HIGH, LOW, RUNNERS
from rulebots.kernel import kernel

#: All of it is as after the move; to stop or to roll changes nothing.
FIELDS = [
    ("top", np.int32, (COLUMNS,)),  # my height in a column, with the runner where there is one
    ("marked", np.int32, (MOST_SIDES,)),  # by steps off the middle: spaces climbed this turn, and 1 for each runner
    ("stake", np.int32),  # points that the runners have climbed this turn, without those for the runners
    ("placed", np.int32),  # runners on the board
    ("evens", np.int32),  # of these in even columns
    ("highs", np.int32),  # in the middle column or above
    ("lows", np.int32),  # in the middle column or below
    ("tops", np.int32),  # columns whose top they have reached
    ("can_place", np.int32),  # whether a runner is left and a column that it could enter
    # Sets of columns, one bit each:
    ("open", np.int32),  # in which the next roll could advance
    ("almost", np.int32),  # in which a runner is a space below the top
    ("shut", np.int32),  # that are closed if I stop
]


@kernel
def place_runners(view: View, move: int) -> None:
    """Work out FIELDS for a move."""
    sides, low, high = view.sides, LOW[move], HIGH[move]
    middle = sides - 1
    stake, placed, evens, highs, lows, tops = 0, 0, 0, 0, 0, 0
    climbing, empty, almost, shut = 0, 0, 0, view.closed
    for off in range(sides):
        view.marked[off] = 0
    for column in range(columns_of(sides)):
        steps, runner, top = int(column == low) + int(column == high), view.runner[column], view.mine[column]
        if runner or steps:
            climbed = (runner or top) + steps - top
            top += climbed
            points = VALUE[sides, column]
            view.marked[points - 1] += climbed + 1
            stake += climbed * points
            placed += 1
            evens += column % 2 == 0
            highs += column >= middle
            lows += column <= middle
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
    view.stake, view.placed, view.evens, view.highs, view.lows, view.tops = stake, placed, evens, highs, lows, tops
    view.can_place = placed < RUNNERS and empty != 0
    view.open = climbing | empty if placed < RUNNERS else climbing
    view.almost, view.shut = almost, shut


@kernel
def all_placed(view: View) -> bool:
    """Whether every runner is on the board."""
    return view.placed == RUNNERS
