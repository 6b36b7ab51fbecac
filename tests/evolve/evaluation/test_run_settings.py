"""What decides a run is validated."""

from __future__ import annotations

import pytest

from evolve.settings import Settings
from rulebots.errors import UsageError


@pytest.mark.parametrize(
    "wrong",
    [
        {"generations": 0},
        {"population": 1},
        {"deals": 0},
        {"deals": 10**9},
        {"seed": -1},
        {"seed": 2**32},
        {"opponent_share": 1.0},
        {"margin": float("nan")},
        {"margin": "much"},
        {"generations": True},
        {"population": 100_000},
        {"opponents": "random"},
        {"opponents": 3},
        {"options": 3},
        {"game": 3},
        {"rules": 3},
        {"strategy": 3},
        {"schedule": None},
    ],
)
def test_settings_refuse_what_makes_no_sense(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError, match=r"expected|games a generation|no rule set"):
        Settings(**wrong)
    with pytest.raises(UsageError, match=r"expected|games a generation|no rule set"):
        Settings.of(**wrong)
