"""Candidate rule sets, judged in a process of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from evolve.analysis import candidates
from evolve.analysis.candidates import LOWEST, CandidateLimits, evaluate, held_out_seed
from rulebots.errors import UsageError
from rulebots.packages import load_game
from rulebots.packages.population import Entry, Population, population_text
from rulebots.packages.rule_sets import load_rules

GOOD = """
from rulebots import RuleSet, load_game, rule

game = load_game("tictactoe")


@rule("put", early=0.3)
def low_numbers(view, point):
    \"\"\"It is one of the first points.\"\"\"
    return point < 3


print("a candidate may print")
mine = RuleSet("few", game, (low_numbers,))
"""


def judged(tmp_path: Path, text: str, **limits) -> dict:
    path = tmp_path / "candidate.py"
    path.write_text(text)
    return evaluate(f"{path}:mine", CandidateLimits(**limits))


@pytest.mark.slow
def test_an_endless_candidate_is_ended(tmp_path: Path) -> None:
    found = judged(tmp_path, "while True:\n    pass\n", seconds=2.0)
    assert found["score"] == LOWEST
    assert found["error"] == "took longer than 2 s; the last stage was 'started'"


@pytest.mark.slow
def test_a_candidate_is_bred_and_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "cache_folder", lambda: tmp_path)
    rules = load_rules(game=load_game("tictactoe"))
    bred = {"options": {"size": 4}}
    other = tmp_path / "other.yaml"
    other.write_text(population_text(Population(rules.game, rules, {"hand": Entry(rules.hand_tuned())}, bred)))
    found = judged(tmp_path, GOOD, games=1, deals=40, opponent=str(other), jobs=1)
    assert found["options"] == {"size": 4}
    assert (found["error"], found["stage"], found["rule_set"]) == (None, "complete", "few")
    assert found["score"] == max(LOWEST, found["elo_95"][0])
    assert found["games"] == 80
    assert set(found["behaviour"]) == {"longest line", "corners", "length", "points", "margin"}
    assert [line["rule"] for line in found["ablation"]] == ["put.low_numbers"]
    assert str(held_out_seed()) not in str(found)
    out = judged(tmp_path, GOOD, games=1, deals=40, opponent="careful", jobs=1, screen=1.0)
    assert (out["stage"], out["score"]) == ("screened out", LOWEST)
    assert "ablation" not in out


def test_the_held_out_deals_are_the_same_for_all_candidates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "cache_folder", lambda: tmp_path)
    assert held_out_seed() == held_out_seed()


def test_a_file_that_is_not_there_is_the_callers_mistake() -> None:
    with pytest.raises(UsageError, match="expected a rule set in a file that is there"):
        evaluate("none.py:mine")
    with pytest.raises(UsageError, match="deals: expected a whole number from 40"):
        CandidateLimits(deals=1)
