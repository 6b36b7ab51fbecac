"""Exact values of whole games: those of an exhaustive search."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from naive_minimax import exhaustive
from played_positions import after, margin

from rulebots.errors import UsageError
from rulebots.game import Game, load_game
from rulebots.kernel import compiling
from rulebots.position import Position
from rulebots.search.exact.solving import Solution, solve, solve_by_search

kalah = load_game("kalah")
SMALL = [(1, 1), (1, 3), (2, 1), (2, 2), (3, 1)]


@pytest.mark.parametrize("rule", [0, 1])
@pytest.mark.parametrize(("pits", "stones"), SMALL)
def test_the_value_is_that_of_an_exhaustive_search(pits: int, stones: int, rule: int) -> None:
    options = {"pits": pits, "stones": stones, "empty_capture": rule}
    value = exhaustive(Position(kalah, options), {})
    assert solve_by_search(kalah, options).value == value
    assert solve(kalah, options).value == value


@pytest.mark.parametrize("solver", [solve, solve_by_search])
def test_the_line_is_legal_and_leads_to_the_value(solver: Callable[..., Solution]) -> None:
    options = {"pits": 3, "stones": 2 if compiling() else 1}
    solution = solver(kalah, options)
    end = after(Position(kalah, options), *solution.line)
    assert end.over
    assert margin(end, 0) == solution.value


def test_a_game_of_chance_has_no_value(lost_cities: Game) -> None:
    with pytest.raises(UsageError, match="Lost Cities is dealt by chance or hides something: it has no exact value"):
        solve(lost_cities)
