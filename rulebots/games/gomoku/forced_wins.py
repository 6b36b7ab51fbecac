"""The solver of forced wins as searches in general ask it: from a state, within so many positions."""

from __future__ import annotations

from typing import Any, NamedTuple

from rulebots.game.dtypes import records
from rulebots.games.gomoku.threats.board import BOARD, set_up
from rulebots.games.gomoku.threats.fours import Fours, new_fours
from rulebots.games.gomoku.threats.threes import Threes, new_threes, win_by_threes
from rulebots.kernel import kernel
from rulebots.search.forced_wins import ForcedWins

#: How many stones of the attacker may leave the other side a choice.
THREES = 8


class Workspace(NamedTuple):
    """What `win` writes to."""

    #: Board records[1].
    board: Any
    fours: Fours
    threes: Threes


def new_workspace() -> Workspace:
    """A workspace that remembers nothing."""
    return Workspace(records(BOARD, 1), new_fours(), new_threes())


@kernel(inlines=False)
def win(state: Any, workspace: Any, nodes: int, line: Any) -> int:
    """The length of a forced win of the mover, written to `line`; 0 if none is found in about so many positions.

    Wins with fewer threes are found first.
    """
    board, fours, seat = workspace.board[0], workspace.fours, int(state.mover)
    set_up(board, state)
    fours.nodes[0] = 0
    for threes in range(THREES + 1):
        length = win_by_threes(board, seat, fours, workspace.threes, threes, nodes - fours.nodes[0], line)
        if length > 0:
            return int(length)
        if fours.nodes[0] >= nodes:
            break
    return 0


FORCED_WINS = ForcedWins(win, new_workspace)
