"""Which card to follow suit with: the highest one that ducks, unless the trick is worth having."""

from __future__ import annotations

from rulebots.game import View
from rulebots.rules import rule, rules_of


@rule("follow", early=-6)
def points(view: View, card: int) -> float:
    """Points in the trick, in thirteens, times how likely it takes them."""
    return view.stays * view.points


@rule("follow", early=-1)
def stays(view: View, card: int) -> float:
    """How likely it takes the trick."""
    return view.stays


@rule("follow", early=-4)
def rain(view: View, card: int) -> float:
    """Points that others may still throw on the trick, in thirteens, times how likely it takes it."""
    return view.stays * view.rain


@rule("follow", early=-0.5)
def over(view: View, card: int) -> bool:
    """It goes over the highest card of the trick."""
    return view.takes > 0


@rule("follow", early=1)
def ducks_high(view: View, card: int) -> float:
    """How high it is, if it stays under the highest card of the trick."""
    return (1 - view.takes) * view.height


@rule("follow", early=-0.2)
def over_high(view: View, card: int) -> float:
    """How high it is, if it goes over the highest card of the trick and somebody plays after me."""
    return view.takes * (view.after > 0) * view.height


@rule("follow", early=1.5)
def last_high(view: View, card: int) -> float:
    """How high it is, if it takes the trick and I play last."""
    return view.takes * (view.after == 0) * view.height


@rule("follow", early=1)
def first_trick(view: View, card: int) -> float:
    """How high it is, on the first trick, on which no points fall."""
    return view.height * (view.tricks == 0)


@rule("follow", early=6)
def queen_under(view: View, card: int) -> bool:
    """It is the queen of spades, under the king or the ace."""
    return view.queen & (view.takes == 0)


@rule("follow", early=-1)
def queen_over(view: View, card: int) -> bool:
    """It is the queen of spades, and she is the highest of the trick."""
    return view.queen & (view.takes > 0)


@rule("follow", early=-3)
def over_queen(view: View, card: int) -> float:
    """It is the king or ace of spades: how likely the queen comes after it."""
    return view.over_queen * view.queen_after


@rule("follow", early=1)
def safe_over_queen(view: View, card: int) -> bool:
    """It is the king or ace of spades: another holds the queen, but nobody who plays after me can."""
    safe = (view.queen_out > 0) & (view.queen_after == 0)
    return view.over_queen & safe


@rule("follow", early=-1)
def spends_guard(view: View, card: int) -> float:
    """It is a spade below the queen, and I hold her: the more, the fewer of them I have."""
    return view.guard * view.queen_mine / max(view.guards, 1)


@rule("follow", early=-1)
def no_exit(view: View, card: int) -> float:
    """How likely it takes the trick, times how likely my best way out of the lead fails."""
    return view.stays * (1 - view.way_out)


@rule("follow", early=8)
def moon(view: View, card: int) -> float:
    """The moon, times how likely it takes the trick."""
    return view.moon * view.stays


@rule("follow", early=8)
def moon_points(view: View, card: int) -> float:
    """The moon, times the points that it takes, in thirteens, times how likely it takes them."""
    return view.moon * view.stays * view.points


@rule("follow", early=-4)
def moon_high(view: View, card: int) -> float:
    """The moon, times how high it is, if it loses the trick or I play last: high cards are kept."""
    return view.moon * view.height * ((view.takes == 0) | (view.after == 0))


@rule("follow", early=6)
def stops(view: View, card: int) -> float:
    """The threat of a moon, times how likely it takes the trick, if that has points: they stop the moon."""
    return view.threat * view.stays * (view.points > 0)


@rule("follow", early=-3)
def stopper(view: View, card: int) -> float:
    """The threat of a moon, times how high it is, if it does not take the trick: high cards can stop the moon later."""
    return view.threat * view.height * (1 - view.takes)


RULES = rules_of(globals())
