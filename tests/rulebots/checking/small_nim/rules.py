"""What matters in Nim."""

from nim.game import MOST_TAKEN, game

from rulebots.kernel import kernel
from rulebots.rules import RuleSet, rule


@rule("take", early=0.2, late=0.5)
def leaves_little(view, left):
    """It leaves so few counters that the opponent can take them all."""
    return left <= MOST_TAKEN


@rule("take", early=0.2)
def leaves_fours(view, left):
    """It leaves a multiple of four."""
    return left % 4 == 0


@rule("take", early=0.5)
def takes_many(view, left):
    """How much of what may be taken it takes."""
    return (view.heap - left) / MOST_TAKEN


@kernel
def progress(view):
    """From 0 at the beginning of a game to 1 at its end: this blends early and late weights."""
    return 1.0 - min(view.heap / 20, 1.0)


nim = RuleSet("nim", game, (leaves_little, leaves_fours, takes_many), progress=progress, meaning="three simple rules")
RULE_SETS = (nim,)
