"""The standard rules: Shelly's, mended, and continuous facts of reach, time, gifts and draws.

Players are bred from these by default. Points are counted in twenties (the cost of an expedition),
so that a rule's value is around 1 where it matters. "Hidden" cards are those that nobody has shown:
in the deck, or in the opponent's hand and not known to be there.
"""

from __future__ import annotations

from rulebots.game import View
from rulebots.games.lost_cities import shelly
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
from rulebots.games.lost_cities.game import BONUS_CARDS, COST, game, playable
from rulebots.kernel import kernel
from rulebots.rule import RuleSet, rule, rules_of

#: Cards in the two hands together, as far as the deck's size goes.
TWO_HANDS = 16


@kernel
def find_facts(view: View) -> None:
    """Shelly's facts, then: turns, pressure, hidden, share, opp_share, reach, opp_reach, lead."""
    shelly.find_facts(view)
    view.turns = (view.deck_left + 1) // 2
    view.pressure = view.must_play / max(view.turns, 1)
    hidden_cards, known_cards = 0, 0
    for suit in range(view.suits):
        view.hidden[suit] = ALL_NUMBERS & ~(view.shown[suit] | view.held[suit] | view.known[suit])
        hidden_cards += COUNT[view.hidden[suit]] + INVESTMENTS
        hidden_cards -= view.shown_invested[suit] + view.held_invested[suit] + view.known_invested[suit]
        known_cards += COUNT[view.known[suit]] + view.known_invested[suit]
    to_come = view.deck_left / 2
    view.share = to_come / max(hidden_cards, 1)
    view.opp_share = 1.0 - view.share
    view.lead = 0.0
    for suit in range(view.suits):
        mine, his = view.my_top[suit], view.opp_top[suit]
        ahead, hidden = above(view.held[suit], mine), above(view.hidden[suit], mine)
        view.reach[suit] = (view.my_total[suit] + SUM[ahead] + view.share * SUM[hidden] - COST) / COST
        his_sure = view.opp_total[suit] + SUM[above(view.known[suit], his)]
        view.opp_reach[suit] = (his_sure + view.opp_share * SUM[above(view.hidden[suit], his)] - COST) / COST
        view.lead += (mine >= 0) * (view.my_total[suit] - COST) * (1 + view.my_invested[suit]) / COST
        view.lead -= (his >= 0) * (view.opp_total[suit] - COST) * (1 + view.opp_invested[suit]) / COST


@kernel
def gone(view: View) -> float:
    """The share of the deck that has been drawn."""
    return 1.0 - min(1.0, view.deck_left / (SUIT_SIZE * view.suits - TWO_HANDS))


@kernel
def between(numbers: int, top: int, value: int) -> int:
    """Those of the numbers that lie above `top` and below `value`."""
    return below(above(numbers, top), value)


@kernel
def reach_beyond(view: View, card: int) -> float:
    """What the expedition would come to once this card is on it, in twenties after its cost."""
    suit, value = suit_of(card), value_of(card)
    held, hidden = above(view.held[suit], value), above(view.hidden[suit], value)
    return (view.my_total[suit] + value + SUM[held] + view.share * SUM[hidden] - COST) / COST


# --- play


@rule("play", early=0.1, late=0.6)
def points(view: View, card: int) -> float:
    """The points it earns at once, multiplied by the investments made."""
    return value_of(card) * (1 + view.my_invested[suit_of(card)]) / COST


@rule("play", early=-1.2, late=-0.8)
def skips_held(view: View, card: int) -> float:
    """Points of lower cards in my hand that could no longer be played."""
    suit, value = suit_of(card), value_of(card)
    return SUM[between(view.held[suit], view.my_top[suit], value)] / COST


@rule("play", early=-0.6, late=-0.1)
def skips_hidden(view: View, card: int) -> float:
    """Points of lower hidden cards that could no longer be played, as far as they would come to me."""
    suit, value = suit_of(card), value_of(card)
    return view.share * SUM[between(view.hidden[suit], view.my_top[suit], value)] / COST


