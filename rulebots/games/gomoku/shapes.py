"""The shapes that a stone makes of the lines through its point: five, four, three, two, open or not.

A line is seen from the point of the stone: five points on either side, each empty, the side's own, or closed (the
other's stone, or wall). Such a line has a number in base 3, and one table holds the shapes of all. A shape is defined
by the side's next moves: an open three is what one more stone turns into an open four.

`study_lines` keeps the lines of the board as bits, from which `consider_point` reads the numbers of a point's lines.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.game import Bools, Ints
from rulebots.game.grid import MINE, THEIRS
from rulebots.games.gomoku.game import FIVE, LARGEST, WIDTH
from rulebots.kernel import kernel

#: Points on either side that decide a shape: four that a five may cover, and one that may make it a six.
REACH = 5
# the digits of a line's number
OPEN = 0
OWN = 1
CLOSED = 2
LINES: int = 3 ** (2 * REACH)

#: Shapes, each better than the one before.
DEAD = 0  # no five can be made here
ROOM = 1  # a five can be made, with four more stones
TWO = 2  # one more stone makes a three
OPEN_TWO = 3  # one more stone makes an open three
THREE = 4  # one more stone makes a four
OPEN_THREE = 5  # one more stone makes an open four
FOUR = 6  # there is one point where one more stone makes a five
OPEN_FOUR = 7  # there are at least two such points
MADE_FIVE = 8  # the stone makes a five
SHAPES = 9
#: Rows of the counts of shapes.
MY_STONE, THEIR_STONE = range(2)

#: The positions of a line, from -REACH to REACH without the stone's own, in the order of the digits.
_POSITIONS = [p for p in range(-REACH, REACH + 1) if p]
#: Rows, columns, falling and rising diagonals; and the most lines of one direction.
DIRECTIONS = 4
DIAGONALS = 2 * LARGEST - 1
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
    ("shapes", np.int64, (2, SHAPES)),  # in how many directions a stone on the point makes each: mine, then theirs
]


def _shapes(exactly: bool) -> npt.NDArray[np.uint8]:
    """The shape of every line: uint8[LINES]."""
    every = (3,) * (2 * REACH)  # an axis for each position
    shapes = np.full(every, DEAD, np.uint8)

    def own(position: int) -> Bools:
        axes = [3 if p == position else 1 for p in _POSITIONS]
        return np.ones((), np.bool_) if position == 0 else (np.arange(3) == OWN).reshape(axes)

    def followed_by(shape: int) -> Ints:
        """On how many empty points one more stone makes that shape."""
        points = np.zeros(every, np.int64)
        for axis in range(len(every)):
            np.moveaxis(points, axis, 0)[OPEN] += np.moveaxis(shapes, axis, 0)[OWN] == shape
        return points

    for first in range(1 - FIVE, 1):
        five = np.ones(every, np.bool_)
        for position in range(first, first + FIVE):
            five &= own(position)
        if exactly:
            five &= ~own(first - 1) & ~own(first + FIVE)
        shapes[five] = MADE_FIVE
    fives = followed_by(MADE_FIVE)
    shapes[(shapes == DEAD) & (fives > 1)] = OPEN_FOUR
    shapes[(shapes == DEAD) & (fives == 1)] = FOUR
    for next_shape, shape in ((OPEN_FOUR, OPEN_THREE), (FOUR, THREE), (OPEN_THREE, OPEN_TWO), (THREE, TWO)):
        shapes[(shapes == DEAD) & (followed_by(next_shape) > 0)] = shape
    shapes[(shapes == DEAD) & (followed_by(OPEN_TWO) + followed_by(TWO) > 0)] = ROOM
    return shapes.reshape(LINES)


def _ternary() -> Ints:
    """The number of a line with OWN wherever a bit of 0..2047 is set, without the middle bit: int64[2048]."""
    bits = np.arange(2 ** (2 * REACH + 1))
    numbers = np.zeros(len(bits), np.int64)
    for position in _POSITIONS:
        numbers = 3 * numbers + OWN * (bits >> (position + REACH) & 1)
    return numbers


#: uint8[2, LINES]: the shape that a stone makes of a line, in freestyle and where only exactly five win.
SHAPE = np.stack([_shapes(exactly=False), _shapes(exactly=True)])
#: int64[2048], see `_ternary`: the line of a side is TERNARY[its stones] + CLOSED * TERNARY[what is closed].
TERNARY = _ternary()


@kernel
def between(low: int, high: int) -> int:
    """The bits of points low..high of a line."""
    return ((1 << (high - low + 1)) - 1) << (low + REACH)


@kernel
def study_lines(view: Any) -> None:
    """Fill `stones`, `walls` and `close`, once a decision."""
    stones = view.stones
    walls = view.walls
    close = view.close
    board = view.board
    last = view.side - 1
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
                whose = stone - MINE
                bit = 1 << (column + REACH)
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
    """Fill `shapes`: those that a stone of either side would make on an empty point."""
    shapes = view.shapes
    shapes[:] = 0
    row = point // WIDTH - 1
    column = point % WIDTH - 1
    if (view.close[row] >> (column + REACH)) & 1 == 0:
        return
    stones = view.stones
    walls = view.walls
    shape_of = SHAPE[view.exactly]
    for direction in range(DIRECTIONS):
        line = row
        shift = column
        if direction == 1:
            line = column
            shift = row
        elif direction == 2:
            line = LARGEST - 1 + row - column
        elif direction == 3:
            line = row + column
        me = TERNARY[(stones[0, direction, line] >> shift) & SEEN]
        opponent = TERNARY[(stones[1, direction, line] >> shift) & SEEN]
        wall = TERNARY[(walls[direction, line] >> shift) & SEEN]
        shapes[MY_STONE, shape_of[me + CLOSED * (opponent + wall)]] += 1
        shapes[THEIR_STONE, shape_of[opponent + CLOSED * (me + wall)]] += 1
