"""Forced wins of a position, proved.

solver = ThreatSolver()
win = solver.win(position)      # None where none was found
win.line, win.threes
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.games.gomoku.game import game
from rulebots.games.gomoku.threats.board import new_board, set_up
from rulebots.games.gomoku.threats.fours import new_fours
from rulebots.games.gomoku.threats.threes import MOST_PLIES, new_threes, win_by_threes
from rulebots.kernel import runnable
from rulebots.search.root import check_root

#: How many stones of the attacker may leave the other side a choice, and how many positions are visited, by default.
THREES, NODES = 8, 100_000


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
    """Looks for wins by threats; it remembers positions without one, so keep it for a whole game."""

    def __init__(self) -> None:
        self._set_up, self._win = compiled_solver()
        self._board, self._fours, self._threes = new_board(), new_fours(), new_threes()
        self._line = np.zeros(MOST_PLIES, np.int16)

    def win(self, position: Position, threes: int = THREES, nodes: int = NODES) -> ForcedWin | None:
        """A forced win of the side to move with at most so many `threes`; None if none is found in about so many nodes.

        Wins with fewer threes are found first. The position is not changed.

        Raises:
            UsageError: a position of another game, or one that is over; or limits out of range.
        """
        return self._find(position, position.mover, threes, nodes)

    def threat(self, position: Position, threes: int = THREES, nodes: int = NODES) -> ForcedWin | None:
        """The same for the other side, if the side to move passes.

        Raises:
            UsageError: as `win` does.
        """
        return self._find(position, 1 - position.mover, threes, nodes)

    @property
    def visited(self) -> int:
        """The positions that the last search visited."""
        return int(self._fours.nodes[0])

    def _find(self, position: Position, seat: int, threes: int, nodes: int) -> ForcedWin | None:
        check_root(game, position)
        if threes < 0 or nodes < 1:
            raise UsageError(f"expected 0 or more threes and 1 or more nodes, not {threes} and {nodes}")
        self._set_up(self._board, position.state)
        fours = self._fours
        fours.nodes[0] = 0
        for allowed in range(threes + 1):
            rest = nodes - int(fours.nodes[0])
            length = self._win(self._board, seat, fours, self._threes, allowed, rest, self._line)
            if length > 0:
                return ForcedWin(tuple(self._line[:length].tolist()), allowed, int(fours.nodes[0]))
            if fours.nodes[0] >= nodes:
                break
        return None


@functools.cache
def compiled_solver() -> tuple[Callable[..., None], Callable[..., int]]:
    """`set_up` and `win_by_threes`, compiled or loaded from the cache once per process."""
    board, state = new_board(), Position(game).state
    line = np.zeros(MOST_PLIES, np.int16)
    return (
        runnable(set_up, board, state),
        runnable(win_by_threes, board, 0, new_fours(), new_threes(), 0, 1, line),
    )
