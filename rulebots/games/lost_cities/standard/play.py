"""Standard rules for playing a card, on an expedition that I have begun or as the first card of a new one."""

from __future__ import annotations

from rulebots.game import View
from rulebots.games.lost_cities.cards import (
    BONUS_CARDS,
    COST,
)
from rulebots.games.lost_cities.standard.facts import gone, my_gain, opponents_gain
from rulebots.rules import rule, rules_of

# --- a card that goes on an expedition I have begun


@rule("play", early=1.0, late=1.0)
def go_on(view: View, card: int) -> bool:
    """It goes on an expedition I have begun."""
    return view.goes_on != 0


@rule("play", early=0.3, late=0.8)
def points(view: View, card: int) -> float:
    """Points it earns on an expedition I have begun, times its multiplier, in twenties."""
    return my_gain(view)


@rule("play", early=-1.5, late=-1.2)
def skips_held(view: View, card: int) -> float:
    """On an expedition I have begun: points of lower cards in my hand that it closes off, in twenties.

    They are multiplied by the expedition's multiplier.
    """
    return view.goes_on * view.skipped_held * view.times


@rule("play", early=-2.0, late=-1.0)
def skips_hidden(view: View, card: int) -> float:
    """On an expedition I have begun: points of lower hidden cards that it closes off, in twenties.

    They count as far as I can expect to draw them, times the expedition's multiplier.
    """
    return view.goes_on * view.skipped_hidden * view.times


@rule("play", early=-0.5, late=-0.2)
def skips_many(view: View, card: int) -> float:
    """On an expedition I have begun: how many lower cards, held or hidden, it closes off, in fives."""
    return view.goes_on * view.skipped_count / 5


@rule("play", early=-0.5, late=-0.3)
def skips_at_leisure(view: View, card: int) -> float:
    """On an expedition I have begun: the value of skips_hidden times the turns to spare, in tens.

    Turns to spare are those beyond the cards that I hold for begun expeditions: the hidden cards could still come.
    """
    return view.goes_on * view.skipped_hidden * view.times * max(0, view.turns - view.must_play) / 10


@rule("play", early=0.0, late=-1.0)
def skips_in_time(view: View, card: int) -> float:
    """On an expedition I have begun: the value of skips_held if there are turns for all cards of such expeditions."""
    return view.goes_on * view.skipped_held * view.times * (view.must_play <= view.turns)


@rule("play", early=0.3, late=0.3)
def skips_nothing(view: View, card: int) -> bool:
    """On an expedition I have begun: it closes off no lower card, held or hidden."""
    return (view.goes_on != 0) & (view.skipped_count == 0)


@rule("play", early=0.3, late=0.8)
def cards_behind(view: View, card: int) -> float:
    """On an expedition I have begun: higher numbers of its suit in my hand per turn left, at most 1."""
    return view.goes_on * min(view.waiting / max(view.turns, 1), 1.0)


@rule("play", early=0.3, late=1.0)
def pressed(view: View, card: int) -> float:
    """It goes on an expedition I have begun: cards in my hand for such expeditions per turn left, at most 2."""
    return view.goes_on * view.pressure


@rule("play", early=0.0, late=1.0)
def worth_a_turn(view: View, card: int) -> bool:
    """On an expedition I have begun: there are turns left for it and all dearer cards for such expeditions."""
    return (view.goes_on != 0) & (view.dearer < view.turns)


@rule("play", early=0.3, late=0.3)
def in_the_red(view: View, card: int) -> bool:
    """Its expedition has begun and has not yet earned its cost."""
    return (view.goes_on != 0) & (view.my_total[view.suit] < COST)


@rule("play", early=0.2, late=0.2)
def bonus_near(view: View, card: int) -> float:
    """How near its expedition is to the bonus for eight cards, counting higher numbers in hand: 1 for eight.

    It is 0 for four cards or fewer. Other investments in hand are not counted.
    """
    length = view.my_length[view.suit] + 1 + view.waiting
    return max(0.0, length - 4) / (BONUS_CARDS - 4)


@rule("play", early=0.2, late=0.1)
def still_rising(view: View, card: int) -> float:
    """On an expedition I have begun: what it could come to before its cost, times its multiplier, in hundreds.

    That is what is laid, this card, and higher ones, held or hoped for.
    """
    return view.goes_on * (view.sure + 1.0 + view.hoped) * view.times / 5


@rule("play", early=0.0, late=0.0)
def opp_waits(view: View, card: int) -> float:
    """Points it would bring the opponent on an expedition it has begun, times its multiplier, in twenties."""
    return opponents_gain(view)


# --- a card that begins an expedition


@rule("play", early=0.0, late=-1.0)
def begin(view: View, card: int) -> bool:
    """It begins an expedition."""
    return view.fresh != 0


