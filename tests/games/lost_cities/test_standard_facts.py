"""The facts of the standard rules: on a written position, the value that each must have."""

from __future__ import annotations

from typing import Any

import pytest
from lost_cities_positions import DECK, card, facts, seen
from written_positions import facts_of

from rulebots.games.lost_cities.cards import HIGH, INVESTMENTS, LETTERS, LOW
from rulebots.games.lost_cities.rules import standard

#: All cards of five suits without 2D and 3D.
ALL_BUT_TWO = " ".join(
    f"{value}{suit}"
    for suit in "DOMJV"
    for value in ["Inv"] * INVESTMENTS + list(range(LOW, HIGH + 1))
    if f"{value}{suit}" not in ("2D", "3D")
)


def found(name: str, about: str, position: dict[str, Any]) -> Any:
    """A fact by its name, or of a suit by name and suit: `reach D`."""
    record = facts(standard, about, **position)
    name, _, suit = name.partition(" ")
    return record[name][LETTERS.index(suit)] if suit else record[name]


def numbers(found_numbers: int) -> list[int]:
    return [number for number in range(32) if found_numbers >> number & 1]


def test_a_number_is_hidden_that_is_neither_mine_nor_laid_nor_known() -> None:
    position = {"hand": "2D InvD", "mine": "3D", "his": "4D", "piles": "5D 10D", "taken": "6D"}
    assert numbers(found("hidden D", "2D", position)) == [7, 8, 9]
    assert numbers(found("hidden V", "2D", position)) == [2, 3, 4, 5, 6, 7, 8, 9, 10]


#: What the position shows, the fact, its value, the position. The facts of a position do not depend on a card.
OF_THE_POSITION: list[tuple[str, str, float, dict[str, Any]]] = [
    ("29 of 58, every second one mine", "share", 1 / 4, {"hand": "2D 3D", "deck": 29}),
    ("14 of 56", "share", 1 / 8, {"hand": "2D", "mine": "3D", "his": "4D", "piles": "5D", "deck": 14}),
    ("known cards are not hidden: 28 of 56", "share", 1 / 4, {"hand": "2D", "taken": "3D 4V InvO", "deck": 28}),
    (
        "investments, likewise: 28 of 56",
        "share",
        1 / 4,
        {"hand": "InvD", "mine": "InvD", "his": "InvV", "piles": "InvO", "deck": 28},
    ),
    ("six suits: 35 of 70", "share", 1 / 4, {"hand": "2D 3C", "deck": 35, "suits": 6}),
    (
        "the last card of the deck, all others shown: 1 of 1",
        "share",
        1 / 2,
        {"hand": "2D", "piles": ALL_BUT_TWO, "deck": 1},
    ),
    ("by a number and by an investment", "begun", 2, {"hand": "2D", "mine": "5D InvV", "his": "5O"}),
    ("nothing", "begun", 0, {"hand": "2D", "his": "5O"}),
    ("an investment of the opponent's", "opp_begun", 1, {"hand": "2D", "his": "InvO"}),
    ("one", "opp_begun", 1, {"hand": "2D", "mine": "5D InvV", "his": "5O"}),
    ("nothing of the opponent's", "opp_begun", 0, {"hand": "2D", "mine": "5D InvV"}),
    ("6D, 2O and both InvO", "must_play", 4, {"hand": "InvD 3D 6D 9V InvO InvO 2O", "mine": "5D InvO"}),
    ("no expedition of mine", "must_play", 0, {"hand": "InvD 3D", "his": "2D"}),
    ("a deck of one: this turn", "turns", 1, {"hand": "2D", "deck": 1}),
    ("a deck of two: this turn", "turns", 1, {"hand": "2D", "deck": 2}),
    ("a deck of three: this turn and another", "turns", 2, {"hand": "2D", "deck": 3}),
    ("a whole deck", "turns", 22, {"hand": "2D", "deck": 44}),
    ("I am to draw the last card", "turns", 0, {"hand": "2D 2J", "deck": 1, "laid": "d2j"}),
    ("I am to draw, three are left", "turns", 1, {"hand": "2D 2J", "deck": 3, "laid": "d2j"}),
    ("I am to draw, 43 are left", "turns", 21, {"hand": "2D 2J", "deck": 43, "laid": "d2j"}),
    ("two cards, four turns", "pressure", 2 / 4, {"hand": "6D 7D 2V", "mine": "5D", "deck": 7}),
    ("three cards, one turn: at most 2", "pressure", 2, {"hand": "6D 7D 8D", "mine": "5D", "deck": 1}),
    ("one card and no turn", "pressure", 1, {"hand": "6D 2J", "mine": "5D", "deck": 1, "laid": "d2j"}),
    ("nothing to play", "pressure", 0, {"hand": "2V", "mine": "5D", "deck": 7}),
    ("a quarter of 54: (13.5 - 20) / 20", "reach V", -0.325, {"hand": "2D 3D", "deck": 29}),
    ("9 + 10 and a quarter of 35: (27.75 - 20) / 20", "reach D", 0.3875, {"hand": "9D 10D 2V 3V", "deck": 28}),
    (
        "4 + 6 laid, the 8, a quarter of 7 + 9 + 10; the 5 is closed: (10 + 8 + 6.5 - 20) / 20",
        "reach D",
        0.225,
        {"hand": "5D 8D", "mine": "4D 6D", "deck": 28},
    ),
    (
        "an investment changes nothing: (8 + 46 / 4 - 20) / 20",
        "reach D",
        -0.025,
        {"hand": "InvD 8D 2V", "mine": "InvD", "deck": 28},
    ),
    ("three quarters of 54: (40.5 - 20) / 20", "opp_reach V", 1.025, {"hand": "2D 3D", "deck": 29}),
    ("of 35, for I hold 9 and 10: (26.25 - 20) / 20", "opp_reach D", 0.3125, {"hand": "9D 10D 2V 3V", "deck": 28}),
    (
        "4 laid, the 8 taken, three quarters of 5 6 7 9 10: (12 + 27.75 - 20) / 20",
        "opp_reach D",
        0.9875,
        {"hand": "3D", "his": "4D", "taken": "8D 2V", "deck": 28},
    ),
    (
        "the 3 that was taken is closed: (4 + 45 * 3 / 4 - 20) / 20",
        "opp_reach D",
        0.8875,
        {"hand": "2V", "his": "4D", "taken": "3D 3V", "deck": 28},
    ),
    ("nothing laid", "lead", 0, {"hand": "2D"}),
    ("(5 + 6 + 10 - 20) / 20", "lead", 1 / 20, {"hand": "2D", "mine": "5D 6D 10D"}),
    ("an investment alone costs the opponent 20 * 2", "lead", 40 / 20, {"hand": "2D", "his": "InvV"}),
    ("(4 - 20) * 2 / 20 of the opponent's", "lead", 32 / 20, {"hand": "2D", "his": "InvV 4V"}),
    (
        "-18, -18 * 3 and -20 * 2 against -17",
        "lead",
        -95 / 20,
        {"hand": "2J", "mine": "2D InvO InvO 2O InvJ", "his": "3M"},
    ),
]


