"""The policy gradient on returns."""

from __future__ import annotations

import numpy as np
import pytest

from evolve.lessons.learner import Adam, add_gradients, ascend
from evolve.lessons.rollouts import Lessons


def some_lessons(decisions: int, rules: int, seed: int = 1) -> Lessons:
    """Moves with better returns the more they show of the first rule, early, and of the second, late."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(2, 6, decisions)
    shown, late = rng.standard_normal((counts.sum(), rules)), rng.random(decisions)
    t = np.repeat(late, counts)
    returns = (1 - t) * shown[:, 0] + t * shown[:, 1] + rng.standard_normal(len(t))
    return Lessons(counts, late, shown.astype(np.float32), returns, np.arange(len(returns)))


@pytest.mark.parametrize("flat", [False, True])
def test_the_gradient_is_that_of_the_expected_return(flat: bool) -> None:
    lessons = some_lessons(5, 3)
    genes = np.random.default_rng(2).standard_normal(3 if flat else 6)
    first, temperature, step = np.cumsum(lessons.counts) - lessons.counts, 0.7, 1e-5

    def expected(genes: np.ndarray) -> float:
        total = 0.0
        for start, count, late in zip(first, lessons.counts, lessons.late, strict=True):
            rows = slice(start, start + count)
            weights = genes if flat else (1 - late) * genes[:3] + late * genes[3:]
            chance = np.exp(lessons.features[rows] @ weights / temperature)
            total += chance @ lessons.returns[rows] / chance.sum()
        return total

    gradient = np.zeros(len(genes))
    add_gradients(lessons.features, lessons.returns, lessons.counts, lessons.late, genes, temperature, gradient)
    ways = np.eye(len(genes)) * step
    by_hand = [(expected(genes + way) - expected(genes - way)) / (2 * step) for way in ways]
    assert gradient.tolist() == pytest.approx(by_hand, rel=1e-5, abs=1e-5)


def test_ascent_finds_the_rules_that_tell_good_moves() -> None:
    adam, genes = Adam(6), np.zeros(6)
    for generation in range(20):
        lessons, rng = [some_lessons(60, 3, seed=generation)], np.random.default_rng(generation)
        genes = ascend(genes, lessons, adam, epochs=3, step_size=0.05, temperature=1.0, rng=rng)
    early, late = genes[:3], genes[3:]
    assert early[0] > 0.5 > 2 * abs(early[2])
    assert late[1] > 0.5 > 2 * abs(late[2])
    assert early[0] > early[1]
    assert late[1] > late[0]
