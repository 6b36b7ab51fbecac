"""The standard rules for drawing: on a written position, the value that each must give."""

from __future__ import annotations

import pytest
from lost_cities_positions import DECK, case, value_of_case
from written_positions import Case, on_written_positions

from rulebots.games.lost_cities.rules import standard

# Each turn begins with the discard of 2J, so that I am to draw. Where hidden cards matter, the deck is half of them:
# each second card that is drawn comes to me, a quarter of all. Where turns matter, the deck is odd: of n cards I draw
# one now, and one in each of the (n - 1) // 2 turns that follow. The deck's card has no suit; it is not of Deserts.


def draw(rule: str, what: str, about: str, value: float, hand: str = "", **position: object) -> Case:
    return case(rule, what, about, value, hand=f"{hand} 2J", **{"laid": "d2j", **position})


FROM_A_PILE = [
    draw("draw.takes", "the 8 on the 5", "8D", 1, mine="5D", piles="8D"),
    draw("draw.takes", "an investment on an investment", "InvD", 1, mine="InvD", piles="InvD"),
    draw("draw.takes", "the 4 comes too late", "4D", 0, mine="5D", piles="4D"),
    draw("draw.takes", "only the opponent has begun", "8D", 0, his="5D", piles="8D"),
    draw("draw.takes", "the deck", DECK, 0, mine="InvD", piles="8D"),
    draw("draw.takes_points", "8 / 20", "8D", 0.4, mine="5D", piles="8D"),
    draw("draw.takes_points", "an investment: 8 * 2 / 20", "8D", 0.8, mine="InvD 5D", piles="8D"),
    draw("draw.takes_points", "the 4 comes too late", "4D", 0, mine="5D", piles="4D"),
    draw("draw.takes_points", "not begun", "8D", 0, his="5D", piles="8D"),
    draw("draw.takes_points", "the deck", DECK, 0, mine="InvD", piles="8D"),
    draw(
        "draw.takes_far",
        "6 held, a quarter of the 7: 7.75 / 20",
        "8D",
        0.3875,
        hand="6D",
        mine="5D",
        piles="8D",
        deck=28,
    ),
    draw(
        "draw.takes_far",
        "6 held, the 7 with the opponent: 6 / 20",
        "8D",
        0.3,
        hand="6D",
        mine="5D",
        piles="8D",
        taken="7D",
    ),
    draw("draw.takes_far", "nothing between", "6D", 0, hand="8D", mine="5D", piles="6D"),
    draw("draw.takes_far", "not begun", "8D", 0, hand="6D", piles="8D"),
    draw("draw.takes_far", "the deck", DECK, 0, hand="6D", mine="5D", piles="8D"),
    draw(
        "draw.joins",
        "9 + 10, a quarter of 27, and the 8: (19 + 6.75 - 20 + 8) / 20",
        "8D",
        0.6875,
        hand="9D 10D",
        piles="8D",
        deck=28,
    ),
    draw(
        "draw.joins",
        "9 + 10 and a quarter of 35: (19 + 8.75 - 20) / 20",
        "InvD",
        0.3875,
        hand="9D 10D",
        piles="InvD",
        deck=28,
    ),
    draw("draw.joins", "begun", "8D", 0, hand="9D 10D", mine="InvD", piles="8D"),
    draw("draw.joins", "the deck", DECK, 0, hand="9D 10D", piles="8D"),
    draw("draw.joins_company", "(9 + 10) / 20", "8D", 0.95, hand="InvD 9D 10D 9V", piles="8D"),
    draw("draw.joins_company", "none of it in my hand", "8D", 0, hand="InvD 9V", piles="8D"),
    draw("draw.joins_company", "begun", "8D", 0, hand="9D 10D", mine="2D", piles="8D"),
    draw("draw.joins_company", "the deck", DECK, 0, hand="9D 10D", piles="8D"),
    draw(
        "draw.takes_investment",
        "9 + 10 and a quarter of 35: (27.75 - 20) / 20",
        "InvD",
        0.3875,
        hand="9D 10D",
        piles="InvD",
        deck=28,
    ),
    draw(
        "draw.takes_investment",
        "a second one: (27.75 - 20) / 20",
        "InvD",
        0.3875,
        hand="9D 10D 3V",
        mine="InvD",
        piles="InvD",
        deck=27,
    ),
    draw("draw.takes_investment", "closed by the 2", "InvD", 0, hand="9D 10D", mine="2D", piles="InvD"),
    draw("draw.takes_investment", "a number", "8D", 0, hand="9D 10D", piles="8D"),
    draw("draw.takes_investment", "the deck", DECK, 0, hand="9D 10D", piles="InvD"),
    draw("draw.denies", "8 / 20", "8D", 0.4, his="5D", piles="8D"),
    draw("draw.denies", "an investment: 8 * 2 / 20", "8D", 0.8, mine="9D", his="InvD 5D", piles="8D"),
    draw("draw.denies", "the opponent is past it", "8D", 0, his="9D", piles="8D"),
    draw("draw.denies", "the opponent has not begun", "8D", 0, mine="5D", piles="8D"),
    draw("draw.denies", "the deck", DECK, 0, his="InvD", piles="8D"),
]

