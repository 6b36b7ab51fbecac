"""The standard rules: continuous facts of points, gaps, reach, time and gifts.

Players are bred from these by default. Points are counted in twenties (the cost of an expedition),
so that a rule's value is around 1 where it matters. "Hidden" cards are those that nobody has shown:
in the deck, or in the opponent's hand and not known to be there. A card that "skips" others closes
them off, because an expedition only rises. Unlike Shelly's, these rules judge a play by the group
`play` alone and a discard by `keep` alone.
"""

from __future__ import annotations

from rulebots.game import Kind, View
from rulebots.games.lost_cities.cards import (
    ALL_NUMBERS,
    COUNT,
    INVESTMENTS,
    NO_CARD,
    SUIT_SIZE,
    SUM,
    above,
    below,
    suit_of,
    value_of,
)
from rulebots.games.lost_cities.game import BONUS_CARDS, COST, DRAW, game, playable
from rulebots.kernel import kernel
from rulebots.rule import RuleSet, rule, rules_of

#: Cards in the two hands together, as far as the deck's size goes.
TWO_HANDS = 16
#: Discards in a row after which somebody has to end the game.
LONG_STREAK = 5
#: With fewer cards in the deck than this the end is near.
SOON = 12


@kernel
def find_facts(view: View) -> None:
    """Facts of the whole position; see the part of VIEW that names this set."""
    hidden_cards = 0
    view.begun, view.opp_begun = 0, 0
    for suit in range(view.suits):
        view.hidden[suit] = ALL_NUMBERS & ~(view.shown[suit] | view.held[suit] | view.known[suit])
        hidden_cards += COUNT[view.hidden[suit]] + INVESTMENTS
        hidden_cards -= view.shown_invested[suit] + view.held_invested[suit] + view.known_invested[suit]
    view.share = view.deck_left / 2 / max(hidden_cards, 1)
    opp_share = 1.0 - view.share
    view.lead = 0.0
    view.must_play = 0
    for suit in range(view.suits):
        mine, theirs = view.my_top[suit], view.opp_top[suit]
        ahead, hidden = above(view.held[suit], mine), above(view.hidden[suit], mine)
        begun = mine >= 0
        view.begun += begun
        view.opp_begun += theirs >= 0
        view.must_play += begun * (COUNT[ahead] + (mine == 0) * view.held_invested[suit])
        view.reach[suit] = (view.my_total[suit] + SUM[ahead] + view.share * SUM[hidden] - COST) / COST
        opp_sure = view.opp_total[suit] + SUM[above(view.known[suit], theirs)]
        view.opp_reach[suit] = (opp_sure + opp_share * SUM[above(view.hidden[suit], theirs)] - COST) / COST
        view.lead += begun * (view.my_total[suit] - COST) * (1 + view.my_invested[suit]) / COST
        view.lead -= (theirs >= 0) * (view.opp_total[suit] - COST) * (1 + view.opp_invested[suit]) / COST
    view.turns = (view.deck_left + (view.phase != DRAW)) // 2
    view.pressure = min(view.must_play / max(view.turns, 1), 2.0)


@kernel
def look_at(view: View, card: int) -> None:
    """Facts of one card; see the end of VIEW. UNKNOWN_CARD, the deck's, goes nowhere."""
    suit, value = suit_of(card), value_of(card)
    there = card != NO_CARD
    view.suit, view.value = suit, value
    view.fresh = there & (view.my_top[suit] < 0)
    view.goes_on = there & (view.my_top[suit] >= 0) & playable(view.my_top[suit], value)
    view.goes_on_opp = there & (view.opp_top[suit] >= 0) & playable(view.opp_top[suit], value)
    view.times = 1 + view.my_invested[suit]
    lower = below(above(ALL_NUMBERS, view.my_top[suit]), value)
    view.skipped_held = SUM[view.held[suit] & lower] / COST
    view.skipped_hidden = view.share * SUM[view.hidden[suit] & lower] / COST
    view.skipped_count = COUNT[(view.held[suit] | view.hidden[suit]) & lower]
    view.dearer = 0
    if view.must_play > view.turns:  # else there is time for all of them
        for i in range(view.hand_size):
            other = view.hand[i]
            top = view.my_top[suit_of(other)]
            worth = value_of(other) * (1 + view.my_invested[suit_of(other)])
            view.dearer += (top >= 0) & playable(top, value_of(other)) & (worth > value * view.times)
    view.waiting = COUNT[above(view.held[suit], value)]
    sure = view.my_total[suit] + value + SUM[above(view.held[suit], value)] - COST
    view.sure = sure / COST
    view.hoped = view.share * SUM[above(view.hidden[suit], value)] / COST


