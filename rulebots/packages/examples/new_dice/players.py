"""Opponents at New dice."""

from collections.abc import Callable
from typing import Any

from rulebots.game import Moves, View
from rulebots.kernel import kernel
from rulebots.players import KernelPlayer, Player, RulePlayer

from .game import game
from .rules import simple


@kernel
def choose_first(
    view: View,
    moves: Moves,
    n: int,
    weights: Any,
    blended: Any,
    scores: Any,
) -> int:
    """Always the first legal move. Any way to choose can be written like this."""
    return moves[0]


# A name, and what makes the player.
PLAYERS: dict[str, Callable[[], Player]] = {
    "hand": lambda: RulePlayer(simple, simple.hand_tuned(), "hand"),
    "first": lambda: KernelPlayer(game, choose_first, "first"),
}
