"""A game's solver of forced wins, by which searches prove what happens and prune what loses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rulebots.errors import UsageError
from rulebots.game.checks import check_kernel
from rulebots.kernel import Kernel, kernel


@dataclass(frozen=True)
class ForcedWins:
    """What `FORCED_WINS` of a game's folder is, in a game that hides nothing.

    `win(state, workspace, nodes, line) -> plies` is a kernel: in how many plies the mover wins whatever the other side
    does, 0 where no such win is found by visiting about `nodes` positions. It writes the moves of both sides into
    `line`, int64[ply cap]. A win that it reports has to be proved, and it may not change the state. `workspace()` makes
    what it writes to besides: an array, or a named tuple of arrays. What it remembers there may save positions.

    Raises:
        UsageError: `win` is not a kernel of four parameters, or `workspace` cannot be called.
    """

    win: Kernel[..., int]
    workspace: Callable[[], Any]

    def __post_init__(self) -> None:
        check_kernel("ForcedWins", "win", self.win, 4)
        if self.win is None or not callable(self.workspace):
            raise UsageError(f"ForcedWins: expected a kernel `win` and a function `workspace`, not {self!r}")


@kernel
def finds_no_win(state: Any, workspace: Any, nodes: int, line: Any) -> int:
    """The solver of a game without one."""
    return 0
