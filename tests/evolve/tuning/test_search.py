"""The search for better parameters: it moves uphill, resumes to the same bytes, and stays inside the ranges."""

from __future__ import annotations

import json

import numpy as np
import pytest

from evolve.tuning.search import Search

BEST = np.array([0.7, 0.35, 0.5])


def points(plus: np.ndarray, minus: np.ndarray) -> np.ndarray:
    """What a program without chance scores: its strength falls with the distance from BEST."""
    gain = ((minus - BEST) ** 2).sum(axis=1) - ((plus - BEST) ** 2).sum(axis=1)
    return 1 / (1 + np.exp(-4 * gain))


def played(search: Search, batches: int = 10_000) -> Search:
    while not search.done and batches:
        search.tell(points(*search.pairs()))
        batches -= 1
    return search


def test_it_finds_the_best_parameters_and_spends_its_budget() -> None:
    search = played(Search(np.full(3, 0.5), 2_000, seed=1))
    assert search.result() == pytest.approx(BEST, abs=0.03)
    assert search.games_played == 2_000


def test_a_search_resumed_from_text_ends_the_same() -> None:
    half = played(Search(np.full(3, 0.5), 600, seed=2), batches=7)
    resumed = Search.from_state(json.loads(json.dumps(half.state())))
    assert played(resumed).state() == played(half).state()


def test_no_point_leaves_the_ranges() -> None:
    search = Search(np.array([0.0, 1.0]), 400, seed=3)
    while not search.done:
        plus, minus = search.pairs()
        assert min(plus.min(), minus.min()) >= 0
        assert max(plus.max(), minus.max()) <= 1
        search.tell(np.ones(len(plus)))
    assert (search.result() >= 0).all()
    assert (search.result() <= 1).all()


def test_a_lost_pair_teaches_nothing() -> None:
    search = Search(np.full(2, 0.5), 200, seed=4)
    plus, _ = search.pairs()
    search.tell(np.full(len(plus), np.nan))
    assert search.centre.tolist() == [0.5, 0.5]
