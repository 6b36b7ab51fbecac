"""What matters in New game. A run starts from the weights beside the rules."""

from rulebots.kernel import kernel
from rulebots.rules import RuleSet, rule

from .game import FOUR, MOST_TAKEN, game


@rule("take", early=2.0)
def leaves_fours(view, move):
    """It leaves a multiple of four, which scores."""
    return (view.heap - move - 1) % FOUR == 0


@rule("take", early=-0.5)
def bars_the_next(view, move):
    """The next seat would have to take as many as the last time in order to score."""
    if view.seats == 1:
        return move + 1 == (view.heap - move - 1) % FOUR
    return view.taken[1] > 0 and (view.heap - move - 1) % FOUR == view.taken[1]


@rule("take", early=-0.2)
def leaves_two(view, move):
    """It leaves two more than a multiple of four."""
    return (view.heap - move - 1) % FOUR == 2


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
    (leaves_fours, bars_the_next, leaves_two, takes_many),
    progress=progress,
    meaning="four simple rules",
)
# Players are bred from the first one.
RULE_SETS = (simple,)
