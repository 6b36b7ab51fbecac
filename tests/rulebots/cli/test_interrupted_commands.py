"""Ctrl-C in the middle of a match or a tournament: the table so far, marked, and exit code 130."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulebots.cli import main as cli
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.play import match as playing
from rulebots.play.match import PlayInterrupted, play_match, play_table
from rulebots.records import load_record, record
from rulebots.tournaments import cross_play, tournament

TICTACTOE = ("--game", "tictactoe", "--jobs", "1")
Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["rulebots", *words])
        code = cli.main()
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def pressed_after(calls: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C arrives in the call after that many of `play_games`."""
    real = playing.play_games
    left = calls

    def play_games(*arguments: Any, **settings: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        return real(*arguments, **settings)

    for module in (playing, tournament, cross_play):
        monkeypatch.setattr(module, "play_games", play_games)


@pytest.mark.parametrize("ends", [(), ("--until", "0.1%"), ("--sprt", "0", "5")])
def test_a_match_shows_the_table_so_far(command: Command, monkeypatch: pytest.MonkeyPatch, ends: tuple[str, ...]):
    game = load_game("tictactoe")
    expected = play_match(make_player("random", game), make_player("random", game), deals=8)
    pressed_after(2, monkeypatch)
    code, out, err = command("match", "random", "random", *TICTACTOE, *ends)
    games = "16 games" if ends else "16 of 2,000 games"
    assert (code, err.splitlines()[-1]) == (130, f"rulebots: interrupted after {games}")
    assert f"8 deals, seed 1, interrupted after {games}\n" in out
    assert re.search(rf"^wins +{expected.wins}$", out, re.MULTILINE)


def test_a_match_in_json_is_marked(command: Command, monkeypatch: pytest.MonkeyPatch):
    pressed_after(2, monkeypatch)
    code, out, _ = command("match", "random", "random", *TICTACTOE, "--json")
    assert (code, json.loads(out)["games"], json.loads(out)["interrupted"]) == (130, 16, True)


def test_ctrl_c_before_the_first_deal_is_over_says_so(command: Command, monkeypatch: pytest.MonkeyPatch):
    pressed_after(0, monkeypatch)
    code, out, err = command("match", "random", "random", *TICTACTOE)
    assert (code, out) == (130, "")
    assert err == "rulebots: interrupted before the first deal was over: there is nothing to show\n"


def test_a_recorded_match_keeps_its_games(command: Command, monkeypatch: pytest.MonkeyPatch):
    pressed_after(3, monkeypatch)
    code, out, err = command("match", "random", "random", *TICTACTOE, "--record", "r.txt", "--deals", "50")
    assert (code, err) == (130, "rulebots: interrupted after 24 of 100 games; the games so far are in r.txt\n")
    assert "12 deals, seed 1, interrupted after 24 of 100 games\n" in out
    assert len(load_record("r.txt").games) == 24


def test_many_games_to_record_are_announced_and_ctrl_c_then_keeps_the_table(
    command: Command, monkeypatch: pytest.MonkeyPatch
):
    words = ("match", "random", "random", *TICTACTOE, "--record", "r.txt", "--deals", "5")
    monkeypatch.setattr(record, "A_SECOND", 3)
    assert command(*words)[2] == "recording 10 games: about 3 s\n"
    Path("r.txt").unlink()

    def press(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(record, "record_of", press)
    code, out, err = command(*words)
    assert (code, err) == (130, "rulebots: interrupted after 10 of 10 games; r.txt was not written\n")
    assert "5 deals, seed 1, interrupted after 10 of 10 games\n" in out


def test_blocks_of_deals_do_not_change_the_games(monkeypatch: pytest.MonkeyPatch):
    game = load_game("standing:game")
    players = [make_player("random", game, 3) for _ in range(3)]
    whole = play_table(players, deals=30)
    monkeypatch.setattr(playing, "FIRST_BLOCK", 100)
    assert play_table(players, deals=30) == whole


def test_a_table_shows_the_table_so_far(command: Command, monkeypatch: pytest.MonkeyPatch):
    pressed_after(1, monkeypatch)
    code, out, err = command("match", *["random"] * 3, "--game", "standing:game", "--jobs", "1", "--deals", "20")
    assert (code, err) == (130, "rulebots: interrupted after 24 of 120 games\n")
    assert "24 games on 4 deals, seed 1; even is 33.3 % of the tables, interrupted after 24 of 120 games\n" in out


def test_a_tournament_shows_the_meetings_so_far_and_writes_no_file(command: Command, monkeypatch: pytest.MonkeyPatch):
    pressed_after(2, monkeypatch)
    files = ("--ladder", "l.yaml", "--csv", "l.csv")
    code, out, err = command("tournament", *["random"] * 3, *TICTACTOE, "--deals", "4", *files, "--nash")
    after = "interrupted after 2 of 3 meetings"
    assert (code, err.splitlines()[-1]) == (130, f"rulebots: {after}; not written: l.yaml, l.csv")
    assert f"4 deals a meeting, seed 1, {after}\n" in out
    assert not list(Path().iterdir())


def test_a_cooperative_tournament_does_so_too(command: Command, monkeypatch: pytest.MonkeyPatch):
    pressed_after(1, monkeypatch)
    code, out, err = command(
        "tournament", "random", "random", "--game", "hanabi", "--jobs", "1", "--deals", "1", "--json"
    )
    assert (code, err.splitlines()[-1]) == (130, "rulebots: interrupted after 1 of 3 meetings")
    assert (json.loads(out)["interrupted"], len(json.loads(out)["meetings"])) == (True, 1)


def test_who_calls_from_python_gets_the_result_with_the_interrupt(monkeypatch: pytest.MonkeyPatch):
    pressed_after(1, monkeypatch)
    game = load_game("tictactoe")
    players = [make_player("random", game) for _ in range(3)]
    with pytest.raises(KeyboardInterrupt) as caught:
        tournament.play_tournament(players, deals=4)
    assert isinstance(caught.value, PlayInterrupted)
    assert len(caught.value.result.meetings) == 1
