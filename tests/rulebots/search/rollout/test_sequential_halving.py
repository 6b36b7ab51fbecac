"""Which candidates stay in the race, and which one is chosen."""

from __future__ import annotations

import numpy as np
import pytest

from rulebots.search.rollout.sequential_halving import FEWEST_GROUPS, chosen, going_on, means

GROUPS = 40


def tallied(gains: list[float], spread: float = 0.5, groups: int = GROUPS) -> tuple[np.ndarray, np.ndarray]:
    """Counts and sums of differences, float64[candidates, groups]: four rollouts a group, the guide's first."""
    noise = np.random.default_rng(1).normal(0, spread, (len(gains), groups))
    noise -= noise.mean(axis=1, keepdims=True)
    noise[0] = 0.0
    counts = np.full(noise.shape, 4.0)
    return counts, counts * (np.array(gains)[:, None] + noise)


def test_the_error_is_that_of_independent_groups() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(2.0, 1.0, 400)
    mean, error = means(np.ones((1, 400)), values[None, :])
    assert mean[0] == pytest.approx(values.mean())
    assert error[0] == pytest.approx(values.std(ddof=1) / 20, rel=0.01)
    # The same rollouts ten times over say no more.
    again, as_large = means(np.full((1, 400), 10.0), 10 * values[None, :])
    assert again[0] == pytest.approx(mean[0])
    assert as_large[0] == pytest.approx(error[0])


def test_few_groups_say_little() -> None:
    counts, sums = np.ones((1, 2)), np.array([[0.0, 1.0]])
    _, error = means(counts, sums)
    assert error[0] > 3.0  # one degree of freedom: 12.7 standard errors of 0.5 to each side
    assert means(counts[:, :1], sums[:, :1])[1][0] == np.inf


def test_what_was_given_up_early_is_not_chosen() -> None:
    counts, sums = tallied([0.0, 0.6, 0.9])
    counts[2, 10:], sums[2, 10:] = 0.0, 0.0
    assert chosen(counts, sums, gate=2.0) == 1


def test_the_hopeless_leave_and_the_guides_move_stays() -> None:
    who = np.arange(4)
    assert going_on(who, *tallied([0.0, 0.3, 0.2, -3.0]), share=0.0).tolist() == [0, 1, 2]
    assert going_on(who, *tallied([0.0, -3.0, -2.0, -3.0]), share=0.0).tolist() == [0]
    assert going_on(who, *tallied([0.0, 0.3, 0.2, -3.0], groups=FEWEST_GROUPS - 1), share=0.0).tolist() == [0, 1, 2, 3]


def test_half_of_the_challengers_leave_at_equal_steps() -> None:
    tally = tallied([0.0, *(0.01 * i for i in range(8))])
    left = [len(going_on(np.arange(9), *tally, share=share)) - 1 for share in (0.0, 1 / 3, 2 / 3, 1.0)]
    assert left == [8, 4, 2, 1]


def test_a_race_that_is_decided_is_over() -> None:
    assert going_on(np.arange(2), *tallied([0.0, 5.0]), share=0.1).tolist() == [0]
    assert chosen(*tallied([0.0, 5.0]), gate=2.0) == 1


def test_nothing_is_chosen_that_is_not_better_beyond_doubt() -> None:
    assert chosen(*tallied([0.0, 0.1, -0.5]), gate=2.0) == 0
    assert chosen(*tallied([0.0, 0.1, 0.9]), gate=2.0) == 2
    assert chosen(*tallied([0.0, 0.1, 0.9]), gate=100.0) == 0
    assert chosen(*tallied([0.0]), gate=0.0) == 0
