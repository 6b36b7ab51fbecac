"""What a search by rollouts found out, as `hint` and `rulebots why` show it."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from game_copies import stranger

from rulebots.cli import main as cli


@pytest.fixture
def tricks(tmp_path: Path, forget: object) -> str:
    """The folder of the game that `rulebots new --hidden` writes."""
    return str(stranger("tricks", "tricks", tmp_path) / "tricks")


def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["rulebots", *words])
    code = cli.main()
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.mark.slow
def test_why_shows_the_candidates(tricks: str, monkeypatch, capsys) -> None:
    player = "rollout:simulations=90"
    code, out, err = run(monkeypatch, capsys, "why", player, "--game", tricks, "--seed", "3", "--ply", "1")
    assert (code, err) == (0, "")
    assert f"{player} would play " in out
    assert "better by" in out
    assert "the guide's" in out
    assert "seat 1 holds" not in out
    code, out, err = run(monkeypatch, capsys, "why", player, "--game", tricks, "--seed", "3", "--ply", "1", "--json")
    assert (code, err) == (0, "")
    assert {"move", "guide", "moves", "position"} <= json.loads(out).keys()


@pytest.mark.slow
def test_a_hint_and_an_opponent(tricks: str, tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    player = "rollout:simulations=60"
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"hint {player}\nquit\n"))
    code, out, err = run(monkeypatch, capsys, "play", tricks, "--seed", "2", "--last", "--against", player)
    assert (code, err) == (0, "")
    assert "the search by rollouts plays " in out
    assert " rollouts, wins " in out
    assert f"{player} would play " in out
    assert "You left the game" in out


def test_a_game_with_nothing_hidden_is_refused_in_one_line(monkeypatch, capsys) -> None:
    code, _, err = run(monkeypatch, capsys, "match", "rollout:seconds=1", "random", "--game", "kalah")
    assert code == 2
    assert err == "rulebots: rollout: Kalah hides nothing and throws no dice: choose mcts or minimax\n"
