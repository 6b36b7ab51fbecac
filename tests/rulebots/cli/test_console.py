"""What is printed is printable. A long match tells how it stands: in a terminal only, and it changes no result."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from rulebots.cli.app import App, run_app
from rulebots.cli.console import live_line, say, say_board, show, terminal, warn
from rulebots.cli.tables import table_of
from rulebots.errors import FileError, UsageError

#: It clears the screen, turns the line around, and renames the window.
HOSTILE = "a\x1b[2Jb\u202egnp.\x9d0;mine\x07 \udcff"
COMMAND = [str(Path(sys.executable).with_name("rulebots")), "match", "random", "standard", "--game", "tictactoe"]
INTERPRETED = {**os.environ, "NUMBA_DISABLE_JIT": "1", "TERM": "xterm", "COLUMNS": "200"}


def in_a_terminal(*words: str, command: Sequence[str] = COMMAND) -> str:
    """What a command writes whose output is a terminal."""
    ours, theirs = os.openpty()
    running = subprocess.Popen([*command, *words], stdin=theirs, stdout=theirs, stderr=theirs, env=INTERPRETED)
    os.close(theirs)
    written = b""
    try:
        while block := os.read(ours, 4096):
            written += block
    except OSError:  # how Linux says that the other end is closed
        pass
    os.close(ours)
    assert running.wait(timeout=60) == 0
    return written.decode()


@pytest.mark.slow
def test_a_match_of_so_many_deals_tells_how_it_stands() -> None:
    shown = in_a_terminal("--deals", "40")
    assert re.search(r"[0-9] games: win rate", shown)
    plain = subprocess.run([*COMMAND, "--deals", "40"], env=INTERPRETED, capture_output=True, text=True, check=True)
    assert "games: win rate" not in plain.stdout
    table = shown.split("40 deals, seed 1")[1]
    for text in (plain.stdout, table):
        assert re.search(r"games +80\b", text)
    rate = re.compile(r"win rate +([0-9.]+ %)")
    assert rate.findall(table)[0] == rate.findall(plain.stdout)[0]


def test_a_status_that_stands_long_says_for_how_long() -> None:
    script = """
import time
from rulebots.cli import console
console.PATIENCE = 0.5
with console.live_line() as line:
    line(0, "at work")
    time.sleep(1.8)
    line(0, "done")
"""
    shown = in_a_terminal(command=[sys.executable, "-c", script])
    assert "at work … 1 s" in shown
    assert "done …" not in shown


@pytest.mark.slow
def test_json_is_json_alone() -> None:
    assert in_a_terminal("--deals", "40", "--json").startswith("{")


def test_what_others_wrote_is_printed_as_it_is_read_and_does_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    table = table_of([{HOSTILE: HOSTILE, "number": "1"}], HOSTILE)
    say(HOSTILE)
    warn(HOSTILE)
    show(table, HOSTILE)
    terminal().print(table)
    with live_line() as line:
        line(100, HOSTILE)
    out, err = capsys.readouterr()
    assert out.count(r"a\x1b[2Jb\u202egn") == 6  # a terminal may be too narrow for the rest
    shown = r"a\x1b[2Jb\u202egnp.\x9d0;mine\x07 \udcff" + "\n"
    assert err == f"warning: {shown}{shown}"
    assert all(char.isprintable() or char == "\n" for char in out)
    board = "two lines\n\tof a board \N{IDEOGRAPHIC SPACE}\N{BLACK CHESS KING}"
    say(board)
    assert capsys.readouterr().out == f"{board}\n"


@pytest.mark.parametrize("kind", [UsageError, FileError, OSError])
def test_a_message_is_one_printable_line_of_some_length(
    kind: type[Exception], capsys: pytest.CaptureFixture[str]
) -> None:
    app = App("Try.")

    @app.command()
    def fail() -> None:
        raise kind(f"{HOSTILE}\n{'x' * 50_000}; did you mean 'y'?")

    assert run_app(app, "program", ["fail"]) > 0
    err = capsys.readouterr().err
    assert err.startswith(r"program: a\x1b[2Jb\u202e")
    assert err.endswith("xxx; did you mean 'y'?\n")
    assert len(err) == 2001
    assert err[:-1].isprintable()


def test_a_name_on_the_command_line_is_printed_likewise(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(App("Try."), "program", [HOSTILE]) == 2
    assert capsys.readouterr().err[:-1].isprintable()


def test_the_checkpoint_of_another_version_says_by_whom_and_does_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from evolve.cli import commands
    from evolve.storage import checkpoint
    from rulebots.cli.app import load_commands

    load_commands(commands)
    body = json.dumps({"format": "later", "by": HOSTILE, "run": "1", "content": {}})[:-1].encode()
    (tmp_path / checkpoint.NAME).write_bytes(body + checkpoint._end(body))
    assert run_app(commands.app, "evolve", ["resume", str(tmp_path)]) == 1
    err = capsys.readouterr().err
    assert r"resume it with a\x1b[2Jb\u202e" in err
    assert err[:-1].isprintable()


def test_hearts_and_diamonds_are_red_in_a_terminal_with_colours(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = "hand: ♣ A J  ♦ J 9  ♠ K 10 5  ♥ 10  trick: Q♥ Q♠\n"
    say_board(hand.rstrip())
    assert capsys.readouterr().out == hand
    monkeypatch.setattr("rulebots.cli.console.in_terminal", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    say_board(hand.rstrip())
    coloured = capsys.readouterr().out
    assert re.findall("\x1b\\[31m(.*?)\x1b\\[39m", coloured) == ["♦ J 9", "♥ 10", "Q♥"]
    monkeypatch.setenv("NO_COLOR", "1")
    say_board(hand.rstrip())
    assert capsys.readouterr().out == hand