@kernel
def gone(view: View) -> float:
    """The share of the deck that has been drawn."""
    return 1.0 - min(1.0, view.deck_left / (SUIT_SIZE * view.suits - TWO_HANDS))


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


# --- keep: what would go with a discard


@rule("keep", early=0.0, late=0.0)
def anything(view: View, card: int) -> bool:
    """True of every card: how much discarding is disliked as such."""
    return True


@rule("keep", early=0.6, late=0.5)
def mine(view: View, card: int) -> bool:
    """It goes on an expedition I have begun."""
    return view.goes_on != 0


@rule("keep", early=1.0, late=1.5)
def mine_points(view: View, card: int) -> float:
    """Points it would bring me on an expedition I have begun, times the investments made."""
    return view.goes_on * view.value * view.times / COST


@rule("keep", early=-0.3, late=-0.3)
def mine_far(view: View, card: int) -> float:
    """On an expedition I have begun: how many cards it would close off, in fifths."""
    return view.goes_on * view.skipped_count / 5


@rule("keep", early=0.0, late=-0.3)
def mine_pressed(view: View, card: int) -> float:
    """On an expedition I have begun: cards in hand for such, for each turn left."""
    return view.goes_on * view.pressure


@rule("keep", early=0.0, late=-1.0)
def mine_too_late(view: View, card: int) -> bool:
    """On an expedition I have begun, but there are dearer such cards for all the turns left."""
    return (view.goes_on != 0) & (view.dearer >= view.turns)


@rule("keep", early=0.3, late=0.3)
def mine_alone(view: View, card: int) -> float:
    """On an expedition I have begun: the points it brings, if the opponent has no use for it."""
    return view.goes_on * (view.goes_on_opp == 0) * view.value * view.times / COST


@rule("keep", early=0.5, late=0.5)
def hope(view: View, card: int) -> float:
    """A suit I have not begun: what hand and hidden cards could bring it to, in twenties after the cost."""
    return view.fresh * view.reach[view.suit]


@rule("keep", early=0.4, late=0.4)
def company(view: View, card: int) -> float:
    """A suit I have not begun: the points of it in my hand, in twenties."""
    return view.fresh * SUM[view.held[view.suit]] / COST


@rule("keep", early=0.2, late=0.1)
def height(view: View, card: int) -> float:
    """A suit I have not begun: its number, in tenths."""
    return view.fresh * view.value / 10


@rule("keep", early=-0.2, late=-1.0)
def no_time(view: View, card: int) -> float:
    """A suit I have not begun: the share of the deck that has gone."""
    return view.fresh * gone(view)


@rule("keep", early=0.2, late=-0.2)
def investment(view: View, card: int) -> bool:
    """An investment that I could still play."""
    return (view.value == 0) & (view.my_top[view.suit] <= 0)


@rule("keep", early=0.5, late=0.3)
def investment_hope(view: View, card: int) -> float:
    """An investment that I could still play: what its expedition could come to."""
    return (view.value == 0) * (view.my_top[view.suit] <= 0) * view.reach[view.suit]


@rule("keep", early=0.5, late=0.4)
def opp(view: View, card: int) -> bool:
    """It goes on an expedition that the opponent has begun."""
    return view.goes_on_opp != 0


