"""Standard rules for playing a card: onto an expedition that has begun, or as the first of a new one."""

from __future__ import annotations

from rulebots.game import View
from rulebots.games.lost_cities.game import BONUS_CARDS, COST
from rulebots.games.lost_cities.standard.facts import gone
from rulebots.rules import rule, rules_of

# --- play: a card that goes on an expedition I have begun


@rule("play", early=1.0, late=1.0)
def go_on(view: View, card: int) -> bool:
    """It goes on an expedition I have begun."""
    return view.goes_on != 0


@rule("play", early=0.3, late=0.8)
def points(view: View, card: int) -> float:
    """The points it earns on an expedition I have begun, times the investments made."""
    return view.goes_on * view.value * view.times / COST


@rule("play", early=-1.5, late=-1.2)
def skips_held(view: View, card: int) -> float:
    """Points of lower cards in my hand that it closes off on an expedition I have begun, times the investments."""
    return view.goes_on * view.skipped_held * view.times


@rule("play", early=-2.0, late=-1.0)
def skips_hidden(view: View, card: int) -> float:
    """Points of lower hidden cards that it closes off on one I have begun, as far as they would come to me."""
    return view.goes_on * view.skipped_hidden * view.times


@rule("play", early=-0.5, late=-0.2)
def skips_many(view: View, card: int) -> float:
    """How many lower cards it closes off on an expedition I have begun, held or hidden, in fifths."""
    return view.goes_on * view.skipped_count / 5


@rule("play", early=-0.5, late=-0.3)
def skips_at_leisure(view: View, card: int) -> float:
    """Points of lower hidden cards that it closes off, by the turns to spare in which they could have come."""
    return view.goes_on * view.skipped_hidden * view.times * max(0, view.turns - view.must_play) / 10


@rule("play", early=0.0, late=-1.0)
def skips_in_time(view: View, card: int) -> float:
    """Points of lower cards in my hand that it closes off although there are turns for all of them."""
    return view.goes_on * view.skipped_held * view.times * (view.must_play <= view.turns)


@rule("play", early=0.3, late=0.3)
def skips_nothing(view: View, card: int) -> bool:
    """It closes off no card that could still come, on an expedition I have begun."""
    return (view.goes_on != 0) & (view.skipped_count == 0)


@rule("play", early=0.3, late=0.8)
def cards_behind(view: View, card: int) -> float:
    """Higher cards of its suit that wait in my hand, for each turn left, on an expedition I have begun."""
    return view.goes_on * min(view.waiting / max(view.turns, 1), 1.0)


@rule("play", early=0.3, late=1.0)
def pressed(view: View, card: int) -> float:
    """Cards in hand for expeditions I have begun, for each turn left, if it is one of them."""
    return view.goes_on * view.pressure


@rule("play", early=0.0, late=1.0)
def worth_a_turn(view: View, card: int) -> bool:
    """It goes on an expedition I have begun, and is among the dearest such cards for which there are turns."""
    return (view.goes_on != 0) & (view.dearer < view.turns)


@rule("play", early=0.3, late=0.3)
def in_the_red(view: View, card: int) -> bool:
    """Its expedition has begun and not yet earned its cost."""
    return (view.goes_on != 0) & (view.my_total[view.suit] < COST)


@rule("play", early=0.2, late=0.2)
def bonus_near(view: View, card: int) -> float:
    """How near its expedition is to the bonus of eight cards, counting those in hand."""
    length = view.my_length[view.suit] + 1 + view.waiting
    return max(0.0, length - 4) / (BONUS_CARDS - 4)


@rule("play", early=0.2, late=0.1)
def still_rising(view: View, card: int) -> float:
    """What higher cards, held or hoped for, can still bring there, times the investments made."""
    return view.goes_on * (view.sure + 1.0 + view.hoped) * view.times / 5


@rule("play", early=0.0, late=0.0)
def opp_waits(view: View, card: int) -> float:
    """Points that it would bring the opponent if I let it go."""
    return view.goes_on_opp * view.value * (1 + view.opp_invested[view.suit]) / COST


# --- play: a card that begins an expedition


@rule("play", early=0.0, late=-1.0)
def begin(view: View, card: int) -> bool:
    """It begins an expedition."""
    return view.fresh != 0


