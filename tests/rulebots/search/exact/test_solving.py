"""Exact values of whole games: those of an exhaustive search."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from naive_minimax import exhaustive
from played_positions import after, margin

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.kernel import compiling
from rulebots.registry import load_game
from rulebots.search.exact import progress
from rulebots.search.exact.progress import Outlook, Progress
from rulebots.search.exact.solving import Solution, solve, solve_by_search, solve_position
from rulebots.search.minimax import limits as minimax

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


@pytest.mark.slow
def test_solving_tells_how_far_it_has_come() -> None:
    seen: list[Progress] = []
    solution = solve_position(Position(load_game("tictactoe")), seen.append)
    assert solution.value == 0
    assert [one.depth for one in seen] == sorted(one.depth or 0 for one in seen)
    assert seen[-1].nodes == solution.nodes
    assert any(one.expected is not None and one.expected >= one.nodes for one in seen)
    told: list[Progress] = []
    value = solve(kalah, {"pits": 2, "stones": 2}, told.append).value
    assert all(one.bounds is not None and one.bounds[0] <= value <= one.bounds[1] for one in told)


@pytest.mark.slow
def test_what_is_hopeless_is_refused_with_an_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr(minimax, "LONG_SLICE", 1 << 12)
    gomoku = Position(load_game("gomoku"), {"size": 9})
    with pytest.raises(UsageError, match=r"Gomoku: this is hopeless: some \de\+\d+ positions at .* years\. Choose"):
        solve_position(gomoku, anyway=False)


def test_an_outlook_grows_by_the_factor_of_a_ply() -> None:
    outlook = Outlook(Position(load_game("circles"), {"size": 6}))
    outlook._length = 10.0
    assert [outlook.after(depth, 10**depth) for depth in (1, 2, 3)] == [None] * 3
    assert outlook.after(4, 10**4) == pytest.approx(10**10)
    assert outlook.after(10, 10**10) is None
