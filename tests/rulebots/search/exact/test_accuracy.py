"""How often players keep a win."""

from __future__ import annotations

import pytest

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.games.circles.solver import CirclesTablebase
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.search.exact.accuracy import Accuracy, accuracy

CIRCLES, TICTACTOE, KALAH = load_game("circles"), load_game("tictactoe"), load_game("kalah")


def test_accuracy_of_all_positions_is_exact() -> None:
    found = accuracy(make_player("random", CIRCLES), {"size": 3}, 1000, 1)
    assert (found.asked, found.winning, found.positions) == (50, 50, 63)
    assert found.share == found.kept / found.asked
    assert found.share_95 == (found.share, found.share)
    assert 0.2 < found.share < 0.8
    assert accuracy(make_player("perfect", CIRCLES), {"size": 3}, 1000, 1).share == 1.0


def test_accuracy_of_a_sample_is_that_of_its_seed_and_has_an_interval() -> None:
    player, options = make_player("random", CIRCLES), {"size": 4}
    found = accuracy(player, options, 200, 7)
    assert found == accuracy(player, options, 200, 7)
    assert found.asked == 200
    assert found.share_95[0] < found.share < found.share_95[1]
    exact = accuracy(player, options, 10_000, 1)
    assert found.share_95[0] <= exact.share <= found.share_95[1]


def test_accuracy_asks_each_position_of_a_sample_once() -> None:
    """All but one of the won positions: a draw that repeats would miss some."""
    winning = CirclesTablebase(3, 3, 1).winning
    found = accuracy(make_player("perfect", CIRCLES), {"size": 3}, winning - 1, 3)
    assert found == Accuracy(winning - 1, winning - 1, 1.0, found.share_95, winning, 63)


def test_accuracy_needs_a_game_without_chance(lost_cities: Game) -> None:
    with pytest.raises(UsageError, match="no position of this board of Lost Cities is won for certain"):
        accuracy(make_player("random", lost_cities), {}, 10, 1)
