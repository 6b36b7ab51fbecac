"""Sheppard's breeder."""

from __future__ import annotations

import numpy as np
import pytest
from breeders import bred, told

from evolve.evaluation.fitness import Tally
from rulebots.game import Game
from rulebots.packages.rule_sets import load_rules
from rulebots.rules import RuleSet


@pytest.fixture(scope="module")
def rules(lost_cities: Game) -> RuleSet:
    return load_rules("sheppard", lost_cities)


def test_sheppards_order_is_fewest_broken_then_most_wins_then_points(rules: RuleSet) -> None:
    breeder = bred("sheppard", rules, 0)
    n = len(breeder.population)
    stalled, wins, points = np.full(n, 9.0), np.zeros(n), np.zeros(n)
    stalled[:3], wins[1:3], points[2] = 0.0, 7.0, 50.0
    players = breeder.ask()
    breeder.tell(Tally(np.full(n, 50.0), wins, np.zeros(n), stalled, points, np.zeros(n)))
    assert [w.tolist() for w in breeder.ask()[:3]] == [players[i].tolist() for i in (2, 1, 0)]


def test_sheppards_next_generation(rules: RuleSet) -> None:
    breeder = bred("sheppard", rules, 0)
    players = breeder.ask()
    strength = -np.arange(14.0)
    breeder.tell(told(strength))
    following = np.array([w[0] for w in breeder.ask()])
    first, second = players[0][0], players[1][0]
    average = (first + second) / 2
    assert (following[:8] == [w[0] for w in players[:8]]).all()
    assert following[8] == pytest.approx(average)
    for mutant, parent in zip(following[9:13], (first, first, average, average), strict=True):
        assert 0 < np.abs(mutant - parent).max() <= 0.05
    assert ((following[13] >= -0.2) & (following[13] <= 0.8)).all()


def test_ties_keep_their_order_and_the_finalists_are_the_best_eight(rules: RuleSet) -> None:
    breeder = bred("sheppard", rules, 0)
    players = breeder.ask()
    breeder.tell(told(np.array([0.0, 5.0, 0.0, 5.0, *np.zeros(10)])))
    order = [1, 3, 0, 2, 4, 5, 6, 7]
    assert [w.tolist() for w in breeder.finalists()] == [players[i].tolist() for i in order]
