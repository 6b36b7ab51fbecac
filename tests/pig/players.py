"""Opponents at Pig."""

from pig.game import HOLD, game
from pig.rules import pig
from rulebots.kernel import kernel
from rulebots.players import KernelPlayer, RulePlayer


@kernel
def choose_at_once(view, moves, n, weights, blended, scores):
    """Hold as soon as there is something to hold."""
    return HOLD if n > 1 else moves[0]


PLAYERS = {
    "hand": lambda: RulePlayer(pig, pig.hand_tuned(), "hand"),
    "timid": lambda: KernelPlayer(game, choose_at_once, "timid"),
}
