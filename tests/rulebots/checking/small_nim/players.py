"""Opponents at Nim."""

from nim.game import game
from nim.rules import nim

from rulebots.kernel import kernel
from rulebots.players import KernelPlayer, RulePlayer


@kernel
def choose_one(view, moves, n, weights, blended, scores):
    """Always take one counter."""
    return moves[0]


PLAYERS = {
    "hand": lambda: RulePlayer(nim, nim.hand_tuned(), "hand"),
    "shy": lambda: KernelPlayer(game, choose_one, "shy"),
}
