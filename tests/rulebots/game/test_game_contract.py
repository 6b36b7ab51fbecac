"""What a game says of itself: options by name, a text for each move, and the mistakes of its author."""

from __future__ import annotations

import pydoc
import re
from dataclasses import fields, replace

import pytest

from rulebots.errors import UsageError
from rulebots.game import Game, Kind, Option
from rulebots.packages import load_game


def test_an_option_that_is_nearly_right_is_suggested(lost_cities: Game) -> None:
    with pytest.raises(UsageError, match=r"no option 'suit' of lost-cities; did you mean 'suits'\?"):
        lost_cities.option_values({"suit": 5})


def test_what_is_left_out_has_its_default() -> None:
    kalah = load_game("kalah")
    values = kalah.option_values({"pits": 3})
    assert int(values.pits) == 3
    assert {name: int(values[name]) for name in kalah.options if name != "pits"} == {
        name: option.default for name, option in kalah.options.items() if name != "pits"
    }


@pytest.mark.parametrize(("default", "low", "high"), [(0, 1, 3), (4, 1, 3), (1.5, 1, 3), (True, 0, 1)])
def test_a_default_out_of_its_range_is_refused(default: int, low: int, high: int) -> None:
    with pytest.raises(UsageError, match=r"expected whole numbers as default, low and high of an Option"):
        Option(default, low, high, "an option")


def test_a_kind_has_a_name_and_a_mix_of_groups() -> None:
    with pytest.raises(UsageError, match=r"expected \{group: share\} as the mix of the Kind 'take'"):
        Kind("take", ["take"])  # type: ignore[arg-type]
    assert Kind("take", {"take": 1.0}).mix == {"take": 1.0}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"move_count": 10**9}, "expected 1 to 1,000,000 as `move_count`"),
        ({"ply_cap": 0}, "expected 1 to 1,000,000 as `ply_cap`"),
    ],
)
def test_a_mistake_of_the_author_is_told_where_the_game_is_made(change: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        replace(load_game("tictactoe"), **change)  # type: ignore[arg-type]


def test_help_says_what_each_field_of_a_game_means() -> None:
    page = pydoc.plain(pydoc.render_doc(Game))
    for field in fields(Game):
        assert re.search(rf"^ \|      {field.name}: \S", page, re.MULTILINE), field.name
