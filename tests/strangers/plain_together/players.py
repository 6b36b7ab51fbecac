"""Opponents at New game."""

from rulebots.kernel import kernel
from rulebots.players import KernelPlayer, RulePlayer

from .game import game
from .rules import simple


@kernel
def choose_first(view, moves, n, weights, blended, scores):
    """Always the first legal move. Any way to choose can be written like this."""
    return moves[0]


# A name, and what makes the player.
PLAYERS = {
    "hand": lambda: RulePlayer(simple, simple.hand_tuned(), "hand"),
    "first": lambda: KernelPlayer(game, choose_first, "first"),
}
