"""What a check finds: each mistake once, in one line, also where the user's code raised it."""

from __future__ import annotations

import numpy as np
import pytest

from rulebots.checking.findings import Finding, Findings, all_of
from rulebots.errors import UsageError
from rulebots.game.checks import EndlessCall


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


def test_a_call_without_end_ends_the_check() -> None:
    with pytest.raises(EndlessCall), Findings().collecting():
        raise EndlessCall("goes on for ever")
