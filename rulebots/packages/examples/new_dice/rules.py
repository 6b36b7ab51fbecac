"""What matters in New dice. A run starts from the weights beside the rules."""

from rulebots.game import View
from rulebots.kernel import kernel
from rulebots.rules import RuleSet, rule

from .game import GOAL, HOLD, ROLL, TOGETHER, game


@kernel
def score(view: View) -> int:
    """The points that count toward the goal: the mover's, or those of all."""
    return view.scores.sum() if TOGETHER else view.scores[0]


@rule("turn", early=2.0)
def wins(view: View, move: int) -> float:
    """It holds points enough to win."""
    return (move == HOLD) & (score(view) + view.turn >= GOAL)


@rule("turn", early=1.0)
def holds_points(view: View, move: int) -> float:
    """It holds: the points of this turn, in twenties."""
    return (move == HOLD) * view.turn / 20


@rule("turn", early=0.7)
def rolls(view: View, move: int) -> float:
    """It rolls."""
    return move == ROLL


@rule("turn", early=0.3)
def rolls_behind(view: View, move: int) -> float:
    """It rolls: how far the mover is behind the first, as a share of the goal."""
    return (move == ROLL) * (view.scores.max() - view.scores[0]) / GOAL


@kernel
def progress(view: View) -> float:
    """From 0 at the beginning of a game to 1 at its end."""
    return min(max(score(view), view.scores.max()) / GOAL, 1.0)


simple = RuleSet(
    "simple",
    game,
    (wins, holds_points, rolls, rolls_behind),
    progress=progress,
    meaning="four simple rules",
)
# Players are bred from the first one.
RULE_SETS = (simple,)
