"""A game's package: what it holds, when its parts are imported, and each mistake in it."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rulebots.checking import check_game
from rulebots.errors import UsageError
from rulebots.packages import GamePackage, game_names, load_game, package_of
from rulebots.packages.rule_sets import load_rules, rule_sets_of
from rulebots.packages.scaffold import BOARD, new_game


@pytest.fixture
def own_folder(tmp_path: Path, forget: Callable[[], None]) -> Path:
    """The folder of a new game of a user's own."""
    return new_game("brd", BOARD, 4, tmp_path) / "brd"


def test_a_law_is_loaded_without_rules_players_and_drawings() -> None:
    code = (
        "import sys; from rulebots.packages import load_game, package_of; package_of(load_game('gomoku'))\n"
        "print(*sorted(name for name in sys.modules if name.startswith('rulebots.games.gomoku.')))\n"
        "assert 'numba' not in sys.modules"
    )
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert printed.split() == ["rulebots.games.gomoku.game"]


@pytest.mark.parametrize("name", game_names())
def test_every_part_of_a_game_that_ships_is_there(name: str) -> None:
    package = package_of(load_game(name))
    assert package.game is load_game(name)
    assert all(rules.game is package.game for rules in package.rule_sets)
    assert {*package.references, *package.baselines} <= {*package.players, "random"}
    assert package.draw is not None
    assert all(package.about)
    assert (package.folder / "levels.yaml").is_file()
    assert package.example.split()


def test_what_is_left_out_has_a_default() -> None:
    package = GamePackage(__name__, load_game("tictactoe"))
    assert (package.rule_sets, package.players, package.draw, package.readers) == ((), {}, None, ())
    assert package.about == (
        "A game's package: what it holds, when its parts are imported, and each mistake in it.",
        (),
    )


@pytest.mark.parametrize("name", game_names())
def test_a_rule_set_of_a_package_is_pickled_by_name(name: str) -> None:
    for rules in rule_sets_of(load_game(name)).values():
        assert pickle.loads(pickle.dumps(rules)) is rules  # noqa: S301 - dumped here


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('draw="diagram:drow",', r"diagram.py: no name 'drow' of this file; did you mean 'draw'\?"),
        ('draw="pictures:draw",', "No module named 'brd.pictures'"),
        ('look_on="diagram:draw",', r"diagram.py:\d+: `draw` takes \(position, seat\): expected 1 parameter"),
        ('references=("hnad", "random"),', "brd/__init__.py: no player 'hnad' of brd; did you mean 'hand'"),
    ],
)
def test_a_mistake_in_a_part_is_told_by_the_check(own_folder: Path, line: str, message: str) -> None:
    file = own_folder / "__init__.py"
    field = line.partition("=")[0]
    lines = [old for old in file.read_text().splitlines() if not old.strip().startswith(field)]
    file.write_text("\n".join([*lines[:-1], f"    {line}", ")\n"]))
    (own_folder / "diagram.py").write_text("def draw(position, seat):\n    return None\n")
    (mistake,) = check_game(load_game(str(own_folder)), games=1).mistakes
    assert re.search(message, str(mistake))


def test_a_folder_without_a_package_is_told_what_to_write(own_folder: Path) -> None:
    (own_folder / "__init__.py").write_text("")
    with pytest.raises(UsageError, match=r"brd/__init__.py: expected `package = GamePackage\(__name__, game=game"):
        load_game(str(own_folder))


def test_a_file_may_hold_a_law_alone(tmp_path: Path, forget: Callable[[], None], own_folder: Path) -> None:
    law = (own_folder / "game.py").read_text()
    (tmp_path / "cards.py").write_text(f"{law}\n\n@kernel\ndef draw(state, luck):\n    return luck\n")
    game = load_game(f"{tmp_path / 'cards.py'}:game")
    assert package_of(game).draw is None
    with pytest.raises(UsageError, match="has no rule sets"):
        load_rules(game=game)
