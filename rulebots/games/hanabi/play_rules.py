"""The rules of a play."""

from __future__ import annotations

from rulebots.game import View
from rulebots.games.hanabi.facts import CERTAIN
from rulebots.rules import rule, rules_of


@rule("play", early=-6.0)
def plays(view: View, place: int) -> int:
    """It plays a card."""
    return 1


@rule("play", early=8.0)
def chance(view: View, place: int) -> float:
    """How likely it can be played, by hints, by convention and by the cards that I see."""
    return view.chance[place]


@rule("play", early=2.0)
def law_chance(view: View, place: int) -> float:
    """How likely it can be played by hints alone, whatever they mean by convention."""
    return view.law_chance[place]


@rule("play", early=0.0)
def plain_chance(view: View, place: int) -> float:
    """How likely it can be played, if a touched card may be useless all the same."""
    return view.plain_chance[place]


@rule("play", early=3.0)
def certain(view: View, place: int) -> bool:
    """It can be played for certain, by convention."""
    return view.chance[place] > CERTAIN


@rule("play", early=1.0)
def secret(view: View, place: int) -> bool:
    """It can be played, and the others do not know that I know."""
    return (view.chance[place] > CERTAIN) & (view.open >> place & 1 == 0)


@rule("play", early=-0.3)
def height(view: View, place: int) -> float:
    """Its rank if it can be played, in fives: low cards first."""
    return view.height[place] / 5


@rule("play", early=0.5)
def opens(view: View, place: int) -> float:
    """How likely it makes a card of another hand playable."""
    return view.opens[place]


@rule("play", early=0.3)
def brings_token(view: View, place: int) -> float:
    """How likely it is a 5 that brings back a token."""
    return view.is_five[place] * (view.tokens < 8)


@rule("play", early=-0.5)
def copied(view: View, place: int) -> float:
    """How likely another hand has the same card."""
    return view.copied[place]


@rule("play", early=-1.0)
def lost_with_it(view: View, place: int) -> float:
    """How likely a failed play loses the last card of its kind."""
    return view.loss[place] * (1.0 - view.chance[place])


@rule("play", early=-4.0)
def last_life(view: View, place: int) -> float:
    """How likely it costs the last life."""
    return (view.lives == 1) * (1.0 - view.chance[place])


@rule("play", early=-1.0)
def second_life(view: View, place: int) -> float:
    """How likely it costs the last life but one."""
    return (view.lives == 2) * (1.0 - view.chance[place])


@rule("play", early=0.0, late=4.0)
def nothing_to_lose(view: View, place: int) -> float:
    """How likely it can be played once the deck has run out and a life may be lost."""
    return (view.deck_left == 0) * (view.lives > 1) * view.chance[place]


@rule("play", early=0.0, late=2.0)
def end_near(view: View, place: int) -> float:
    """The deck runs out within a round, and a life may be lost."""
    return (view.deck_left <= view.seats) * (view.lives > 1)


@rule("play", early=-0.5)
def leaves_risk(view: View, place: int) -> float:
    """What the next seat's chop is worth, which I leave unprotected."""
    return view.risk[1] * (view.tokens > 0)


@rule("play", early=-1.0)
def leaves_misplay(view: View, place: int) -> bool:
    """The next seat takes a card for playable that is not."""
    return (view.sure[1] & ~view.rightly[1] != 0) & (view.rightly[1] == 0)


@rule("play", early=0.2)
def more_to_play(view: View, place: int) -> int:
    """I have other cards to play."""
    return min(view.playables, 2) - 1 if view.playables > 0 else 0


@rule("play", early=0.1)
def newness(view: View, place: int) -> float:
    """How new the card is."""
    return place / view.hand_size


RULES = rules_of(globals())
