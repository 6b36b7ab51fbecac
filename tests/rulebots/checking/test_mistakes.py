"""Each mistake of a writer of games is told in one line, with its place: by `check` or earlier, and by `match`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from mistakes import MISTAKES, Mistake
from nim_package import run_rulebots, write_nim

from rulebots.cli.main import main
from rulebots.kernel import compiling

#: Mistakes that are met while the game is loaded, so that nothing runs.
WHILE_LOADING = {1, 2, 3, 5, 11, 12, 13, 14, 15, 16, 17, 18}
every_mistake = pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.number)


@pytest.fixture
def own_packages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A folder whose package `nim` is a game in this process, which forgets it afterwards."""
    from rulebots.packages import games as registry

    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(registry, "packages", lambda: {"nim": "nim"})
    yield tmp_path
    for name in [name for name in sys.modules if name.split(".")[0] == "nim"]:
        del sys.modules[name]


def place_of(mistake: Mistake, folder: Path) -> str:
    """Where the line of a mistake stands, as messages write it."""
    for name in ("__init__.py", "game.py", "rules.py", "players.py"):
        for number, text in enumerate((folder / "nim" / name).read_text().splitlines(), 1):
            if mistake.line in text:
                return f"nim/{name}:{number}:"
    raise AssertionError(f"there is no line with {mistake.line!r}")


def assert_told(mistake: Mistake, printed: str, folder: Path) -> None:
    assert "Traceback" not in printed
    lines = [line for line in printed.splitlines() if all(words in line for words in mistake.says)]
    assert len(lines) == 1, printed
    if mistake.line:
        assert place_of(mistake, folder) in lines[0] or place_of(mistake, folder)[:-1] in lines[0], printed
    else:
        assert re.search(r"nim/\w+\.py", lines[0]), printed


def test_every_number_is_there() -> None:
    assert {int(mistake.number.split()[0]) for mistake in MISTAKES} == set(range(1, 50))


@pytest.mark.slow
@every_mistake
def test_check_tells_it(
    mistake: Mistake, own_packages: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if mistake.compiled and not compiling():
        pytest.skip("only compiling shows it")
    if not mistake.compiled:
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    write_nim(own_packages, mistake.edits)
    monkeypatch.setattr(sys, "argv", ["rulebots", "check", "nim", "--games", "10"])
    code = main()
    captured = capsys.readouterr()
    assert code in ((0,) if mistake.note or mistake.interpreted else (1, 2))
    assert_told(mistake, captured.out + captured.err, own_packages)


@pytest.mark.slow
def test_nothing_is_wrong_with_the_game_of_the_tutorial(tmp_path: Path) -> None:
    write_nim(tmp_path)
    done = run_rulebots(tmp_path, "check", "nim", interpreted=not compiling())
    assert (done.returncode, done.stderr.splitlines()[1:]) == (0, []), done.stdout + done.stderr
    assert done.stdout == "nim: ok, 30 random games, 3 rules, 2 players\n"


def is_met_while_loading(mistake: Mistake) -> bool:
    return int(mistake.number.split()[0]) in WHILE_LOADING


@pytest.mark.parametrize(
    "mistake", [m for m in MISTAKES if is_met_while_loading(m)], ids=lambda mistake: mistake.number
)
def test_match_tells_what_it_meets_while_loading(
    mistake: Mistake, own_packages: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_nim(own_packages, mistake.edits)
    monkeypatch.setattr(sys, "argv", ["rulebots", "match", *mistake.players, "--game", "nim"])
    assert main() in (1, 2)
    captured = capsys.readouterr()
    assert_told(mistake, captured.out + captured.err, own_packages)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(
    "mistake", [m for m in MISTAKES if not is_met_while_loading(m)], ids=lambda mistake: mistake.number
)
def test_match_tells_it_or_plays(mistake: Mistake, tmp_path: Path) -> None:
    """In a process of its own, which could die."""
    write_nim(tmp_path, mistake.edits)
    done = run_rulebots(tmp_path, "match", *mistake.players, "--game", "nim", "--deals", "20")
    printed = done.stdout + done.stderr
    if mistake.match:
        assert done.returncode in (0, 1, 2), printed
        assert done.returncode or mistake.number in ("19", "20", "21"), printed
        assert_told(mistake, printed, tmp_path)
    else:
        assert done.returncode == 0, printed
        assert "Traceback" not in printed