@rule("play", early=-0.6, late=-0.1)
def skips_multiplied(view: View, card: int) -> float:
    """Points of held and hidden lower cards that could no longer be played, times the investments."""
    suit, value = suit_of(card), value_of(card)
    missed = between(view.held[suit], view.my_top[suit], value)
    hoped = between(view.hidden[suit], view.my_top[suit], value)
    return view.my_invested[suit] * (SUM[missed] + view.share * SUM[hoped]) / COST


@rule("play", early=0.3, late=0.3)
def skips_nothing(view: View, card: int) -> bool:
    """No number that could still come lies between it and the top of my expedition."""
    suit, value = suit_of(card), value_of(card)
    open_numbers = view.held[suit] | view.hidden[suit] | view.known[suit]
    return (view.my_top[suit] >= 0) & (between(open_numbers, view.my_top[suit], value) == 0)


@rule("play", early=0.8, late=0.8)
def reach_of_new(view: View, card: int) -> float:
    """For a new expedition: what it could come to from hand and hidden cards, in twenties after its cost."""
    return (view.my_top[suit_of(card)] < 0) * reach_beyond(view, card)


@rule("play", early=0.3, late=0.3)
def reach_of_started(view: View, card: int) -> float:
    """For one I have begun: what it can still come to with this card next, in twenties after its cost."""
    return (view.my_top[suit_of(card)] >= 0) * reach_beyond(view, card)


@rule("play", early=0.3, late=0.1)
def sure_of_new(view: View, card: int) -> float:
    """For a new expedition: what my hand alone brings it to, in twenties after its cost."""
    suit, value = suit_of(card), value_of(card)
    return (view.my_top[suit] < 0) * (value + SUM[above(view.held[suit], value)] - COST) / COST


@rule("play", early=0.8, late=0.4)
def investment_reach(view: View, card: int) -> float:
    """For an investment: what its expedition could come to, in twenties after its cost."""
    return (value_of(card) == 0) * view.reach[suit_of(card)]


@rule("play", early=0.4, late=0.2)
def investment_sure(view: View, card: int) -> float:
    """For an investment: the points of its suit in hand, in twenties."""
    return (value_of(card) == 0) * SUM[view.held[suit_of(card)]] / COST


@rule("play", early=-0.1, late=-1.0)
def too_late(view: View, card: int) -> float:
    """For a new expedition: the share of the deck that has gone."""
    return (view.my_top[suit_of(card)] < 0) * gone(view)


@rule("play", early=-0.1, late=-0.3)
def many_started(view: View, card: int) -> float:
    """For a new expedition: how many I have begun already, in fifths."""
    begun = 0
    for suit in range(view.suits):
        begun += view.my_top[suit] >= 0
    return (view.my_top[suit_of(card)] < 0) * begun / 5


@rule("play", early=0.2, late=1.0)
def pressed(view: View, card: int) -> float:
    """For a card of an expedition I have begun: such cards in hand for each turn left."""
    return shelly.must_play_card(view, card) * min(view.pressure, 2.0)


@rule("play", early=0.0, late=-0.5)
def pressed_new(view: View, card: int) -> float:
    """For a new expedition: cards waiting for expeditions I have begun, for each turn left."""
    return (view.my_top[suit_of(card)] < 0) * min(view.pressure, 2.0)


@rule("play", early=0.0, late=0.5)
def cards_behind(view: View, card: int) -> float:
    """Higher cards of its suit that wait in hand behind it, for each turn left."""
    suit = suit_of(card)
    return COUNT[above(view.held[suit], value_of(card))] / max(view.turns, 1)


@rule("play", early=0.2, late=0.2)
def bonus_near(view: View, card: int) -> float:
    """How near its expedition is to eight cards, counting those in hand."""
    suit = suit_of(card)
    length = view.my_length[suit] + 1 + COUNT[above(view.held[suit], value_of(card))]
    return max(0.0, length - 4) / (BONUS_CARDS - 4)


