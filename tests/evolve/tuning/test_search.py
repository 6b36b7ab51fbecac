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


def test_perturbations_shrink_where_perturbed_programs_play_nonsense() -> None:
    search = Search(np.full(2, 0.5), 4_000, seed=4)
    usual = np.abs(search.pairs()[0] - 0.5).max()
    plus, minus = search.pairs()
    assert (minus == 0.5).all()
    search.tell(np.zeros(len(plus)))
    assert np.abs(search.pairs()[0] - 0.5).max() < usual / 2
    search.tell(np.full(len(search.pairs()[0]), 0.4))
    plus, minus = search.pairs()
    assert plus + minus == pytest.approx(np.ones(plus.shape))
    assert np.abs(plus - 0.5).max() < usual / 2


def test_a_search_that_went_astray_begins_again_at_the_start_with_smaller_steps() -> None:
    search = Search(np.full(2, 0.5), 4_000, seed=4)
    start = search.start.tolist()
    sigma = search.sigma
    astray = 0
    while not search.done:
        plus, minus = search.pairs()
        check = (minus == 0.5).all() and search.checks == 0 and search.trials_left == 0
        if check:
            assert (plus != 0.5).any()
            search.tell(np.full(len(plus), 0.3))
            astray += 1
            assert search.result().tolist() == start
            assert search.sigma == sigma / 2
        else:
            search.tell(np.where(plus[:, 0] > minus[:, 0], 0.75, 0.5))
    assert astray == 1


def test_the_start_never_plays_against_itself() -> None:
    search = Search(np.full(2, 0.5), 400, seed=4)
    while not search.done:
        plus, minus = search.pairs()
        assert (plus != minus).any()
        # Perturbed programs play nonsense, and so does whatever they lead to.
        search.tell(np.zeros(len(plus)))


def test_the_result_is_a_mean_and_not_the_last_centre() -> None:
    search = played(Search(np.full(3, 0.5), 1_000, seed=1))
    assert search.result().tolist() != search.centre.tolist()
    assert search.result() == pytest.approx(search.centre, abs=0.1)


def test_a_parameter_with_a_smaller_scale_is_perturbed_less() -> None:
    search = Search(np.full(2, 0.5), 400, seed=1, scale=np.array([1.0, 0.25]))
    away = np.abs(search.pairs()[0] - 0.5)
    assert away[:, 1] == pytest.approx(away[:, 0] / 4)


def test_a_lost_pair_teaches_nothing() -> None:
    search = Search(np.full(2, 0.5), 200, seed=4)
    plus, _ = search.pairs()
    search.tell(np.full(len(plus), np.nan))
    assert search.centre.tolist() == [0.5, 0.5]