FROM_THE_DECK = [
    draw("draw.deck", "the deck", DECK, 1),
    draw("draw.deck", "the lowest card of all on a pile", "InvD", 0, piles="InvD"),
    draw(
        "draw.deck_ahead",
        "21 - 20 of mine, (4 - 20) * 2 of the opponent's: (1 + 32) / 20",
        DECK,
        1.65,
        mine="5D 6D 10D",
        his="InvV 4V",
    ),
    draw("draw.deck_ahead", "behind: (2 - 20) / 20", DECK, -0.9, mine="2D"),
    draw(
        "draw.deck_ahead",
        "(3 - 20) * 2 / 20, and (8 + 9 + 10 - 20) / 20 of the opponent's: at least -2",
        DECK,
        -2,
        mine="InvD 3D",
        his="8V 9V 10V",
    ),
    draw(
        "draw.deck_ahead",
        "(27 - 20) * 2 / 20, and (2 - 20) * 2 / 20: at most 2",
        DECK,
        2,
        mine="InvD 8D 9D 10D",
        his="InvV 2V",
    ),
    draw("draw.deck_ahead", "nothing laid", DECK, 0),
    draw("draw.deck_ahead", "a card", "8D", 0, mine="5D 6D 10D", piles="8D"),
    draw("draw.deck_pressed", "6D 8D 9D for 4 turns: 3 / 4", DECK, 0.75, hand="4D 6D 8D 9D 9V", mine="5D", deck=9),
    draw("draw.deck_pressed", "3 for 1 turn: at most 2", DECK, 2, hand="6D 8D 9D", mine="5D", deck=3),
    draw("draw.deck_pressed", "nothing to play", DECK, 0, hand="4D 9V", mine="5D", deck=9),
    draw("draw.deck_pressed", "a card", "7D", 0, hand="6D 8D 9D", mine="5D", piles="7D", deck=9),
    draw("draw.deck_costs_a_turn", "3 cards, then 1 turn: 2 / 3", DECK, 2 / 3, hand="6D 8D 9D 9V", mine="5D", deck=3),
    draw("draw.deck_costs_a_turn", "3 cards; 3, 2, 1 left, 1 turn", DECK, 2 / 3, hand="6D 8D 9D 9V", mine="5D", deck=4),
    draw(
        "draw.deck_costs_a_turn",
        "3 cards, then the opponent ends it: 3 / 3",
        DECK,
        1,
        hand="6D 8D 9D",
        mine="5D",
        deck=2,
    ),
    draw("draw.deck_costs_a_turn", "3 cards, then 3 turns", DECK, 0, hand="6D 8D 9D", mine="5D", deck=7),
    draw("draw.deck_costs_a_turn", "3 cards, then 4 turns", DECK, 0, hand="6D 8D 9D", mine="5D", deck=9),
    draw("draw.deck_costs_a_turn", "a card", "7D", 0, hand="6D 8D 9D", mine="5D", piles="7D", deck=3),
    draw("draw.deck_idle", "three discards and this one: 4 / 5", DECK, 0.8, streak=3),
    draw("draw.deck_idle", "fifteen: at most 10 / 5", DECK, 2, streak=14),
    draw("draw.deck_idle", "after a play", DECK, 0, streak=3, laid="2j"),
    draw("draw.deck_idle", "a card", "7D", 0, piles="7D", streak=3),
]


@on_written_positions(standard, [*FROM_A_PILE, *FROM_THE_DECK])
def test_a_standard_rule_for_drawing(case: Case) -> None:
    assert value_of_case(standard, case) == pytest.approx(case.value, abs=1e-12)
