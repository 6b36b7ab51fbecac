"""Tallies."""

from __future__ import annotations

import numpy as np
import pytest
from breeders import told

from evolve.evaluation.fitness import Tally


def test_games_against_opponents_count_for_their_share() -> None:
    among = told(np.array([50.0, 20.0]))
    against = Tally(*(np.array([10.0, 10.0]), np.array([0.0, 10.0]), *[np.zeros(2)] * 4))
    assert among.blended(against, 0.75).win_rate == pytest.approx([0.25 * 0.5, 0.25 * 0.2 + 0.75])
