"""Covariance matrix adaptation: injected players, winners, the learnt covariance, finalists and state."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from breeders import best_is_largest_sum, bred, told

from evolve.lessons.rollouts import Lessons
from evolve.settings import Settings
from evolve.strategies import make_breeder
from evolve.strategies.cma_es import FARTHEST, MOST_DEVIATION, REMEMBERED, CovarianceBreeder
from rulebots.game import Game
from rulebots.packages.rule_sets import load_rules
from rulebots.rules import RuleSet
from rulebots.rules.rule_set import MOST_WEIGHT


@pytest.fixture(scope="module")
def rules(lost_cities: Game) -> RuleSet:
    return load_rules("sheppard", lost_cities)


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


def test_players_to_start_from_are_measured_once_as_they_are(rules: RuleSet) -> None:
    other = rules.hand_tuned() + 1.0
    breeder = make_breeder(Settings.of("cma-es", seed=1), rules, [rules.hand_tuned(), other])
    first = breeder.ask()
    assert np.allclose(first[0], rules.hand_tuned())
    assert np.allclose(first[1], other)
    breeder.tell(told(best_is_largest_sum(first)))
    assert not any(np.allclose(weights, other) for weights in breeder.ask())


def test_before_a_generation_the_finalists_are_the_players_to_start_from(rules: RuleSet) -> None:
    start = [rules.hand_tuned() + value for value in range(3)]
    breeder = make_breeder(Settings.of("cma-es", seed=1), rules, start)
    assert np.array(breeder.finalists()) == pytest.approx(np.array(start))


def test_asking_twice_gives_the_same_players(rules: RuleSet) -> None:
    breeder = after(rules, 0)
    assert np.array_equal(breeder.ask(), breeder.ask())


def test_the_finalists_are_the_mean_and_averages_of_the_latest_means(rules: RuleSet) -> None:
    breeder = after(rules, REMEMBERED + 3)
    assert len(breeder.means) == REMEMBERED
    mean, half, whole = breeder.finalists()
    means = [breeder.weights(genes) for genes in breeder.means]
    assert np.allclose(mean, means[-1])
    assert np.allclose(half, np.mean(means[REMEMBERED // 2 :], axis=0))
    assert np.allclose(whole, np.mean(means, axis=0))


def test_the_mean_moves_to_the_best_samples_and_not_to_the_worst(rules: RuleSet) -> None:
    breeder = after(rules, 0)
    asked = breeder.ask()
    breeder.tell(told(best_is_largest_sum(asked)))
    order = np.argsort(-best_is_largest_sum(asked), kind="stable")
    winners = breeder.cma.mu
    mean = breeder.weights(breeder.mean.tolist())
    shares = breeder.cma.weights
    expected = sum(share * asked[i] for share, i in zip(shares, order[:winners], strict=True))
    assert np.allclose(mean, expected)


@pytest.mark.parametrize(("share", "winners"), [(0.01, 1), (0.05, 1), (0.11, 2), (1.0, 20)])
def test_the_share_of_winners_is_rounded_to_one_at_least(share: float, winners: int, rules: RuleSet) -> None:
    settings = Settings.of(f"cma-es:winners={share}", seed=1, population=20)
    breeder = make_breeder(settings, rules, [rules.hand_tuned()])
    assert isinstance(breeder, CovarianceBreeder)
    assert breeder.cma.mu == winners


def weighing(lost_cities: Game, count: int) -> RuleSet:
    """The first rules of Sheppard's set, or all of it."""
    rules = load_rules("sheppard", lost_cities)
    return replace(rules, name=f"first {count}", rules=rules.rules[:count])


def _lessons(rng: np.random.Generator, rules: int) -> Lessons:
    """Two decisions between two moves, whose returns are chance."""
    return Lessons(np.full(2, 2), rng.random(2), rng.random((4, rules), np.float32), rng.random(4), np.arange(4))


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("count", [1, 2, 6, 38])
@pytest.mark.parametrize("strategy", ["cma-es", "ga", "memetic:memory=2,epochs=1", "sheppard", "spsa"])
def test_ten_thousand_generations_without_a_signal_leave_a_state_to_go_on_from(
    lost_cities: Game, strategy: str, count: int
) -> None:
    rules = weighing(lost_cities, count)
    start = [np.ones((2, len(rules.rules)))]
    settings = Settings(strategy=strategy, population=14)
    breeder = make_breeder(settings, rules, start)
    rng = np.random.default_rng(count)
    for generation in range(10_000):
        if breeder.learner:
            breeder.learner.learn(generation, [_lessons(rng, len(rules.rules))])
        breeder.tell(told(rng.random(14) if generation % 4000 < 2000 else np.zeros(14)))
    weights = np.array(breeder.ask())
    assert np.abs(weights).max() < MOST_WEIGHT
    again = make_breeder(settings, rules, start)
    again.restore(json.loads(json.dumps(breeder.state(), allow_nan=False)))
    assert np.array_equal(again.ask(), weights)


def test_ever_larger_weights_that_win_stay_within_bounds(rules: RuleSet) -> None:
    grown = after(rules, 400)
    assert np.abs(grown.mean).max() <= FARTHEST
    assert grown.cma.sigma * grown.cma.diagD.max() <= MOST_DEVIATION * 1.001
    assert np.abs(np.array(grown.ask())).max() < MOST_WEIGHT
