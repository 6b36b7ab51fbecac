"""What to do against a forced win: the moves after which none is found, or those that lose latest."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from rulebots.game.position import Position
from rulebots.games.gomoku.points import CELLS
from rulebots.games.gomoku.threats.solver import ForcedWin, ThreatSolver

#: In a first look, so many times as many positions as it took to find the win if the mover passes, at least the second.
FIRST_LOOK, LEAST = 2, 200


def defences(
    solver: ThreatSolver,
    position: Position,
    threat: ForcedWin,
    candidates: Sequence[int],
    nodes: int,
    late: Callable[[], bool] = lambda: False,
) -> npt.NDArray[np.bool_]:
    """The candidates that may hold, bool[cells], where the other side has the win `threat` if the mover passes.

    Each is played and answered by the solver, the first ones first: all of them briefly, then those that are left with
    the rest of about `nodes` positions, until it is late. Where all lose, the ones that lose latest.
    """
    spent, lengths, brief = 0, dict.fromkeys(candidates, 0), max(FIRST_LOOK * threat.nodes, LEAST)
    looked: set[int] = set()
    for look in range(2):
        left = [move for move in candidates if lengths[move] == 0 and (look == 0 or move in looked)]
        for number, move in enumerate(left):
            most = min(brief, nodes - spent) if look == 0 else (nodes - spent) // (len(left) - number)
            # A move that is looked at less than the others may hold for that reason alone.
            if late() or most < 1 or (look == 0 and most < brief and not all(lengths[one] for one in looked)):
                break
            after = position.copy()
            after.play(move)
            looked.add(move)
            if after.over:
                continue
            win = solver.win(after, nodes=most)
            spent += solver.visited
            lengths[move] = 0 if win is None else len(win.line)
    held = [move for move in looked if lengths[move] == 0] or [move for move in candidates if lengths[move] == 0]
    latest = max(lengths.values())
    chosen = np.zeros(CELLS, np.bool_)
    chosen[held or [move for move in candidates if lengths[move] == latest]] = True
    return chosen
