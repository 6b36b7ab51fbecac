"""A long match tells how it stands: in a terminal only, and it changes no result."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [str(Path(sys.executable).with_name("rulebots")), "match", "random", "standard", "--game", "tictactoe"]
INTERPRETED = {**os.environ, "NUMBA_DISABLE_JIT": "1", "TERM": "xterm", "COLUMNS": "200"}


def in_a_terminal(*words: str) -> str:
    """What a command writes whose output is a terminal."""
    ours, theirs = pty.openpty()
    running = subprocess.Popen([*COMMAND, *words], stdin=theirs, stdout=theirs, stderr=theirs, env=INTERPRETED)
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


@pytest.mark.slow
def test_json_is_json_alone() -> None:
    assert in_a_terminal("--deals", "40", "--json").startswith("{")
