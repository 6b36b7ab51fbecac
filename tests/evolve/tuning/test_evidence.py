"""Which parameters mattered, and where they may be best."""

from __future__ import annotations

import numpy as np
import pytest

from evolve.tuning.evidence import Evidence

BEST = np.array([0.3, 0.8, 0.5])
WEIGHT = np.array([3.0, 0.5, 0.0])


def evidence(rng: np.random.Generator, pairs: int) -> Evidence:
    """Noisy pairs around centres that wander, in a world whose third parameter does nothing."""
    found = Evidence(3)
    for _ in range(pairs // 50):
        centre = rng.random(3)
        step = rng.normal(0, 0.1, (50, 3))
        plus, minus = np.clip(centre + step, 0, 1), np.clip(centre - step, 0, 1)
        better = (WEIGHT * (minus - BEST) ** 2 - WEIGHT * (plus - BEST) ** 2).sum(axis=1)
        found.add(plus, minus, (rng.random(50) < 1 / (1 + np.exp(-2 * better))) * 1.0)
    return found


@pytest.mark.slow
def test_intervals_hold_the_best_place_and_say_what_mattered() -> None:
    rng = np.random.default_rng(1)
    held = np.zeros(2)
    mattered = np.zeros(3)
    for _ in range(50):
        found = evidence(rng, 1000)
        intervals = found.intervals(np.array([0.5, 0.5, 0.5]))
        held += [low <= best <= high for best, (low, high) in zip(BEST[:2], intervals[:2], strict=True)]
        mattered += found.mattered()
    assert (held >= 0.9 * 50).all()
    assert mattered[0] == 50
    assert mattered[2] <= 0.12 * 50


def test_lost_pairs_and_comparisons_of_two_points_say_nothing() -> None:
    rng = np.random.default_rng(2)
    found = evidence(rng, 200)
    before = found.state()
    found.add(rng.random((2, 3)), rng.random((2, 3)), np.array([np.nan, np.nan]))
    found.add(np.full((2, 3), 0.2), np.full((2, 3), 0.1), np.array([1.0, 1.0]))
    assert found.state() == before == Evidence(3, before).state()


def test_without_games_anything_may_be_best() -> None:
    empty = Evidence(2)
    assert not empty.mattered().any()
    assert np.array_equal(empty.intervals(np.array([0.2, 0.4])), [[0, 1], [0, 1]])


def test_an_interval_reaches_beyond_a_result_that_the_regression_leaves_out() -> None:
    """Else the result would be its end, or all of it."""
    at = np.linspace(0.1, 0.9, 2000)[:, None]
    found = Evidence(1)
    found.add(at + 0.1, at - 0.1, 0.5 + (0.3 - at[:, 0]) / 10)
    (low, high), *_ = found.intervals(np.array([0.3]))
    assert low < 0.3 < high
    for result in (0.2, 0.6):
        (lower, higher), *_ = found.intervals(np.array([result]))
        assert lower <= low < high <= higher
        assert min(result - lower, higher - result) >= 0.05, result


def test_much_evidence_gives_a_narrow_interval_that_still_holds_the_best_place() -> None:
    best, result = 0.3021, 0.3051
    at = np.linspace(0.1, 0.9, 1_000_000)[:, None]
    found = Evidence(1)
    found.add(at + 0.1, at - 0.1, 0.5 + (best - at[:, 0]) / 10)
    (low, high), *_ = found.intervals(np.array([result]))
    assert low <= best <= high < 0.31
