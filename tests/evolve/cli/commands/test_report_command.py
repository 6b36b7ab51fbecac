"""`evolve report`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from evolve_command import evolve

from evolve.analysis import report

SMALL = ("report", "tictactoe", "--players", "random,careful,standard", "--deals", "40", "--generations", "1")
SMALL = (*SMALL, "--without", "b2", "--jobs", "1")


@pytest.mark.slow
def test_a_report_that_was_interrupted_goes_on(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as patch:

        def interrupted(*_: object) -> None:
            raise KeyboardInterrupt

        patch.setattr(report, "_rules", interrupted)
        code, _, err = evolve(capsys, monkeypatch, *SMALL)
    assert code == 130
    assert "interrupted: tictactoe-report.html has what was measured, and the same command goes on from there" in err
    kept = json.loads(Path("tictactoe-report.json").read_text())
    assert list(kept["parts"]) == ["ladder 0", "course 0"]
    assert "At a glance" in Path("tictactoe-report.html").read_text()
    code, out, err = evolve(capsys, monkeypatch, *SMALL)
    assert (code, err) == (0, "measuring what each rule is worth\nmeasuring play without b2\n")
    assert out.startswith(("Skill counts: ", "It is open whether skill counts: "))
    assert "wrote tictactoe-report.html and tictactoe-report.json" in out
    assert "first seat scores" in out
    whole = json.loads(Path("tictactoe-report.json").read_text())
    assert list(whole["parts"]) == ["ladder 0", "course 0", "rules", "without b2"]
    assert whole["parts"]["ladder 0"] == kept["parts"]["ladder 0"]
    code, _, err = evolve(capsys, monkeypatch, *SMALL, "--seed", "2")
    assert code == 1
    assert "tictactoe-report.json is a report of another plan (seed differ); name another --out" in err


WRONG = {
    ("report", "tictactoe", "--option", "size"): (2, "expected NAME=VALUE or NAME=VALUE,VALUE with whole numbers"),
    ("report", "tictactoe", "--option", "size=3", "--option", "size=4"): (2, "each name once, not 'size=4'"),
    ("report", "tictactoe", "--option", "size=99"): (2, "size"),
    ("report", "tictactoe", "--deals", "4"): (2, "expected a whole number from 40 to 100,000, not '4'"),
    ("report", "tictactoe", "--out", "report.pdf"): (2, "expected the name of a page, FILE.html, not 'report.pdf'"),
    ("report", "tictactoe", "--players", "randon,standard"): (2, "did you mean 'random'?"),
    ("report", "tictactoe", "--without", "centre"): (2, "no kind of move 'centre' of tictactoe"),
    ("report", "kalah", "--without", "9"): (2, "expected one of your pits, 0 (the leftmost) to 5, not '9'"),
    ("report", "tictactoo"): (2, "did you mean 'tictactoe'?"),
    ("report", "tictactoe", "--out", "taken.html"): (1, "taken.json: expected the figures of a report"),
}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # old Matplotlib beside a new pyparsing
@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_a_mistake_ends_in_one_line(words, tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("taken.json").write_text("[]")
    code, message = WRONG[words]
    found, out, err = evolve(capsys, monkeypatch, *words)
    assert (found, out) == (code, "")
    assert message in err
    assert err.count("\n") == 1


def test_an_unknown_game_is_named(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = evolve(capsys, monkeypatch, "report", "tictactoo")
    assert (code, "did you mean 'tictactoe'?" in err) == (2, True)
