"""What a generation shows of itself."""

from __future__ import annotations

import numpy as np
import pytest

from evolve.monitoring import spread


def test_the_spread_is_that_of_the_middle_weight_not_of_the_largest() -> None:
    rng = np.random.default_rng(1)
    players = [np.array([[1.0, 1.0, 1.0, 0.0], [1.0, 1.0, 500.0, 0.0]]) for _ in range(200)]
    moved = [w + 0.2 * rng.standard_normal(w.shape) * (w != 0) for w in players]
    assert spread(moved) == pytest.approx(0.2, rel=0.1)
    assert spread([7.0 * w for w in moved]) == pytest.approx(spread(moved))
    assert spread(players) == 0.0
    assert spread([np.zeros((2, 3))] * 2) == 0.0
