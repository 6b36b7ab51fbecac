"""The standard rules for drawing a card: the top card of a pile, or NO_CARD for the unknown one of the deck."""

from rulebots.game import View
from rulebots.games.lost_cities.cards import (
    COST,
    NO_CARD,
    sum_of,
)
from rulebots.games.lost_cities.facts import my_gain, opponents_gain
from rulebots.rules import rule, rules_of


@rule("draw", early=0.5, says="take(s) a card that fits my expedition")
def takes(view: View, card: int) -> bool:
    """It goes on an expedition I have begun."""
    return view.goes_on != 0


@rule("draw", early=1.0, late=2.0, says="take(s) <20 points>")
def takes_points(view: View, card: int) -> float:
    """Points it would bring me on an expedition I have begun, times its multiplier, in twenties."""
    return my_gain(view)


@rule("draw", early=-1.0, late=-0.5, says="take(s) a card that skips <20 points>")
def takes_far(view: View, card: int) -> float:
    """On an expedition I have begun: points of lower cards, held and hidden, that it would close off, in twenties."""
    return view.goes_on * (view.skipped_held + view.skipped_hidden)


@rule("draw", early=0.3, late=0.0, says="take(s) a card of a [more|less|] promising suit")
def joins(view: View, card: int) -> float:
    """A suit I have not begun: what hand, hidden cards and this one could bring it to, less its cost, in twenties."""
    return view.fresh * (view.reach[view.suit] + view.value / COST)


@rule("draw", early=0.5, late=0.0, says="take(s) a card of a suit with <20 points> in hand")
def joins_company(view: View, card: int) -> float:
    """A suit I have not begun: the points of it in my hand, in twenties."""
    return view.fresh * sum_of(view.held[view.suit]) / COST


@rule("draw", early=0.3, late=-0.5, says="take(s) a [more|less|] promising investment")
def takes_investment(view: View, card: int) -> float:
    """An investment that I could still play: what its expedition could come to, less its cost, in twenties."""
    fits = (card != NO_CARD) & (view.value == 0) & (view.my_top[view.suit] <= 0)
    return fits * view.reach[view.suit]


@rule("draw", early=0.4, late=0.5, says="keep(s) <20 points> from the opponent")
def denies(view: View, card: int) -> float:
    """Points it would bring the opponent on an expedition it has begun, times its multiplier, in twenties."""
    return opponents_gain(view)


@rule("draw", early=0.8, late=0.5, says="take(s) a chance on a better card from the deck")
def deck(view: View, card: int) -> bool:
    """It is the unknown card on top of the deck."""
    return card == NO_CARD


@rule("draw", late=0.2, says="bring(s) the end nearer while [ahead|behind]")
def deck_ahead(view: View, card: int) -> float:
    """The deck, which brings the end nearer: my lead in twenties, without bonuses, between -2 and 2."""
    return (card == NO_CARD) * max(-2.0, min(2.0, view.lead))


@rule("draw", late=-1.0, says="use(s) up the deck with cards left to play")
def deck_pressed(view: View, card: int) -> float:
    """The deck: cards I have to play per turn left, at most 2; turns are counted as if I took from a pile instead."""
    return (card == NO_CARD) * view.pressure


@rule("draw", early=-0.5, late=-1.0, says="use(s) up a turn that cards in hand still need")
def deck_costs_a_turn(view: View, card: int) -> float:
    """The deck: cards for begun expeditions that would then have no turn left, in threes."""
    return (card == NO_CARD) * max(0, view.must_play - (view.deck_left - 1) // 2) / 3


@rule("draw", late=0.5, says="bring(s) the end of an idle game nearer")
def deck_idle(view: View, card: int) -> float:
    """The deck: my discards in a row, in fives, at most 2: someone has to end the game."""
    return (card == NO_CARD) * min(view.my_streak, 10) / 5


DRAW_RULES = rules_of(globals())
