"""Intervals, different deals and Elo differences against closed forms and known results."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from rulebots.ratings import (
    FEWEST_DEALS,
    distinct,
    elo,
    expected_score,
    likelihood_of_superiority,
    margin_interval,
    pentanomial,
    win_rate_interval,
)
from rulebots.ratings.intervals import effective_trials

SCORES = np.arange(5) / 4
deal_counts = st.lists(st.integers(0, 400), min_size=5, max_size=5).filter(lambda counts: sum(counts) > 1)


def deals_of(counts) -> np.ndarray:
    return np.repeat(SCORES, counts)


@pytest.mark.parametrize(("wins", "games"), [(6, 10), (50, 100), (999, 1000), (1, 40)])
def test_deals_whose_games_agree_have_wilsons_interval_of_as_many_trials(wins: int, games: int) -> None:
    deals = np.repeat([1.0, 0.0], [wins, games - wins])
    # The unbiased variance has one deal less in its denominator; scipy counts trials, and has the normal quantile.
    expected = stats.binomtest(wins, games).proportion_ci(method="wilson")
    low, high = win_rate_interval(deals)
    assert (low, high) == pytest.approx((expected.low, expected.high), abs=0.8 / games)


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_deals_that_all_ended_alike_have_wilsons_interval_with_students_quantile(score: float) -> None:
    level = 1 - 2 * stats.norm.sf(stats.t.ppf(0.975, 29))
    expected = stats.binomtest(int(30 * score), 30).proportion_ci(level, method="wilson")
    assert win_rate_interval(np.full(30, score)) == pytest.approx((expected.low, expected.high))


def test_a_single_deal_says_nothing() -> None:
    assert win_rate_interval(np.ones(1)) == win_rate_interval(np.ones(5), 1.0) == (0, 1)


def test_two_deals_half_a_game_from_the_mean_are_added_to_the_variance() -> None:
    scores = np.repeat([0.0, 0.5, 1.0], [3, 14, 3])
    for games in (1, 2, 6):
        variance = (scores.var() * 20 + 2 * (0.5 / games) ** 2) / (20 * 19)
        assert effective_trials(scores, games=games) == pytest.approx(0.25 / variance)
        assert effective_trials(np.tile(scores, 9), 20.0, games) == pytest.approx(0.25 / variance)


@pytest.mark.parametrize(
    ("seats", "scores", "chances"),
    [
        (2, [0, 0.25, 0.5, 0.75, 1], [1, 6, 12, 6, 1]),
        (3, [0, 1 / 3, 2 / 3, 1], [8, 12, 6, 1]),
        (3, [2 / 9, 1 / 3, 5 / 9], [2, 9, 1]),
        (6, [5 / 36, 1 / 6, 11 / 36], [5, 20, 1]),
    ],
)
@pytest.mark.parametrize("deals", [10, 20, 30])
def test_few_intervals_exclude_the_truth_at_few_deals(
    seats: int, scores: list[float], chances: list[int], deals: int
) -> None:
    """Many draws, independent games, and tables that are mostly tied: benchmarks/intervals.py has all cells."""
    rng = np.random.default_rng(44)
    chance = np.array(chances) / sum(chances)
    truth = float(chance @ scores)
    outside = 0
    for _ in range(3000):
        low, high = win_rate_interval(rng.choice(scores, deals, p=chance), games=seats)
        outside += not low <= truth <= high
    assert outside / 3000 <= 0.055


def test_rounding_makes_no_interval_without_width() -> None:
    third = np.array([1 / 3, 0.1 + 0.2 + 1 / 30] * 6)
    assert third.var() > 0
    assert win_rate_interval(third) == pytest.approx(win_rate_interval(np.full(12, 0.25)), abs=0.1)
    assert margin_interval(third) == (-math.inf, math.inf)


def test_pairs_that_cancel_out_make_the_interval_narrow() -> None:
    cancelling = np.repeat([0.5, 1.0, 0.0], [180, 10, 10])
    independent = np.repeat([0.5, 1.0, 0.0], [100, 50, 50])
    width, usual = (high - low for low, high in map(win_rate_interval, (cancelling, independent)))
    assert width < usual / 2


@given(deal_counts)
def test_the_ways_to_say_how_sure_a_match_is_agree(counts: list[int]) -> None:
    deals = deals_of(counts)
    (low, high), superiority = win_rate_interval(deals), likelihood_of_superiority(deals)
    assert 0 <= low <= deals.mean() <= high <= 1
    assert pentanomial(deals).tolist() == counts
    for end, beyond in ((low, superiority - 0.975), (1 - high, 0.025 - superiority)):
        assert abs(beyond) < 1e-7 or (end > 0.5) == (beyond > 0)
    assert likelihood_of_superiority(1 - deals) == pytest.approx(1 - superiority)


def test_the_margin_has_students_interval() -> None:
    margins = np.random.default_rng(1).normal(3, 20, 50)
    expected = stats.ttest_1samp(margins, 0).confidence_interval()
    assert margin_interval(margins) == pytest.approx((expected.low, expected.high))
    assert margin_interval(margins[:1]) == (-math.inf, math.inf)


@pytest.mark.parametrize(
    ("rate", "points"), [(0.5, 0), (10 / 11, 400), (0.75, 190.8485), (0, -math.inf), (1, math.inf)]
)
def test_elo_is_logistic(rate: float, points: float) -> None:
    assert elo(rate) == pytest.approx(points)
    assert expected_score(points) == pytest.approx(rate)


# Sequential test


def test_different_deals_are_what_they_are() -> None:
    found = distinct(np.arange(50))
    assert (found.deals, found.effective, found.too_few) == (50, 50.0, False)


def test_deals_played_equally_often_amount_to_the_different_ones() -> None:
    found = distinct(np.repeat([7, 3, 9], 1000))
    assert (found.deals, found.effective, found.too_few) == (3, 3.0, True)


def test_a_deal_that_is_nearly_all_of_them_leaves_little() -> None:
    found = distinct(np.concatenate([np.zeros(990, np.int64), np.arange(1, 11)]))
    assert found.deals == 11
    assert found.effective == pytest.approx(1000**2 / (990**2 + 10))
    assert found.too_few


def test_fewer_than_the_least_are_too_few() -> None:
    assert [distinct(np.arange(count)).too_few for count in (FEWEST_DEALS - 1, FEWEST_DEALS)] == [True, False]


def test_copies_leave_every_interval_as_it_was() -> None:
    rng = np.random.default_rng(5)
    margins = rng.normal(2, 30, 40).round()
    scores = rng.integers(0, 5, 40) / 4
    for copies in (2, 100):
        effective = distinct(np.tile(np.arange(40), copies)).effective
        for figure, values in ((win_rate_interval, scores), (margin_interval, margins)):
            assert figure(np.tile(values, copies), effective) == pytest.approx(figure(values))
        certain = likelihood_of_superiority(np.tile(scores, copies), effective)
        assert certain == pytest.approx(likelihood_of_superiority(scores))
    assert win_rate_interval(np.ones(4000), 12.0) == pytest.approx(win_rate_interval(np.ones(12)))
    assert margin_interval(np.full(4000, 3.0), 1.0) == (-math.inf, math.inf)
