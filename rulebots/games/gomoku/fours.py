"""The board of a search, and forced wins by fours alone: each stone threatens a five, with one answer (or none).

The line is a proof: the answers are the only ones. See Allis, van den Herik and Huntjens, Go-Moku and Threat-Space
Search, Computational Intelligence 12, 1996.

The board knows what a stone of either side would make of each point, kept up to date stone by stone: for each empty
point, side and direction the line's number and the shape that a stone would make of it (see shapes.py). The four shapes
together are the point's *pattern*, a number below PATTERNS; its *threat* says how urgent a stone there is. Stones are
taken off in the reverse order in which they were put.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rulebots.game import Ints
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


#: The most fours of a line, and the most stones of the longest line.
MOST_FOURS = 40
LONGEST = 2 * MOST_FOURS + 4
#: Results of a search without a win: there is none, or a limit was met first.
NO_WIN = 0
UNDECIDED = -1
#: Rows of the table of positions without a win: [key, how many threes were allowed + 1], see `remembers`.
ROWS = 1 << 16
#: Tell the keys of a position apart by the attacking side.
SEAT_KEYS = np.array([0x1B873593CC9E2D51, 0x52DCE729385495AD & 0x3FFFFFFFFFFFFFFF])


class Fours(NamedTuple):
    """What `win_by_fours` writes to."""

    #: int64[MOST_FOURS]: at each depth, how many fours there are, and the next one to try.
    counts: Ints
    next: Ints
    #: int16[MOST_FOURS, points]: the points where a four can be made.
    points: npt.NDArray[np.int16]
    #: int64[ROWS, 2]
    table: Ints
    #: int64[1]: positions visited so far.
    nodes: Ints


def new_fours() -> Fours:
    """An empty workspace."""
    return Fours(
        counts=np.zeros(MOST_FOURS, np.int64),
        next=np.zeros(MOST_FOURS, np.int64),
        points=np.zeros((MOST_FOURS, LARGEST * LARGEST), np.int16),
        table=np.zeros((ROWS, 2), np.int64),
        nodes=np.zeros(1, np.int64),
    )


@kernel
def remembers(table: Any, board: Any, seat: int, threes: int) -> bool:
    """Whether the seat to move is known to have no win by fours and at most `threes` threes."""
    key = board.key ^ SEAT_KEYS[seat]
    row = key & (ROWS - 1)
    return table[row, 0] == key and table[row, 1] > threes


@kernel
def remember(table: Any, board: Any, seat: int, threes: int) -> None:
    """Note that the seat to move has no win by fours and at most `threes` threes."""
    key = board.key ^ SEAT_KEYS[seat]
    row = key & (ROWS - 1)
    if table[row, 0] != key or table[row, 1] <= threes:
        table[row, 0] = key
        table[row, 1] = threes + 1


@kernel
def stop_point(board: Any, seat: int) -> int:
    """The point on which the seat to move has to stop a five; 0 for none, -1 if it cannot."""
    fives = board.threats[1 - seat, WINS]
    if fives == 0:
        return 0
    return point_with(board, 1 - seat, WINS) if fives == 1 else -1


@kernel(inlines=False)
def finish(board: Any, seat: int, point: int, line: Any, length: int) -> int:
    """Write a stone that cannot be stopped, an answer, and the five; return the line's length."""
    put(board, point, seat)
    line[length] = point
    line[length + 1] = point_with(board, seat, WINS)
    put(board, line[length + 1], 1 - seat)
    line[length + 2] = point_with(board, seat, WINS)
    take(board, line[length + 1])
    take(board, point)
    return length + 3


@kernel(inlines=False)
def win_by_fours(  # noqa: PLR0915 - one loop in place of a recursion
    board: Any, seat: int, work: Any, most: int, line: Any
) -> int:
    """The length in plies of a forced win by fours of the seat to move, written to `line`; NO_WIN or UNDECIDED.

    `most` limits the positions visited. The board is as before afterwards.
    """
    threats = board.threats
    other = 1 - seat
    depth = 0
    complete = True
    until = work.nodes[0] + most
    length = NO_WIN
    entering = True
    while True:
        if entering:
            work.nodes[0] += 1
            work.counts[depth] = work.next[depth] = 0
            if threats[seat, WINS] > 0:
                line[2 * depth] = point_with(board, seat, WINS)
                length = 2 * depth + 1
                break
            stop = stop_point(board, seat)
            if stop == 0 and threats[seat, CANNOT_BE_STOPPED] > 0:
                stop = point_with(board, seat, CANNOT_BE_STOPPED)
            if stop > 0:
                threat = THREAT[board.patterns[seat, stop]]
                if threat == CANNOT_BE_STOPPED:
                    length = finish(board, seat, stop, line, 2 * depth)
                    break
                if threat == THREATENS_FIVE:
                    work.points[depth, 0] = stop
                    work.counts[depth] = 1
            elif stop == 0 and threats[seat, THREATENS_FIVE] > 0 and not remembers(work.table, board, seat, 0):
                work.counts[depth] = points_with(board, seat, THREATENS_FIVE, work.points[depth])
            if work.counts[depth] and (depth + 1 >= MOST_FOURS or work.nodes[0] >= until):
                work.counts[depth] = 0
                complete = False
        i = work.next[depth]
        if i < work.counts[depth]:
            work.next[depth] = i + 1
            four = work.points[depth, i]
            put(board, four, seat)
            answer = point_with(board, seat, WINS)
            put(board, answer, other)
            line[2 * depth] = four
            line[2 * depth + 1] = answer
            depth = depth + 1
            entering = True
            continue
        if complete:
            remember(work.table, board, seat, 0)
        if depth == 0:
            break
        depth = depth - 1
        entering = False
        take(board, line[2 * depth + 1])
        take(board, line[2 * depth])
    while depth > 0:
        depth -= 1
        take(board, line[2 * depth + 1])
        take(board, line[2 * depth])
    return length if length or complete else UNDECIDED
