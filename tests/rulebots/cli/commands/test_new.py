"""`rulebots new`: which game is begun with, and what is printed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rulebots.cli import main as cli
from rulebots.registry import scaffold


def new(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["rulebots", "new", *words])
    code = cli.main()
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.mark.parametrize(
    ("flags", "variant", "size"),
    [
        ((), scaffold.PLAIN, None), (("--hidden",), scaffold.HIDDEN, None), (("--dice",), scaffold.DICE, None),
        (("--board", "7"), scaffold.BOARD, 7),
    ],
)  # fmt: skip
def test_a_flag_chooses_the_game_to_begin_with(flags, variant, size, monkeypatch, capsys) -> None:
    asked = []
    monkeypatch.setattr(scaffold, "new_game", lambda *given: asked.append(given) or Path("tiny-war"))
    code, out, err = new(monkeypatch, capsys, "tiny-war", *flags)
    assert (code, err, asked) == (0, "", [("tiny-war", variant, size)])
    assert "evolve run --game tiny-war --generations 20" in out


def test_two_games_to_begin_with_are_refused(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = new(monkeypatch, capsys, "tiny-war", "--dice", "--board", "3")
    assert (code, out) == (2, "")
    assert err == "rulebots: expected one of --hidden, --dice and --board N, not 2: begin with the nearest\n"
    assert not list(tmp_path.iterdir())
