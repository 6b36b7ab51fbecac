"""Drawing as likely as weights: powers in steps, and systematic resampling."""

from __future__ import annotations

import numpy as np
import pytest

from rulebots.game.random_numbers import rng_of
from rulebots.search.rollout.particles import drawn_models, next_power, systematic, weights_of


def effective(likely: np.ndarray, power: float) -> float:
    weights = weights_of(likely, power)
    return float(1 / (weights**2).sum())


def test_weights_are_the_power_of_the_likelihoods_and_what_cannot_be_weighs_nothing() -> None:
    likely = np.log([0.1, 0.4, 0.9]) - 5000.0
    weights = weights_of(np.append(likely, -np.inf), 0.5)
    assert weights == pytest.approx(np.append(np.sqrt([0.1, 0.4, 0.9]) / np.sqrt([0.1, 0.4, 0.9]).sum(), 0.0))
    assert weights_of(np.array([-np.inf, -3.0]), 1.0).tolist() == [0.0, 1.0]


def test_the_next_power_leaves_as_many_effective_particles_as_are_wanted() -> None:
    likely = rng_of(1).normal(0.0, 5.0, 400)
    power = next_power(likely, 0.0, 200.0)
    assert 0.0 < power < 1.0
    assert effective(likely, power) == pytest.approx(200.0, rel=0.02)
    assert next_power(likely, power, 200.0) > power
    assert next_power(np.zeros(400), 0.25, 200.0) == 1.0, "all say the same: one step is enough"


def test_systematic_draws_are_within_one_of_what_the_weights_say() -> None:
    weights = np.array([0.05, 0.0, 0.6, 0.35])
    for seed in range(20):
        drawn = systematic(weights, 100, rng_of(seed))
        assert (abs(np.bincount(drawn, minlength=4) - 100 * weights) < 1 + 1e-9).all()
    assert drawn.tolist() != sorted(drawn.tolist()), "they are shuffled"


def test_models_are_drawn_as_likely_as_they_explain_a_deal() -> None:
    likely = np.tile(np.log([0.2, 0.8]), (4000, 1))
    for power, share in ((1.0, 0.8), (0.0, 0.5)):
        assert drawn_models(likely, power, rng_of(2)).mean() == pytest.approx(share, abs=0.03)
    certain = np.array([[0.0, -np.inf], [-np.inf, 0.0]])
    assert drawn_models(certain, 1.0, rng_of(3)).tolist() == [0, 1]
