"""The built-in players of Lost Cities, among them the quiz-master's of Ruby Quiz 51: Risk, Dumb and Discard.

They play as the original programs did, slips included.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from rulebots.game.bits import above
from rulebots.games.lost_cities.cards import (
    DRAW,
    FROM_DECK,
    FROM_PILE,
    HIGH,
    KINDS,
    LOW,
    NO_CARD,
    playable,
    suit_of,
    sum_of,
    value_of,
)
from rulebots.games.lost_cities.game import game
from rulebots.games.lost_cities.shelly import shelly, shelly_mended
from rulebots.games.lost_cities.sheppard import sheppard
from rulebots.kernel import kernel
from rulebots.players import KernelPlayer, Player, RulePlayer


@kernel
def choose_discard(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
    """DiscardPlayer: discard the first card, draw from the deck. It ends with 0 points."""
    return FROM_DECK if view.phase == DRAW else KINDS + view.hand[0]


@kernel
def choose_dumb(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
    """DumbPlayer: play the first card that can be played, else discard the first; draw from the deck."""
    if view.phase == DRAW:
        return FROM_DECK
    for i in range(view.hand_size):
        card = view.hand[i]
        if playable(view.my_top[suit_of(card)], value_of(card)):
            return card
    return KINDS + view.hand[0]


@kernel
def risk_of(view: Any, card: int, counted: int) -> int:
    """RiskPlayer's rating of a legal play: the quiz-master's analyze_risks.

    `counted` is 1 if the points that are still at large count, as he meant, and 0 if not: in his Ruby a line break
    inside the brackets ends the expression before the minus, so that its value is dropped.
    """
    suit = suit_of(card)
    mine = view.my_total[suit] + sum_of(above(view.held[suit], view.my_top[suit]))
    rating = 20 - mine
    value = value_of(card) if value_of(card) > 0 else LOW
    at_large = (value + HIGH) * (HIGH - value + 1) // 2
    rating += (counted * at_large - (mine + view.opp_total[suit])) // 2
    if view.my_top[suit] < 0:
        rating -= 5
        for other in range(view.suits):
            rating -= 5 * (view.my_top[other] >= 0)
    return rating


@kernel
def choose_risk(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
    """RiskPlayer: the quiz-master's own solution, as Ruby ran it."""
    return by_risk(view, 0)


@kernel
def choose_risk_meant(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
    """RiskPlayer as its author meant it: the points still at large count."""
    return by_risk(view, 1)


@kernel
def by_risk(view: Any, counted: int) -> int:
    """The move of a RiskPlayer; see `risk_of`. Where its Ruby leaves an order open, hand order decides."""
    if view.phase == DRAW:
        for suit in range(view.suits):
            if view.my_top[suit] >= 0 and view.pile_size[suit] > 0 and suit != view.just_discarded:
                # His slip: he wants a pile if any card in it could be played, not only the top one.
                any_playable = view.my_top[suit] == 0 or above(view.piled[suit], view.my_top[suit]) != 0
                if any_playable:
                    return FROM_PILE + suit
        return FROM_DECK
    best = 0
    chosen = NO_CARD
    for i in range(view.hand_size):
        card = view.hand[i]
        if playable(view.my_top[suit_of(card)], value_of(card)):
            rating = risk_of(view, card, counted)
            if rating >= 0 and (chosen == NO_CARD or rating > best):
                best = rating
                chosen = card
    if chosen != NO_CARD:
        for i in range(view.hand_size):
            card = view.hand[i]
            if suit_of(card) == suit_of(chosen) and playable(view.my_top[suit_of(card)], value_of(card)):
                return card
    lowest = 4 * 16
    chosen = NO_CARD
    for i in range(view.hand_size):
        card = view.hand[i]
        suit = suit_of(card)
        value = value_of(card)
        rank = value + 32 * playable(view.my_top[suit], value) + 16 * playable(view.opp_top[suit], value)
        if rank < lowest:
            lowest = rank
            chosen = card
    return KINDS + chosen


_RUBY_QUIZ = {"risk": choose_risk, "risk_meant": choose_risk_meant, "dumb": choose_dumb, "discard": choose_discard}
PLAYERS: dict[str, Callable[[], Player]] = {
    "shelly": lambda: RulePlayer(shelly, shelly.hand_tuned(), "shelly"),
    "sheppard": lambda: RulePlayer(sheppard, sheppard.hand_tuned(), "sheppard"),
    "shelly_mended": lambda: RulePlayer(shelly_mended, shelly_mended.hand_tuned(), "shelly_mended"),
    **{name: partial(KernelPlayer, game, choose, name) for name, choose in _RUBY_QUIZ.items()},
}