@rule("play", early=1.0, late=1.5)
def begin_sure(view: View, card: int) -> float:
    """A new expedition: what my hand alone brings it to, in twenties after its cost."""
    return view.fresh * view.sure


@rule("play", early=0.5, late=0.5)
def begin_short(view: View, card: int) -> float:
    """A new expedition: what hand and hidden cards together still lack to cover its cost, in twenties."""
    return view.fresh * min(0.0, view.sure + view.hoped)


@rule("play", early=-0.5, late=0.0)
def closes_investments(view: View, card: int) -> float:
    """A number: investments of its suit in hand that it closes off."""
    return (view.value > 0) * (view.my_top[view.suit] <= 0) * view.held_invested[view.suit]


@rule("play", early=-0.3, late=0.0)
def closes_multiplied(view: View, card: int) -> float:
    """A number: investments in hand that it closes off, by what the expedition could come to."""
    closed = (view.value > 0) * (view.my_top[view.suit] <= 0) * view.held_invested[view.suit]
    return closed * max(0.0, view.reach[view.suit])


@rule("play", early=1.0, late=0.5)
def begin_hope(view: View, card: int) -> float:
    """A new expedition: what hidden cards would bring it, as far as they come to me."""
    return view.fresh * view.hoped


@rule("play", early=0.3, late=0.2)
def begin_multiplied(view: View, card: int) -> float:
    """A new expedition: what hand and hidden cards bring it to, for each investment played with it."""
    investments = view.held_invested[view.suit] * (view.value == 0)
    return view.fresh * investments * (view.sure + view.hoped)


@rule("play", early=-0.3, late=-2.0)
def begin_late(view: View, card: int) -> float:
    """A new expedition: the share of the deck that has gone."""
    return view.fresh * gone(view)


@rule("play", early=0.0, late=-1.0)
def begin_pressed(view: View, card: int) -> float:
    """A new expedition: cards in hand for those I have begun, for each turn left."""
    return view.fresh * view.pressure


@rule("play", early=0.0, late=-1.0)
def begin_too_much(view: View, card: int) -> float:
    """A new expedition: cards that would wait for it and the others beyond the turns left, in fifths."""
    return view.fresh * max(0, view.must_play + view.waiting + 1 - view.turns) / 5


@rule("play", early=-0.2, late=-0.5)
def begin_many(view: View, card: int) -> float:
    """A new expedition: how many I have begun already, in fifths."""
    return view.fresh * view.begun / 5


@rule("play", early=-1.5, late=-1.2)
def begin_over_held(view: View, card: int) -> float:
    """A new expedition: points of lower cards in my hand that it closes off."""
    return view.fresh * view.skipped_held


@rule("play", early=-1.0, late=-0.5)
def begin_over_hidden(view: View, card: int) -> float:
    """A new expedition: points of lower hidden cards that it closes off, as far as they would come to me."""
    return view.fresh * view.skipped_hidden


@rule("play", early=0.2, late=0.2)
def begin_count(view: View, card: int) -> float:
    """A new expedition: higher cards of the suit in hand, in fifths."""
    return view.fresh * view.waiting / 5


@rule("play", early=-0.1, late=0.0)
def begin_contested(view: View, card: int) -> float:
    """A new expedition: what the opponent has laid in that suit, in twenties."""
    return view.fresh * view.opp_total[view.suit] / COST


# --- play: investments


@rule("play", early=0.0, late=-1.0)
def invest(view: View, card: int) -> bool:
    """It is an investment."""
    return view.value == 0


@rule("play", early=0.8, late=1.0)
def invest_sure(view: View, card: int) -> float:
    """An investment: what my hand alone brings its expedition to, in twenties after its cost."""
    return (view.value == 0) * view.sure


@rule("play", early=0.6, late=0.5)
def invest_hope(view: View, card: int) -> float:
    """An investment: what hidden cards would bring its expedition, as far as they come to me."""
    return (view.value == 0) * view.hoped


@rule("play", early=-0.2, late=-1.0)
def invest_late(view: View, card: int) -> float:
    """An investment: the share of the deck that has gone."""
    return (view.value == 0) * gone(view)


@rule("play", early=0.2, late=0.2)
def invest_again(view: View, card: int) -> float:
    """An investment: others of its suit that I have made or hold, in halves."""
    return (view.value == 0) * (view.my_invested[view.suit] + view.held_invested[view.suit] - 1) / 2


RULES = rules_of(globals())
