"""A game in a folder of its own, as `rulebots new plain` writes it, with a mistake in it, and commands on it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from game_copies import stranger

from rulebots.cli.main import main

#: A file of the package, a text in it, and what stands there instead; where the text is "", what is added.
Edit = tuple[str, str, str]
GAME, RULES, PLAYERS, PACKAGE = "game.py", "rules.py", "players.py", "__init__.py"
CHECK = ("check", "./plain")
MATCH = ("match", "hand", "first", "--game", "./plain", "--deals", "5")


@dataclass(frozen=True)
class Told:
    """A mistake, the command that meets it, words of the one line that tells it, and a text of the line it names."""

    id: str
    edits: tuple[Edit, ...]
    command: tuple[str, ...]
    says: tuple[str, ...]
    line: str = ""
    files: dict[str, str] = field(default_factory=dict)
    code: tuple[int, ...] = (1, 2)


@pytest.fixture
def workplace(own_modules: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that `rulebots new plain` wrote, as the current one."""
    stranger("plain", "plain", own_modules)
    monkeypatch.chdir(own_modules / "plain")
    return own_modules / "plain"


@pytest.fixture
def own_modules(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A folder for packages, of which nothing stays in this process."""
    from rulebots.packages import named_code

    monkeypatch.setattr(named_code, "_brought", {})
    monkeypatch.setattr(sys, "path", [*sys.path])
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


def edit(workplace: Path, *edits: Edit) -> None:
    """Change the package; each edit has to change something."""
    for name, old, changed in edits:
        path = workplace / "plain" / name
        text = path.read_text()
        assert old in text, f"{name} has no {old!r}"
        path.write_text(text.replace(old, changed, 1) if old else text + changed)


def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """Exit code and all that a command prints."""
    monkeypatch.setattr(sys, "argv", ["rulebots", *words])
    code = main()
    captured = capsys.readouterr()
    return code, captured.out + captured.err


def assert_told(
    told: Told, workplace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command says it in one line, with the place."""
    edit(workplace, *told.edits)
    for name, text in told.files.items():
        (workplace / name).write_text(text)
    code, printed = run(monkeypatch, capsys, *told.command)
    assert "Traceback" not in printed
    lines = [line for line in printed.splitlines() if all(words in line for words in told.says)]
    assert len(lines) == 1, printed
    assert code in told.code, printed
    if told.line:
        paths = [*sorted((workplace / "plain").glob("*.py")), *(workplace / name for name in told.files)]
        places = [
            f"{path.relative_to(workplace)}:{number}"
            for path in paths
            for number, text in enumerate(path.read_text().splitlines(), 1)
            if told.line in text
        ]
        assert any(place in lines[0] for place in places), (places, printed)
