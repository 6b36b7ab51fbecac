"""What matters in New cards. A run starts from the weights beside the rules."""

from rulebots.game import View
from rulebots.kernel import kernel
from rulebots.rules import RuleSet, rule

from .game import CARDS, HAND, game


@rule("play", early=1.0)
def takes_the_trick(view: View, card: int) -> float:
    """It is higher than all on the table."""
    return (view.led > 0) & (card + 1 > view.led)


@rule("play", early=-0.5)
def spends_height(view: View, card: int) -> float:
    """How high the card is that beats the table."""
    return (view.led > 0) * (card + 1 > view.led) * card / CARDS


@rule("play", early=-0.5)
def throws_height(view: View, card: int) -> float:
    """How high the card is that loses the trick."""
    return (view.led > 0) * (card + 1 < view.led) * card / CARDS


@rule("play", early=0.5)
def leads_high(view: View, card: int) -> float:
    """How high the card is that it leads."""
    return (view.led == 0) * card / CARDS


@rule("play", early=0.5)
def is_highest(view: View, card: int) -> float:
    """It leads a card that no unseen card beats."""
    for other in range(card + 1, CARDS):
        if view.hand[other] == 0 and view.played[other] == 0:
            return False
    return view.led == 0


@kernel
def progress(view: View) -> float:
    """From 0 at the beginning of a game to 1 at its end."""
    return view.tricks.sum() / HAND


simple = RuleSet(
    "simple",
    game,
    (takes_the_trick, spends_height, throws_height, leads_high, is_highest),
    progress=progress,
    meaning="five simple rules",
)
# Players are bred from the first one.
RULE_SETS = (simple,)
