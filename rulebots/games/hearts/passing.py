"""Which cards to pass: high ones go, unless they guard or may shoot the moon."""

from __future__ import annotations

from rulebots.game import View
from rulebots.games.hearts.cards import HEARTS, RANKS, SPADES, above, count_of
from rulebots.rules import rule, rules_of

#: Spades below the queen that make high spades safe to keep.
SAFE = 4
THREE = 1
TEN = 8


@rule("pass", early=1)
def high(view: View, card: int) -> float:
    """How high it is: 1 for an ace, 0 for a two."""
    return view.height


@rule("pass", early=2)
def danger(view: View, card: int) -> float:
    """How high it is, the less the more lower cards of its suit I hold."""
    return view.height / (1 + view.lower_mine)


@rule("pass", early=1)
def queen(view: View, card: int) -> bool:
    """It is the queen of spades."""
    return view.queen


@rule("pass", early=3)
def bare_queen(view: View, card: int) -> float:
    """It is the queen of spades: how many of four low spades I lack to guard her."""
    return view.queen * max(0, SAFE - view.guards) / SAFE


@rule("pass", early=2)
def over_queen(view: View, card: int) -> float:
    """It is the king or ace of spades: how many of four low spades I lack to play under the queen with."""
    return view.over_queen * max(0, SAFE - view.guards) / SAFE


@rule("pass", early=-1)
def guard(view: View, card: int) -> bool:
    """It is a spade below the queen."""
    return view.guard


@rule("pass", early=-1)
def needed_guard(view: View, card: int) -> bool:
    """It is a spade below the queen, and I hold the queen, the king or the ace."""
    return view.guard & (view.length[SPADES] > view.guards)


@rule("pass", early=0.5)
def heart(view: View, card: int) -> bool:
    """It is a heart."""
    return view.heart


@rule("pass", early=1)
def high_heart(view: View, card: int) -> float:
    """How high it is, if it is a heart."""
    return view.heart * view.height


@rule("pass", early=-0.5)
def only_high_heart(view: View, card: int) -> bool:
    """It is my only heart above the ten: it can stop a moon."""
    return view.heart & (card % RANKS > TEN) & (count_of(above(view.hand[HEARTS], TEN)) == 1)


@rule("pass", early=1)
def short(view: View, card: int) -> float:
    """How short my clubs or diamonds are, if it is one: to get rid of the suit."""
    minor = (view.suit != SPADES) & (view.suit != HEARTS)
    return minor * max(0, SAFE - view.length[view.suit]) / (SAFE - 1)


@rule("pass", early=-0.5)
def way_out(view: View, card: int) -> bool:
    """It is a two or a three: a way out of the lead."""
    return card % RANKS <= THREE


@rule("pass", early=-8)
def moon_high(view: View, card: int) -> float:
    """The moon, times how high it is."""
    return view.moon * view.height


@rule("pass", early=-4)
def moon_long(view: View, card: int) -> float:
    """The moon, times how long I have its suit, of 13."""
    return view.moon * view.length[view.suit] / RANKS


RULES = rules_of(globals())
