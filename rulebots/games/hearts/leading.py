"""Which card to lead: one that loses the trick, hunts the queen, or shoots the moon."""

from __future__ import annotations

from rulebots.game import View
from rulebots.games.hearts.cards import RANKS, SPADES
from rulebots.games.hearts.facts import OTHERS
from rulebots.rules import rule, rules_of


@rule("lead", early=-1)
def high(view: View, card: int) -> float:
    """How high it is: 1 for an ace, 0 for a two."""
    return view.height


@rule("lead", early=-1)
def stays(view: View, card: int) -> float:
    """How likely it stays highest."""
    return view.stays


@rule("lead", early=-4)
def points(view: View, card: int) -> float:
    """Points that others may throw on it, in thirteens, times how likely it stays highest."""
    return view.stays * view.rain


@rule("lead", early=1)
def hunts(view: View, card: int) -> bool:
    """It is a spade below the queen, and another holds her: it hunts her."""
    return view.guard & (view.queen_out > 0)


@rule("lead", early=-1)
def hunts_bare(view: View, card: int) -> float:
    """It hunts her, and I hold the king or the ace: the more, the fewer low spades I have."""
    over = view.length[SPADES] - view.guards  # I do not hold her
    return view.guard * view.queen_out * (over > 0) / max(view.guards, 1)


@rule("lead", early=-1)
def spends_guard(view: View, card: int) -> float:
    """It is a spade below the queen, and I hold her: the more, the fewer of them I have."""
    return view.guard * view.queen_mine / max(view.guards, 1)


@rule("lead", early=-3)
def over_queen(view: View, card: int) -> bool:
    """It is the king or ace of spades, and another holds the queen."""
    return view.over_queen & (view.queen_out > 0)


@rule("lead", early=-3)
def queen(view: View, card: int) -> float:
    """It is the queen of spades: how likely she stays highest."""
    return view.queen * view.stays


@rule("lead", early=0)
def heart(view: View, card: int) -> bool:
    """It is a heart."""
    return view.heart


@rule("lead", early=1.5)
def low_heart(view: View, card: int) -> float:
    """It is a heart: how likely it loses the trick, and gives others its points."""
    return view.heart * (1 - view.stays)


@rule("lead", early=0.5, late=0)
def short(view: View, card: int) -> float:
    """How near I am to getting rid of its suit: 1 for my last card, half for one of two."""
    return 1 / max(view.length[view.suit], 1)


@rule("lead", early=0.5, late=0)
def fresh(view: View, card: int) -> float:
    """How many of its suit the others hold, of 13: the more, the surer all follow."""
    return (view.higher_out + view.lower_out) / RANKS


@rule("lead", early=0.5, late=-1)
def cashes(view: View, card: int) -> float:
    """How high it is, times how many of its suit the others hold, of 13: high cards go while all still follow."""
    return view.height * (view.higher_out + view.lower_out) / RANKS


@rule("lead", early=-2)
def mine_alone(view: View, card: int) -> bool:
    """Nobody else has a card of its suit: they can throw whatever they like."""
    return view.higher_out + view.lower_out == 0


@rule("lead", early=-0.5)
def to_void(view: View, card: int) -> float:
    """How many of the three others have shown that they lack its suit, in thirds, times how likely it stays highest."""
    return (OTHERS - view.holders[view.suit]) / OTHERS * view.stays


@rule("lead", early=10)
def moon(view: View, card: int) -> float:
    """The moon, times how likely it stays highest."""
    return view.moon * view.stays


@rule("lead", early=4)
def moon_high(view: View, card: int) -> float:
    """The moon, times how high it is."""
    return view.moon * view.height


@rule("lead", early=3)
def stops(view: View, card: int) -> float:
    """The threat of a moon, times how likely it stays highest: points that it takes stop the moon."""
    return view.threat * view.stays


RULES = rules_of(globals())