@pytest.mark.parametrize(
    ("fact", "value", "position"),
    [pytest.param(*case[1:], id=f"{case[1]}: {case[0]}") for case in OF_THE_POSITION],
)
def test_a_fact_of_the_position(fact: str, value: float, position: dict[str, Any]) -> None:
    assert found(fact, position["hand"].split()[0], position) == pytest.approx(value, abs=1e-12)


#: What the position shows, the fact, the card, its value, the position.
OF_A_CARD: list[tuple[str, str, str, float, dict[str, Any]]] = [
    ("Volcanoes are the fifth", "suit", "7V", 4, {"hand": "7V"}),
    ("Deserts are the first", "suit", "7D", 0, {"hand": "7D"}),
    ("a number", "value", "7V", 7, {"hand": "7V"}),
    ("an investment", "value", "InvV", 0, {"hand": "InvV"}),
    ("not begun", "fresh", "7D", 1, {"hand": "7D", "his": "5D"}),
    ("begun by an investment", "fresh", "7D", 0, {"hand": "7D", "mine": "InvD"}),
    ("the deck's card has no suit", "fresh", DECK, 0, {"hand": "7D"}),
    ("7 > 5", "goes_on", "7D", 1, {"hand": "7D", "mine": "5D"}),
    ("an investment on an investment", "goes_on", "InvD", 1, {"hand": "InvD", "mine": "InvD"}),
    ("an investment on a number", "goes_on", "InvD", 0, {"hand": "InvD", "mine": "2D"}),
    ("4 < 5", "goes_on", "4D", 0, {"hand": "4D", "mine": "5D"}),
    ("not begun", "goes_on", "7D", 0, {"hand": "7D", "his": "5D"}),
    ("the deck's card has no suit", "goes_on", DECK, 0, {"hand": "7D", "mine": "InvD"}),
    ("7 > 5", "goes_on_opp", "7D", 1, {"hand": "7D", "his": "5D"}),
    ("an investment on an investment", "goes_on_opp", "InvD", 1, {"hand": "InvD", "his": "InvD"}),
    ("4 < 5", "goes_on_opp", "4D", 0, {"hand": "4D", "his": "5D"}),
    ("not begun", "goes_on_opp", "7D", 0, {"hand": "7D", "mine": "5D"}),
    ("the deck's card has no suit", "goes_on_opp", DECK, 0, {"hand": "7D", "his": "InvD"}),
    ("no investment", "times", "7D", 1, {"hand": "7D InvD", "mine": "5D"}),
    ("two investments", "times", "7D", 3, {"hand": "7D", "mine": "InvD InvD InvV", "his": "InvD"}),
    ("6 + 7 held: 13 / 20", "skipped_held", "9D", 0.65, {"hand": "4D 6D 7D 9D 10D 8V", "mine": "5D"}),
    ("not begun, 2 + 3 held: 5 / 20", "skipped_held", "4D", 0.25, {"hand": "InvD 2D 3D 4D 5D"}),
    ("below an investment is nothing", "skipped_held", "InvD", 0, {"hand": "InvD 2D 3D"}),
    (
        "an eighth of 6 + 7: 13 / 8 / 20",
        "skipped_hidden",
        "8D",
        0.08125,
        {"hand": "8D 2V 3V", "mine": "5D", "deck": 14},
    ),
    ("not begun, a quarter of 2 + 3: 5 / 4 / 20", "skipped_hidden", "4D", 0.0625, {"hand": "4D 2V", "deck": 29}),
    ("6 held, 7 on a pile", "skipped_hidden", "8D", 0, {"hand": "6D 8D", "mine": "5D", "piles": "7D"}),
    ("6 held, 7 hidden", "skipped_count", "8D", 2, {"hand": "6D 8D", "mine": "5D"}),
    ("6 held, 7 with the opponent", "skipped_count", "8D", 1, {"hand": "6D 8D", "mine": "5D", "taken": "7D"}),
    ("not begun, 2 3 4 hidden", "skipped_count", "5D", 3, {"hand": "5D"}),
    ("9 and 8, 2 turns for 3 cards", "dearer", "7D", 2, {"hand": "7D 9D 8V", "mine": "5D 6V", "deck": 4}),
    ("8 * 2 and 9, not the other 7", "dearer", "7D", 2, {"hand": "7D 9D 7V 8O", "mine": "5D 6V InvO", "deck": 4}),
    ("8 * 2 > 9", "dearer", "9D", 1, {"hand": "7D 9D 8O", "mine": "5D InvO 6O", "deck": 4}),
    ("9 < 8 * 2", "dearer", "8O", 0, {"hand": "7D 9D 8O", "mine": "5D InvO 6O", "deck": 4}),
    ("the 10 goes on nothing", "dearer", "9D", 0, {"hand": "7D 9D 10V", "mine": "5D", "deck": 2}),
    ("the 8 comes too late", "dearer", "7D", 1, {"hand": "7D 9D 8V", "mine": "5D 9V", "deck": 2}),
    ("3 turns for 3 cards", "dearer", "7D", 0, {"hand": "7D 9D 8V", "mine": "5D 6V", "deck": 5}),
    ("8 and 9", "waiting", "7D", 2, {"hand": "InvD 6D 7D 8D 9D 10V"}),
    ("all numbers are above an investment", "waiting", "InvD", 4, {"hand": "InvD InvD 6D 7D 8D 9D 10V"}),
    ("the highest", "waiting", "9D", 0, {"hand": "6D 9D"}),
    ("(7 + 8 + 9 - 20) / 20", "sure", "7D", 0.2, {"hand": "6D 7D 8D 9D"}),
    ("3 + 5 laid: (8 + 7 + 9 - 20) / 20", "sure", "7D", 0.2, {"hand": "7D 9D", "mine": "InvD 3D 5D"}),
    ("(6 + 7 - 20) / 20", "sure", "InvD", -0.35, {"hand": "InvD 6D 7D"}),
    ("a quarter of 8 + 10: 18 / 4 / 20", "hoped", "7D", 0.225, {"hand": "7D 9D", "deck": 29}),
    ("a quarter of all but 9: 45 / 4 / 20", "hoped", "InvD", 0.5625, {"hand": "InvD 9D", "deck": 29}),
    ("nothing above the 10", "hoped", "10D", 0, {"hand": "10D 2V", "deck": 29}),
]


