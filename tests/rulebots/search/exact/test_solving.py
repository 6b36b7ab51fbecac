"""Exact values of whole games: those of an exhaustive search.

----

The file of solved games.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from naive_minimax import exhaustive
from played_positions import after, margin

from rulebots.errors import FileError, UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.kernel import compiling
from rulebots.packages import load_game
from rulebots.search.exact import solving
from rulebots.search.exact.solving import (
    Outlook,
    Solution,
    SolvedTable,
    SolvingProgress,
    solve,
    solve_by_search,
    solve_position,
)
from rulebots.search.minimax import search as minimax

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
    seen: list[SolvingProgress] = []
    solution = solve_position(Position(load_game("tictactoe")), seen.append)
    assert solution.value == 0
    assert [one.depth for one in seen] == sorted(one.depth or 0 for one in seen)
    assert seen[-1].nodes == solution.nodes
    assert any(one.expected is not None and one.expected >= one.nodes for one in seen)
    told: list[SolvingProgress] = []
    value = solve(kalah, {"pits": 2, "stones": 2}, told.append).value
    assert all(one.bounds is not None and one.bounds[0] <= value <= one.bounds[1] for one in told)


@pytest.mark.slow
def test_what_is_hopeless_is_refused_with_an_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "PATIENCE_SECONDS", 0.0)
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


KALAH = load_game("kalah")
ONE, TWO = {"pits": 1, "stones": 1, "empty_capture": 1}, {"pits": 2, "stones": 1, "empty_capture": 0}
SOLUTION = Solution(2, ("1", "0"), 5, 0.25)


def test_what_was_added_is_read_again_in_order_of_the_options(tmp_path: Path) -> None:
    path = tmp_path / "kalah.json"
    table = SolvedTable(path, KALAH)
    assert ONE not in table
    table.add(TWO, SOLUTION)
    table.add(ONE, Solution(0, (), 1, 0.0))
    again = SolvedTable(path, KALAH)
    assert (again[TWO], again[ONE]) == (SOLUTION, Solution(0, (), 1, 0.0))
    content = json.loads(path.read_text())
    assert [entry["options"] for entry in content["solved"]] == [ONE, TWO]
    assert content["solved"][1] == {"options": TWO, "value": 2, "line": ["1", "0"], "nodes": 5, "seconds": 0.25}
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "expected values of kalah solved before"),
        ('{"format": "rulebots-solved/1", "game": "chess", "solved": []}', "it is 'rulebots-solved/1' of 'chess'"),
        (
            '{"format": "rulebots-solved/1", "game": "kalah", "solved": [{"value": "2"}]}',
            "'value' is '2'; name another file",
        ),
        (
            '{"format": "rulebots-solved/1", "game": "kalah", "solved": [{"value": true}]}',
            "'value' is True; name another file",
        ),
        (
            '{"format": "rulebots-solved/1", "game": "kalah", "solved": [{"value": NaN}]}',
            "'value' is None; name another file",
        ),
        ('{"format": "rulebots-solved/1", "format": "rulebots-solved/1"}', "the key 'format' is there twice"),
    ],
)
def test_a_file_of_something_else_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(FileError, match=r"other\.json: ") as caught:
        SolvedTable(path, KALAH)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
