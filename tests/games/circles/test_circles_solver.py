"""The tables of Circles: against trying everything, and by hand."""

from __future__ import annotations

import naive_circles as naive
import pytest
from played_positions import after, margin

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.games.circles.game import cell_number
from rulebots.games.circles.solver import CirclesTablebase, tablebase_of
from rulebots.kernel import compiling
from rulebots.packages import load_game
from rulebots.search.exact.solving import solve, solve_by_search
from rulebots.search.exact.tablebase import tablebase_finder

CIRCLES = load_game("circles")


@pytest.mark.parametrize(("rows", "eliminate"), [(2, 1), (2, 2), (3, 1), (3, 2), (3, 3), (4, 2), (4, 3), (4, 4)])
@pytest.mark.parametrize("last_wins", [0, 1])
def test_the_table_is_that_of_trying_everything(rows: int, eliminate: int, last_wins: int) -> None:
    base = CirclesTablebase(rows, eliminate, last_wins)
    cells = sorted(naive.triangle(rows))
    assert base.positions == 2 ** len(cells) - 1
    wins = []
    for number in range(base.positions):
        position = base.position(number)
        live = frozenset(cell for cell in cells if int(position.state.stones[0]) >> cell_number(*cell) & 1)
        wins.append(naive.mover_wins(live, eliminate, bool(last_wins)))
        assert base.value(position) == (1 if wins[-1] else -1), str(position)
    assert base.winning == sum(wins)


@pytest.mark.parametrize(
    ("options", "value"),
    [
        # One stone at a time: the number of stones decides.
        ({"size": 2, "eliminate": 1}, 1),
        ({"size": 3, "eliminate": 1}, 1 if 6 % 2 else -1),
        ({"size": 3, "eliminate": 1, "last_wins": 0}, 1),
        # Three stones, each a neighbour of both others: take one, and two go at once; take two, and one goes.
        ({"size": 2, "eliminate": 2}, -1),
        ({"size": 2, "eliminate": 2, "last_wins": 0}, 1),
    ],
)
def test_small_boards_are_as_one_sees_by_hand(options: dict[str, int], value: int) -> None:
    assert solve(CIRCLES, options).value == value
    assert solve_by_search(CIRCLES, options).value == value


@pytest.mark.slow
@pytest.mark.parametrize("last_wins", [0, 1])
def test_the_table_and_a_search_agree_and_the_line_leads_there(last_wins: int) -> None:
    options = {"size": 4 if compiling() else 3, "eliminate": 3, "last_wins": last_wins}
    found = solve(CIRCLES, options)
    assert found.value == solve_by_search(CIRCLES, options).value
    end = after(Position(CIRCLES, options), *found.line)
    assert end.over
    assert margin(end, 0) == found.value


@pytest.mark.compiled
def test_the_board_of_the_ruby_quiz_is_won_for_the_first_player() -> None:
    """6 rows, up to 3 stones, either way of ending: as a table of nim-values made apart from this one says."""
    assert [solve(CIRCLES, {"last_wins": last_wins}).value for last_wins in (1, 0)] == [1, 1]
    assert tablebase_of(Position(CIRCLES)).winning == 1_891_956


def test_a_board_is_tabulated_once() -> None:
    def table(**options: int) -> CirclesTablebase:
        return tablebase_of(Position(CIRCLES, options))

    assert table(size=4, eliminate=4) is table(size=4, eliminate=12)
    assert table(size=4) is not table(size=4, last_wins=0)


def test_a_board_that_is_too_large_is_refused() -> None:
    with pytest.raises(UsageError, match=r"needs a table of all positions, which ends at size 7, not 8"):
        tablebase_finder(CIRCLES)(Position(CIRCLES, {"size": 8}))
