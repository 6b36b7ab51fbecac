"""Forced wins by fours alone: each stone threatens a five, so that the other side has one answer (or none).

The line is a proof: the answers are the only ones. See Allis, van den Herik and Huntjens, Go-Moku and Threat-Space
Search, Computational Intelligence 12, 1996.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rulebots.games.gomoku.game import LARGEST
from rulebots.games.gomoku.threat_board import (
    CANNOT_BE_STOPPED,
    THREAT,
    THREATENS_FIVE,
    WINS,
    point_with,
    points_with,
    put,
    take,
)
from rulebots.kernel import kernel

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
    counts: npt.NDArray[np.int64]
    next: npt.NDArray[np.int64]
    #: int16[MOST_FOURS, points]: the points where a four can be made.
    points: npt.NDArray[np.int16]
    #: int16[MOST_FOURS, 2]: the four being tried, and its answer.
    tried: npt.NDArray[np.int16]
    #: int64[ROWS, 2]
    table: npt.NDArray[np.int64]
    #: int64[1]: positions visited so far.
    nodes: npt.NDArray[np.int64]


def new_fours() -> Fours:
    """An empty workspace."""
    return Fours(
        counts=np.zeros(MOST_FOURS, np.int64),
        next=np.zeros(MOST_FOURS, np.int64),
        points=np.zeros((MOST_FOURS, LARGEST * LARGEST), np.int16),
        tried=np.zeros((MOST_FOURS, 2), np.int16),
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
            work.tried[depth, 0] = four
            work.tried[depth, 1] = answer
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
        take(board, work.tried[depth, 1])
        take(board, work.tried[depth, 0])
    while depth > 0:
        depth -= 1
        take(board, work.tried[depth, 1])
        take(board, work.tried[depth, 0])
    return length if length or complete else UNDECIDED
