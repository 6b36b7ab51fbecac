"""What a run prints."""

from __future__ import annotations

import pytest

from evolve.cli import report
from evolve.cli.report import beaten


def test_a_member_of_the_hall_of_fame_is_beaten_when_the_whole_interval_says_so() -> None:
    ahead, even, behind = (0.51, 0.6), (0.496, 0.519), (0.4, 0.49)
    assert beaten({"generation 1": ahead, "generation 9": ahead}) == "it beats every member"
    assert beaten({"generation 1": ahead, "generation 9": even}) == (
        "it beats 1 of 2 members; undecided against generation 9"
    )
    assert beaten({"generation 1": behind, "generation 5": ahead, "generation 9": even}) == (
        "it beats 1 of 3 members; undecided against generation 9; it loses to generation 1"
    )


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (59.6, "1 min 0 s"), (200, "3 min 20 s"), (7530, "2 h 5 min")]
)
def test_durations_are_written_for_people(seconds, text):
    assert report.duration(seconds) == text
