"""Standard rules for keeping a card: what I would give up or give away by discarding it."""

from __future__ import annotations

from rulebots.game import View
from rulebots.games.lost_cities.cards import (
    COST,
    above,
    below,
    count_of,
    sum_of,
    value_of,
)
from rulebots.games.lost_cities.standard.facts import gone, my_gain, opponents_gain
from rulebots.kernel import kernel
from rulebots.rules import rule, rules_of

#: Discards in a row after which somebody has to end the game.
LONG_STREAK = 5
#: With fewer cards in the deck than this the end is near.
SOON = 12


@rule("keep", early=0.0, late=0.0)
def anything(view: View, card: int) -> bool:
    """True of every card: how much I dislike discarding as such."""
    return True


@rule("keep", early=0.6, late=0.5)
def mine(view: View, card: int) -> bool:
    """It goes on an expedition I have begun."""
    return view.goes_on != 0


@rule("keep", early=1.0, late=1.5)
def mine_points(view: View, card: int) -> float:
    """Points it would bring me on an expedition I have begun, times its multiplier, in twenties."""
    return my_gain(view)


@rule("keep", early=-0.3, late=-0.3)
def mine_far(view: View, card: int) -> float:
    """On an expedition I have begun: how many lower cards, held and hidden, it would close off, in fives."""
    return view.goes_on * view.skipped_count / 5


@rule("keep", early=0.0, late=-0.3)
def mine_pressed(view: View, card: int) -> float:
    """On an expedition I have begun: cards in hand for such expeditions per turn left, at most 2."""
    return view.goes_on * view.pressure


@rule("keep", early=0.0, late=-1.0)
def mine_too_late(view: View, card: int) -> bool:
    """It goes on an expedition I have begun, but dearer cards for such expeditions take all the turns left."""
    return (view.goes_on != 0) & (view.dearer >= view.turns)


@rule("keep", early=0.3, late=0.3)
def mine_alone(view: View, card: int) -> float:
    """On an expedition I have begun: its points times the multiplier, in twenties, unless the opponent can use it.

    It can if the card goes on an expedition that it has begun.
    """
    return (view.goes_on_opp == 0) * my_gain(view)


@rule("keep", early=0.5, late=0.5)
def hope(view: View, card: int) -> float:
    """A suit I have not begun: what hand and hidden cards could bring it to, less its cost, in twenties."""
    return view.fresh * view.reach[view.suit]


@rule("keep", early=0.4, late=0.4)
def company(view: View, card: int) -> float:
    """A suit I have not begun: the points of that suit in my hand, in twenties."""
    return view.fresh * sum_of(view.held[view.suit]) / COST


@rule("keep", early=0.2, late=0.1)
def height(view: View, card: int) -> float:
    """A suit I have not begun: its number, in tens."""
    return view.fresh * view.value / 10


@rule("keep", early=-0.2, late=-1.0)
def no_time(view: View, card: int) -> float:
    """A suit I have not begun: the share of the deck drawn so far."""
    return view.fresh * gone(view)


@rule("keep", early=0.2, late=-0.2)
def investment(view: View, card: int) -> bool:
    """An investment that I could still play."""
    return (view.value == 0) & (view.my_top[view.suit] <= 0)


@rule("keep", early=0.5, late=0.3)
def investment_hope(view: View, card: int) -> float:
    """An investment that I could still play: what its expedition could come to, less its cost, in twenties."""
    return (view.value == 0) * (view.my_top[view.suit] <= 0) * view.reach[view.suit]


@rule("keep", early=0.5, late=0.4)
def opp(view: View, card: int) -> bool:
    """It goes on an expedition that the opponent has begun."""
    return view.goes_on_opp != 0


@rule("keep", early=1.0, late=1.2)
def opp_points(view: View, card: int) -> float:
    """Points it would bring the opponent on an expedition it has begun, times its multiplier, in twenties."""
    return opponents_gain(view)


@rule("keep", early=0.0, late=-1.0)
def opp_too_late(view: View, card: int) -> float:
    """Points it would bring the opponent on an expedition it has begun, with fewer than 12 cards in the deck.

    They are multiplied as in opp_points, and count the more the fewer cards are left: it may be too late to play it.
    """
    return opponents_gain(view) * max(0.0, 1.0 - view.deck_left / SOON)


