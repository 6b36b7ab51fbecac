"""`rulebots check` looks whether the fields that a game calls the position decide how it goes on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rulebots.checking.views import check_position_fields
from rulebots.errors import UsageError
from rulebots.packages import load_game

GAME = load_game("tictactoe")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tictactoe", "kalah", "lost-cities"])
def test_a_game_that_names_its_position_rightly_or_not_at_all_has_no_problem(name: str) -> None:
    assert check_position_fields(load_game(name)) == []


@pytest.mark.slow
def test_a_field_that_is_missing_is_found_by_what_it_decides() -> None:
    wrong = replace(GAME, position_fields=("mover", "winner", "side", "win", "last"))
    problems = check_position_fields(wrong)
    assert problems
    assert any("`moves` gives other moves where two states agree in position_fields" in str(one) for one in problems)
    assert all("differ in state." in str(one) and "board" in str(one) for one in problems)
    kalah = load_game("kalah")
    without_stores = check_position_fields(replace(kalah, position_fields=("mover", "pits", "empty_capture", "left")))
    assert any("state.board" in str(one) for one in without_stores)


def test_a_position_field_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="tictactoe: no field 'bord' of `state`; did you mean 'board'"):
        replace(GAME, position_fields=("mover", "bord"))
