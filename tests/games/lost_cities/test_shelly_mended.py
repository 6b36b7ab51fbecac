"""Shelly's rules with his slip mended: on a written position, the value each must give."""

from __future__ import annotations

from lost_cities_positions import case, value_of_case
from shelly_positions import SHELLY
from written_positions import Case, on_written_positions

from rulebots.games.lost_cities.shelly import shelly_mended

MENDED = [
    *(written for written in SHELLY if "his slip" not in written.what),
    case("draw.wanted", "the 9 just played makes it useless", "7M", 0, hand="9M 10M 9V", piles="7M", laid="9m"),
    case("draw.wanted", "no investment on an investment", "InvO", 0, hand="2D", mine="InvO", piles="InvO", laid="2d"),
    case("draw.wanted", "no investment where nothing lies", "InvO", 0, hand="2D 9O 10O", piles="InvO", laid="2d"),
    case("draw.wanted", "it begins a good expedition", "8M", 1, hand="2D 9M", piles="8M", laid="2d"),
]


@on_written_positions(shelly_mended, MENDED)
def test_shellys_rule_in_his_later_player(case: Case) -> None:
    assert value_of_case(shelly_mended, case) == case.value
