"""What a check finds: each mistake once, in one line, also where the user's code raised it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rulebots.checking import check_game
from rulebots.checking.findings import Finding, Findings, all_of, check
from rulebots.errors import UsageError
from rulebots.game.checks import EndlessCall
from rulebots.packages import load_game


def test_a_mistake_that_is_met_in_many_positions_is_one_finding() -> None:
    found = Findings()
    found.add("rules.py:3: gives 5 at ply 7", "rules.py:3: gives 2.5 at ply 19", "rules.py:9: gives 5 at ply 7")
    assert [str(finding) for finding in found] == ["rules.py:3: gives 5 at ply 7", "rules.py:9: gives 5 at ply 7"]


def test_notes_are_not_mistakes_and_findings_of_several_checks_are_told_once() -> None:
    one, other = Findings(), Findings()
    one.add(Finding("a.py:1: note: probably not meant", note=True), "a.py:2: wrong")
    other.add("a.py:2: wrong")
    found = all_of(one, other)
    assert len(found) == 2
    assert found.mistakes == [Finding("a.py:2: wrong")]


def divides(number: int) -> float:
    return 1 / number


def test_what_a_block_raises_is_a_finding() -> None:
    found = Findings()
    with found.collecting():
        raise UsageError("a.py:4: expected a number")
    with found.collecting():
        divides(0)
    with found.collecting():
        np.float64(1.0) / np.float64(0.0)
    assert len(found) == 3
    assert str(found[0]) == "a.py:4: expected a number"
    assert "test_findings.py:" in str(found[1])
    assert all("\n" not in str(finding) for finding in found)


def test_a_call_without_end_is_the_last_finding_of_a_check() -> None:
    found = Findings()
    with pytest.raises(EndlessCall), found.collecting():
        raise EndlessCall("goes on for ever")
    assert [str(one) for one in found] == ["goes on for ever"]

    @check
    def waits(findings: Findings) -> None:
        findings.add("a note", Finding("another", note=True))
        raise EndlessCall("goes on for ever")

    both = all_of(waits(), Findings())
    assert [str(one) for one in both] == ["a note", "another", "goes on for ever"]
    assert both.ended


def test_nothing_is_checked_after_a_call_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[str]()

    def endless(state: object, seat: int | None) -> str:
        asked.append("shown")
        raise EndlessCall("`show` does not end")

    game = load_game("tictactoe")
    monkeypatch.setattr("rulebots.checking.check_secrecy", lambda game: asked.append("told"))
    found = check_game(replace(game, name="ours", text=replace(game.text, show=endless)), 3)
    assert [str(one) for one in found.mistakes] == ["`show` does not end"]
    assert asked == ["shown"]
