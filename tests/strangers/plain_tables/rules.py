"""What matters in New game. A run starts from the weights beside the rules."""

from rulebots.kernel import kernel
from rulebots.rules import RuleSet, rule

from .game import MOST_TAKEN, game


@rule("take", early=1.0, late=2.0)
def takes_last(view, move):
    """It takes the last counter."""
    return view.heap == move + 1


@rule("take", early=0.5, late=1.0)
def leaves_too_many(view, move):
    """It leaves more than the next seat can take at once."""
    return view.heap - move - 1 > MOST_TAKEN


@rule("take", early=0.1)
def leaves_fours(view, move):
    """It leaves a multiple of four."""
    return (view.heap - move - 1) % 4 == 0


@rule("take", early=0.5)
def takes_many(view, move):
    """How much it takes of what may be taken."""
    return (move + 1) / MOST_TAKEN


@kernel
def progress(view):
    """From 0 at the beginning of a game to 1 at its end."""
    return 1.0 - min(view.heap / 20, 1.0)


simple = RuleSet(
    "simple",
    game,
    (takes_last, leaves_too_many, leaves_fours, takes_many),
    progress=progress,
    meaning="four simple rules",
)
# Players are bred from the first one.
RULE_SETS = (simple,)