@rule("play", early=1.0, late=1.5)
def begin_sure(view: View, card: int) -> float:
    """A new expedition: points of this card and higher ones in my hand, less its cost, in twenties."""
    return view.fresh * view.sure


@rule("play", early=0.5, late=0.5)
def begin_short(view: View, card: int) -> float:
    """A new expedition: what hand and hidden cards lack to cover its cost, in twenties: negative, or 0 if nothing."""
    return view.fresh * min(0.0, view.sure + view.hoped)


@rule("play", early=-0.5, late=0.0)
def closes_investments(view: View, card: int) -> float:
    """A number: the investments of its suit in my hand that it closes off."""
    return (view.value > 0) * (view.my_top[view.suit] <= 0) * view.held_invested[view.suit]


@rule("play", early=-0.3, late=0.0)
def closes_multiplied(view: View, card: int) -> float:
    """A number: investments in my hand that it closes off, times what the expedition could come to, at least 0."""
    closed = (view.value > 0) * (view.my_top[view.suit] <= 0) * view.held_invested[view.suit]
    return closed * max(0.0, view.reach[view.suit])


@rule("play", early=1.0, late=0.5)
def begin_hope(view: View, card: int) -> float:
    """A new expedition: points of higher hidden cards, as far as I can expect to draw them, in twenties."""
    return view.fresh * view.hoped


@rule("play", early=0.3, late=0.2)
def begin_multiplied(view: View, card: int) -> float:
    """A new expedition begun with an investment: what it could come to, times investments of its suit in my hand.

    What it could come to is counted as in begin_sure and begin_hope; this investment is one of those in my hand.
    """
    investments = view.held_invested[view.suit] * (view.value == 0)
    return view.fresh * investments * (view.sure + view.hoped)


@rule("play", early=-0.3, late=-2.0)
def begin_late(view: View, card: int) -> float:
    """A new expedition: the share of the deck drawn so far."""
    return view.fresh * gone(view)


@rule("play", early=0.0, late=-1.0)
def begin_pressed(view: View, card: int) -> float:
    """A new expedition: cards in my hand for those I have begun per turn left, at most 2."""
    return view.fresh * view.pressure


@rule("play", early=0.0, late=-1.0)
def begin_too_much(view: View, card: int) -> float:
    """A new expedition: cards that would wait for it and the others beyond the turns left, in fives.

    Other investments for the new expedition are not counted.
    """
    return view.fresh * max(0, view.must_play + view.waiting + 1 - view.turns) / 5


@rule("play", early=-0.2, late=-0.5)
def begin_many(view: View, card: int) -> float:
    """A new expedition: how many I have begun already, in fives."""
    return view.fresh * view.begun / 5


@rule("play", early=-1.5, late=-1.2)
def begin_over_held(view: View, card: int) -> float:
    """A new expedition: points of lower cards in my hand that it closes off, in twenties."""
    return view.fresh * view.skipped_held


@rule("play", early=-1.0, late=-0.5)
def begin_over_hidden(view: View, card: int) -> float:
    """A new expedition: points of lower hidden cards that it closes off, as far as I would draw them, in twenties."""
    return view.fresh * view.skipped_hidden


@rule("play", early=0.2, late=0.2)
def begin_count(view: View, card: int) -> float:
    """A new expedition: higher numbers of its suit in my hand, in fives."""
    return view.fresh * view.waiting / 5


@rule("play", early=-0.1, late=0.0)
def begin_contested(view: View, card: int) -> float:
    """A new expedition: the sum of the numbers that the opponent has laid in that suit, in twenties."""
    return view.fresh * view.opp_total[view.suit] / COST


# --- investments


@rule("play", early=0.0, late=-1.0)
def invest(view: View, card: int) -> bool:
    """It is an investment."""
    return view.value == 0


@rule("play", early=0.8, late=1.0)
def invest_sure(view: View, card: int) -> float:
    """An investment: what my hand alone brings its expedition to, less its cost, in twenties."""
    return (view.value == 0) * view.sure


@rule("play", early=0.6, late=0.5)
def invest_hope(view: View, card: int) -> float:
    """An investment: points of hidden cards for its expedition, as far as I can expect to draw them, in twenties."""
    return (view.value == 0) * view.hoped


@rule("play", early=-0.2, late=-1.0)
def invest_late(view: View, card: int) -> float:
    """An investment: the share of the deck drawn so far."""
    return (view.value == 0) * gone(view)


@rule("play", early=0.2, late=0.2)
def invest_again(view: View, card: int) -> float:
    """An investment: others of its suit that I have made or hold, in twos."""
    return (view.value == 0) * (view.my_invested[view.suit] + view.held_invested[view.suit] - 1) / 2


RULES = rules_of(globals())
