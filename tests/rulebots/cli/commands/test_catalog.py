"""`rulebots games`, `players`, `rules` and `schema`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from checkout import CHECKOUT

from rulebots.cli import main as cli
from rulebots.packages import load_game
from rulebots.packages.rule_sets import rule_sets_of

PROGRAM = str(Path(sys.executable).with_name("rulebots"))


def rulebots(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False, timeout=60)


def test_what_there_is_to_play_is_listed_whole(capsys, monkeypatch):
    def listed(*arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", ["rulebots", *arguments])
        assert cli.main() == 0
        return capsys.readouterr().out

    game = load_game("lost-cities")
    assert "suits=5 (5 to 6: " in listed("games", "lost-cities")
    players = dict(re.split("  +", line) for line in listed("players", "lost-cities").splitlines())
    assert list(players)[1:3] == ["shelly", "sheppard"]
    assert players["shelly"] == "rules shelly, weights set by hand"
    assert players["champion"] == "rules standard, weights bred"
    assert players["dumb"].startswith("play the first card that can be played, else discard the first;")
    assert players["beginner"] == "its rules were written by hand (shelly), but 50 of 100 moves are made at random"
    assert players["rollout:seconds=1"] == "the search by rollouts"
    assert listed("--version") == "rulebots 0.1.0\n"
    rules = listed("rules", "lost-cities")
    assert all(rule.meaning in rules for rule_set in rule_sets_of(game).values() for rule in rule_set.rules)
    assert listed("rules", "lost-cities", "--rules", "sheppard").count("\n") == 2 + 7 + 1
    assert json.loads(listed("schema", "lost-cities"))["properties"]["game"] == {"const": "lost-cities"}


def test_a_game_without_rule_sets_says_so(capsys, monkeypatch, tmp_path):
    (tmp_path / "small.py").write_text((CHECKOUT / "tests" / "rulebots" / "live" / "small_games.py").read_text())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["rulebots", "rules", "small.py:Tower"])
    assert cli.main() == 0
    expected = "no rule sets; those of a file: rulebots rules small.py:Tower --rules FILE.py:NAME\n"
    assert capsys.readouterr().out == expected
