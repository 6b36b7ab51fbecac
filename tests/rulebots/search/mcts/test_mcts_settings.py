"""The settings of tree search, from Python."""

from __future__ import annotations

from typing import Any

import pytest

from rulebots.errors import UsageError
from rulebots.search.mcts.settings import SearchSettings


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"iterations": 0}, "mcts: iterations: expected a whole number from 1 to 1,000,000,000,000, not 0"),
        ({"iterations": 2.5}, "mcts: iterations: expected a whole number"),
        ({"seconds": float("nan")}, "mcts: seconds: expected a number from 0.001 to 1,000,000, not nan"),
        ({"noise": 1.5}, "mcts: noise: expected a number from 0 to 1, not 1.5"),
        ({"batch": 0}, "mcts: batch: expected a whole number from 1 to 4,096, not 0"),
        ({"select": "best"}, "mcts: select: expected uct or puct, not 'best'"),
        ({"select": "uct", "noise": 0.1}, "mcts: noise changes priors, which UCT does not use"),
    ],
    ids=str,
)
def test_settings_out_of_range_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        SearchSettings(**settings)
    assert message in str(caught.value)


def test_the_ends_of_a_range_are_in_it() -> None:
    settings = SearchSettings(iterations=1, seconds=0.001, noise=1, batch=4096, nodes=1000, temperature=0)
    assert (settings.iterations, settings.noise) == (1, 1)
