"""`rulebots new`: which game is begun with, and what is printed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rulebots.cli import main as cli
from rulebots.packages import scaffold


def new(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["rulebots", "new", *words])
    code = cli.main()
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.mark.parametrize(
    ("flags", "variant", "size"),
    [
        ((), None, None), (("--hidden",), scaffold.HIDDEN, None), (("--dice",), scaffold.DICE, None),
        (("--board", "7"), scaffold.BOARD, 7),
    ],
)  # fmt: skip
def test_a_flag_chooses_the_game_to_begin_with(flags, variant, size, monkeypatch, capsys) -> None:
    asked = []
    monkeypatch.setattr(scaffold, "new_game", lambda *given, **table: asked.append(given) or Path("tiny-war"))
    code, out, err = new(monkeypatch, capsys, "tiny-war", *flags)
    assert (code, err, asked) == (0, "", [("tiny-war", variant, size)])
    assert "evolve run --game tiny-war --generations 20" in out


@pytest.mark.parametrize(
    ("flags", "seats", "together"),
    [
        ((), 2, False), (("--seats", "2"), 2, False), (("--seats", "2-4", "--dice"), (2, 4), False),
        (("--seats", "3-3"), 3, False), (("--seats", "1", "--together"), 1, True), (("--together",), 2, True),
    ],
)  # fmt: skip
def test_flags_choose_who_play(flags, seats, together, monkeypatch, capsys) -> None:
    asked = []
    monkeypatch.setattr(scaffold, "new_game", lambda *given, **table: asked.append(table) or Path("tiny-war"))
    assert new(monkeypatch, capsys, "tiny-war", *flags)[0] == 0
    assert asked == [{"seats": seats, "together": together}]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--seats", "many"), "--seats: expected a number such as 3, or a range such as 2-4, not 'many'"),
        (("--seats", "2-"), "--seats: expected a number such as 3, or a range such as 2-4, not '2-'"),
        (("--seats", "1-2-3"), "--seats: expected a number such as 3, or a range such as 2-4, not '1-2-3'"),
        (("--seats", "11"), "seats: expected a number from 1 to 10, or a range of them such as 2-4, not 11"),
        (("--seats", "9" * 5000), "--seats: expected a number such as 3, or a range such as 2-4, not '99"),
        (("--seats", "1-4", "--hidden"), "seats: alone, nobody can win the game to begin with: say 2, or begin with"),
        (("--seats", "3", "--board", "5"), "seats: the game to begin with on a board is for two: leave out --board"),
        (("--together", "--hidden"), "together: the cooperative game to begin with is one of dice: say --dice"),
    ],
)
def test_who_cannot_play_is_told_in_a_line(flags, message, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = new(monkeypatch, capsys, "tiny-war", *flags)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"rulebots: {message}")
    assert not list(tmp_path.iterdir())


def test_two_games_to_begin_with_are_refused(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = new(monkeypatch, capsys, "tiny-war", "--dice", "--board", "3")
    assert (code, out) == (2, "")
    assert err == "rulebots: expected one of --hidden, --dice and --board N, not 2: begin with the nearest\n"
    assert not list(tmp_path.iterdir())
