"""Tree search at any number of seats: each node by its mover's return, or all others against one."""

from __future__ import annotations

import numpy as np
import payoffs
import pytest
from payoffs import POINTS, THROWN, TOGETHER, WINS, backed_up, best_move, clear, dealt

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.kernel import compiling
from rulebots.play.match import play_match
from rulebots.players import RandomPlayer
from rulebots.search.mcts import ParallelSearch, Search
from rulebots.search.mcts.player import MctsPlayer
from rulebots.search.mcts.settings import SearchSettings

DEALS, SIMULATIONS = (8, 4000) if compiling() else (1, 1500)


def searched(position: Position, iterations: int = SIMULATIONS, **settings):
    return Search(position.game, SearchSettings(iterations=iterations, **settings)).run(position)


def trap(game=POINTS) -> Position:
    """Seat 0 has 6 for certain by move 0; by move 1, seat 1 decides between 10 for it and 0, and likes 10 better."""
    ends = np.zeros((16, 3), int)
    ends[:8] = 6, 4, 5
    ends[8:12] = 0, 3, 9
    ends[12:] = 10, 5, 1
    return dealt(game, 3, ends)


@pytest.mark.parametrize("select", ["uct", "puct"])
def test_each_seat_plays_for_itself_or_all_against_one(select: str) -> None:
    trusting = searched(trap(), select=select)
    assert (trusting.move, trusting.line[:2]) == (1, (1, 1))
    assert trusting.values[0] == pytest.approx(10, abs=1)
    wary = searched(trap(), select=select, paranoid=1)
    assert wary.move == 0
    assert wary.values[0] == pytest.approx(6)
    assert wary.values[1] < 3


@pytest.mark.parametrize("game", [POINTS, TOGETHER, THROWN], ids=lambda game: game.name)
@pytest.mark.parametrize("seats", [1, 2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_it_finds_the_move_of_plain_recursion(game, seats: int) -> None:
    for deal in range(DEALS):
        position = clear(game, seats, deal)
        result, value = searched(position, c=2.0), backed_up(position)
        assert result.move == best_move(position)
        assert result.values[0] == pytest.approx(value[0], abs=12)
        assert result.visits.sum() == result.simulations == SIMULATIONS


@pytest.mark.parametrize("seats", [1, 3, 4])
def test_paranoid_search_finds_the_move_of_plain_recursion(seats: int) -> None:
    for deal in range(DEALS):
        position = clear(POINTS, seats, deal, against=True)
        result, value = searched(position, c=2.0, paranoid=1), backed_up(position, against=0)
        assert result.move == best_move(position, against=0)
        assert result.values[0] == pytest.approx(value[0], abs=12)


def test_shares_of_the_win_are_stretched_from_a_loss_to_a_win() -> None:
    """All tie by move 0; by move 1, seat 1 may share the win with seat 0, or leave it to seat 2."""
    ends = np.zeros((16, 3), int)
    ends[8:12] = 1, 1, 3
    ends[12:] = 3, 3, 1
    trusting, wary = (searched(dealt(WINS, 3, ends), paranoid=paranoid) for paranoid in (0, 1))
    assert (trusting.move, wary.move) == (1, 0)
    assert trusting.values == pytest.approx([0, -1 / 3], abs=0.1)
    assert wary.values == pytest.approx([-1 / 3, -1], abs=0.25)


def test_two_seats_of_a_game_for_more_prove_what_two_seats_prove() -> None:
    assert searched(clear(WINS, 2, 1)).proven.any()
    assert not searched(clear(WINS, 3, 1)).proven.any()


@pytest.mark.parametrize("seats", [1, 3])
def test_points_that_are_shifted_and_stretched_change_no_visit(seats: int) -> None:
    """The search is scaled to the returns that it meets, pending simulations too."""
    rng = np.random.default_rng(3)
    ends = rng.integers(50, size=(16, seats))
    for settings in ({}, {"batch": 4}, {"paranoid": 1}, {"select": "puct", "batch": 3}):
        one, other = (searched(dealt(POINTS, seats, table), 300, **settings) for table in (ends, 4 * ends + 1000))
        assert one.visits.tolist() == other.visits.tolist()
        assert other.values == pytest.approx(4 * one.values + 1000)


def test_the_tree_is_kept_unless_it_was_grown_against_another_seat() -> None:
    for paranoid, kept in ((0, True), (1, False)):
        search = Search(POINTS, SearchSettings(iterations=200, paranoid=paranoid))
        position = clear(POINTS, 3, 2)
        position.play(search.run(position).move)
        assert bool(search.run(position).kept) == kept


def test_one_search_sits_at_tables_of_any_size() -> None:
    search = Search(WINS, SearchSettings(iterations=100))
    moves = [[search.run(clear(WINS, seats, 5)).visits.tolist() for _ in range(2)] for seats in (2, 4, 3, 2)]
    assert moves[0] == moves[3]


def test_an_evaluator_values_each_seat() -> None:
    seen = []

    def flat(states):
        seen.extend(states["ply"].tolist())
        return np.full((len(states), 3), 5.0), None

    result = Search(POINTS, SearchSettings(iterations=1000), evaluator=flat).run(trap())
    assert result.move == 1
    assert max(seen) < payoffs.PLIES


@pytest.mark.parametrize(
    ("game", "value", "message"),
    [
        (POINTS, np.zeros(1), r"expected values of shape \(1, 3\) in points, not shape \(1,\)"),
        (WINS, np.full((1, 3), 2.0), r"expected values of shape \(1, 3\) from -1 to 1"),
    ],
)
def test_an_evaluator_that_is_wrong_about_seats_is_told(game, value, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Search(game, SearchSettings(iterations=9), evaluator=lambda _: (value, None)).run(trap(game))


def test_threads_add_up() -> None:
    result = ParallelSearch(POINTS, SearchSettings(iterations=2000, threads=2)).run(trap())
    assert (result.move, result.visits.sum()) == (1, 2000)
    assert result.values[0] == pytest.approx(10, abs=2)


def test_nobody_plays_against_a_team() -> None:
    with pytest.raises(UsageError, match="nobody at Together plays against the searcher: leave out 'paranoid'"):
        MctsPlayer(TOGETHER, SearchSettings(iterations=5, paranoid=1))
    with pytest.raises(UsageError, match="paranoid: expected a whole number from 0 to 1, not 2"):
        SearchSettings(iterations=5, paranoid=2)


@pytest.mark.parametrize("seats", [2, pytest.param(3, marks=pytest.mark.slow), pytest.param(4, marks=pytest.mark.slow)])
def test_it_plays_matches_at_every_table(seats: int) -> None:
    players = MctsPlayer(WINS, SearchSettings(iterations=60)), RandomPlayer(WINS)
    assert play_match(*players, deals=6, options={"seats": seats}).win_rate > 0.5
