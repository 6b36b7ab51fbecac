"""`evolve evaluate`: its flags are the limits of the candidate, and its answer is one JSON object."""

from __future__ import annotations

import json
from typing import Any

import pytest
from evolve_command import evolve

from evolve.analysis import candidates
from evolve.analysis.candidates import CandidateLimits


def test_flags_are_limits_and_the_answer_is_json(capsys, monkeypatch) -> None:
    asked: list[Any] = []

    def judged(file: str, limits: CandidateLimits) -> dict[str, object]:
        asked.extend((file, limits))
        return {"score": -1.5, "error": None}

    monkeypatch.setattr(candidates, "evaluate", judged)
    words = (
        "--seconds",
        "9",
        "--memory",
        "900",
        "--games",
        "50",
        "--deals",
        "40",
        "--against",
        "shelly",
        "--jobs",
        "1",
    )
    code, out, err = evolve(capsys, monkeypatch, "evaluate", "mine.py:mine", *words)
    assert (code, err, json.loads(out)) == (0, "", {"score": -1.5, "error": None})
    limits = CandidateLimits(seconds=9.0, memory=900, games=50, deals=40, opponent="shelly", jobs=1)
    assert asked == ["mine.py:mine", limits]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("none.py:mine",), "expected a rule set in a file that is there"),
        (("none.py:mine", "--deals", "3"), "3"),
        (("none.py:mine", "--memory", "1"), "1"),
    ],
)
def test_a_mistake_ends_in_one_line(words: tuple[str, ...], says: str, capsys, monkeypatch) -> None:
    code, out, err = evolve(capsys, monkeypatch, "evaluate", *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert says in err
