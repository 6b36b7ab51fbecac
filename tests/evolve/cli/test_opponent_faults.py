"""An opponent in Python that fails stops the run with one line; no generation before it is lost."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evolve.cli import main as cli
from rulebots.game import Moves
from rulebots.packages import load_game, package_of
from rulebots.players import Player

#: Decisions after which the opponent fails: in the second generation.
PATIENCE = 40
RUN = ("--game", "tictactoe", "--strategy", "ga", "--generations", "3", "--population", "4", "--opponents", "flaky")
FEW = {"runoff_deals": 1, "held_out_deals": 2, "verdict_deals": 4}


class Flaky(Player):
    """Loses its engine once."""

    asked = 0

    def identity(self) -> object:
        """What it is, and not how often it was asked."""
        return type(self).__name__

    def choose(self, seen: Any, moves: Moves) -> int:
        type(self).asked += 1
        if self.asked == PATIENCE:
            raise ConnectionError("the engine is gone")
        return int(moves[0])


@pytest.fixture
def evolve(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    game = load_game("tictactoe")
    monkeypatch.setattr(Flaky, "asked", 0)
    monkeypatch.setitem(package_of(game).players, "flaky", lambda: Flaky(game, "flaky"))
    monkeypatch.setattr("evolve.monitoring.WATCH_DEALS", 2)
    monkeypatch.setattr("evolve.monitoring.BASELINE_DEALS", 1)
    few = replace(package_of(game), breeding={**package_of(game).breeding, **FEW})
    monkeypatch.setattr("evolve.settings.package_of", lambda _: few)
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["evolve", *words])
        code = cli.main()
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


@pytest.mark.slow
def test_the_run_stops_with_one_line_and_goes_on_when_the_opponent_does(evolve: Any) -> None:
    code, _, err = evolve(
        "run", *RUN, "--deals", "1", "--opponent-deals", "1", "--run-dir", "r", "-q", "--out", "a.yaml"
    )
    assert (code, err.count("\n")) == (1, 1)
    assert err.startswith("evolve: player 'flaky', ply ")
    assert ": raised ConnectionError: the engine is gone (" in err
    assert "; stopped after generation 1 of 3, and nothing of that is lost: continue with: evolve resume r\n" in err
    code, out, err = evolve("resume", "r", "-q")
    assert (code, err) == (0, "")
    assert out.endswith("a.yaml\n")