@rule("keep", early=1.0, late=1.2)
def opp_points(view: View, card: int) -> float:
    """Points it would bring the opponent on an expedition it has begun, times its investments."""
    return view.goes_on_opp * view.value * (1 + view.opp_invested[view.suit]) / COST


@rule("keep", early=0.0, late=-1.0)
def opp_too_late(view: View, card: int) -> float:
    """Points it would bring the opponent on an expedition it has begun, towards the end: it may be too late."""
    points = view.goes_on_opp * view.value * (1 + view.opp_invested[view.suit]) / COST
    return points * max(0.0, 1.0 - view.deck_left / SOON)


@rule("keep", early=0.4, late=0.2)
def opp_next(view: View, card: int) -> float:
    """It goes on the opponent's expedition: the fewer open cards it would close off there, the more."""
    lower = below(above(view.hidden[view.suit] | view.known[view.suit], view.opp_top[view.suit]), view.value)
    return view.goes_on_opp / (1.0 + COUNT[lower])


@rule("keep", early=0.2, late=0.0)
def opp_hope(view: View, card: int) -> float:
    """A suit that neither of us has begun: what the opponent could reach there, in twenties after the cost."""
    return (view.opp_top[view.suit] < 0) * view.fresh * view.opp_reach[view.suit]


@rule("keep", early=0.0, late=0.0)
def opp_hope_in_mine(view: View, card: int) -> float:
    """A suit that only I have begun: what the opponent could reach there, in twenties after the cost."""
    return (view.opp_top[view.suit] < 0) * (view.fresh == 0) * view.opp_reach[view.suit]


@rule("keep", early=0.2, late=0.0)
def opp_high_hope(view: View, card: int) -> float:
    """A suit the opponent has not begun: what it could reach there, by the number of the card in tenths."""
    return (view.opp_top[view.suit] < 0) * max(view.opp_reach[view.suit], 0.0) * view.value / 10


@rule("keep", early=0.0, late=0.0)
def opp_busy_height(view: View, card: int) -> float:
    """A suit the opponent has not begun: its number in tenths, by the share of suits that it has begun."""
    return (view.opp_top[view.suit] < 0) * view.value / 10 * view.opp_begun / 5


@rule("keep", early=0.0, late=0.0)
def mine_while_busy(view: View, card: int) -> float:
    """It goes on an expedition I have begun: the share of suits that the opponent has begun."""
    return view.goes_on * view.opp_begun / 5


@rule("keep", early=0.2, late=0.0)
def opp_height(view: View, card: int) -> float:
    """A suit the opponent has not begun: its number, in tenths."""
    return (view.opp_top[view.suit] < 0) * view.value / 10


@rule("keep", early=0.2, late=0.1)
def opp_investment(view: View, card: int) -> float:
    """An investment that the opponent could still play: what it could reach there."""
    return (view.value == 0) * (view.opp_top[view.suit] <= 0) * max(view.opp_reach[view.suit], 0.0)


@rule("keep", early=0.1, late=0.1)
def opp_cards(view: View, card: int) -> float:
    """Cards of its suit that the opponent is known to hold, in thirds."""
    return COUNT[view.known[view.suit]] / 3


@rule("keep", early=-0.6, late=-0.6)
def dead(view: View, card: int) -> bool:
    """It goes on neither expedition of its suit, both of which have begun."""
    suit = view.suit
    both = (view.my_top[suit] >= 0) & (view.opp_top[suit] >= 0)
    return both & (view.goes_on == 0) & (view.goes_on_opp == 0)


@rule("keep", early=-0.5, late=-0.5)
def covers_opp(view: View, card: int) -> float:
    """It would cover a card that goes on the opponent's expedition: the points of that."""
    top = view.opp_top[view.suit]
    covered = value_of(view.pile_top[view.suit])
    return ((view.pile_size[view.suit] > 0) & (top >= 0) & (covered > top)) * covered / 10


