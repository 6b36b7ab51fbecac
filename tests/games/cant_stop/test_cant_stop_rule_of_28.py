"""The generalised Rule of 28: on written positions the value each of its rules must give."""

from __future__ import annotations

from cant_stop_cases import ENDS, LOW, MIXED, THREE, assert_value, case
from written_positions import Case, on_written_positions

from rulebots.games.cant_stop.rule_of_28 import generalized

GENERALIZED = [
    case("advance.choose_middle", "two spaces and a runner", "7+7", 3, dice=ENDS),
    case("advance.choose_middle", "none", "2+12", 0, dice=ENDS),
    case("advance.choose_one_off", "a space and a runner in each", "6+8", 4, dice="2-4-4-4"),
    case("advance.choose_one_off", "none", "7+9", 0, dice=THREE),
    case("advance.choose_two_off", "a space and a runner", "5+11", 2, dice=THREE),
    case("advance.choose_two_off", "none", "6+10", 0, dice=THREE),
    case("advance.choose_three_off", "a space more", "6+10", 3, dice=THREE, runners="10:1"),
    case("advance.choose_three_off", "none", "7+9", 0, dice=THREE),
    case("advance.choose_four_off", "a space and a runner", "5+11", 2, dice=THREE),
    case("advance.choose_four_off", "none", "7+9", 0, dice=THREE),
    case("advance.choose_five_off", "a space and a runner in each", "2+12", 4, dice=ENDS),
    case("advance.choose_five_off", "none", "7+7", 0, dice=ENDS),
    case("advance.choose_runners", "two", "2+12", 2, dice=ENDS),
    case("advance.choose_runners", "one", "7+7", 1, dice=ENDS),
    case("advance.choose_all_odd", "5, 7 and 9", "5+7", 1, dice=MIXED, runners="9:1"),
    case("advance.choose_all_odd", "4, 8 and 9", "4+8", 0, dice=MIXED, runners="9:1"),
    case("advance.choose_all_even", "4, 6 and 8", "4+8", 1, dice=MIXED, runners="6:1"),
    case("advance.choose_all_even", "two runners", "4+8", 0, dice=MIXED),
    case("advance.choose_all_high", "7, 9 and 11", "7+9", 1, dice=THREE, runners="11:1"),
    case("advance.choose_all_high", "6, 10 and 11", "6+10", 0, dice=THREE, runners="11:1"),
    case("advance.choose_all_low", "4, 5 and 7", "4+7", 1, dice=LOW, runners="5:1"),
    case("advance.choose_all_low", "4, 7 and 9", "4+7", 0, dice=LOW, runners="9:1"),
    case("stop.progress_middle", "three spaces and a runner", "stop", 4, runners="7:3"),
    case("stop.progress_middle", "what was climbed before does not count", "stop", 2, runners="7:3", mine="7:2"),
    case("stop.progress_one_off", "6 and 8", "stop", 5, runners="6:1 8:2"),
    case("stop.progress_one_off", "neither", "stop", 0, runners="7:1"),
    case("stop.progress_two_off", "9", "stop", 3, runners="9:2"),
    case("stop.progress_two_off", "neither", "stop", 0, runners="7:1"),
    case("stop.progress_three_off", "4", "stop", 3, runners="4:2"),
    case("stop.progress_three_off", "neither", "stop", 0, runners="7:1"),
    case("stop.progress_four_off", "3", "stop", 3, runners="3:2"),
    case("stop.progress_four_off", "neither", "stop", 0, runners="7:1"),
    case("stop.progress_five_off", "2 and 12", "stop", 5, runners="2:2 12:1"),
    case("stop.progress_five_off", "neither", "stop", 0, runners="7:1"),
    case("stop.progress_all_odd", "3, 7 and 9", "stop", 1, runners="3:1 7:1 9:1"),
    case("stop.progress_all_odd", "3, 7 and 8", "stop", 0, runners="3:1 7:1 8:1"),
    case("stop.progress_all_even", "2, 8 and 10", "stop", 1, runners="2:1 8:1 10:1"),
    case("stop.progress_all_even", "2 and 8", "stop", 0, runners="2:1 8:1"),
    case("stop.progress_all_high", "7, 8 and 9", "stop", 1, runners="7:1 8:1 9:1"),
    case("stop.progress_all_high", "6, 8 and 9", "stop", 0, runners="6:1 8:1 9:1"),
    case("stop.progress_all_low", "2, 3 and 7", "stop", 1, runners="2:1 3:1 7:1"),
    case("stop.progress_all_low", "2, 3 and 8", "stop", 0, runners="2:1 3:1 8:1"),
    case("stop.threshold", "no runner is left", "stop", 1, runners="2:1 3:1 8:1"),
    case("stop.threshold", "one is", "stop", 0, runners="2:1 3:1"),
    case("stop.runner_left", "one", "stop", 1, runners="2:1 3:1"),
    case("stop.runner_left", "none", "stop", 0, runners="2:1 3:1 8:1"),
]  # fmt: skip


@on_written_positions(generalized, GENERALIZED)
def test_a_rule_of_the_rule_of_28_gives_what_is_written(case: Case) -> None:
    assert_value(generalized, case)
