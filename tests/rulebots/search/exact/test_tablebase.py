"""Tables of all positions of a small game, found by its law."""

from __future__ import annotations

import pytest
from played_positions import after

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.games.circles.solver import tablebase_of
from rulebots.packages import load_game
from rulebots.search.exact.solving import solve_by_search
from rulebots.search.exact.tablebase import ExploredTablebase, best_line, best_moves, tablebase_finder, value_of_move

CIRCLES, TICTACTOE, KALAH = load_game("circles"), load_game("tictactoe"), load_game("kalah")


def test_any_small_game_is_explored_by_its_law() -> None:
    explored, position = ExploredTablebase(CIRCLES), Position(CIRCLES, {"size": 3})
    base = tablebase_of(position)
    assert explored.value(position) == base.value(position)
    met = [explored.position(number) for number in range(explored.positions)]
    assert {int(one.state.stones[0]) for one in met} == set(range(1, 64))
    assert [explored.value(one) for one in met] == [base.value(one) for one in met]
    assert explored.winning == sum(base.value(one) > 0 for one in met)


def test_exploring_counts_margins_and_turns_in_a_row() -> None:
    options = {"pits": 2, "stones": 2}
    position = Position(KALAH, options)
    base = tablebase_finder(KALAH)(position)
    assert base.value(position) == solve_by_search(KALAH, options).value
    assert after(position, *best_line(base, position)).over
    assert position.plies == 0


def test_values_of_moves_are_the_movers_also_where_it_moves_again() -> None:
    position = Position(KALAH, {"pits": 2, "stones": 1})
    base = tablebase_finder(KALAH)(position)
    values = {move: value_of_move(base, position, move) for move in position.legal_moves.tolist()}
    assert after(position, 1).mover == position.mover
    assert max(values.values()) == base.value(position)
    assert best_moves(base, position) == [move for move, value in values.items() if value == base.value(position)]


def test_exploring_stops_where_there_are_too_many_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.search.exact.tablebase.MOST_POSITIONS", 100)
    with pytest.raises(UsageError, match=r"this board of Tic-tac-toe has more than 100: choose a smaller one"):
        tablebase_finder(TICTACTOE)(Position(TICTACTOE))


def test_a_position_of_another_game_has_no_value() -> None:
    for game in (CIRCLES, TICTACTOE):
        with pytest.raises(UsageError, match=rf"expected a position of {game.title}, not of Kalah"):
            tablebase_finder(game)(Position(KALAH))
