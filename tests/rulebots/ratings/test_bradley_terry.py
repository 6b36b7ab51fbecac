"""Ratings against published ones, and those of one pair against their win rate."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import minimize
from scipy.sparse.csgraph import connected_components

from rulebots.ratings import (
    bradley_terry,
    elo,
)
from rulebots.ratings.bradley_terry import _most_likely, _reached

SCORES = np.arange(5) / 4
deal_counts = st.lists(st.integers(0, 400), min_size=5, max_size=5).filter(lambda counts: sum(counts) > 1)


def deals_of(counts) -> np.ndarray:
    return np.repeat(SCORES, counts)


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


@pytest.mark.slow
@given(st.integers(2, 9), st.integers(0, 2**32 - 1), st.sampled_from([0.1, 1.0, 3.0]))
def test_ratings_are_those_that_another_library_finds(players: int, seed: int, spread: float) -> None:
    rng = np.random.default_rng(seed)
    true = rng.normal(0, spread, players)
    games = np.triu(rng.integers(1, 300, (players, players)), 1)
    wins = rng.binomial(games, 1 / (1 + np.exp(true[None, :] - true[:, None]))) + 0.5 * (games > 0)
    wins = np.triu(wins, 1) + np.tril((games + 1.0 * (games > 0)).T - wins.T, -1)

    def cost(strength: np.ndarray) -> tuple[float, np.ndarray]:
        behind = strength[None, :] - strength[:, None]
        lost = wins / (1 + np.exp(-behind))
        return float((wins * np.logaddexp(0, behind)).sum()) / wins.sum(), (lost.sum(0) - lost.sum(1)) / wins.sum()

    found = minimize(cost, np.zeros(players), jac=True, method="BFGS", options={"gtol": 1e-12}).x
    strength = _most_likely(wins, np.ones((players, players), np.bool_))
    assert strength == pytest.approx(found - found.mean(), abs=1e-5)
    assert np.abs(cost(strength)[1]).max() < 1e-14


@given(st.integers(1, 12), st.integers(0, 2**32 - 1), st.floats(0, 0.4))
def test_who_reaches_whom_is_what_another_library_says(players: int, seed: int, share: float) -> None:
    wins = np.random.default_rng(seed).random((players, players)) < share
    reached = _reached(wins)
    _, group = connected_components(wins, directed=True, connection="strong")
    assert np.array_equal(reached & reached.T, group[:, None] == group)


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


def test_players_who_always_draw_are_not_certain_to_be_equal() -> None:
    pairs, deals = np.repeat([(0, 1), (0, 2), (1, 2)], 60, axis=0), np.tile(np.arange(60), 3)
    drawn = np.full(180, 0.5)
    found = bradley_terry(3, pairs, drawn, deals)
    assert found.elo == pytest.approx([0, 0, 0], abs=1e-9)
    # Every pair is as uncertain as 60 independent trials.
    half = 2.0009954 * 400 / math.log(10) * math.sqrt(2 / 3 / 90 * 2 * 60 / 59)
    assert found.high == pytest.approx([half] * 3, rel=1e-6)
    often = bradley_terry(3, np.tile(pairs, (20, 1)), np.tile(drawn, 20), np.tile(deals, 20))
    assert often.high == pytest.approx(found.high, rel=1e-4)


@pytest.mark.parametrize("deals", [178, 183, 188, 199])
def test_the_interval_of_who_won_every_game_lies_around_its_rating(deals: int) -> None:
    found = bradley_terry(2, np.tile([0, 1], (deals, 1)), np.ones(deals), np.arange(deals))
    assert found.high - found.elo == pytest.approx(found.elo - found.low)
    assert found.elo[0] - found.low[0] == pytest.approx(found.elo[1] - found.low[1])
    assert found.elo[0] - found.low[0] > 100


def test_who_met_nobody_has_no_deals() -> None:
    found = bradley_terry(3, np.tile([0, 2], (20, 1)), np.tile([0.0, 1.0], 10), np.arange(20) // 2 * 7)
    assert [(one.deals, one.effective) for one in found.distinct] == [(10, 10.0), (0, 0.0), (10, 10.0)]


def test_copies_leave_ratings_and_their_intervals_as_they_were() -> None:
    rng = np.random.default_rng(6)
    pairs = np.repeat([(0, 1), (0, 2), (1, 2)], 30, axis=0)
    scores, deals = rng.integers(0, 5, 90) / 4, np.tile(np.arange(30), 3)
    once = bradley_terry(3, pairs, scores, deals)
    often = bradley_terry(3, np.tile(pairs, (50, 1)), np.tile(scores, 50), np.tile(deals, 50))
    assert often.elo == pytest.approx(once.elo, abs=1e-4)
    assert often.high - often.low == pytest.approx(once.high - once.low, rel=1e-4)
    assert often.distinct == once.distinct


def test_a_player_with_too_few_different_deals_has_no_interval() -> None:
    pairs = np.repeat([(0, 1), (0, 2)], 40, axis=0)
    scores = np.tile([1.0, 0.5, 0.25, 0.5], 20)
    found = bradley_terry(3, pairs, scores, np.concatenate([np.arange(40), np.tile([0, 1, 2, 3], 10)]))
    assert found.connected
    assert [each.too_few for each in found.distinct] == [False, False, True]
    assert np.isfinite(found.low).tolist() == np.isfinite(found.high).tolist() == [True, True, False]


def test_two_players_have_the_interval_of_their_deals() -> None:
    """Of twelve deals a third are lost: 8 (2/3)^2 + 4 (4/3)^2, by 11/12 and by 16/3 squared, is the variance."""
    scores, pairs = np.array([1.0] * 8 + [0.0] * 4), np.tile([0, 1], (12, 1))
    found = bradley_terry(2, pairs, scores, np.arange(12))
    assert found.elo == pytest.approx([200 * np.log10(2), -200 * np.log10(2)])
    half = 2.2009851600829 * 200 / np.log(10) * np.sqrt(32 / 3 * 12 / 11) / (16 / 3)
    assert found.high - found.elo == pytest.approx([half, half])
    assert found.elo - found.low == pytest.approx([half, half])
    assert (found.one_sided, found.connected) == (False, True)


def test_who_wins_every_game_has_a_drawn_deal_added() -> None:
    found = bradley_terry(2, np.tile([0, 1], (10, 1)), np.ones(10), np.arange(10))
    assert found.elo == pytest.approx([200 * np.log10(21), -200 * np.log10(21)])
    assert (found.one_sided, found.connected) == (True, True)
