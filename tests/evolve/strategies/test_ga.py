"""The genetic algorithm."""

from __future__ import annotations

import numpy as np
import pytest
from breeders import best_is_largest_sum, bred, told

from evolve.evaluation.fitness import Tally
from evolve.strategies.ga import cross_pool
from rulebots.game import Game
from rulebots.packages import parts_of
from rulebots.rules import RuleSet


@pytest.fixture(scope="module")
def rules(lost_cities: Game) -> RuleSet:
    return parts_of(lost_cities).rule_set("sheppard")


def test_the_ga_starts_with_the_player_it_is_given(rules: RuleSet) -> None:
    assert (bred("ga", rules, 0).ask()[0] == rules.hand_tuned()).all()


def test_elites_are_unchanged_and_re_evaluated(rules: RuleSet) -> None:
    breeder = bred("ga", rules, 1)
    parents = breeder.ask()
    strength = best_is_largest_sum(parents)
    breeder.tell(told(strength))
    best = np.argsort(-strength, kind="stable")[: round(0.04 * breeder.settings.population)]
    assert len(best) > 1
    assert [w.tolist() for w in breeder.ask()[: len(best)]] == [parents[i].tolist() for i in best]
    assert not any(individual.fitness.valid for individual in breeder.population)


def test_margins_tell_players_with_equal_wins_apart(rules: RuleSet) -> None:
    breeder = bred("ga", rules, 0)
    n = len(breeder.population)
    tally = Tally(np.full(n, 10.0), np.full(n, 5.0), np.zeros(n), np.zeros(n), np.zeros(n), np.arange(n) * 10.0)
    scores = breeder.score(tally)
    assert scores == sorted(scores)
    assert scores[1][0] - scores[0][0] == pytest.approx(breeder.settings.margin)


def test_the_pool_crosses_all_winners_the_better_the_heavier() -> None:
    child = cross_pool([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    assert child[0] > child[1] > 0
    assert sum(cross_pool([[1.0], [1.0], [1.0]])) == pytest.approx(1.0)