@rule("play", early=0.0, late=0.0)
def he_waits(view: View, card: int) -> float:
    """The opponent could play it: points it would bring him."""
    suit, value = suit_of(card), value_of(card)
    return (view.opp_top[suit] >= 0) * (value > view.opp_top[suit]) * value * (1 + view.opp_invested[suit]) / COST


@rule("play", early=-0.1, late=0.0)
def he_holds_suit(view: View, card: int) -> float:
    """Cards of its suit that the opponent is known to hold."""
    return COUNT[view.known[suit_of(card)]] / 3


# --- keep


@rule("keep", early=0.8, late=1.0)
def gift(view: View, card: int) -> float:
    """Points it would bring the opponent on an expedition he has begun."""
    suit, value = suit_of(card), value_of(card)
    goes_on = (view.opp_top[suit] >= 0) & (value > view.opp_top[suit])
    return goes_on * value * (1 + view.opp_invested[suit]) / COST


@rule("keep", early=0.2, late=0.1)
def gift_of_suit(view: View, card: int) -> float:
    """For a suit the opponent has not begun: its value, by what he could still reach there."""
    suit = suit_of(card)
    return (view.opp_top[suit] < 0) * max(view.opp_reach[suit], 0.0) * value_of(card) / 10


@rule("keep", early=0.4, late=0.2)
def gift_of_investment(view: View, card: int) -> float:
    """For an investment that the opponent could still play: what he could reach there."""
    suit = suit_of(card)
    return (value_of(card) == 0) * (view.opp_top[suit] <= 0) * max(view.opp_reach[suit], 0.0)


@rule("keep", early=0.3, late=0.2)
def gift_in_reach(view: View, card: int) -> float:
    """It goes on his expedition and skips little: the fewer open numbers between, the more."""
    suit, value = suit_of(card), value_of(card)
    open_numbers = view.hidden[suit] | view.known[suit]
    goes_on = (view.opp_top[suit] >= 0) & playable(view.opp_top[suit], value)
    return goes_on / (1.0 + COUNT[between(open_numbers, view.opp_top[suit], value)])


@rule("keep", early=0.8, late=1.0)
def mine(view: View, card: int) -> float:
    """Points it would bring me on an expedition I have begun."""
    suit, value = suit_of(card), value_of(card)
    goes_on = (view.my_top[suit] >= 0) & (value > view.my_top[suit])
    return goes_on * value * (1 + view.my_invested[suit]) / COST


@rule("keep", early=0.5, late=0.3)
def hope(view: View, card: int) -> float:
    """For a suit I have not begun: what I could reach there from hand and hidden cards."""
    suit = suit_of(card)
    return (view.my_top[suit] < 0) * max(view.reach[suit], -0.5)


@rule("keep", early=0.4, late=0.1)
def company(view: View, card: int) -> float:
    """For a suit I have not begun: the points of it in hand, in twenties."""
    suit = suit_of(card)
    return (view.my_top[suit] < 0) * SUM[view.held[suit]] / COST


@rule("keep", early=-0.2, late=-0.6)
def no_time(view: View, card: int) -> float:
    """For a suit I have not begun: the share of the deck that has gone."""
    return (view.my_top[suit_of(card)] < 0) * gone(view)


@rule("keep", early=-0.3, late=-0.5)
def covers_his(view: View, card: int) -> bool:
    """It would cover a card that goes on the opponent's expedition."""
    suit = suit_of(card)
    return (view.pile_size[suit] > 0) & (view.opp_top[suit] >= 0) & (value_of(view.pile_top[suit]) > view.opp_top[suit])


@rule("keep", early=0.4, late=0.6)
def covers_mine(view: View, card: int) -> bool:
    """It would cover a card that goes on my expedition."""
    suit = suit_of(card)
    return (view.pile_size[suit] > 0) & (view.my_top[suit] >= 0) & (value_of(view.pile_top[suit]) > view.my_top[suit])


@rule("keep", early=-0.6, late=-0.6)
def dead(view: View, card: int) -> bool:
    """Nobody can play it any more."""
    suit, value = suit_of(card), value_of(card)
    mine_done = (view.my_top[suit] >= 0) & (not playable(view.my_top[suit], value))
    his_done = (view.opp_top[suit] >= 0) & (not playable(view.opp_top[suit], value))
    return mine_done & his_done


