"""The rules of a discard."""

from __future__ import annotations

from rulebots.game import View
from rulebots.games.hanabi.facts import CERTAIN
from rulebots.rules import rule, rules_of


@rule("discard", early=-1.0)
def discards(view: View, place: int) -> int:
    """It discards a card."""
    return 1


@rule("discard", early=1.5)
def waste(view: View, place: int) -> float:
    """How likely it is useless."""
    return view.waste[place]


@rule("discard", early=1.0)
def surely_waste(view: View, place: int) -> bool:
    """It is useless for certain."""
    return view.waste[place] > CERTAIN


@rule("discard", early=-5.0)
def loss(view: View, place: int) -> float:
    """How likely it is the last of its kind."""
    return view.loss[place]


@rule("discard", early=-3.0)
def surely_last(view: View, place: int) -> bool:
    """It is the last of its kind for certain."""
    return view.loss[place] > CERTAIN


@rule("discard", early=1.0)
def on_chop(view: View, place: int) -> bool:
    """It is my chop."""
    return view.chop[0] == place


@rule("discard", early=-2.0)
def could_be_played(view: View, place: int) -> float:
    """How likely it can be played."""
    return view.chance[place]


@rule("discard", early=-0.5)
def touched(view: View, place: int) -> bool:
    """A hint has touched it."""
    return view.touched[0, place] != 0


@rule("discard", early=1.0)
def held_elsewhere(view: View, place: int) -> float:
    """How likely another hand has the same card."""
    return view.copied[place]


@rule("discard", early=-0.2)
def age(view: View, place: int) -> float:
    """How new the card is."""
    return place / view.hand_size


@rule("discard", early=1.0)
def no_token(view: View, place: int) -> bool:
    """There is no token."""
    return view.tokens == 0


@rule("discard", early=0.5)
def one_token(view: View, place: int) -> bool:
    """There is one token."""
    return view.tokens == 1


@rule("discard", early=-1.0)
def many_tokens(view: View, place: int) -> float:
    """How many tokens there are, of 8."""
    return view.tokens / 8


@rule("discard", early=-0.5)
def passes_risk(view: View, place: int) -> float:
    """What the next seat's chop is worth, which I leave unprotected."""
    return view.risk[1] * (view.tokens > 0)


@rule("discard", early=-1.0)
def passes_misplay(view: View, place: int) -> bool:
    """The next seat takes a card for playable that is not."""
    return (view.sure[1] & ~view.rightly[1] != 0) & (view.rightly[1] == 0)


@rule("discard", early=0.0)
def next_busy(view: View, place: int) -> bool:
    """The next seat has a card to play."""
    return view.rightly[1] != 0


@rule("discard", early=0.0, late=-1.5)
def last_draws(view: View, place: int) -> bool:
    """The deck runs out within a round: another card drawn brings the end nearer."""
    return (view.deck_left > 0) & (view.deck_left <= view.seats)


@rule("discard", early=0.0, late=-1.0)
def deck_empty(view: View, place: int) -> bool:
    """The deck has run out."""
    return view.deck_left == 0


RULES = rules_of(globals())