@pytest.mark.parametrize(
    ("fact", "about", "value", "position"),
    [pytest.param(*case[1:], id=f"{case[1]} of {case[2]}: {case[0]}") for case in OF_A_CARD],
)
def test_a_fact_of_a_card(fact: str, about: str, value: float, position: dict[str, Any]) -> None:
    assert found(fact, about, position) == pytest.approx(value, abs=1e-12)


def test_the_facts_of_a_card_do_not_depend_on_the_card_before() -> None:
    position = {"hand": "7D 9D 8V InvO", "mine": "5D InvO", "his": "6V", "deck": 4}
    view = seen(**position)
    used = [facts_of(standard, view, card(about)).tobytes() for about in ("7D", "9D", "8V", "InvO", "7D")]
    fresh = [facts(standard, about, **position).tobytes() for about in ("7D", "9D", "8V", "InvO", "7D")]
    assert used == fresh


@pytest.mark.parametrize(
    ("what", "deck", "suits", "share"),
    [
        ("two hands of eight are dealt, 44 are left", 44, 5, 0),
        ("a quarter of 44 drawn", 33, 5, 0.25),
        ("three quarters of 44 drawn", 11, 5, 0.75),
        ("all drawn", 0, 5, 1),
        ("six suits: 56 are left", 56, 6, 0),
        ("six suits: half of 56 drawn", 28, 6, 0.5),
        ("never less than none", 60, 5, 0),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_gone_is_the_share_of_the_deck_that_has_been_drawn(what: str, deck: int, suits: int, share: float) -> None:
    assert standard.progress is not None
    assert standard.progress(facts(standard, "2D", hand="2D", deck=deck, suits=suits)) == share
