"""The facts of the standard rules: of the whole position, and of one card."""

import numpy as np

from rulebots.game import View
from rulebots.game.bits import above, below, count_of
from rulebots.games.lost_cities.cards import (
    ALL_NUMBERS,
    COST,
    DRAW,
    INVESTMENTS,
    MAX_SUITS,
    NO_CARD,
    SUIT_SIZE,
    playable,
    suit_of,
    sum_of,
    value_of,
)
from rulebots.games.lost_cities.game import PER_SUIT
from rulebots.kernel import kernel

#: Cards in both hands together; `gone` takes hands of 8 for granted, whatever the option `hand_size` says.
TWO_HANDS = 16

#: The facts, in addition to the view.
FIELDS = [
    # Of the position:
    ("must_play", np.int32),  # cards in hand that go on expeditions I have begun
    # Turns left to me, this one included before I lay a card, if all cards come from the deck. In the draw phase it
    # holds if I take from a pile now: with an even deck, drawing from it leaves one turn less.
    ("turns", np.int32),
    ("pressure", np.float64),  # must_play / turns, at most 2
    ("hidden", *PER_SUIT),  # numbers that nobody has shown
    ("share", np.float64),  # the chance that a hidden card comes to me
    # What my expedition can be expected to come to, less its cost, in twenties: laid, in hand, and hidden. The
    # multiplier is left out.
    ("reach", np.float64, (MAX_SUITS,)),
    ("opp_reach", np.float64, (MAX_SUITS,)),  # the opponent's, with the cards that it is known to hold
    ("lead", np.float64),  # my points less the opponent's, in twenties; bonuses for eight cards are left out
    ("begun", np.int32),  # expeditions I have begun
    ("opp_begun", np.int32),
    # Of one card:
    ("suit", np.int32),
    ("value", np.int32),
    ("fresh", np.int32),  # I have not begun its expedition
    ("goes_on", np.int32),  # it goes on one that I have begun
    ("goes_on_opp", np.int32),  # or on one that the opponent has begun
    ("times", np.int32),  # the multiplier of my expedition: 1 + investments on it
    ("skipped_held", np.float64),  # points of the lower cards in my hand that it closes off, in twenties
    ("skipped_hidden", np.float64),  # likewise of hidden cards, times the chance that they come to me
    ("skipped_count", np.int32),  # how many cards these are, held and hidden
    ("dearer", np.int32),  # cards for begun expeditions that bring more points, if there is no time for all; else 0
    ("waiting", np.int32),  # higher numbers of the suit in my hand
    ("sure", np.float64),  # what the card and higher ones in hand bring the expedition to, less its cost, in twenties
    ("hoped", np.float64),  # what hidden higher cards would add, times the chance that they come to me
]


@kernel
def find_facts(view: View) -> None:
    """Work out the facts of the whole position; see FIELDS."""
    hidden_cards = 0
    view.begun = view.opp_begun = 0
    for suit in range(view.suits):
        view.hidden[suit] = ALL_NUMBERS & ~(view.shown[suit] | view.held[suit] | view.known[suit])
        hidden_cards += count_of(view.hidden[suit]) + INVESTMENTS
        hidden_cards -= view.shown_invested[suit] + view.held_invested[suit] + view.known_invested[suit]
    view.share = view.deck_left / 2 / max(hidden_cards, 1)
    opp_share = 1.0 - view.share
    view.lead = 0.0
    view.must_play = 0
    for suit in range(view.suits):
        mine = view.my_top[suit]
        theirs = view.opp_top[suit]
        ahead = above(view.held[suit], mine)
        hidden = above(view.hidden[suit], mine)
        begun = mine >= 0
        view.begun += begun
        view.opp_begun += theirs >= 0
        view.must_play += begun * (count_of(ahead) + (mine == 0) * view.held_invested[suit])
        view.reach[suit] = (view.my_total[suit] + sum_of(ahead) + view.share * sum_of(hidden) - COST) / COST
        opp_sure = view.opp_total[suit] + sum_of(above(view.known[suit], theirs))
        view.opp_reach[suit] = (opp_sure + opp_share * sum_of(above(view.hidden[suit], theirs)) - COST) / COST
        view.lead += begun * (view.my_total[suit] - COST) * (1 + view.my_invested[suit]) / COST
        view.lead -= (theirs >= 0) * (view.opp_total[suit] - COST) * (1 + view.opp_invested[suit]) / COST
    view.turns = (view.deck_left + (view.phase != DRAW)) // 2
    view.pressure = min(view.must_play / max(view.turns, 1), 2.0)


@kernel
def look_at(view: View, card: int) -> None:
    """Work out the facts of one card; see FIELDS. UNKNOWN_CARD, the deck's, goes on no expedition."""
    suit = suit_of(card)
    value = value_of(card)
    there = card != NO_CARD
    view.suit = suit
    view.value = value
    view.fresh = there & (view.my_top[suit] < 0)
    view.goes_on = there & (view.my_top[suit] >= 0) & playable(view.my_top[suit], value)
    view.goes_on_opp = there & (view.opp_top[suit] >= 0) & playable(view.opp_top[suit], value)
    view.times = 1 + view.my_invested[suit]
    lower = below(above(ALL_NUMBERS, view.my_top[suit]), value)
    view.skipped_held = sum_of(view.held[suit] & lower) / COST
    view.skipped_hidden = view.share * sum_of(view.hidden[suit] & lower) / COST
    view.skipped_count = count_of((view.held[suit] | view.hidden[suit]) & lower)
    view.dearer = 0
    if view.must_play > view.turns:  # else there is time for all of them
        for i in range(view.hand_size):
            other = view.hand[i]
            top = view.my_top[suit_of(other)]
            points = value_of(other) * (1 + view.my_invested[suit_of(other)])
            view.dearer += (top >= 0) & playable(top, value_of(other)) & (points > value * view.times)
    view.waiting = count_of(above(view.held[suit], value))
    view.sure = (view.my_total[suit] + value + sum_of(above(view.held[suit], value)) - COST) / COST
    view.hoped = view.share * sum_of(above(view.hidden[suit], value)) / COST


@kernel
def my_gain(view: View) -> float:
    """Points of the card on an expedition I have begun, times its multiplier, in twenties."""
    return view.goes_on * view.value * view.times / COST


@kernel
def opponents_gain(view: View) -> float:
    """Points of the card on an expedition the opponent has begun, times its multiplier, in twenties."""
    return view.goes_on_opp * view.value * (1 + view.opp_invested[view.suit]) / COST


@kernel
def gone(view: View) -> float:
    """The share of the deck that has been drawn, exact with hands of 8 cards.

    With smaller hands it stays 0 until the deck is as small as with hands of 8; with larger ones it begins above 0.
    """
    return 1.0 - min(1.0, view.deck_left / (SUIT_SIZE * view.suits - TWO_HANDS))