@rule("keep", early=0.4, late=0.2)
def opp_next(view: View, card: int) -> float:
    """On an expedition the opponent has begun: 1 / (1 + the numbers that it would close off there).

    Only numbers that are hidden or known to be in the opponent's hand count.
    """
    lower = below(above(view.hidden[view.suit] | view.known[view.suit], view.opp_top[view.suit]), view.value)
    return view.goes_on_opp / (1.0 + count_of(lower))


@rule("keep", early=0.2, late=0.0)
def opp_hope(view: View, card: int) -> float:
    """A suit that neither of us has begun: what the opponent could reach there, less the cost, in twenties."""
    return (view.opp_top[view.suit] < 0) * view.fresh * view.opp_reach[view.suit]


@rule("keep", early=0.0, late=0.0)
def opp_hope_in_mine(view: View, card: int) -> float:
    """A suit that only I have begun: what the opponent could reach there, less the cost, in twenties."""
    return (view.opp_top[view.suit] < 0) * (view.fresh == 0) * view.opp_reach[view.suit]


@rule("keep", early=0.2, late=0.0)
def opp_high_hope(view: View, card: int) -> float:
    """A suit the opponent has not begun: what it could reach there, at least 0, times the card's number in tens."""
    return (view.opp_top[view.suit] < 0) * max(view.opp_reach[view.suit], 0.0) * view.value / 10


@rule("keep", early=0.0, late=0.0)
def opp_busy_height(view: View, card: int) -> float:
    """A suit the opponent has not begun: the card's number in tens, times the share of suits that it has begun."""
    return (view.opp_top[view.suit] < 0) * view.value / 10 * view.opp_begun / view.suits


@rule("keep", early=0.0, late=0.0)
def mine_while_busy(view: View, card: int) -> float:
    """It goes on an expedition I have begun: the share of suits that the opponent has begun."""
    return view.goes_on * view.opp_begun / view.suits


@rule("keep", early=0.2, late=0.0)
def opp_height(view: View, card: int) -> float:
    """A suit the opponent has not begun: the card's number, in tens."""
    return (view.opp_top[view.suit] < 0) * view.value / 10


@rule("keep", early=0.2, late=0.1)
def opp_investment(view: View, card: int) -> float:
    """An investment that the opponent could still play: what it could reach there, at least 0."""
    return (view.value == 0) * (view.opp_top[view.suit] <= 0) * max(view.opp_reach[view.suit], 0.0)


@rule("keep", early=0.1, late=0.1)
def opp_cards(view: View, card: int) -> float:
    """Numbers of its suit that the opponent is known to hold, in threes; investments are not counted."""
    return count_of(view.known[view.suit]) / 3


@rule("keep", early=-0.6, late=-0.6)
def dead(view: View, card: int) -> bool:
    """Both of us have begun its suit, and it goes on neither expedition."""
    suit = view.suit
    both = (view.my_top[suit] >= 0) & (view.opp_top[suit] >= 0)
    return both & (view.goes_on == 0) & (view.goes_on_opp == 0)


@kernel
def covered(view: View, top: int) -> float:
    """The number on the pile of the card's suit, in tens, if it goes on an expedition with that top; else 0."""
    number = value_of(view.pile_top[view.suit])
    return ((view.pile_size[view.suit] > 0) & (top >= 0) & (number > top)) * number / 10


@rule("keep", early=-0.5, late=-0.5)
def covers_opp(view: View, card: int) -> float:
    """It would cover a number that goes on the opponent's expedition: that number, in tens."""
    return covered(view, view.opp_top[view.suit])


@rule("keep", early=0.5, late=0.5)
def covers_mine(view: View, card: int) -> float:
    """It would cover a number that goes on my expedition: that number, in tens."""
    return covered(view, view.my_top[view.suit])


@rule("keep", early=0.0, late=0.5)
def discarded_long(view: View, card: int) -> bool:
    """I have discarded more than five times in a row."""
    return view.my_streak > LONG_STREAK


RULES = rules_of(globals())
