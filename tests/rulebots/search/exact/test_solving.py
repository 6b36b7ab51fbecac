"""Exact values of whole games: those of an exhaustive search."""

from __future__ import annotations

import numpy as np
import pytest
from naive_minimax import exhaustive, start

from rulebots.errors import UsageError
from rulebots.game import Game, load_game
from rulebots.kernel import compiling
from rulebots.position import law_of
from rulebots.search.exact.solving import solve, solve_by_search

kalah = load_game("kalah")
SMALL = [(1, 1), (1, 3), (2, 1), (2, 2), (3, 1)]


@pytest.mark.parametrize("rule", [0, 1])
@pytest.mark.parametrize(("pits", "stones"), SMALL)
def test_the_value_is_that_of_an_exhaustive_search(pits: int, stones: int, rule: int) -> None:
    options = {"pits": pits, "stones": stones, "empty_capture": rule}
    value = exhaustive(kalah, start(kalah, **options), {})
    assert solve_by_search(kalah, options).value == value
    assert solve(kalah, options).value == value


@pytest.mark.parametrize("solver", [solve, solve_by_search])
def test_the_line_is_legal_and_leads_to_the_value(solver: object) -> None:
    options = {"pits": 3, "stones": 2 if compiling() else 1}
    solution, state, law = solver(kalah, options), start(kalah, **options), law_of(kalah)  # type: ignore[operator]
    moves = np.zeros(kalah.move_count, np.int64)
    for text in solution.line:
        move = kalah.read(text, state)
        assert move in moves[: law.moves(state, moves)]
        law.play(state, move)
    assert law.over(state)
    assert kalah.points(state, 0) - kalah.points(state, 1) == solution.value


def test_a_game_of_chance_has_no_value(lost_cities: Game) -> None:
    with pytest.raises(UsageError, match="Lost Cities depends on chance or hides something: it has no exact value"):
        solve(lost_cities)
