"""Shelly's 42 rules and his draw, and Sheppard's 7: on a written position, the value each must give."""

from __future__ import annotations

import pytest
from lost_cities_positions import case, seen, value_of_case
from shelly_positions import SHELLY
from written_positions import Case, on_written_positions

from rulebots.games.lost_cities.shelly import shelly
from rulebots.games.lost_cities.sheppard import sheppard, unseen_count, unseen_investments

UP_TO_7 = "3D 4D 5D 6D 7D"

SHEPPARD = [
    case("play.play_lowest_first", "a 4 is worth 8", "4D", 8, hand="4D"),
    case("play.play_lowest_first", "a 10 is worth 2", "10D", 2, hand="10D"),
    case("play.play_lowest_first", "an investment is worth 12", "InvD", 12, hand="InvD"),
    case("play.maximum_score_end_game", "the lowest playable", "3O", 100, hand="2D 3O 9O 4V", mine="5D"),
    case("play.maximum_score_end_game", "another playable", "4V", 0, hand="2D 3O 9O 4V", mine="5D"),
    case("play.maximum_score_end_game", "unplayable", "2D", 0, hand="2D 3O 9O 4V", mine="5D"),
    case("play.maximum_score_end_game", "both copies of the lowest", "InvO", 100, hand="InvO InvO 4V"),
    case("play.maximum_score_end_game", "the first of equals", "3D", 100, hand="3D 3O 4V"),
    case("play.maximum_score_end_game", "only the first of equals", "3O", 0, hand="3D 3O 4V"),
    case("draw.ignore_unusable", "lower than my top", "4D", -100, hand="2O", mine="5D", piles="4D"),
    case("draw.ignore_unusable", "higher", "6D", 0, hand="2O", mine="5D", piles="6D"),
    case("draw.ignore_unusable", "not started", "4D", 0, hand="2O", piles="4D"),
    case("discard.discard_unusable", "lower than my top", "4D", 1, hand="4D", mine="5D"),
    case("discard.discard_unusable", "higher", "6D", 0, hand="6D", mine="5D"),
    case("discard.deprive_opponent", "he could play it", "6D", -100, hand="6D", his="5D"),
    case("discard.deprive_opponent", "he has not started", "6D", -100, hand="6D"),
    case("discard.deprive_opponent", "he could not", "4D", 0, hand="4D", his="5D"),
    case("play.avoid_late_investment", "54 to come, 20 to pay", "InvD", -100, hand="InvD"),
    case("play.avoid_late_investment", "two cards laid: 60 to pay", "InvD", 0, hand="InvD", mine="InvD InvD"),
    case(
        "play.avoid_late_investment",
        "20 to come is not more",
        "InvD",
        0,
        hand="InvD 10D",
        his="8D",
        piles=f"2D {UP_TO_7}",
    ),
    case("play.avoid_late_investment", "21 to come", "InvD", -100, hand="InvD 10D", his="8D", piles=UP_TO_7),
    case(
        "play.avoid_late_investment",
        "what he took is not to come",
        "InvD",
        0,
        hand="InvD 10D",
        his="8D",
        piles=UP_TO_7,
        taken="2D",
    ),
    case("play.avoid_late_investment", "not for numbers", "2D", 0, hand="2D"),
    case("play.expected_investment_value", "half of 54 is 27", "InvD", -100, hand="InvD 10D"),
    case("play.expected_investment_value", "two cards laid: 60 to pay", "InvD", 0, hand="InvD", mine="InvD InvD"),
    case("play.expected_investment_value", "less than half of 38", "InvD", 0, hand="InvD", his="InvD 7D 9D"),
    case("play.expected_investment_value", "not for numbers", "2D", 0, hand="2D"),
]


@on_written_positions(shelly, SHELLY)
def test_shellys_rule(case: Case) -> None:
    assert value_of_case(shelly, case) == case.value


@on_written_positions(sheppard, SHEPPARD)
def test_sheppards_rule(case: Case) -> None:
    assert value_of_case(sheppard, case) == case.value


@pytest.mark.parametrize(
    ("why", "unseen", "position"),
    [
        ("one of three is laid", 2, {"his": "InvD"}),
        ("his slip: one that was taken and laid counts twice", 1, {"his": "InvD", "laid_again": "InvD"}),
        ("it is in another suit", 3, {"his": "InvO", "laid_again": "InvO"}),
        ("one held, one laid", 1, {"his": "InvD", "taken": "InvD"}),
        ("no fewer than none", 0, {"his": "InvD InvD InvD", "laid_again": "InvD"}),
    ],
    ids=lambda p: p if isinstance(p, str) else "",
)
def test_the_investments_that_sheppard_does_not_see(why: str, unseen: int, position: dict[str, str]) -> None:
    view = seen("2D", **position)
    assert unseen_investments(view, 0) == unseen
    laid_or_known = sum(len(text.split()) for text in position.values())
    assert unseen_count(view) == 60 - 1 - laid_or_known + (unseen == 0)


LAST_TURNS = "play.maximum_score_end_game"
#: Twelve playable cards, and m = 9 turns left; from the top 10 9 8 7 6 5 4 4 3, and that 3 is it.
TWELVE = "2D 3D 4D 5D 6D 7D 8D 9D 10D InvO 4O 3V"
COPIES = "3D 4D 5D 6D 7D 8D 9D 10D InvD InvO InvO InvO"


@pytest.mark.parametrize(
    ("hand", "about", "value"),
    [
        (TWELVE, "3V", 100),
        (TWELVE, "3D", 0),
        (TWELVE, "4D", 0),
        (TWELVE, "InvO", 0),
        (COPIES, "InvO", 100),
        (COPIES, "InvD", 0),
        (COPIES, "3D", 0),
    ],
)
def test_maximum_score_end_game_with_more_cards_than_turns(hand: str, about: str, value: float) -> None:
    piles = " ".join(f"{n}{s}" for s in "MJ" for n in range(2, 11)) + " InvM InvM InvM"
    assert value_of_case(sheppard, case(LAST_TURNS, "", about, value, hand=hand, piles=piles)) == value


@pytest.mark.parametrize(("gone", "value"), [("InvM", 100), ("InvM InvM InvM", 0)], ids=["m = 9", "m = 8"])
def test_maximum_score_end_game_asks_for_more_than_eight_turns(gone: str, value: float) -> None:
    piles = " ".join(f"{n}{s}" for s in "MJV" for n in range(2, 10)) + f" 10M {gone}"
    written = case(LAST_TURNS, "", "2D", value, hand="2D 3D 4D 5D 6D 7D 8D", piles=piles)
    assert value_of_case(sheppard, written) == value
