"""Which card to throw away where I cannot follow suit: points, dangers, and what stops or saves the moon."""

from __future__ import annotations

from rulebots.game import View
from rulebots.rules import rule, rules_of


@rule("throw", early=6)
def queen(view: View, card: int) -> bool:
    """It is the queen of spades."""
    return view.queen


@rule("throw", early=2)
def over_queen(view: View, card: int) -> bool:
    """It is the king or ace of spades, and another holds the queen."""
    return view.over_queen & (view.queen_out > 0)


@rule("throw", early=0.5)
def heart(view: View, card: int) -> bool:
    """It is a heart."""
    return view.heart


@rule("throw", early=1)
def high_heart(view: View, card: int) -> float:
    """How high it is, if it is a heart."""
    return view.heart * view.height


@rule("throw", early=1)
def high(view: View, card: int) -> float:
    """How high it is: 1 for an ace, 0 for a two."""
    return view.height


@rule("throw", early=1)
def danger(view: View, card: int) -> float:
    """How likely it would stay highest if its suit were led, the less the more lower cards of it I hold."""
    return view.stays / (1 + view.lower_mine)


@rule("throw", early=0.5)
def short(view: View, card: int) -> float:
    """How near I am to getting rid of its suit: 1 for my last card, half for one of two."""
    return 1 / max(view.length[view.suit], 1)


@rule("throw", early=-1)
def dead(view: View, card: int) -> bool:
    """Nobody else has a card of its suit: only I can lead it."""
    return view.higher_out + view.lower_out == 0


@rule("throw", early=-1)
def guard(view: View, card: int) -> float:
    """It is a spade below the queen, and I hold her: the more, the fewer of them I have."""
    return view.guard * view.queen_mine / max(view.guards, 1)


@rule("throw", early=-8)
def to_shooter(view: View, card: int) -> float:
    """The threat of a moon, times its points, in thirteens, if who shoots has the trick so far."""
    return view.threat * (view.winner == view.shooter) * view.own


@rule("throw", early=8)
def stops(view: View, card: int) -> float:
    """The threat of a moon, if it has points and a third player has the trick so far: they stop the moon."""
    return view.threat * (view.winner != view.shooter) * (view.own > 0)


@rule("throw", early=0.5)
def to_fewest(view: View, card: int) -> float:
    """Its points, in thirteens, if the one with the fewest points of the others has the trick so far."""
    return (view.taken[view.winner] == view.fewest) * view.own


@rule("throw", early=-10)
def moon_points(view: View, card: int) -> float:
    """The moon, if it has points: they would go to another."""
    return view.moon * (view.own > 0)


@rule("throw", early=-8)
def moon_high(view: View, card: int) -> float:
    """The moon, times how likely it would stay highest if I led it."""
    return view.moon * view.stays


@rule("throw", early=-3)
def stopper(view: View, card: int) -> float:
    """The threat of a moon, times how likely it would stay highest if its suit were led: it can stop the moon later."""
    return view.threat * view.stays


@rule("throw", early=-1)
def threat_heart(view: View, card: int) -> float:
    """The threat of a moon, if it is a heart: each one that I keep may stop it."""
    return view.threat * view.heart


RULES = rules_of(globals())
