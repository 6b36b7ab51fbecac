"""Forced wins of a position, proved: for searches (`FORCED_WINS`), and for people (`ThreatSolver`).

solver = ThreatSolver()
win = solver.win(position)      # None where none was found
win.line, win.threes
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from rulebots.errors import UsageError
from rulebots.game.dtypes import records
from rulebots.game.position import Position
from rulebots.games.gomoku.fours import Fours, new_fours
from rulebots.games.gomoku.game import game
from rulebots.games.gomoku.threat_board import BOARD, set_up
from rulebots.games.gomoku.threes import MOST_PLIES, Threes, new_threes, win_by_threes
from rulebots.kernel import kernel, runnable
from rulebots.packages import ForcedWins
from rulebots.search import check_root

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
        if threes < 0 or nodes < 1:
            raise UsageError(f"expected 0 or more threes and 1 or more nodes, not {threes} and {nodes}")
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
