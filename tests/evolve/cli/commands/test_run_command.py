"""`evolve run --time`: what a run may take."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from evolve_command import evolve

from evolve.cli import session
from evolve.storage import log as run_log

COIN = """
import random
from rulebots import RuleSet, rule
from rulebots.live import LiveGame


class Coin(LiveGame):
    def new(self, seed):
        return [random.Random(seed).random()]

    def mover(self, g):
        return len(g) - 1

    def moves(self, g):
        return [0, 1]

    def play(self, g, move):
        g.append(move)

    def over(self, g):
        return len(g) == 3

    def points(self, g, seat):
        return sum(g[1 + seat : 2 + seat])


@rule("move", early=1.0)
def high(g, move):
    "The higher one."
    return move


mine = RuleSet("mine", Coin, (high,))
"""


def test_with_a_time_there_are_as_many_generations_as_turn_out_to_fit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "coin.py").write_text(COIN)
    monkeypatch.chdir(tmp_path)
    asked: list[tuple[int, float]] = []

    def fitting(done: int, taken: float, seconds: float) -> int:
        asked.append((done, seconds))
        return 2

    small = {
        "population": 4,
        "deals": 1,
        "opponent_deals": 1,
        "runoff_deals": 2,
        "held_out_deals": 4,
        "verdict_deals": 4,
    }
    monkeypatch.setattr(session, "games_a_second", lambda run: 1.0)
    monkeypatch.setattr(session, "fitted", lambda run, *_: replace(run.settings, **small))
    monkeypatch.setattr(session, "still_fitting", fitting)
    code, out, err = evolve(capsys, monkeypatch, "run", "--rules", "coin.py:mine", "--time", "1h", "--jobs", "1")
    assert code == 0, err
    assert re.search(r"^generation 1: .*; at most 60 min left of 60 min, run-off included$", out, re.MULTILINE), out
    assert asked == [(1, 3600.0), (2, 3600.0)]
    assert "generations=2," in next(tmp_path.glob("*.yaml")).read_text().splitlines()[0]
    folder = next((tmp_path / "runs").iterdir())
    assert run_log.generations(run_log.read(folder))[-1]["generations"] == 2
    assert json.loads((folder / "settings.json").read_text())["generations"] == 2


def test_a_run_that_fails_before_its_first_generation_leaves_no_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "coin.py").write_text(COIN.replace("return move\n", "return 1 / 0\n"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own").mkdir()
    for place in ([], ["--run-dir", "own"]):
        code, _, err = evolve(capsys, monkeypatch, "run", "--rules", "coin.py:mine", "--population", "4", *place)
        assert (code, "`high` divides by zero" in err) == (1, True)
    assert [*(tmp_path / "runs").iterdir()] == []
    assert (tmp_path / "own").is_dir(), "somebody else made it"
