"""What a game's module of players may say beside its players, and each mistake in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rulebots.errors import UsageError
from rulebots.packages import game_parts, load_game, parts_of
from rulebots.packages.scaffold import BOARD, new_game


@pytest.fixture
def searches_of(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """The searches of a game whose module of players has these parts."""

    def found(**parts: Any) -> Any:
        made = ModuleType("players")
        made.__file__ = "players.py"
        vars(made).update(parts)
        monkeypatch.setattr(game_parts, "module_of", lambda *_: made)
        return parts_of(replace(load_game("tictactoe"))).searches

    return found


def test_a_game_need_not_bring_searches(searches_of: Callable[..., Any]) -> None:
    assert searches_of() == {}


def test_searches_are_named_with_what_makes_them(searches_of: Callable[..., Any]) -> None:
    assert searches_of(SEARCHES={"deep": dict}) == {"deep": dict}


@pytest.mark.parametrize(
    ("searches", "message"),
    [
        ([], "expected SEARCHES = {name: function}, not \\[\\]"),
        ({"": dict}, "SEARCHES: expected the name of a search, letters and digits, not ''"),
        ({"a:b": dict}, "expected the name of a search, letters and digits, not 'a:b'"),
        ({"deep": 3}, "SEARCHES\\['deep'\\]: expected a class or function whose parameters are the settings, not 3"),
    ],
)
def test_a_mistake_in_searches_is_one_line(searches_of: Callable[..., Any], searches: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        searches_of(SEARCHES=searches)


@pytest.fixture
def own_folder(tmp_path: Path, forget: Callable[[], None]) -> Path:
    """The folder of a new game of a user's own."""
    return new_game("brd", BOARD, 4, tmp_path) / "brd"


@pytest.mark.parametrize(
    ("file", "text", "part", "message"),
    [
        (
            "diagram.py",
            "def drow(position, seat): ...",
            "draw",
            r"diagram.py: no name 'draw' .*; did you mean 'drow'\?",
        ),
        ("diagram.py", "draw = 3", "draw", "diagram.py: expected a function as `draw`, not 3"),
        ("diagram.py", "def draw(position): ...", "draw", r"diagram.py:1: `draw` takes \(position\): expected 2"),
        (
            "forced_wins.py",
            "FORCED_WINS = (1, 2)",
            "forced_wins",
            r"forced_wins.py: expected ForcedWins\(win, workspace\)",
        ),
        ("forced_wins.py", "import nosuch", "forced_wins", "forced_wins.py:1: cannot import: No module named 'nosuch'"),
        ("solver.py", "def x(:", "solver", "solver.py:1: syntax error"),
        ("rules.py", "BREEDING = [1]", "breeding", r"rules.py: expected BREEDING = \{setting: value\}, not \[1\]"),
    ],
)
def test_a_mistake_in_a_part_names_its_file(own_folder: Path, file: str, text: str, part: str, message: str) -> None:
    with (own_folder / file).open("a") as stream:
        stream.write(f"\n{text}\n" if file == "rules.py" else f"{text}\n")
    with pytest.raises(UsageError, match=message):
        getattr(parts_of(load_game(str(own_folder))), part)


def test_a_part_in_the_wrong_file_is_told(own_folder: Path) -> None:
    with (own_folder / "game.py").open("a") as stream:
        stream.write('\nMCTS = {"iterations": 5}\n')
    (line,) = parts_of(load_game(str(own_folder))).misplaced
    assert line.endswith("game.py: expected `MCTS` in players.py: nothing looks for it here")


def test_a_kernel_named_draw_in_a_games_only_file_is_not_its_picture(
    tmp_path: Path, forget: Callable[[], None], own_folder: Path
) -> None:
    law = (own_folder / "game.py").read_text()
    (tmp_path / "cards.py").write_text(f"{law}\n\n@kernel\ndef draw(state, luck):\n    return luck\n")
    assert parts_of(load_game(f"{tmp_path / 'cards.py'}:game")).draw is None
