"""`rulebots check` looks whether the fields that a game calls the position decide how it goes on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from contenders import Scripted

from rulebots.checking.views import check_observation, check_position_fields
from rulebots.errors import UsageError
from rulebots.kernel import kernel
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.play.match import play_match

GAME = load_game("tictactoe")


@kernel
def observe_what_there_is(state: Any, view: Any) -> None:
    """Writes only what is not 0: the board as it is, in a view of zeros."""
    view.side = state.side
    view.win = state.win
    view.left = state.left
    for point in range(state.board.shape[0]):
        if state.board[point] != 0:
            view.board[point] += state.board[point]


def test_a_view_is_zeros_when_it_is_written() -> None:
    game = replace(GAME, observe=observe_what_there_is)
    assert not [finding for finding in check_observation(game) if not finding.note]
    seen = []

    def look(view: Any, moves: Any) -> int:
        seen.append((view.left, np.count_nonzero(view.board[moves])))
        return int(moves[-1])

    play_match(Scripted(game, look), make_player("random", game), 2)
    assert len(seen) > 4
    assert all(stones == 0 for _, stones in seen)


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
