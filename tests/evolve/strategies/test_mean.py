"""Strategies that move a mean: players to start from are measured, and the mean is the answer."""

from __future__ import annotations

import numpy as np
import pytest
from breeders import best_is_largest_sum, told

from evolve.settings import Settings
from evolve.strategies import make_breeder
from evolve.strategies.mean import REMEMBERED, MeanBreeder, by_rank
from rulebots.game import Game
from rulebots.registry import parts_of
from rulebots.rules import RuleSet


@pytest.fixture(scope="module")
def rules(lost_cities: Game) -> RuleSet:
    return parts_of(lost_cities).rule_set("sheppard")


def breeder_of(rules: RuleSet, *start: np.ndarray, strategy: str = "es") -> MeanBreeder:
    breeder = make_breeder(Settings.of(strategy, seed=1), rules, [rules.hand_tuned(), *start])
    assert isinstance(breeder, MeanBreeder)
    return breeder


@pytest.mark.parametrize("strategy", ["es", "cma-es"])
def test_players_to_start_from_are_measured_once_as_they_are(rules: RuleSet, strategy: str) -> None:
    other = rules.hand_tuned() + 1.0
    breeder = breeder_of(rules, other, strategy=strategy)
    first = breeder.ask()
    assert np.allclose(first[0], rules.hand_tuned())
    assert np.allclose(first[1], other)
    breeder.tell(told(best_is_largest_sum(first)))
    assert not any(np.allclose(weights, other) for weights in breeder.ask())


def test_asking_twice_gives_the_same_players(rules: RuleSet) -> None:
    breeder = breeder_of(rules)
    assert np.array_equal(breeder.ask(), breeder.ask())


def test_the_finalists_are_the_mean_and_averages_of_the_latest_means(rules: RuleSet) -> None:
    breeder = breeder_of(rules)
    for _ in range(REMEMBERED + 3):
        breeder.tell(told(best_is_largest_sum(breeder.ask())))
    assert len(breeder.means) == REMEMBERED
    mean, half, whole = breeder.finalists()
    means = [breeder.weights(genes) for genes in breeder.means]
    assert np.allclose(mean, means[-1])
    assert np.allclose(half, np.mean(means[REMEMBERED // 2 :], axis=0))
    assert np.allclose(whole, np.mean(means, axis=0))


def test_ties_keep_their_order() -> None:
    assert by_rank(np.array([1.0, 3.0, 1.0, 3.0])).tolist() == [1, 3, 0, 2]
