"""The shapes that a stone makes of a line (five, four, three, two, open or not), all of them in one table.

A line is seen from the point of the stone: five points on either side, each empty, the side's own, or closed (the
other's stone, or wall). Such a line has a number in base 3. A shape is defined by the side's next moves: an open three
is what one more stone turns into an open four.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rulebots.games.gomoku.points import FIVE

#: Points on either side that decide a shape: four that a five may cover, and one that may make it a six.
REACH = 5
OPEN, OWN, CLOSED = 0, 1, 2  # the digits of a line's number
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

#: The positions of a line, from -REACH to REACH without the stone's own, in the order of the digits.
_POSITIONS = [p for p in range(-REACH, REACH + 1) if p]


def _shapes(exactly: bool) -> npt.NDArray[np.uint8]:
    """The shape of every line: uint8[LINES]."""
    every = (3,) * (2 * REACH)  # an axis for each position
    shapes = np.full(every, DEAD, np.uint8)

    def own(position: int) -> npt.NDArray[np.bool_]:
        axes = [3 if p == position else 1 for p in _POSITIONS]
        return np.ones((), np.bool_) if position == 0 else (np.arange(3) == OWN).reshape(axes)

    def followed_by(shape: int) -> npt.NDArray[np.int64]:
        """On how many empty points one more stone makes that shape."""
        found = np.zeros(every, np.int64)
        for axis in range(len(every)):
            np.moveaxis(found, axis, 0)[OPEN] += np.moveaxis(shapes, axis, 0)[OWN] == shape
        return found

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


def _ternary() -> npt.NDArray[np.int64]:
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
