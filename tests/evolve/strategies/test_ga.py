"""The genetic algorithm."""

from __future__ import annotations

import json

import numpy as np
import pytest
from breeders import best_is_largest_sum, bred, told

from evolve.evaluation.fitness import Tally
from evolve.settings import Settings
from evolve.strategies import make_breeder
from evolve.strategies.ga import cross_pool, redraw
from rulebots.game import Game
from rulebots.packages.rule_sets import load_rules
from rulebots.rules import RuleSet


@pytest.fixture(scope="module")
def rules(lost_cities: Game) -> RuleSet:
    return load_rules("sheppard", lost_cities)


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


def test_the_first_population_is_the_start_then_mutants_of_each_in_turn(rules: RuleSet) -> None:
    start = [rules.hand_tuned() * factor for factor in (1, 2, 3)]
    settings = Settings.of("ga:mutation=0,mutation_floor=0", seed=1, population=8)
    asked = np.array(make_breeder(settings, rules, start).ask())
    assert (asked == [start[i % 3] for i in range(8)]).all()
    alone = make_breeder(Settings.of("ga", seed=1, population=2), rules, start).ask()
    assert (np.array(alone) == start[:2]).all()


def test_a_generation_is_elites_then_immigrants_then_children_of_all_winners(rules: RuleSet) -> None:
    spec = "ga:mutation=0,mutation_floor=0,redrawn=1,redrawn_range=0.25,elites=0.2,immigrants=0.3,winners=0.25"
    start = [np.full_like(rules.hand_tuned(), value) for value in range(10, 2, -1)]
    breeder = make_breeder(Settings.of(spec, seed=1, population=8), rules, start)
    breeder.tell(told(best_is_largest_sum(breeder.ask())))
    following = np.array(breeder.ask())
    assert (following[:2] == start[:2]).all()  # round(0.2 * 8) elites, the best first
    assert (np.abs(following[2:4]) <= 0.25).all()  # round(0.3 * 8) immigrants, each weight redrawn
    assert len(np.unique(following[2:4])) > 8
    shares = np.log(2.5) - np.log([1, 2])
    assert following[4:] == pytest.approx(np.full_like(following[4:], 9 + shares[0] / shares.sum()))


def test_mutation_shrinks_to_its_floor(rules: RuleSet) -> None:
    breeder = bred("ga", rules, 0)
    for generation, sigma in {0: 0.5, 1: 0.5 * 0.976, 10: 0.5 * 0.976**10, 1000: 0.05}.items():
        breeder.generation = generation
        assert breeder.sigma == pytest.approx(sigma)


def test_steps_are_in_inverse_proportion_to_the_range_of_a_rule_within_bounds(rules: RuleSet) -> None:
    breeder = bred("ga", rules, 0)
    assert (breeder.steps == 1).all()
    breeder.scale(np.array([1.0, 2.0, 4.0, 0.0, 0.1, 1000.0, 1.0]))
    steps = np.array([1.0, 0.5, 0.25, 1.0, 2.0, 0.02, 1.0])  # a rule that never differs counts as one
    steps /= steps.prod() ** (1 / 7)
    assert breeder.steps == pytest.approx(steps)
    half = make_breeder(Settings.of("ga:scaling=0.5", seed=1), rules, [rules.hand_tuned()])
    half.scale(np.array([1.0, 2.0, 4.0, 0.0, 0.1, 1000.0, 1.0]))
    assert half.steps == pytest.approx(steps**0.5)


def test_early_and_late_weights_of_a_rule_take_the_same_steps(lost_cities: Game) -> None:
    rules = load_rules(game=lost_cities)
    assert not rules.flat
    breeder = bred("ga", rules, 0)
    breeder.scale(np.linspace(0.5, 2.0, len(rules.rules)))
    early, late = breeder.weights(breeder.steps)
    assert (early == late).all()
    assert (np.diff(early) < 0).all()


def test_the_first_population_is_drawn_again_with_scaled_steps(rules: RuleSet) -> None:
    start = [rules.hand_tuned() * factor for factor in (1, 2, 3)]
    plain, scaled = (make_breeder(Settings.of("ga", seed=1, population=8), rules, start) for _ in range(2))
    assert scaled.unscaled
    restored = make_breeder(scaled.settings, rules, start[:1])
    restored.restore(json.loads(json.dumps(scaled.state())))
    for breeder in (scaled, restored):
        breeder.scale(np.arange(7.0))
        assert not breeder.unscaled
        begun = np.array([start[i % 3] for i in range(8)])
        assert np.array(breeder.ask()) == pytest.approx(begun + (np.array(plain.ask()) - begun) * breeder.steps)


def test_later_populations_stay_and_their_children_take_scaled_steps(rules: RuleSet) -> None:
    spec = "ga:immigrants=0,elites=0"
    plain, scaled = (make_breeder(Settings.of(spec, seed=1), rules, [rules.hand_tuned()]) for _ in range(2))
    for breeder in (plain, scaled):
        breeder.tell(told(best_is_largest_sum(breeder.ask())))
    scaled.scale(np.arange(7.0))
    assert (np.array(scaled.ask()) == plain.ask()).all()
    restored = make_breeder(Settings.of(spec, seed=1), rules, [rules.hand_tuned()])
    restored.restore(json.loads(json.dumps(scaled.state())))
    for breeder in (plain, scaled, restored):
        breeder.tell(told(best_is_largest_sum(breeder.ask())))
    centre = plain.means[-1]
    for breeder in (scaled, restored):
        assert np.array(breeder.ask()) == pytest.approx(centre + (np.array(plain.ask()) - centre) * scaled.steps)


def test_a_setting_leaves_all_steps_alike(rules: RuleSet) -> None:
    breeder = make_breeder(Settings.of("ga:scaling=0", seed=1), rules, [rules.hand_tuned()])
    assert not breeder.unscaled
    breeder.scale(np.arange(7.0))
    assert (breeder.steps == 1).all()


def test_the_finalists_are_means_then_the_best_single_players(rules: RuleSet) -> None:
    breeder = make_breeder(Settings.of("ga:remembered=4,finalists=5", seed=1), rules, [rules.hand_tuned()])
    assert [w.tolist() for w in breeder.finalists()] == [w.tolist() for w in breeder.ask()[:5]]
    for _ in range(6):
        asked = breeder.ask()
        breeder.tell(told(best_is_largest_sum(asked)))
    means = np.array([breeder.weights(genes) for genes in breeder.means])
    assert len(means) == 4
    best = np.argsort(-best_is_largest_sum(asked), kind="stable")[:2]
    expected = [means[-1], means[2:].mean(axis=0), means.mean(axis=0), asked[best[0]], asked[best[1]]]
    assert np.array(breeder.finalists()) == pytest.approx(np.array(expected))


def test_a_weight_is_redrawn_with_the_probability_of_its_share() -> None:
    genes = [5.0] * 2000
    assert redraw(genes, 0.0, -1.0, 1.0) == genes
    some = np.array(redraw(genes, 0.1, -1.0, 1.0))
    assert 140 <= (some != 5.0).sum() <= 260
    assert np.abs(some[some != 5.0]).max() <= 1.0
    assert 5.0 not in redraw(genes, 1.0, -1.0, 1.0)