@rule("keep", early=0.0, late=0.0)
def height(view: View, card: int) -> float:
    """Its number, in tenths."""
    return value_of(card) / 10


# --- draw


@rule("draw", early=0.6, late=0.5)
def goes_on(view: View, card: int) -> bool:
    """It goes on an expedition I have begun."""
    suit, value = suit_of(card), value_of(card)
    return (card != NO_CARD) & (view.my_top[suit] >= 0) & playable(view.my_top[suit], value)


@rule("draw", early=1.0, late=1.5)
def brings(view: View, card: int) -> float:
    """Points it would bring me on an expedition I have begun, times the investments made."""
    suit, value = suit_of(card), value_of(card)
    on = (card != NO_CARD) & (view.my_top[suit] >= 0) & (value > view.my_top[suit])
    return on * value * (1 + view.my_invested[suit]) / COST


@rule("draw", early=-0.8, late=-0.3)
def leaves_gap(view: View, card: int) -> float:
    """Held and hidden points between the top of my expedition and it, in twenties."""
    suit, value = suit_of(card), value_of(card)
    on = (card != NO_CARD) & (view.my_top[suit] >= 0)
    open_numbers = view.held[suit] | view.hidden[suit]
    return on * SUM[between(open_numbers, view.my_top[suit], value)] / COST


@rule("draw", early=0.3, late=0.0)
def begins(view: View, card: int) -> float:
    """For a suit I have not begun: what I could reach there with it, in twenties after the cost."""
    suit = suit_of(card)
    new = (card != NO_CARD) & (view.my_top[suit] < 0)
    return new * (view.reach[suit] + value_of(card) / COST)


@rule("draw", early=0.4, late=0.0)
def joins(view: View, card: int) -> float:
    """For a suit I have not begun: the points of it in hand, in twenties."""
    suit = suit_of(card)
    return ((card != NO_CARD) & (view.my_top[suit] < 0)) * SUM[view.held[suit]] / COST


@rule("draw", early=0.2, late=-0.5)
def invests(view: View, card: int) -> float:
    """An investment that I could still play: what I could reach there."""
    suit = suit_of(card)
    fits = (card != NO_CARD) & (value_of(card) == 0) & (view.my_top[suit] <= 0)
    return fits * view.reach[suit]


@rule("draw", early=0.4, late=0.5)
def denies(view: View, card: int) -> float:
    """Points it would bring the opponent on an expedition he has begun."""
    suit, value = suit_of(card), value_of(card)
    his = (card != NO_CARD) & (view.opp_top[suit] >= 0) & (value > view.opp_top[suit])
    return his * value * (1 + view.opp_invested[suit]) / COST


@rule("draw", early=0.8, late=0.3)
def deck(view: View, card: int) -> bool:
    """It is the unknown card on top of the deck."""
    return card == NO_CARD


@rule("draw", early=0.0, late=0.2)
def deck_when_ahead(view: View, card: int) -> float:
    """The deck, by my lead in twenties: it brings the end nearer."""
    return (card == NO_CARD) * max(-2.0, min(2.0, view.lead))


@rule("draw", early=0.0, late=-1.0)
def deck_when_pressed(view: View, card: int) -> float:
    """The deck, by the cards still to play for each turn left: it brings the end nearer."""
    return (card == NO_CARD) * min(view.pressure, 2.0)


@rule("draw", early=0.0, late=0.5)
def deck_when_idle(view: View, card: int) -> float:
    """The deck, by my discards in a row: someone has to end the game."""
    return (card == NO_CARD) * min(view.my_streak, 10) / 5


RULES = rules_of(globals())

standard = RuleSet(
    "standard",
    game,
    tuple(r for r in shelly.RULES if r.group != "draw") + tuple(RULES),
    progress=gone,
    facts=find_facts,
    meaning="Shelly's rules for play and discard, continuous facts beside them, and rules for drawing",
)
