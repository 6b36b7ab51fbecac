"""Whom a search asks for a move, and when it plays another one."""

from __future__ import annotations

import numpy as np

from rulebots.search.rollout.sequential_halving import convincing


def test_the_less_is_known_the_more_has_to_be_shown() -> None:
    gains, errors = np.array([0.0, 0.025, 0.25]), np.array([0.0, 0.01, 0.1])
    assert convincing(gains, errors, gate=2.0).tolist() == [False, True, False]
    assert convincing(gains, errors, gate=3.0).tolist() == [False, False, False]
    assert convincing(gains, np.full(3, np.inf), gate=0.0).tolist() == [False, False, False]
