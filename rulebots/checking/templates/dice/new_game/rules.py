"""What matters in New game. A run starts from the weights beside the rules."""

from rulebots.kernel import kernel
from rulebots.rules import RuleSet, rule

from .game import GOAL, HOLD, ROLL, game


@rule("turn", early=2.0)
def wins(view, move):
    """It holds points enough to win."""
    return (move == HOLD) & (view.mine + view.turn >= GOAL)


@rule("turn", early=1.0)
def holds_points(view, move):
    """It holds: the points of this turn, in twenties."""
    return (move == HOLD) * view.turn / 20


@rule("turn", early=0.7)
def rolls(view, move):
    """It rolls."""
    return move == ROLL


@rule("turn", early=0.3)
def rolls_behind(view, move):
    """It rolls: how far the mover is behind, as a share of the goal."""
    return (move == ROLL) * max(view.theirs - view.mine, 0) / GOAL


@kernel
def progress(view):
    """From 0 at the beginning of a game to 1 at its end."""
    return min(max(view.mine, view.theirs) / GOAL, 1.0)


simple = RuleSet(
    "simple",
    game,
    (wins, holds_points, rolls, rolls_behind),
    progress=progress,
    meaning="four simple rules",
)
# Players are bred from the first one.
RULE_SETS = (simple,)
# Settings of `evolve run` that suit the game.
BREEDING = {"population": 24, "opponent_deals": 50}
