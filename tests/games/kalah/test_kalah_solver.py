"""Kalah's solver: its packed law is the game's, and its values are the published ones."""

from __future__ import annotations

import pytest
from played_positions import after, margin

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.games.kalah import solver
from rulebots.packages import load_game
from rulebots.search.exact.solving import solve

kalah = load_game("kalah")


def test_a_size_that_does_not_fit_is_searched_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    def bound(*_: object) -> int:
        raise solver.Crowded

    options = {"pits": 2, "stones": 1}
    expected = solve(kalah, options)
    monkeypatch.setattr(solver.Solver, "bound", bound)
    found = solve(kalah, options)
    assert (found.value, found.nodes == expected.nodes) == (expected.value, False)


@pytest.mark.compiled
@pytest.mark.parametrize(("stones", "value"), [(1, 2), (2, 10)])
def test_published_values_of_six_pits(stones: int, value: int) -> None:
    """Irving, Donkers and Uiterwijk, Solving Kalah, ICGA Journal 23(3), 2000."""
    options = {"pits": 6, "stones": stones}
    solution = solve(kalah, options)
    assert solution.value == value
    end = after(Position(kalah, options), *solution.line)
    assert end.over
    assert margin(end, 0) == value


def test_a_hopeless_size_is_refused_with_an_estimate() -> None:
    with pytest.raises(UsageError, match=r"Kalah: this is hopeless: some \de\+\d+ positions at .* years\. Choose"):
        solve(kalah, {"pits": 4, "stones": 12}, anyway=False)


def test_a_board_without_pits_is_refused() -> None:
    with pytest.raises(UsageError):
        solve(kalah, {"pits": 0})
