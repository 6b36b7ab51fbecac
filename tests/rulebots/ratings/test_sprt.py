"""The sequential test against a search for the most likely distributions, and Wald's test."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from scipy import optimize

from rulebots.errors import UsageError
from rulebots.ratings import (
    Sprt,
    expected_score,
)
from rulebots.ratings.sprt import _most_likely

SCORES = np.arange(5) / 4
deal_counts = st.lists(st.integers(0, 400), min_size=5, max_size=5).filter(lambda counts: sum(counts) > 1)


def deals_of(counts) -> np.ndarray:
    return np.repeat(SCORES, counts)


def most_likely_by_search(shares: np.ndarray, mean: float) -> float:
    """The greatest mean log likelihood of a distribution of that mean, found by a general optimiser."""
    found = optimize.minimize(
        lambda p: -shares @ np.log(p),
        np.full(5, 0.2),
        bounds=[(1e-9, 1)] * 5,
        constraints=[{"type": "eq", "fun": lambda p: p.sum() - 1}, {"type": "eq", "fun": lambda p: p @ SCORES - mean}],
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert found.success
    return -found.fun


@pytest.mark.parametrize("counts", [(100, 200, 400, 230, 120), (10, 0, 50, 0, 40), (3, 9, 1, 2, 1)])
def test_the_likelihood_ratio_is_that_of_the_most_likely_distributions(counts: tuple[int, ...]) -> None:
    test, deals = Sprt(-5, 30), np.array(counts)
    shares = np.where(deals == 0, 1e-3, deals) / np.where(deals == 0, 1e-3, deals).sum()
    low, high = (most_likely_by_search(shares, expected_score(points)) for points in (-5, 30))
    assert test.llr(deals) == pytest.approx(deals.sum() * (high - low), abs=0.01)


@given(st.lists(st.floats(1e-6, 1), min_size=5, max_size=5), st.floats(0.003, 0.997))
@example([1e-6, 1.0, 1.0, 1.0, 1.0], 0.125)
def test_the_most_likely_distribution_is_that_of_another_librarys_root(weights: list[float], mean: float) -> None:
    shares, away = np.array(weights) / sum(weights), SCORES - mean
    low, high = -1 / away[-1], -1 / away[0]
    gap = 1e-12 * (high - low)
    x = optimize.brentq(
        lambda x: float((shares * away / (1 + x * away)).sum()), low + gap, high - gap, xtol=1e-15, rtol=1e-15
    )
    found = _most_likely(shares, away)
    assert found == pytest.approx(shares / (1 + x * away), abs=1e-7)  # the root lies beside a pole: fewer digits
    assert (found.sum(), found @ SCORES) == pytest.approx((1, mean), abs=1e-8)


def test_with_wins_and_losses_only_it_is_walds_test() -> None:
    test = Sprt(0, 100)
    s0, s1 = 0.5, expected_score(100)
    expected = 60 * math.log(s1 / s0) + 40 * math.log((1 - s1) / (1 - s0))
    assert test.llr(np.array([40, 0, 0, 0, 60])) == pytest.approx(expected, rel=1e-3)
    assert test.bounds == pytest.approx((math.log(0.05 / 0.95), math.log(0.95 / 0.05)))


@pytest.mark.slow
@given(deal_counts)
def test_the_other_side_has_the_opposite_test(counts: list[int]) -> None:
    deals = np.array(counts)
    assert Sprt(-20, 5).llr(deals) == pytest.approx(-Sprt(-5, 20).llr(deals[::-1]), abs=1e-6)


def test_a_verdict_comes_when_a_bound_is_crossed() -> None:
    test = Sprt(0, 50, alpha=0.01, beta=0.2)
    assert test.verdict(np.array([0, 0, 0, 0, 0])) == "undecided"
    assert test.verdict(np.array([10, 10, 10, 10, 10])) == "undecided"
    assert test.verdict(np.array([100, 20, 30, 20, 300])) == "H1"
    assert test.verdict(np.array([300, 20, 30, 20, 100])) == "H0"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 1e308), "SPRT: expected ELO0 below ELO1, from -1000 to 1000, such as 0 10, not 0 1e"),
        ((-math.inf, 0), "SPRT: expected ELO0 below ELO1, from -1000 to 1000, such as 0 10, not -inf 0"),
        ((10, 0), "SPRT: expected ELO0 below ELO1, from -1000 to 1000, such as 0 10, not 10 0"),
        ((5, 5), "expected ELO0 below ELO1, from -1000 to 1000, such as 0 10, not 5 5"),
        ((0, math.inf), "expected ELO0 below ELO1, from -1000 to 1000"),
        ((math.nan, 1), "expected ELO0 below ELO1"),
        ((0, 10, 0), "SPRT: expected alpha between 0 and 0.5, such as 0.05, not 0"),
        ((0, 10, 0.05, 0.5), "SPRT: expected beta between 0 and 0.5, such as 0.05, not 0.5"),
    ],
)
def test_a_test_that_can_decide_nothing_is_refused(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Sprt(*arguments)


def test_a_gain_on_the_same_deals_is_tested_as_half_of_it() -> None:
    test = Sprt(elo0=0.0, elo1=10.0)
    gains = np.array([0.25, 0.0, -0.25, 0.5, 0.0] * 40)
    assert (
        test.verdict_on_gains(gains, len(gains))
        == test.verdict(np.array([0, 40, 80, 40, 40]), np.array([0, 0.375, 0.5, 0.625, 0.75]))
        == "H1"
    )
    assert test.verdict_on_gains(-gains, len(gains)) == "H0"
    assert test.verdict_on_gains(gains, 9) == "undecided", "nine different deals say nothing"
    assert test.verdict_on_gains(np.zeros(50), 50) == "undecided"
    assert test.verdict_on_gains(np.zeros(500), 500) == "H0"


def test_a_look_after_each_block_seldom_finds_a_gain_where_there_is_none() -> None:
    test = Sprt(elo0=0.0, elo1=10.0, alpha=0.05)
    found = 0
    for seed in range(100):
        gains = np.random.default_rng(seed).choice([-0.5, -0.25, 0.0, 0.25, 0.5], size=2000)
        verdicts = [test.verdict_on_gains(gains[:count], count) for count in range(50, 2001, 50)]
        found += next((one for one in verdicts if one != "undecided"), "") == "H1"
    assert found <= 10
