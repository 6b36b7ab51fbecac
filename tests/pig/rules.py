"""What matters at Pig."""

from pig.game import game
from rulebots.kernel import kernel
from rulebots.rules import RuleSet, rule


@rule("dare", early=1.0)
def always(view, total):
    """It rolls."""
    return 1


@rule("rest", early=1.0)
def enough(view, total):
    """The turn has won twenty points."""
    return 2 * (total >= 20)


@rule("rest", early=0.1, late=0.2)
def ahead(view, total):
    """How far the mover is ahead."""
    return (view.mine - view.theirs) / view.goal


@kernel
def progress(view):
    """How near the nearer one is to the goal."""
    return min(1.0, max(view.mine, view.theirs) / view.goal)


pig = RuleSet("pig", game, (always, enough, ahead), progress=progress, meaning="hold at twenty")
RULE_SETS = (pig,)
