"""The verdict on a tuned program."""

from __future__ import annotations

import numpy as np
import pytest

from evolve.tuning.verdict import amount, judged
from rulebots.ratings import Sprt


def pairs(wins: int, draws: int, losses: int) -> np.ndarray:
    return np.repeat([1.0, 0.5, 0.0], [wins, draws, losses])


@pytest.mark.parametrize(
    ("results", "word"),
    [((60, 20, 20), "better"), ((20, 20, 60), "worse"), ((35, 35, 30), "undecided"), ((0, 0, 0), "undecided")],
)
def test_the_word_follows_from_the_interval(results: tuple[int, int, int], word: str) -> None:
    assert judged(pairs(*results)).word == word


def test_the_gain_lies_in_its_interval_and_lost_pairs_do_not_count() -> None:
    verdict = judged(np.concatenate([pairs(30, 50, 20), [np.nan] * 40]))
    assert verdict.games == 200
    assert verdict.gain == pytest.approx(34.86, abs=0.01)
    assert verdict.low < verdict.gain < verdict.high
    assert verdict.low < 0


def test_all_games_of_a_pair_count() -> None:
    points = pairs(120, 40, 80)
    assert judged(points).word == "better"
    assert judged(points, games=6).games == 1_440


@pytest.mark.parametrize(("rate", "verdict"), [(0.7, "H1"), (1.0, "H1"), (0.0, "H0"), (0.51, "undecided")])
def test_matches_of_many_games_decide_a_sequential_test_as_soon_as_single_games(rate: float, verdict: str) -> None:
    points = np.random.default_rng(1).binomial(40, rate, 12) / 40
    assert Sprt(0, 10).verdict(*amount(points, 40)) == verdict


def test_matches_whose_games_all_end_alike_count_as_one_game_each() -> None:
    counts, scores = amount(np.repeat([0.0, 1.0], [40, 60]), 40)
    assert counts == pytest.approx([40, 60], rel=0.02)
    assert scores.tolist() == [0, 1]
