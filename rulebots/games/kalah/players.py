"""The players of the seed, and the names of the built-in players."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulebots.games.kalah.game import game
from rulebots.kernel import kernel
from rulebots.players import KernelPlayer, Player


@kernel
def choose_leftmost(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
    """Player: the first pit that holds stones."""
    return moves[0]


@kernel
def choose_high(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
    """RemoveHighKalahPlayer: the fullest pit, the leftmost of equals."""
    best = moves[0]
    for i in range(1, n):
        if view.board[moves[i]] > view.board[best]:
            best = moves[i]
    return best


PLAYERS: dict[str, Callable[[], Player]] = {
    "remove-high": lambda: KernelPlayer(game, choose_high, "remove-high"),
    "leftmost": lambda: KernelPlayer(game, choose_leftmost, "leftmost"),
}
REFERENCES = ("remove-high", "leftmost", "random")
