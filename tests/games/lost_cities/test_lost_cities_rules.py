"""Shelly's 42 rules and his draw, and Sheppard's 7: on a written position, the value each must give."""

from __future__ import annotations

import pytest
from lost_cities_positions import DECK, case, seen, value_of_case
from written_positions import Case, on_written_positions

from rulebots.games.lost_cities.shelly import shelly
from rulebots.games.lost_cities.shelly_mended import shelly_mended
from rulebots.games.lost_cities.sheppard import sheppard, unseen_count, unseen_investments

SHELLY = [
    case("play.in_sequence", "the 5 follows the 4", "5D", 1, hand="5D 9V", mine="4D"),
    case("play.in_sequence", "the 6 skips the 5", "6D", 0, hand="6D", mine="4D"),
    case("play.in_sequence", "an investment begins a suit", "InvD", 1, hand="InvD"),
    case("play.in_sequence", "the 2 begins a suit one too high", "2D", 0, hand="2D"),
    case("play.in_sequence", "the 2 after an investment", "2D", 0, hand="2D", mine="InvD"),
    case("play.low_card", "the lowest of the hand", "3V", 1, hand="3V 4D 9O"),
    case("play.low_card", "a lower one is in hand", "4D", 0, hand="3V 4D 9O"),
    case("play.low_card", "a tie goes to D before J", "3D", 1, hand="3D 3J"),
    case("play.low_card", "a tie goes to J before M", "3J", 1, hand="3J 3M"),
    case("play.low_card", "and not to M", "3M", 0, hand="3J 3M 3O"),
    case("play.low_card", "a tie goes to M before O", "3M", 1, hand="3M 3O 3V"),
    case("play.low_card", "investments are lowest", "InvV", 1, hand="InvV 2D"),
    case("play.low_cards", "4 is low", "4D", 1, hand="4D"),
    case("play.low_cards", "5 is not", "5D", 0, hand="5D"),
    case("play.high_card", "the highest of the hand", "9O", 1, hand="3V 4D 9O"),
    case("play.high_card", "a higher one is in hand", "4D", 0, hand="3V 4D 9O"),
    case("play.high_card", "a tie goes to V, the last letter", "9V", 1, hand="9D 9V 9O"),
    case("play.high_card", "a tie goes to O after M", "9O", 1, hand="9M 9O"),
    case("play.high_cards", "6 is high", "6D", 1, hand="6D"),
    case("play.high_cards", "5 is not", "5D", 0, hand="5D"),
    case("play.investments", "an investment", "InvJ", 1, hand="InvJ"),
    case("play.investments", "a number", "2J", 0, hand="2J"),
    case("play.on_investments", "one is laid", "9J", 1, hand="9J", mine="InvJ 2J"),
    case("play.on_investments", "held ones do not count", "9J", 0, hand="InvJ 9J", mine="8J"),
    case("play.holding_investments", "one is in hand", "9J", 1, hand="InvJ 9J"),
    case("play.holding_investments", "one is laid", "9J", 0, hand="9J", mine="InvJ"),
    case("play.holding_investments", "not for investments", "InvJ", 0, hand="InvJ InvJ 9J"),
    case("play.investment_with_hope", "16 > 5 + 5 * 2", "InvO", 1, hand="InvO 6O 10O"),
    case("play.investment_with_hope", "15 is not", "InvO", 0, hand="InvO 6O 9O"),
    case(
        "play.investment_with_hope", "a second one asks for more than 25", "InvO", 0, hand="InvO 7O 8O 10O", mine="InvO"
    ),
    case("play.investment_with_hope", "26 will do", "InvO", 1, hand="InvO 7O 9O 10O", mine="InvO"),
    case("play.investment_with_hope", "not for numbers", "10O", 0, hand="InvO 6O 10O"),
    case("play.investment_without_hope", "15 are too few", "InvO", 1, hand="InvO 6O 9O"),
    case("play.investment_without_hope", "16 are not", "InvO", 0, hand="InvO 6O 10O"),
    case("play.investment_without_hope", "true of all numbers", "10O", 1, hand="InvO 6O 10O"),
    case("play.group_10", "11 in hand", "2O", 1, hand="2O 9O"),
    case("play.group_10", "10 in hand", "2O", 0, hand="2O 8O 9D", mine="9J"),
    case("play.group_15", "16 in hand", "6O", 1, hand="6O 10O"),
    case("play.group_15", "15 in hand", "6O", 0, hand="6O 9O"),
    case("play.group_20", "26 in hand", "7O", 1, hand="7O 9O 10O"),
    case("play.group_20", "25 in hand, though more than 20", "7O", 0, hand="7O 8O 10O"),
    case("play.group_25", "26 in hand", "7O", 1, hand="7O 9O 10O"),
    case("play.group_25", "25 in hand", "7O", 0, hand="7O 8O 10O"),
    case("play.total_20", "22 in hand and laid", "10O", 1, hand="10O", mine="InvO 3O 9O"),
    case("play.total_20", "21, though more than 20", "10O", 0, hand="10O", mine="InvO 3O 8O"),
    case("play.total_25", "26 in hand and laid", "10O", 1, hand="9O 10O", mine="7O"),
    case("play.total_25", "25 in hand and laid", "10O", 0, hand="9O 10O", mine="6O"),
    case("play.suit_started", "by a number", "9O", 1, hand="9O", mine="2O"),
    case("play.suit_started", "by an investment", "9O", 1, hand="9O", mine="InvO"),
    case("play.suit_started", "in another suit", "9O", 0, hand="9O", mine="2D", his="2O"),
    case("play.close_to_previous", "two above", "7O", 1, hand="7O", mine="5O"),
    case("play.close_to_previous", "three above", "8O", 0, hand="8O", mine="5O"),
    case("play.close_to_previous", "a 2 begins", "2O", 1, hand="2O"),
    case("play.close_to_previous", "a 3 begins", "3O", 0, hand="3O"),
    case("play.close_to_previous", "below the top, too", "3O", 1, hand="3O", mine="8O"),
    case("play.multiplier_2", "one laid, one held", "9O", 1, hand="InvO 9O", mine="InvO"),
    case("play.multiplier_2", "one alone", "9O", 0, hand="9O", mine="InvO", his="InvO"),
    case("play.multiplier_3", "all three", "9O", 1, hand="InvO InvO 9O", mine="InvO"),
    case("play.multiplier_3", "two", "9O", 0, hand="InvO 9O", mine="InvO"),
    case("play.on_unplayed", "not started", "9O", 1, hand="9O", his="InvO"),
    case("play.on_unplayed", "started by an investment", "9O", 0, hand="9O", mine="InvO"),
    case("play.he_has_played", "an investment", "9O", 1, hand="9O", his="InvO"),
    case("play.he_has_played", "nothing; I have", "9O", 0, hand="9O", mine="2O"),
    case("play.he_has_played_10", "11", "9O", 1, hand="9O", his="5O 6O"),
    case("play.he_has_played_10", "10", "9O", 0, hand="9O", his="InvO 10O"),
    case("play.he_has_played_20", "21", "9O", 1, hand="9O", his="5O 6O 10O"),
    case("play.he_has_played_20", "20", "9O", 0, hand="9O", his="4O 6O 10O"),
    case("play.hand_negative", "19 laid", "10O", 1, hand="10O", mine="3O 7O 9O"),
    case("play.hand_negative", "20 laid", "10O", 0, hand="10O", mine="4O 7O 9O"),
    case("play.hand_negative", "an investment laid", "10O", 1, hand="10O", mine="InvO"),
    case("play.hand_negative", "not started", "10O", 0, hand="10O"),
    case("play.must_plays", "goes on", "9O", 1, hand="9O", mine="8O"),
    case("play.must_plays", "an investment on one", "InvO", 1, hand="InvO", mine="InvO"),
    case("play.must_plays", "too low", "7O", 0, hand="7O", mine="8O"),
    case("play.must_plays", "not started", "9O", 0, hand="9O"),
    case("play.lower_in_hand", "I hold the 3", "9O", 1, hand="3O 9O"),
    case("play.lower_in_hand", "I hold an investment", "9O", 1, hand="InvO 9O"),
    case("play.lower_in_hand", "the lowest itself", "3O", 0, hand="3O 9O 2D"),
    case("play.lower_in_hand", "an investment", "InvO", 0, hand="InvO InvO 9O"),
    case("play.highest_in_hand", "the highest", "9O", 1, hand="3O 9O 10D"),
    case("play.highest_in_hand", "not the 3", "3O", 0, hand="3O 9O"),
    case("play.highest_in_hand", "an investment alone", "InvO", 1, hand="InvO InvO 9D"),
    case("play.highest_in_hand", "an investment beside a 2", "InvO", 0, hand="InvO 2O"),
    case("play.two_follows_invest", "it does", "2O", 1, hand="2O", mine="InvO"),
    case("play.two_follows_invest", "no investment laid", "2O", 0, hand="InvO 2O"),
    case("play.two_follows_invest", "a 3", "3O", 0, hand="3O", mine="InvO"),
    case("play.finish_game", "deck of 2, two must-plays", "9O", 1, hand="9O 10O 2D", mine="8O", deck=2),
    case("play.finish_game", "deck of 3", "9O", 0, hand="9O 10O 2D", mine="8O", deck=3),
    case("play.finish_game", "not for other cards", "2D", 0, hand="9O 10O 2D", mine="8O", deck=2),
    case("play.possible_below", "the 2 is unseen", "3O", 1, hand="3O"),
    case("play.possible_below", "the 2 is laid by him", "3O", 0, hand="3O", his="2O"),
    case("play.possible_below", "the 2 is in a pile", "3O", 0, hand="3O", piles="2O 9O"),
    case("play.possible_below", "my own hand counts as unseen", "3O", 1, hand="2O 3O"),
    case("play.possible_below", "a card that he took counts as unseen", "3O", 1, hand="3O", taken="2O"),
    case("play.possible_many_below", "2 3 4 5 under the 6", "6O", 1, hand="6O"),
    case("play.possible_many_below", "only 3 4 5", "6O", 0, hand="6O", mine="2O"),
    case("keep.useless_to_me", "under my top", "4O", 1, hand="4O", mine="5O"),
    case("keep.useless_to_me", "above my top", "6O", 0, hand="6O", mine="5O", his="9O"),
    case("keep.useless_to_me", "an investment, not started", "InvO", 0, hand="InvO"),
    case("keep.useless_to_him", "under his top", "4O", 1, hand="4O", his="5O"),
    case("keep.useless_to_him", "above his top", "6O", 0, hand="6O", his="5O", mine="9O"),
    case("keep.useful_to_him", "above his top", "6O", 1, hand="6O", his="5O"),
    case("keep.useful_to_him", "under his top", "4O", 0, hand="4O", his="5O"),
    case("keep.useful_to_him", "not started", "InvO", 1, hand="InvO"),
    case("keep.useful_to_me", "above my top", "6O", 1, hand="6O", mine="5O"),
    case("keep.useful_to_me", "a 10, not started", "10O", 1, hand="10O"),
    case("keep.useful_to_me", "a 9, not started", "9O", 0, hand="9O"),
    case("keep.he_has_played", "an investment", "9O", 1, hand="9O", his="InvO"),
    case("keep.he_has_played", "nothing; I have", "9O", 0, hand="9O", mine="2O"),
    case("keep.singleton", "one of its suit", "9O", 1, hand="9O 2D 3D"),
    case("keep.singleton", "two numbers", "2D", 0, hand="9O 2D 3D"),
    case("keep.singleton", "a number and an investment", "9O", 0, hand="InvO 9O"),
    case("keep.singleton", "one investment", "InvO", 1, hand="InvO 9D"),
    case("keep.no_partners", "not started", "9O", 1, hand="9O 10O", his="2O"),
    case("keep.no_partners", "started", "9O", 0, hand="9O", mine="InvO"),
    case("keep.want_from_discard", "the 9 on the pile goes on", "2O", 1, hand="2O", mine="5O", piles="3O 9O"),
    case("keep.want_from_discard", "the 3 on the pile does not", "2O", 0, hand="2O", mine="5O", piles="9O 3O"),
    case("keep.below_lowest_playable", "under both tops", "4O", 1, hand="4O", mine="5O", his="6O"),
    case("keep.below_lowest_playable", "above mine", "6O", 0, hand="6O", mine="5O", his="9O"),
    case("keep.below_lowest_playable", "he has not started", "4O", 0, hand="4O", mine="5O"),
    case("keep.dont_discard_forever", "six discards in a row", "4O", 1, hand="4O", streak=6),
    case("keep.dont_discard_forever", "five", "4O", 0, hand="4O", streak=5),
    case("draw.wanted", "the 9 goes on", "9O", 1, hand="2D 3V", mine="5O", piles="9O", laid="2d"),
    case("draw.wanted", "the 3 does not", "3O", 0, hand="2D 3V", mine="5O", piles="3O", laid="2d"),
    case(
        "draw.wanted", "his slip: the 9 just played makes it useless", "7M", 1, hand="9M 10M 9V", piles="7M", laid="9m"
    ),
    case("draw.wanted", "the deck is no wanted card", DECK, 0, hand="2D 3V", mine="5V", piles="9V", laid="2d"),
]

MENDED = [
    *(written for written in SHELLY if "his slip" not in written.what),
    case("draw.wanted", "the 9 just played makes it useless", "7M", 0, hand="9M 10M 9V", piles="7M", laid="9m"),
    case("draw.wanted", "no investment on an investment", "InvO", 0, hand="2D", mine="InvO", piles="InvO", laid="2d"),
    case("draw.wanted", "it begins a good expedition", "8M", 1, hand="2D 9M", piles="8M", laid="2d"),
]

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


@on_written_positions(shelly_mended, MENDED)
def test_shellys_rule_in_his_later_player(case: Case) -> None:
    assert value_of_case(shelly_mended, case) == case.value


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
