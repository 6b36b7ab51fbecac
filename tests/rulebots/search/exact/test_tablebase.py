"""Tables of all positions of a small game, found by its law."""

from __future__ import annotations

import pytest
from naive_minimax import start

from rulebots.errors import UsageError
from rulebots.game import load_game
from rulebots.games.circles.solver import tablebase_of
from rulebots.position import law_of
from rulebots.search.exact.solving import solve_by_search
from rulebots.search.exact.tablebase import ExploredTablebase, best_line, tablebase_finder

CIRCLES, TICTACTOE, KALAH = load_game("circles"), load_game("tictactoe"), load_game("kalah")


def test_any_small_game_is_explored_by_its_law() -> None:
    explored, state = ExploredTablebase(CIRCLES), start(CIRCLES, size=3)
    base = tablebase_of(state)
    assert explored.value(state) == base.value(state)
    met = [explored.state(number) for number in range(explored.positions)]
    assert {int(s.stones[0]) for s in met} == set(range(1, 64))
    assert [explored.value(s) for s in met] == [base.value(s) for s in met]
    assert explored.winning == sum(base.value(s) > 0 for s in met)


def test_exploring_counts_margins_and_turns_in_a_row() -> None:
    state = start(KALAH, pits=2, stones=2)
    base = tablebase_finder(KALAH)(state)
    assert base.value(state) == solve_by_search(KALAH, {"pits": 2, "stones": 2}).value
    line = best_line(KALAH, base, state)
    for move in line:
        law_of(KALAH).play(state, move)
    assert KALAH.over(state)


def test_exploring_stops_where_there_are_too_many_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.search.exact.tablebase.MOST_POSITIONS", 100)
    with pytest.raises(UsageError, match=r"this board of Tic-tac-toe has more than 100: choose a smaller one"):
        tablebase_finder(TICTACTOE)(start(TICTACTOE))
