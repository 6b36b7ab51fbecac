"""What every strategy does with the scores that it is told, without any games."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest
from breeders import best_is_largest_sum, bred, told

from evolve.settings import Settings
from evolve.strategies import make_breeder, strategies
from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.packages.rule_sets import load_rules
from rulebots.rules import RuleSet


@pytest.fixture(scope="module")
def rules(lost_cities: Game) -> RuleSet:
    return load_rules("sheppard", lost_cities)


@pytest.mark.parametrize("strategy", strategies())
def test_winners_breed(strategy: str, rules: RuleSet) -> None:
    before, after = bred(strategy, rules, 0), bred(strategy, rules, 20)
    assert best_is_largest_sum(after.ask()).mean() > best_is_largest_sum(before.ask()).mean() + 1


@pytest.mark.parametrize("strategy", strategies())
def test_the_same_seed_breeds_the_same_and_another_does_not(strategy: str, rules: RuleSet) -> None:
    first, again, other = (np.array(bred(strategy, rules, 3, seed).ask()) for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()


@pytest.mark.parametrize("strategy", strategies())
def test_a_restored_breeder_continues_as_the_original(strategy: str, rules: RuleSet) -> None:
    before, whole = bred(strategy, rules, 3), bred(strategy, rules, 6)
    text = json.dumps(before.state(), allow_nan=False)
    restored = make_breeder(Settings.of(strategy, seed=1, generations=9), rules, [rules.hand_tuned()])
    restored.restore(json.loads(text))
    for _ in range(3):
        restored.tell(told(best_is_largest_sum(restored.ask())))
    assert restored.generation == 6
    assert (np.array(restored.ask()) == np.array(whole.ask())).all()
    assert (np.array(restored.finalists()) == np.array(whole.finalists())).all()
    assert restored.state() == whole.state()


@pytest.mark.parametrize("strategy", strategies())
def test_breeding_leaves_pythons_random_as_it_was(strategy: str, rules: RuleSet) -> None:
    random.seed(5)
    state = random.getstate()
    bred(strategy, rules, 2)
    assert random.getstate() == state


@pytest.mark.parametrize("strategy", strategies())
def test_populations_keep_their_size_and_finalists_are_players(strategy: str, rules: RuleSet) -> None:
    breeder = bred(strategy, rules, 4)
    assert len(breeder.ask()) == breeder.settings.population
    assert all(weights.shape == (2, len(rules.rules)) for weights in breeder.finalists())
    assert breeder.finalists()


@pytest.mark.parametrize("strategy", [name for name in strategies() if name not in {"ga", "spsa"}])
def test_the_other_strategies_scale_no_steps_by_default(strategy: str, rules: RuleSet) -> None:
    breeder, plain = bred(strategy, rules, 0), bred(strategy, rules, 0)
    assert not breeder.unscaled
    breeder.scale(np.arange(7.0))
    assert (np.array(breeder.ask()) == plain.ask()).all()


def test_an_unknown_strategy_is_named(rules: RuleSet) -> None:
    with pytest.raises(UsageError, match="no strategy 'gaa'; did you mean 'ga'"):
        make_breeder(Settings(strategy="gaa"), rules, [rules.hand_tuned()])
