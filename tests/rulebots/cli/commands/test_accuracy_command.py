"""`rulebots accuracy`."""

from __future__ import annotations

import json

import pytest

from rulebots.cli import commands
from rulebots.cli.app import load_commands, run_app

load_commands(commands)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run_app(commands.app, "rulebots", arguments)
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_the_command_says_how_many_positions_there_were(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["accuracy", "perfect", "--game", "circles", "--option", "size=3"]
    code, out, _ = run(capsys, *flags)
    assert code == 0
    assert out.splitlines() == [
        "perfect at Circles: keeps the win in 50 of 50 won positions",
        "accuracy   100.00 %, exactly: those are all",
        "positions  63, of which 50 are won for the mover",
    ]
    code, out, _ = run(capsys, *flags, "--positions", "20", "--json")
    assert code == 0
    assert json.loads(out).keys() == {"kept", "asked", "share", "share_95", "winning", "positions"}
    code, out, _ = run(capsys, *flags, "--positions", "20")
    assert out.splitlines()[1].startswith("accuracy   100.00 % (")
    code, _, err = run(capsys, *flags[:-1], "size=8")
    assert (code, err.count("\n")) == (2, 1)
