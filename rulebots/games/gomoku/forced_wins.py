"""Forced wins of a position by fours and threes, proved: for searches (`FORCED_WINS`), for people (`ThreatSolver`).

solver = ThreatSolver()
win = solver.win(position)      # None where none was found
win.line, win.threes

Each stone wins by fours unless the other side does something about it. There is more than one answer to a three, and
all that can help are tried: an answer that takes no point of the win by fours that it has to prevent, and makes no
four, neither at once nor with one of its stones in that win, changes nothing about it. So every win that is found is
proved (it resembles df-lambda search: Thomsen, Lambda-Search in Game Trees, ICGA Journal 23(4), 2000).
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rulebots.errors import demand
from rulebots.game import Bools, Ints
from rulebots.game.dtypes import records
from rulebots.game.grid import EMPTY
from rulebots.game.position import Position
from rulebots.games.gomoku.fours import (
    BOARD,
    CANNOT_BE_STOPPED,
    LONGEST,
    NO_WIN,
    THREAT,
    THREATENS_FIVE,
    THREATENS_FOUR,
    UNDECIDED,
    WINS,
    Fours,
    new_fours,
    point_with,
    points_with,
    put,
    remember,
    remembers,
    set_up,
    stop_point,
    take,
    win_by_fours,
)
from rulebots.games.gomoku.game import CELLS, LARGEST, game
from rulebots.kernel import kernel, runnable
from rulebots.packages import ForcedWins
from rulebots.search import check_root

#: The longest line of attacking stones before the fours that end it, threes and the fours among them.
MOST_ATTACKS = 24
#: The longest line, in plies.
MOST_PLIES = 2 * MOST_ATTACKS + LONGEST
#: Positions that one search for fours visits.
FOURS = 500
#: The next step of the search: list the attacker's moves, try the next one, try the next answer; the attack has failed,
#: or won.
ATTACK, NEXT, ANSWER, FAILED, WON = range(5)


class Threes(NamedTuple):
    """What `win_by_threes` writes to; a row for each attacking stone on the path from the root."""

    #: int64[MOST_ATTACKS]: how many attacking stones there are to try, and the number of the one tried.
    counts: Ints
    next: Ints
    #: int64[MOST_ATTACKS]: the same for answers.
    answer_counts: Ints
    next_answer: Ints
    #: int64[MOST_ATTACKS]: how many threes are allowed from here on.
    threes: Ints
    #: int64[MOST_ATTACKS]: whether the search was complete, with no limit met.
    complete: Ints
    #: int16[MOST_ATTACKS, points]
    attacks: npt.NDArray[np.int16]
    answers: npt.NDArray[np.int16]
    #: int16[MOST_ATTACKS, MOST_PLIES], int64[MOST_ATTACKS]: the line that wins from here against the longest defence.
    lines: npt.NDArray[np.int16]
    lengths: Ints
    #: int16[MOST_PLIES]: scratch, a win by fours.
    line: npt.NDArray[np.int16]
    #: bool[cells]: scratch, which points are among the answers.
    marked: Bools


def new_threes() -> Threes:
    """An empty workspace."""
    points = LARGEST * LARGEST
    return Threes(
        counts=np.zeros(MOST_ATTACKS, np.int64),
        next=np.zeros(MOST_ATTACKS, np.int64),
        answer_counts=np.zeros(MOST_ATTACKS, np.int64),
        next_answer=np.zeros(MOST_ATTACKS, np.int64),
        threes=np.zeros(MOST_ATTACKS, np.int64),
        complete=np.zeros(MOST_ATTACKS, np.int64),
        attacks=np.zeros((MOST_ATTACKS, points), np.int16),
        answers=np.zeros((MOST_ATTACKS, points), np.int16),
        lines=np.zeros((MOST_ATTACKS, MOST_PLIES), np.int16),
        lengths=np.zeros(MOST_ATTACKS, np.int64),
        line=np.zeros(MOST_PLIES, np.int16),
        marked=np.zeros(CELLS, np.bool_),
    )


@kernel
def mark(point: int, marked: Any, out: Any, n: int) -> int:
    """Append a point to `out` unless it is there, and return how many there are."""
    if marked[point]:
        return n
    marked[point] = True
    out[n] = point
    return n + 1


@kernel
def mark_fours(board: Any, seat: int, marked: Any, out: Any, n: int) -> int:
    """Append the points where a stone of the seat makes a four."""
    threats = board.threats
    if threats[seat, THREATENS_FIVE] + threats[seat, CANNOT_BE_STOPPED] + threats[seat, WINS] == 0:
        return n
    for i in range(board.side * board.side):
        point = board.inside[i]
        if board.board[point] == EMPTY and THREAT[board.patterns[seat, point]] >= THREATENS_FIVE:
            n = mark(point, marked, out, n)
    return n


@kernel(inlines=False)
def answers_to(board: Any, seat: int, line: Any, length: int, marked: Any, out: Any) -> int:
    """Write all stones of the other side that may help against a win by fours of the seat, and return how many.

    `line` is that win, in which the seat moves first.
    """
    marked[:] = False
    n = 0
    for i in range(length):
        n = mark(line[i], marked, out, n)
    n = mark_fours(board, 1 - seat, marked, out, n)
    for i in range(length):
        put(board, line[i], seat if i % 2 == 0 else 1 - seat)
        if i % 2:
            n = mark_fours(board, 1 - seat, marked, out, n)
    for i in range(length - 1, -1, -1):
        take(board, line[i])
    return n


@kernel(inlines=False)
def attacks_of(board: Any, seat: int, out: Any) -> int:
    """Write the points where a stone of the seat threatens something, the most urgent first; return how many."""
    stop = stop_point(board, seat)
    if stop != 0:
        out[0] = stop
        return int(stop > 0)
    n = points_with(board, seat, THREATENS_FOUR, out)
    for i in range(1, n):
        point = out[i]
        j = i
        pattern = board.patterns[seat, point]
        while j > 0 and board.patterns[seat, out[j - 1]] < pattern:
            out[j] = out[j - 1]
            j -= 1
        out[j] = point
    return n


@kernel(inlines=False)
def win_by_threes(  # noqa: PLR0915 - one loop in place of a recursion
    board: Any, seat: int, fours: Any, work: Any, threes: int, most: int, line: Any
) -> int:
    """The length in plies of a forced win of the seat to move, written to `line`; NO_WIN or UNDECIDED.

    At most `threes` of its stones leave the other side a choice; `most` limits the positions visited.
    The line is one of the longest defence. The board is as before afterwards.
    """
    other = 1 - seat
    at = 0
    until = fours.nodes[0] + most
    work.threes[0] = threes
    step = ATTACK
    while True:
        if step == ATTACK:
            length = win_by_fours(board, seat, fours, min(FOURS, max(until - fours.nodes[0], 1)), work.lines[at])
            work.lengths[at] = length
            work.complete[at] = length != UNDECIDED
            work.counts[at] = 0
            work.next[at] = -1
            if length > 0:
                step = WON
                continue
            if work.threes[at] > 0 and not remembers(fours.table, board, seat, work.threes[at]):
                if at + 1 >= MOST_ATTACKS or fours.nodes[0] >= until:
                    work.complete[at] = False
                else:
                    work.counts[at] = attacks_of(board, seat, work.attacks[at])
            step = NEXT
        elif step == NEXT:
            work.next[at] += 1
            if work.next[at] >= work.counts[at]:
                if work.complete[at]:
                    remember(fours.table, board, seat, work.threes[at])
                step = FAILED
                continue
            put(board, work.attacks[at, work.next[at]], seat)
            work.lengths[at] = 0
            work.next_answer[at] = -1
            if board.threats[seat, WINS] > 0:
                work.answers[at, 0] = point_with(board, seat, WINS)
                work.answer_counts[at] = 1
                work.threes[at + 1] = work.threes[at]
            else:
                length = win_by_fours(board, seat, fours, min(FOURS, max(until - fours.nodes[0], 1)), work.line)
                if length <= 0:
                    work.complete[at] &= length != UNDECIDED
                    take(board, work.attacks[at, work.next[at]])
                    continue
                work.answer_counts[at] = answers_to(board, seat, work.line, length, work.marked, work.answers[at])
                work.threes[at + 1] = work.threes[at] - 1
            step = ANSWER
        elif step == ANSWER:
            work.next_answer[at] += 1
            if work.next_answer[at] >= work.answer_counts[at]:
                take(board, work.attacks[at, work.next[at]])
                step = WON
                continue
            put(board, work.answers[at, work.next_answer[at]], other)
            at += 1
            step = ATTACK
        elif step == FAILED:
            if at == 0:
                return NO_WIN if work.complete[0] else UNDECIDED
            at -= 1
            work.complete[at] &= work.complete[at + 1]
            take(board, work.answers[at, work.next_answer[at]])
            take(board, work.attacks[at, work.next[at]])
            step = NEXT
        else:
            if at == 0:
                length = work.lengths[0]
                for i in range(length):
                    line[i] = work.lines[0, i]
                return length
            at -= 1
            answer = work.answers[at, work.next_answer[at]]
            take(board, answer)
            if work.lengths[at + 1] + 2 > work.lengths[at]:
                work.lines[at, 0] = work.attacks[at, work.next[at]]
                work.lines[at, 1] = answer
                for i in range(work.lengths[at + 1]):
                    work.lines[at, i + 2] = work.lines[at + 1, i]
                work.lengths[at] = work.lengths[at + 1] + 2
            step = ANSWER


#: How many stones of the attacker may leave the other side a choice, and how many positions are visited, by default.
THREES = 8
NODES = 100_000


class WinWorkspace(NamedTuple):
    """What the solver writes to; it remembers positions without a win."""

    #: Board records[1].
    board: Any
    fours: Fours
    threes: Threes


def new_workspace() -> WinWorkspace:
    """A workspace that remembers nothing."""
    return WinWorkspace(records(BOARD, 1), new_fours(), new_threes())


@kernel(inlines=False)
def win_with_threes(state: Any, workspace: Any, threes: int, nodes: int, line: Any) -> int:
    """The length of a forced win of the mover with at most `threes` threes, written to `line`; 0 if none is found.

    The search visits about `nodes` positions at most. Wins with fewer threes are found first.
    """
    board = workspace.board[0]
    fours = workspace.fours
    seat = int(state.mover)
    set_up(board, state)
    fours.nodes[0] = 0
    for allowed in range(threes + 1):
        length = win_by_threes(board, seat, fours, workspace.threes, allowed, nodes - fours.nodes[0], line)
        if length > 0:
            return int(length)
        if fours.nodes[0] >= nodes:
            break
    return 0


@kernel(inlines=False)
def win(state: Any, workspace: Any, nodes: int, line: Any) -> int:
    """The length of a forced win of the mover, written to `line`; 0 if none is found in about `nodes` positions."""
    return int(win_with_threes(state, workspace, THREES, nodes, line))


FORCED_WINS = ForcedWins(win, new_workspace)


@dataclass(frozen=True)
class ForcedWin:
    """A win whatever the other side does.

    `line` are the moves of both sides to the five, one variation where the other side has a choice. `threes` is how
    many stones leave it one: 0 where every stone is a four. `nodes` counts the positions visited.
    """

    line: tuple[int, ...]
    threes: int
    nodes: int


class ThreatSolver:
    """Looks for forced wins; it remembers positions without one, so keep it for a whole game."""

    def __init__(self) -> None:
        self._win = compiled_solver()
        self._workspace = new_workspace()
        self._line = np.zeros(MOST_PLIES, np.int64)

    def win(self, position: Position, threes: int = THREES, nodes: int = NODES) -> ForcedWin | None:
        """A forced win of the side to move with at most that many `threes`; None if about `nodes` positions show none.

        Wins with fewer threes are found first. The position is not changed.

        Raises:
            UsageError: a position of another game, or one that is over; or limits out of range.
        """
        check_root(game, position)
        demand(threes >= 0 and nodes >= 1, f"expected 0 or more threes and 1 or more nodes, not {threes} and {nodes}")
        workspace = self._workspace
        length = self._win(position.state, workspace, threes, nodes, self._line)
        if length == 0:
            return None
        return ForcedWin(
            tuple(self._line[:length].tolist()), int(workspace.threes.threes[0]), int(workspace.fours.nodes[0])
        )


@functools.cache
def compiled_solver() -> Callable[..., int]:
    """`win_with_threes`, compiled or loaded from the cache once per process."""
    line = np.zeros(MOST_PLIES, np.int64)
    return runnable(win_with_threes, Position(game).state, new_workspace(), 0, 1, line)
