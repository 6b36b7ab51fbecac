"""The process of a candidate: what goes wrong in it is its answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from evolve.analysis.candidates import LOWEST, NETWORK_EVENTS, CandidateLimits, _refuse, evaluate
from rulebots.errors import UsageError

WRONG = {
    "divides by zero": "1 / 0\n",
    "a candidate has no network": "import socket\nsocket.create_connection(('127.0.0.1', 9), timeout=1)\n",
    "raised MemoryError": "room = bytearray(3_000_000_000)\n",
    "its process ended (exit code 7)": "import os\nos._exit(7)\n",
    "no rule set 'mine'": "other = 1\n",
}
#: Lines that the candidate's code writes in place of an answer.
NO_ANSWERS = [
    "[]",
    "7",
    "{",
    "{}",
    '{"stage": []}',
    '{"stage": "complete", "elo_95": 5}',
    '{"stage": "complete", "elo_95": [NaN, 1]}',
]


@pytest.mark.slow
@pytest.mark.parametrize("message", WRONG)
def test_what_goes_wrong_is_told_and_scores_lowest(message: str, tmp_path: Path) -> None:
    path = tmp_path / "candidate.py"
    path.write_text(WRONG[message])
    found = evaluate(f"{path}:mine", CandidateLimits(memory=1500))
    assert found["score"] == LOWEST
    assert message in found["error"]
    assert found["stage"] == "started"


@pytest.mark.slow
def test_a_candidate_for_a_table_of_one_has_to_make_more_than_the_opponent(tmp_path: Path) -> None:
    path = tmp_path / "candidate.py"
    path.write_text("from rulebots.games.cant_stop.rules import standard as mine\n")
    limits = CandidateLimits(games=10, deals=40, opponent="random", game="cant-stop", options={"seats": 1})
    found = evaluate(f"{path}:mine", limits)
    assert (found["error"], found["stage"]) == (None, "complete")
    assert found["win_rate_95"][0] > 0.5


@pytest.mark.parametrize("line", NO_ANSWERS)
def test_what_is_not_an_answer_scores_lowest(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "candidate.py"
    path.write_text("")
    monkeypatch.setattr("evolve.analysis.candidates._COMMAND", ["echo", line])
    found = evaluate(f"{path}:mine")
    assert (found["score"], found["error"]) == (LOWEST, "its process sent something that is not an answer")


def test_where_a_process_cannot_be_limited_no_candidate_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "candidate.py"
    path.write_text("")
    monkeypatch.setattr("evolve.analysis.candidates.HAS_GROUPS", False)
    with pytest.raises(UsageError, match="candidates need Linux or macOS"):
        evaluate(f"{path}:mine")


def test_no_way_to_the_network_is_left_open() -> None:
    for event in NETWORK_EVENTS:
        with pytest.raises(PermissionError, match=f"a candidate has no network \\({event}\\)"):
            _refuse(event, ())
    assert _refuse("open", ("a file",)) is None, "files may be read"