@rule("keep", early=0.5, late=0.5)
def covers_mine(view: View, card: int) -> float:
    """It would cover a card that goes on my expedition: the points of that."""
    top = view.my_top[view.suit]
    covered = value_of(view.pile_top[view.suit])
    return ((view.pile_size[view.suit] > 0) & (top >= 0) & (covered > top)) * covered / 10


@rule("keep", early=0.0, late=0.5)
def discarded_long(view: View, card: int) -> bool:
    """I have discarded more than five times in a row."""
    return view.my_streak > LONG_STREAK


# --- draw


@rule("draw", early=0.5, late=0.5)
def takes(view: View, card: int) -> bool:
    """It goes on an expedition I have begun."""
    return view.goes_on != 0


@rule("draw", early=1.0, late=2.0)
def takes_points(view: View, card: int) -> float:
    """Points it would bring me on an expedition I have begun, times the investments made."""
    return view.goes_on * view.value * view.times / COST


@rule("draw", early=-1.0, late=-0.5)
def takes_far(view: View, card: int) -> float:
    """On an expedition I have begun: points it would close off, held and hidden."""
    return view.goes_on * (view.skipped_held + view.skipped_hidden)


@rule("draw", early=0.3, late=0.0)
def joins(view: View, card: int) -> float:
    """A suit I have not begun: what hand and hidden cards could bring it to with this one."""
    return view.fresh * (view.reach[view.suit] + view.value / COST)


@rule("draw", early=0.5, late=0.0)
def joins_company(view: View, card: int) -> float:
    """A suit I have not begun: the points of it in my hand, in twenties."""
    return view.fresh * SUM[view.held[view.suit]] / COST


@rule("draw", early=0.3, late=-0.5)
def takes_investment(view: View, card: int) -> float:
    """An investment that I could still play: what its expedition could come to."""
    fits = (card != NO_CARD) & (view.value == 0) & (view.my_top[view.suit] <= 0)
    return fits * view.reach[view.suit]


@rule("draw", early=0.4, late=0.5)
def denies(view: View, card: int) -> float:
    """Points it would bring the opponent on an expedition it has begun, times its investments."""
    return view.goes_on_opp * view.value * (1 + view.opp_invested[view.suit]) / COST


@rule("draw", early=0.8, late=0.5)
def deck(view: View, card: int) -> bool:
    """It is the unknown card on top of the deck."""
    return card == NO_CARD


@rule("draw", early=0.0, late=0.2)
def deck_ahead(view: View, card: int) -> float:
    """The deck: my lead in twenties, for it brings the end nearer."""
    return (card == NO_CARD) * max(-2.0, min(2.0, view.lead))


@rule("draw", early=0.0, late=-1.0)
def deck_pressed(view: View, card: int) -> float:
    """The deck: cards still to play for each turn left, for it brings the end nearer."""
    return (card == NO_CARD) * view.pressure


@rule("draw", early=-0.5, late=-1.0)
def deck_costs_a_turn(view: View, card: int) -> float:
    """The deck: cards of begun expeditions for which there would then be no turn, in thirds."""
    return (card == NO_CARD) * max(0, view.must_play - (view.deck_left - 1) // 2) / 3


@rule("draw", early=0.0, late=0.5)
def deck_idle(view: View, card: int) -> float:
    """The deck: my discards in a row, in fives, for someone has to end the game."""
    return (card == NO_CARD) * min(view.my_streak, 10) / 5


RULES = rules_of(globals())

standard = RuleSet(
    "standard",
    game,
    tuple(RULES),
    progress=gone,
    facts=find_facts,
    consider=look_at,
    kinds=(Kind("play", {"play": 1.0}), Kind("discard", {"keep": -1.0}), Kind("draw", {"draw": 1.0})),
    meaning="continuous facts of points, gaps, reach, time and gifts; plays, discards and draws judged apart",
)
