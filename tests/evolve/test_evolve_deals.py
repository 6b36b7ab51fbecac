"""Deals of a run: the same for the same identity, and for no two purposes."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from evolve.schedules import RUNOFF, TRAINING, DealSource
from rulebots.errors import UsageError
from rulebots.game import Game


def test_deals_follow_from_their_identity(lost_cities: Game) -> None:
    source = DealSource(3, (1, TRAINING, 0))
    again = pickle.loads(pickle.dumps(source))  # noqa: S301 - as it travels to another process
    drawn = source.draw(lost_cities)
    assert len(drawn) == 3
    assert np.array_equal(again.draw(lost_cities).cards, drawn.cards)
    for other in ((2, TRAINING, 0), (1, RUNOFF, 0), (1, TRAINING, 1)):
        assert not np.array_equal(DealSource(3, other).draw(lost_cities).cards, drawn.cards)


def test_a_wrong_option_is_refused(lost_cities: Game) -> None:
    with pytest.raises(UsageError, match="no option 'colours'"):
        DealSource(1, (1,), (("colours", 5),)).draw(lost_cities)
