"""Copies of deals say nothing new."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rulebots.ratings import (
    FEWEST_DEALS,
    bradley_terry,
    distinct,
    likelihood_of_superiority,
    margin_interval,
    win_rate_interval,
)


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
