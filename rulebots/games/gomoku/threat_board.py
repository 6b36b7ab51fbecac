"""The board of a search: what a stone of either side would make of each point, kept up to date stone by stone.

For each empty point, side and direction the record holds the line's number and the shape that a stone would make of it
(see shapes.py). The four shapes together are the point's *pattern*, a number below PATTERNS; its *threat* says how
urgent a stone there is. Stones are taken off in the reverse order in which they were put.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.game.grid import EMPTY, WALL
from rulebots.games.gomoku.game import CELLS, LARGEST, WIDTH
from rulebots.games.gomoku.shapes import CLOSED, FOUR, MADE_FIVE, OPEN_FOUR, OPEN_THREE, OWN, REACH, SHAPE, SHAPES
from rulebots.kernel import kernel

#: From one point of a line to the next, by direction; two directions' lines meet in one point only.
STEPS = np.array([1, WIDTH, WIDTH + 1, WIDTH - 1])
DIRECTIONS = len(STEPS)
#: What a point at distance i - REACH along the line counts in the line's number; nothing in the middle.
PLACES = np.array([3 ** (REACH - i - (i < 0)) if i else 0 for i in range(-REACH, REACH + 1)])
#: What the shape of each direction counts in a point's pattern.
DIGITS = np.array([SHAPES**direction for direction in range(DIRECTIONS)])
PATTERNS = SHAPES**DIRECTIONS
#: Threats of a stone, each more urgent than the one before: none; one more makes an open four; one more makes a five,
#: on one point; on two points, so that one stone cannot stop both; a five.
QUIET, THREATENS_FOUR, THREATENS_FIVE, CANNOT_BE_STOPPED, WINS = range(5)
THREATS = 5


def _threats() -> npt.NDArray[np.uint8]:
    """The threat of every pattern: uint8[PATTERNS]."""
    shapes = np.arange(PATTERNS)[:, None] // DIGITS % SHAPES
    fours = (shapes == FOUR).sum(axis=1)
    threats = np.full(PATTERNS, QUIET, np.uint8)
    threats[(shapes == OPEN_THREE).any(axis=1)] = THREATENS_FOUR
    threats[fours > 0] = THREATENS_FIVE
    threats[(fours > 1) | (shapes == OPEN_FOUR).any(axis=1)] = CANNOT_BE_STOPPED
    threats[(shapes == MADE_FIVE).any(axis=1)] = WINS
    return threats


#: uint8[PATTERNS]
THREAT = _threats()
#: A random number for each stone, and for each law, for the keys of positions (Zobrist, A New Hashing Method with
#: Application for Game Playing, 1970).
_NUMBERS = np.random.default_rng(5).integers(1, 2**62, 2 * CELLS + 2 * (LARGEST + 1))
STONE_KEYS = _NUMBERS[: 2 * CELLS].reshape(2, CELLS)
LAW_KEYS = _NUMBERS[2 * CELLS :].reshape(2, LARGEST + 1)

BOARD = np.dtype(
    [
        ("key", np.int64),  # of the stones and the law, whichever seat is to move
        ("side", np.int64),  # rows and columns
        ("exactly", np.int64),
        ("board", np.int8, CELLS),  # EMPTY, WALL, or the owner's seat + 1
        ("inside", np.int16, LARGEST * LARGEST),  # the points: side * side of them
        ("lines", np.int32, (2, CELLS, DIRECTIONS)),  # the number of each line, as either side sees it
        ("shapes", np.uint8, (2, CELLS, DIRECTIONS)),  # of empty points
        ("patterns", np.int16, (2, CELLS)),  # of empty points
        ("threats", np.int64, (2, THREATS)),  # on how many points a side's stone makes each threat
    ],
    align=True,
)


@kernel
def set_up(board: Any, state: Any) -> None:
    """Turn the record into the position of a state of the game."""
    board.side = state.side
    board.exactly = state.exactly
    board.key = LAW_KEYS[state.exactly, state.side]
    board.lines[:] = 0
    board.threats[:] = 0
    count = 0
    for point in range(CELLS):
        stone = state.board[point]
        board.board[point] = WALL if stone == WALL else EMPTY
        if stone != WALL:
            board.inside[count] = point
            count += 1
    shape_of = SHAPE[board.exactly]
    for i in range(count):
        point = board.inside[i]
        pattern = 0
        for direction in range(DIRECTIONS):
            line = 0
            for sign in (-1, 1):
                other = point
                closed = False
                for distance in range(1, REACH + 1):
                    other += sign * STEPS[direction]
                    closed = closed or board.board[other] == WALL
                    line += CLOSED * PLACES[REACH + sign * distance] if closed else 0
            shape = shape_of[line]
            pattern += shape * DIGITS[direction]
            for seat in range(2):
                board.lines[seat, point, direction] = line
                board.shapes[seat, point, direction] = shape
        for seat in range(2):
            board.patterns[seat, point] = pattern
            board.threats[seat, THREAT[pattern]] += 1
    for i in range(count):
        point = board.inside[i]
        if state.board[point] != EMPTY:
            put(board, point, state.board[point] - 1)


@kernel
def put(board: Any, point: int, seat: int) -> None:
    """Put a stone on an empty point."""
    for who in range(2):
        board.threats[who, THREAT[board.patterns[who, point]]] -= 1
    board.board[point] = seat + 1
    change(board, point, seat, 1)


@kernel
def take(board: Any, point: int) -> None:
    """Take the stone off that was put last."""
    seat = board.board[point] - 1
    board.board[point] = EMPTY
    change(board, point, seat, -1)
    for who in range(2):
        board.threats[who, THREAT[board.patterns[who, point]]] += 1


@kernel(inlines=False)
def change(board: Any, point: int, seat: int, sign: int) -> None:
    """Bring everything up to date after a stone came (sign 1) or went (-1)."""
    board.key ^= STONE_KEYS[seat, point]
    stones = board.board
    shape_of = SHAPE[board.exactly]
    for direction in range(DIRECTIONS):
        step = STEPS[direction]
        for way in range(2):
            along = step if way else -step
            other = point
            for distance in range(1, REACH + 1):
                other += along
                if stones[other] == WALL:
                    break
                place = sign * PLACES[REACH - distance if way else REACH + distance]
                for who in range(2):
                    line = board.lines[who, other, direction] + place * (OWN if who == seat else CLOSED)
                    board.lines[who, other, direction] = line
                    if stones[other] == EMPTY:
                        shape = shape_of[line]
                        former = board.shapes[who, other, direction]
                        if shape != former:
                            board.shapes[who, other, direction] = shape
                            before = board.patterns[who, other]
                            after = before + (int(shape) - int(former)) * DIGITS[direction]
                            board.patterns[who, other] = after
                            board.threats[who, THREAT[before]] -= 1
                            board.threats[who, THREAT[after]] += 1


@kernel
def point_with(board: Any, seat: int, threat: int) -> int:
    """The first point where a stone of the seat makes that threat; 0 for none."""
    stones = board.board
    patterns = board.patterns
    for i in range(board.side * board.side):
        point = board.inside[i]
        if stones[point] == EMPTY and THREAT[patterns[seat, point]] == threat:
            return point
    return 0


@kernel
def points_with(board: Any, seat: int, least: int, out: Any) -> int:
    """Write the points where a stone of the seat makes at least that threat, and return how many there are."""
    stones = board.board
    patterns = board.patterns
    n = 0
    for i in range(board.side * board.side):
        point = board.inside[i]
        if stones[point] == EMPTY and THREAT[patterns[seat, point]] >= least:
            out[n] = point
            n += 1
    return n
