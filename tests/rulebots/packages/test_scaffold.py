"""`rulebots new`: every variant is clean, tested, played and bred as it is written, and no mistake passes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulebots.checking import check_game
from rulebots.errors import UsageError
from rulebots.files import OutputError
from rulebots.packages import load_game
from rulebots.packages.scaffold import (
    BOARD,
    DICE,
    FOLDERS,
    HIDDEN,
    LARGEST,
    SMALLEST,
    files_of,
    new_game,
)

#: A run that is over in seconds, interpreted too.
TINY = """format: rulebots-run/1
game: tiny-war
generations: 1
population: 4
deals: 1
opponent_deals: 2
runoff_deals: 2
held_out_deals: 10
verdict_deals: 20
"""
SIZES = {BOARD: 4, DICE: None, HIDDEN: None}
#: The variant, its seats, and whether they play together.
TABLES = [(v, seats, False) for v in (DICE, HIDDEN) for seats in (2, 3, (2, 4))]
TABLES += [
    (BOARD, 2, False),
    (DICE, 1, False),
    (DICE, (1, 4), False),
    *((DICE, seats, True) for seats in (1, 2, (1, 4))),
]


def run(package: Path, *words: str) -> str:
    """What a Python program prints in a package that is installed."""
    environment = {**os.environ, "PYTHONPATH": str(package)}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=package,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def install(package: Path) -> None:
    """What an editable install leaves behind: the metadata with the entry point."""
    about = tomllib.loads((package / "pyproject.toml").read_text())
    project, folder = about["project"], package / "it-0.1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 0.1.0\n")
    ((group, points),) = project["entry-points"].items()
    lines = [f"{name} = {value}" for name, value in points.items()]
    (folder / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines]))


def commands_of(page: Path) -> list[list[str]]:
    """The commands of the programs on a page, but the first run, with few deals."""
    lines = [line.split() for line in page.read_text().splitlines() if line.startswith(("rulebots ", "evolve "))]
    return [["5" if word == "500" else word for word in words] for words in lines if words[1] != "run"]


@pytest.mark.parametrize(("variant", "seats", "together"), TABLES)
def test_a_new_package_is_clean_and_names_itself(
    variant: str, seats: int | tuple[int, int], together: bool, tmp_path: Path
) -> None:
    package = new_game("tiny-war", variant, SIZES[variant], tmp_path, seats=seats, together=together)
    assert package == tmp_path / "tiny-war"
    texts = {path.relative_to(package).as_posix(): path.read_text() for path in package.rglob("*") if path.is_file()}
    assert texts.keys() == {
        *("README.md", "pyproject.toml", ".gitignore", "tests/test_tiny_war.py"),
        *(f"tiny_war/{name}.py" for name in ("__init__", "game", "rules", "players")),
    }
    for text in texts.values():
        assert not re.search(r"[Nn]ew[_-]?(game|board|cards|dice)|New (game|board|cards|dice)|NewGame", text)
    for tool in (["check"], ["format", "--check"]):
        run(package, "-m", "ruff", *tool, "--isolated", "--no-cache", ".")
    about = tomllib.loads(texts["pyproject.toml"])
    assert about["project"]["entry-points"] == {"rulebots.games": {"tiny-war": "tiny_war"}}
    assert about["tool"]["setuptools"]["packages"] == ["tiny_war"], "a folder `runs` beside it would stop an install"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"seats": 11}, "seats: expected a number from 1 to 10, or a range of them such as 2-4, not 11"),
        ({"seats": (2, 11)}, "seats: expected a number from 1 to 10, or a range of them such as 2-4, not 2-11"),
        ({"seats": (4, 2)}, "seats: expected a number from 1 to 10, or a range of them such as 2-4, not 4-2"),
        ({"seats": 0}, "seats: expected a number from 1 to 10, or a range of them such as 2-4, not 0"),
        ({"seats": (1, 3), "variant": HIDDEN}, "seats: alone, nobody can win the game to begin with: say 2, or begin"),
        ({"seats": 3, "variant": BOARD}, "seats: the game to begin with on a board is for two"),
        ({"together": True, "variant": HIDDEN}, "together: the cooperative game to begin with is one of dice"),
    ],
)
def test_seats_that_a_new_game_cannot_have_are_told(given: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        new_game("mine", where=tmp_path, **given)
    assert not list(tmp_path.iterdir())


#: Compiled, as is the one of hidden cards for two to four; the others have kernels in common with these.
COMPILED = {BOARD}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "seats", "together"),
    [
        *(pytest.param(v, 2, False, marks=[] if v in COMPILED else [pytest.mark.interpreted]) for v in FOLDERS),
        *(pytest.param(DICE, seats, False, marks=pytest.mark.interpreted) for seats in (1, (1, 4), (2, 4))),
        pytest.param(DICE, (1, 4), True, marks=pytest.mark.interpreted),
        (HIDDEN, (2, 4), False),
    ],
)
def test_a_new_package_plays_breeds_and_passes_its_tests(
    variant: str, seats: int | tuple[int, int], together: bool, tmp_path: Path
) -> None:
    package = new_game("tiny-war", variant, SIZES[variant], tmp_path, seats=seats, together=together)
    install(package)
    command = "import sys; from {0}.cli.main import main; sys.argv[0] = '{0}'; sys.exit(main())"
    rulebots, evolve = ("-c", command.format("rulebots")), ("-c", command.format("evolve"))
    assert "\ntiny-war " in run(package, *rulebots, "games")
    assert "tiny-war" not in run(package, *rulebots, "rules", "tiny-war").splitlines()[0]
    played = run(package, *rulebots, "match", "hand", "random", "--game", "tiny-war", "--deals", "20")
    assert played.startswith("hand against random at Tiny war: 20 deals, seed 1\n")
    (package / "run.yaml").write_text(TINY)
    bred = run(package, *evolve, "run", "--config", "run.yaml", "--out", "first.yaml")
    # Where no bred player did better than the first reference player, the next one measures it.
    opponent = "first" if "the file holds 'hand" in bred and variant == DICE else "hand"
    assert f"wrote first.yaml; measure it: rulebots match first.yaml {opponent}" in bred
    for words in commands_of(package / "README.md"):
        run(package, *{"rulebots": rulebots, "evolve": evolve}[words[0]], *words[1:])
    assert "passed" in run(package, "-m", "pytest", "-q", "-p", "no:cacheprovider")


def test_a_board_has_the_size_that_was_asked_for(tmp_path: Path) -> None:
    for size in (SMALLEST, LARGEST):
        assert f"\nSIZE = {size}  # rows" in files_of("mine", BOARD, size)["mine/game.py"]
    for size in (SMALLEST - 1, LARGEST + 1):
        with pytest.raises(UsageError, match=f"board: expected 3 to 26 rows and columns, not {size}"):
            new_game("mine", BOARD, size, tmp_path)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "expected a name of small letters, digits and single hyphens, such as connect-four, not ''"),
        ("Nim", "not 'Nim'"),
        ("a--b", "not 'a--b'"),
        ("../up", "not '../up'"),
        ("7up", "not '7up'"),
        ("x" * 41, "expected a name of small letters"),
        ("kalah", "there is a game 'kalah' already"),
        ("class", "'class' is a word of Python"),
        ("json", "Python has a module 'json' already"),
        ("rulebots", "Python has a module 'rulebots' already"),
        ("tests", "Python has a module 'tests' already"),
    ],
)
def test_a_name_that_cannot_be_is_refused_in_a_line(name: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        new_game(name, where=tmp_path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    with pytest.raises(OutputError, match=r"'.*mine' exists already, and no file is overwritten: choose another name"):
        new_game("mine", where=tmp_path)
    assert not list((tmp_path / "mine").iterdir())
    with pytest.raises(OutputError, match="cannot write"):
        new_game("mine", where=tmp_path / "nowhere")


def test_what_cannot_be_written_whole_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, text: str) -> None:
        if Path(path).name == "rules.py":
            raise OutputError("cannot write: the disk is full")
        Path(path).write_text(text)

    monkeypatch.setattr("rulebots.packages.scaffold.write_new", full)
    with pytest.raises(OutputError, match="the disk is full"):
        new_game("mine", where=tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.interpreted
@pytest.mark.parametrize("variant", sorted(FOLDERS))
def test_an_example_is_a_game_without_mistakes(variant: str, tmp_path: Path, forget: Callable[[], None]) -> None:
    game = load_game(str(new_game("tiny-war", variant, where=tmp_path)))
    assert [str(finding) for finding in check_game(game, games=10).mistakes] == []


@pytest.mark.parametrize(
    ("text", "near"), [("Game 2", "game-2"), ("2048", "connect-four"), ("a" * 39 + " b", "a" * 39)]
)
def test_the_name_that_is_proposed_is_one(text: str, near: str) -> None:
    with pytest.raises(UsageError, match=f"such as {near}, not"):
        new_game(text)
