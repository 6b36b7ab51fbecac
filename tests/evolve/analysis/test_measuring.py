"""Figures with their intervals, on written numbers."""

from __future__ import annotations

import numpy as np
import pytest

from evolve.analysis.measuring import average, ratio, share, share_of_cases
from rulebots.ratings import margin_interval, win_rate_interval

VALUES = np.array([0.0, 1.0, 1.0, 0.5] * 10)
DIFFERENT = np.arange(40)


def test_a_share_has_wilsons_interval_over_different_games() -> None:
    found = share(VALUES, DIFFERENT)
    assert (found.mean, found.low, found.high) == (0.625, *win_rate_interval(VALUES, games=1))
    assert found.games == 40


def test_copies_of_a_game_count_once() -> None:
    twice = share(np.repeat(VALUES, 2), np.repeat(DIFFERENT, 2))
    assert twice == share(VALUES, DIFFERENT)
    few = share(VALUES, np.arange(40) % 5)
    assert (few.mean, few.low, few.high, few.games) == (0.625, None, None, 5.0)


def test_no_game_gives_no_figure() -> None:
    none = np.zeros(0)
    for found in (share(none, none), average(none, none), ratio(VALUES, np.zeros(40), DIFFERENT)):
        assert (found.mean, found.low, found.high, found.games) == (None, None, None, 0.0)


def test_a_ratio_of_one_case_a_game_is_an_average() -> None:
    one_each = ratio(VALUES, np.ones(40), DIFFERENT)
    assert one_each == average(VALUES, DIFFERENT)
    assert (one_each.low, one_each.high) == pytest.approx(margin_interval(VALUES))


def test_a_ratio_counts_cases_and_not_games() -> None:
    found = ratio(np.array([1.0, 6.0] * 20), np.array([1.0, 9.0] * 20), DIFFERENT)
    assert found.mean == pytest.approx(0.7)


def test_one_of_several_intervals_is_wider() -> None:
    alone, among = ratio(VALUES, np.ones(40), DIFFERENT), ratio(VALUES, np.ones(40), DIFFERENT, of_several=20)
    assert among.low < alone.low < alone.high < among.high


@pytest.mark.slow
def test_the_interval_of_a_ratio_holds_the_truth_as_often_as_it_says() -> None:
    rng, held = np.random.default_rng(1), 0
    for _ in range(400):
        cases = rng.integers(1, 12, 60)
        skill = rng.beta(2, 2, 60)  # the cases of a game go together; each has the mean 1/2
        found = ratio(rng.binomial(cases, skill).astype(float), cases.astype(float), np.arange(60))
        held += found.low <= 0.5 <= found.high
    assert 0.92 <= held / 400 <= 0.98


def test_what_was_never_seen_is_not_ruled_out() -> None:
    found = share_of_cases(np.zeros(40, np.int64), np.full(40, 5), DIFFERENT)
    assert (found.mean, found.low) == (0.0, 0.0)
    assert 0 < found.high < 0.1


def test_the_interval_of_a_share_lies_between_nothing_and_all() -> None:
    """One case of 400 would have an interval below 0 by the spread of the games alone."""
    few = np.zeros(40, np.int64)
    few[0] = 1
    for chosen in (few, 10 - few):
        found = share_of_cases(chosen, np.full(40, 10), DIFFERENT)
        assert found.mean is not None
        assert found.low is not None
        assert found.high is not None
        assert 0 <= found.low < found.mean < found.high <= 1
