"""A law as the loops call it: one for each game, and a view in which nothing is left of the decision before."""

from __future__ import annotations

import numpy as np
import pytest

from rulebots.game.compiled import law_of, view_kernel
from rulebots.game.dtypes import extended, records
from rulebots.game.position import Position
from rulebots.packages import load_game


def test_a_game_has_one_law_in_a_process() -> None:
    kalah = load_game("kalah")
    assert law_of(kalah) is law_of(kalah, Position(kalah, {"pits": 3}).options)
    assert law_of(kalah) is not law_of(load_game("tictactoe"))


@pytest.mark.interpreted
def test_what_was_derived_at_one_decision_is_gone_at_the_next() -> None:
    game = load_game("kalah")
    views = records(extended(game.view, [("note", np.int32)]), 2)
    position = Position(game)
    view_kernel(game)(position.state, views, 7)
    views[0].note = 3
    assert views[0].luck == 7
    position.push(int(position.legal_moves[0]))
    view_kernel(game)(position.state, views, 8)
    assert (views[0].note, views[0].luck) == (0, 8)
    expected = position.view(position.mover)
    assert all(np.array_equal(views[0][name], expected[name]) for name in game.view.names or () if name != "luck")
