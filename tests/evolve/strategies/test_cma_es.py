"""Covariance matrix adaptation: the share of winners, and a covariance that learns and comes back whole."""

from __future__ import annotations

import json

import numpy as np
import pytest
from breeders import best_is_largest_sum, bred, told

from evolve.settings import Settings
from evolve.strategies import make_breeder
from evolve.strategies.cma_es import CovarianceBreeder
from rulebots.game import Game
from rulebots.registry import parts_of
from rulebots.rules import RuleSet


@pytest.fixture(scope="module")
def rules(lost_cities: Game) -> RuleSet:
    return parts_of(lost_cities).rule_set("sheppard")


def after(rules: RuleSet, generations: int) -> CovarianceBreeder:
    breeder = bred("cma-es", rules, generations)
    assert isinstance(breeder, CovarianceBreeder)
    return breeder


def test_half_of_the_population_makes_the_mean(rules: RuleSet) -> None:
    breeder = after(rules, 0)
    assert (breeder.cma.lambda_, breeder.cma.mu) == (breeder.settings.population, breeder.settings.population // 2)
    assert breeder.cma.sigma == breeder.own.sigma


def test_the_covariance_begins_isotropic_and_learns_where_wins_are(rules: RuleSet) -> None:
    before, learnt = after(rules, 0), after(rules, 20)
    assert np.array_equal(before.cma.C, np.eye(len(before.mean)))
    # Wins grow with the sum of the early weights: their common direction is the widest.
    widest = np.abs(np.linalg.eigh(learnt.cma.C)[1][:, -1])
    assert np.linalg.eigvalsh(learnt.cma.C)[-1] > 1.2
    early = np.abs(learnt.mean - before.mean)
    assert np.corrcoef(widest, early)[0, 1] > 0


def test_a_restored_distribution_is_the_same(rules: RuleSet) -> None:
    whole = after(rules, 4)
    restored = make_breeder(Settings.of("cma-es", seed=1), rules, [rules.hand_tuned()])
    assert isinstance(restored, CovarianceBreeder)
    restored.restore(json.loads(json.dumps(whole.state())))
    assert restored.cma.mu == whole.cma.mu
    assert np.array_equal(restored.ask(), whole.ask())
    for breeder in (whole, restored):
        breeder.tell(told(best_is_largest_sum(breeder.ask())))
    assert np.array_equal(restored.cma.C, whole.cma.C)
