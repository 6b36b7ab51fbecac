"""The lines of a board as bits, and the shapes that a stone would make of the four lines through its point."""

from __future__ import annotations

from typing import Any

import numpy as np

from rulebots.games.gomoku.points import LARGEST, WIDTH
from rulebots.games.gomoku.shapes import CLOSED, REACH, SHAPE, SHAPES, TERNARY
from rulebots.grid import MINE, THEIRS
from rulebots.kernel import kernel

#: Rows, columns, falling and rising diagonals; and the most lines of one direction.
DIRECTIONS, DIAGONALS = 4, 2 * LARGEST - 1
#: The bits of a line that decide the shape at a point: REACH points on either side, and itself.
SEEN = (1 << (2 * REACH + 1)) - 1
#: Points farther than this many rows or columns from all stones are skipped: they have no shapes but ROOM and few TWO.
CLOSE = 2
_BITS = (1 << (LARGEST + 2 * REACH)) - 1

#: The facts, in addition to the view. A line is a number: bit REACH + i is its point in column i (in row i, for a
#: column).
FIELDS = [
    ("stones", np.int32, (2, DIRECTIONS, DIAGONALS)),  # where mine stand, and theirs
    ("walls", np.int64, (DIRECTIONS, DIAGONALS)),  # with all 32 bits of the largest board set
    ("close", np.int32, LARGEST),  # rows like `stones`: the points at most CLOSE rows and columns from a stone
    ("mine", np.int64, SHAPES),  # of the point under consideration: in how many directions my stone makes each shape
    ("theirs", np.int64, SHAPES),  # the same for the opponent's stone
]


@kernel
def between(low: int, high: int) -> int:
    """The bits of points low..high of a line."""
    return ((1 << (high - low + 1)) - 1) << (low + REACH)


@kernel
def study_lines(view: Any) -> None:
    """Fill `stones`, `walls` and `close`, once a decision."""
    stones, walls, close, board, last = view.stones, view.walls, view.close, view.board, view.side - 1
    stones[:] = 0
    for i in range(2 * last + 1):
        if i <= last:
            walls[0, i] = walls[1, i] = _BITS ^ between(0, last)
        walls[2, LARGEST - 1 - last + i] = _BITS ^ between(max(0, last - i), min(last, 2 * last - i))
        walls[3, i] = _BITS ^ between(max(0, i - last), min(last, i))
    for row in range(last + 1):
        for column in range(last + 1):
            stone = board[(row + 1) * WIDTH + column + 1]
            if stone in (MINE, THEIRS):
                whose, bit = stone - MINE, 1 << (column + REACH)
                stones[whose, 0, row] |= bit
                stones[whose, 1, column] |= 1 << (row + REACH)
                stones[whose, 2, LARGEST - 1 + row - column] |= bit
                stones[whose, 3, row + column] |= bit
    close[:] = 0
    for row in range(last + 1):
        reached = stones[0, 0, row] | stones[1, 0, row]
        for _ in range(CLOSE):
            reached |= (reached << 1) | (reached >> 1)
        for other in range(max(0, row - CLOSE), min(last, row + CLOSE) + 1):
            close[other] |= reached


@kernel
def consider_point(view: Any, point: int) -> None:
    """Fill `mine` and `theirs`: the shapes that a stone on an empty point would make."""
    mine, theirs = view.mine, view.theirs
    mine[:] = 0
    theirs[:] = 0
    row, column = point // WIDTH - 1, point % WIDTH - 1
    if (view.close[row] >> (column + REACH)) & 1 == 0:
        return
    stones, walls, shape_of = view.stones, view.walls, SHAPE[view.exactly]
    for direction in range(DIRECTIONS):
        line, shift = row, column
        if direction == 1:
            line, shift = column, row
        elif direction == 2:
            line = LARGEST - 1 + row - column
        elif direction == 3:
            line = row + column
        me = TERNARY[(stones[0, direction, line] >> shift) & SEEN]
        opponent = TERNARY[(stones[1, direction, line] >> shift) & SEEN]
        wall = TERNARY[(walls[direction, line] >> shift) & SEEN]
        mine[shape_of[me + CLOSED * (opponent + wall)]] += 1
        theirs[shape_of[opponent + CLOSED * (me + wall)]] += 1
