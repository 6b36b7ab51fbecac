"""The commands that help pages end with: each is understood, and those that a moment is enough for are run."""

from __future__ import annotations

import io
import re
import shlex
import sys
from pathlib import Path

import pytest
import typer
from checkout import POPULATIONS

from evolve.cli import commands as of_evolve
from rulebots.cli import commands as of_rulebots
from rulebots.cli.app import load_commands, run_app
from rulebots.cli.console import free_stdout

APPS = {"rulebots": of_rulebots.app, "evolve": of_evolve.app}
for package in (of_rulebots, of_evolve):
    load_commands(package)
PROGRAMS = {name: typer.main.get_command(app) for name, app in APPS.items()}


def examples() -> list[str]:
    """Each example once, without what the shell makes of its output; first those that write what others read."""
    helps = [app.registered_callback.epilog for app in APPS.values()]  # type: ignore[union-attr]
    helps += [command.epilog or "" for app in APPS.values() for command in app.registered_commands]
    lines = [line.strip() for text in helps for line in text.splitlines()]
    found = [line.partition(" > ")[0] for line in lines if line.startswith(("rulebots ", "evolve "))]
    return sorted(dict.fromkeys(found), key=lambda line: not re.search("--(record|ladder) ", line))


@pytest.mark.parametrize("example", examples())
def test_an_example_is_understood(example: str) -> None:
    program, name, *words = shlex.split(example)
    try:
        PROGRAMS[program].commands[name].make_context(name, words)  # type: ignore[attr-defined]  # it is a group
    finally:
        free_stdout()


#: A server, a network, a window, a program, minutes; or files that only a long run writes.
ELSEWHERE = re.compile(
    r"rulebots (host|connect|web|engine|new|solve kalah|play --resume|check)\b"
    r"|evolve (run|resume|plot|watch|report|styles|exploit|ablate|evaluate|tune|gate)\b"
    r"|program:|mcts|--style|--deals 5000|--until|--delay|seed1|populations/"
)


@pytest.mark.slow
@pytest.mark.compiled
def test_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    text = (POPULATIONS / "lost_cities" / "champion.yaml").read_text()
    for file in ("champion.yaml", "strong.yaml", "first.yaml"):
        Path(file).write_text(text)
    ran = 0
    for example in examples():
        if not ELSEWHERE.search(example):
            monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
            program, *words = shlex.split(example)
            if "--record games.txt" in example and "match" in example:
                Path("games.txt").unlink(missing_ok=True)  # two pages show how to write it
            code = run_app(APPS[program], program, words)
            assert code == 0, f"{example}: {capsys.readouterr().err}"
            ran += 1
    assert ran > 30
