"""Every figure of strength against known results: published tables, closed forms, scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from rulebots.errors import UsageError
from rulebots.ratings import (
    Sprt,
    bradley_terry,
    elo,
    expected_score,
    likelihood_of_superiority,
    margin_interval,
    pentanomial,
    win_rate_interval,
)

SCORES = np.arange(5) / 4
deal_counts = st.lists(st.integers(0, 400), min_size=5, max_size=5).filter(lambda counts: sum(counts) > 1)


def deals_of(counts) -> np.ndarray:
    return np.repeat(SCORES, counts)


@pytest.mark.parametrize(("wins", "games"), [(6, 10), (50, 100), (999, 1000), (1, 40)])
def test_deals_whose_games_agree_have_wilsons_interval_of_as_many_trials(wins: int, games: int) -> None:
    deals = np.repeat([1.0, 0.0], [wins, games - wins])
    # The unbiased variance has one deal less in its denominator; scipy counts trials.
    expected = stats.binomtest(wins, games).proportion_ci(method="wilson")
    low, high = win_rate_interval(deals)
    assert (low, high) == pytest.approx((expected.low, expected.high), abs=0.8 / games)


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_deals_that_all_ended_alike_have_wilsons_interval_exactly(score: float) -> None:
    expected = stats.binomtest(int(30 * score), 30).proportion_ci(method="wilson")
    assert win_rate_interval(np.full(30, score)) == pytest.approx((expected.low, expected.high))


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
        assert abs(beyond) < 1e-9 or (end > 0.5) == (beyond > 0)
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
        ((0, 1e308), "SPRT: expected Elo differences from -1000 to 1000, such as 0 10, not 0 1e"),
        ((-math.inf, 0), "SPRT: expected Elo differences from -1000 to 1000, such as 0 10, not -inf 0"),
        ((10, 0), "SPRT: expected ELO0 below ELO1, such as 0 10, not 10 0"),
        ((5, 5), "expected ELO0 below ELO1, such as 0 10, not 5 5"),
        ((0, math.inf), "expected Elo differences from -1000 to 1000"),
        ((math.nan, 1), "expected ELO0 below ELO1"),
        ((0, 10, 0), "SPRT: expected alpha between 0 and 0.5, such as 0.05, not 0"),
        ((0, 10, 0.05, 0.5), "SPRT: expected beta between 0 and 0.5, such as 0.05, not 0.5"),
    ],
)
def test_a_test_that_can_decide_nothing_is_refused(arguments: tuple[float, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Sprt(*arguments)


# Bradley-Terry

#: Citations among Biometrika, Comm. Statist., JASA and JRSS-B: (cited, citing other, times, times the other way).
CITATIONS = [(0, 1, 730, 33), (0, 2, 498, 320), (0, 3, 221, 284), (1, 2, 68, 813), (1, 3, 17, 276), (2, 3, 142, 325)]


def results_of(games: list[tuple[int, int, int, int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pairs, scores and deals in which each win, and each loss, is a deal of its own."""
    pairs = np.concatenate([np.full((won + lost, 2), (i, j)) for i, j, won, lost in games])
    scores = np.concatenate([np.repeat([1.0, 0.0], [won, lost]) for _, _, won, lost in games])
    return pairs, scores, np.arange(len(scores))


def test_ratings_are_those_of_a_published_example() -> None:
    """Stigler's citations, in H. Turner and D. Firth, J. Stat. Softw. 48(9), 2012."""
    found = bradley_terry(4, *results_of(CITATIONS))
    logits = (found.elo - found.elo[0]) * math.log(10) / 400
    assert logits == pytest.approx([0, -2.94907, -0.47957, 0.26895], abs=5e-6)
    assert not found.one_sided
    assert found.connected


@pytest.mark.slow
@given(deal_counts.filter(lambda c: sum(c[1:]) > 0 and sum(c[:4]) > 0))
def test_two_players_are_as_far_apart_as_their_win_rate_says(counts: list[int]) -> None:
    scores = deals_of(counts)
    found = bradley_terry(2, np.full((len(scores), 2), (0, 1)), scores, np.arange(len(scores)))
    assert found.elo[0] - found.elo[1] == pytest.approx(elo(float(scores.mean())), abs=1e-3)
    assert found.elo.sum() == pytest.approx(0, abs=1e-9)


def test_intervals_of_independent_deals_are_those_of_the_likelihood() -> None:
    """Deals with one win and nothing in common: the spread of the deals is that of the model."""
    rng = np.random.default_rng(2)
    true = np.array([-0.3, 0.0, 0.3])
    pairs = np.array([(0, 1), (0, 2), (1, 2)] * 3000)
    chance = 1 / (1 + np.exp(true[pairs[:, 1]] - true[pairs[:, 0]]))
    scores = rng.binomial(2, chance) / 2
    found = bradley_terry(3, pairs, scores, np.arange(len(pairs)))
    weight = 6000 * (chance * (1 - chance)).reshape(-1, 3)[0]
    information = np.array(
        [
            [weight[0] + weight[1], -weight[0], -weight[1]],
            [-weight[0], weight[0] + weight[2], -weight[2]],
            [-weight[1], -weight[2], weight[1] + weight[2]],
        ]
    )
    half = 1.96 * 400 / math.log(10) * np.sqrt(np.diag(np.linalg.pinv(information)))
    assert (found.high - found.low) / 2 == pytest.approx(half, rel=0.05)


def test_deals_that_pairs_share_are_counted_once() -> None:
    pairs, scores, deals = results_of([(0, 1, 30, 20), (0, 2, 25, 25), (1, 2, 22, 28)])
    apart = bradley_terry(3, pairs, scores, deals)
    twice = bradley_terry(3, np.tile(pairs, (2, 1)), np.tile(scores, 2), np.tile(deals, 2))
    assert twice.elo == pytest.approx(apart.elo, abs=1e-6)
    assert twice.high - twice.low == pytest.approx(apart.high - apart.low, rel=1e-6)


def test_somebody_who_never_lost_has_a_finite_rating_and_a_remark() -> None:
    found = bradley_terry(3, *results_of([(0, 1, 40, 0), (0, 2, 40, 0), (1, 2, 20, 20)]))
    assert found.one_sided
    assert np.isfinite([found.elo, found.low, found.high]).all()
    assert found.elo[0] > found.elo[1] + 300


def test_players_that_no_games_relate_have_no_intervals() -> None:
    found = bradley_terry(4, *results_of([(0, 1, 5, 5), (2, 3, 5, 5)]))
    assert not found.connected
    assert np.isinf(found.high).all()
