"""Breeding without games: what each strategy makes of the results it is told."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from evolve.strategies import operators
from evolve.strategies.base import Breeder
from evolve.evaluation.fitness import Tally
from evolve.settings import Settings
from evolve.strategies import make_breeder, strategies
from rulebots.game import Game
from rulebots.errors import UsageError
from rulebots.rules import RuleSet, Weights


@pytest.fixture(scope="module")
def rules(lost_cities: Game) -> RuleSet:
    return lost_cities.rule_set("sheppard")


def told(strength: np.ndarray, stalled: np.ndarray | None = None) -> Tally:
    """A tally of 100 games each in which a player's wins are its strength."""
    n = len(strength)
    zero = np.zeros(n)
    return Tally(np.full(n, 100.0), strength, zero, zero if stalled is None else stalled, zero, zero)


def best_is_largest_sum(weights: list[Weights]) -> np.ndarray:
    return np.array([w[0].sum() for w in weights])


def bred(strategy: str, rules: RuleSet, generations: int, seed: int = 1) -> Breeder:
    breeder = make_breeder(Settings.of(strategy, seed=seed), rules, [rules.hand_tuned()])
    for _ in range(generations):
        breeder.tell(told(best_is_largest_sum(breeder.ask())))
    return breeder


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
def test_a_breeder_goes_on_from_the_text_of_its_state(strategy: str, rules: RuleSet) -> None:
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


def test_the_ga_starts_with_the_player_it_is_given(rules: RuleSet) -> None:
    assert (bred("ga", rules, 0).ask()[0] == rules.hand_tuned()).all()


def test_survivors_of_the_ga_are_unchanged_and_measured_anew(rules: RuleSet) -> None:
    breeder = bred("ga", rules, 1)
    parents = breeder.ask()
    strength = best_is_largest_sum(parents)
    breeder.tell(told(strength))
    best = np.argsort(-strength, kind="stable")[: round(0.04 * breeder.settings.population)]
    assert len(best) > 1
    assert [w.tolist() for w in breeder.ask()[: len(best)]] == [parents[i].tolist() for i in best]
    assert not any(individual.fitness.valid for individual in breeder.population)


def test_the_pool_crosses_all_winners_the_better_the_heavier() -> None:
    child = operators.cross_pool([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    assert child[0] > child[1] > 0
    assert sum(operators.cross_pool([[1.0], [1.0], [1.0]])) == pytest.approx(1.0)


def test_margins_tell_players_with_equal_wins_apart(rules: RuleSet) -> None:
    breeder = bred("ga", rules, 0)
    n = len(breeder.population)
    tally = Tally(np.full(n, 10.0), np.full(n, 5.0), np.zeros(n), np.zeros(n), np.zeros(n), np.arange(n) * 10.0)
    scores = breeder.score(tally)
    assert scores == sorted(scores)
    assert scores[1][0] - scores[0][0] == pytest.approx(breeder.settings.margin)


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


def test_a_new_rule_comes_in_with_two_newcomers(rules: RuleSet) -> None:
    old = [np.full((2, 7), 0.5) for _ in range(14)]
    for weights in old:
        weights[:, 6] = 0.0
    breeder = make_breeder(Settings.of("sheppard"), rules, old, new_rules=[6])
    asked = [w[0].tolist() for w in breeder.ask()]
    assert asked[0] == [0.5] * 6 + [0.0]
    assert [0.5] * 6 + [0.8] in asked
    assert [0.0] * 6 + [0.8] in asked


def test_games_against_opponents_count_for_their_share() -> None:
    among = told(np.array([50.0, 20.0]))
    against = Tally(*(np.array([10.0, 10.0]), np.array([0.0, 10.0]), *[np.zeros(2)] * 4))
    assert among.blended(against, 0.75).win_rate == pytest.approx([0.25 * 0.5, 0.25 * 0.2 + 0.75])


@pytest.mark.parametrize(
    "wrong",
    [
        {"generations": 0},
        {"population": 1},
        {"deals": 0},
        {"deals": 10**9},
        {"seed": -1},
        {"seed": 2**32},
        {"opponent_share": 1.0},
        {"margin": float("nan")},
        {"margin": "much"},
        {"generations": True},
        {"population": 100_000},
    ],
)
def test_settings_refuse_what_makes_no_sense(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError, match=r"expected|games a generation"):
        Settings(**wrong)


def test_an_unknown_strategy_is_named(rules: RuleSet) -> None:
    with pytest.raises(UsageError, match="no strategy 'gaa'; did you mean 'ga'"):
        make_breeder(Settings(strategy="gaa"), rules, [rules.hand_tuned()])


@pytest.mark.parametrize(
    ("strategy", "message"),
    {
        "ga:winners=0": "winners: expected a number from 0.01 to 1.0, not 0.0",
        "ga:mutation=much": "'ga:mutation=much': expected a number for 'mutation', not 'much'",
        "ga:finalists=0": "finalists: expected a whole number of at least 1, not 0",
        "ga:winer=0.5": "'ga:winer=0.5': no setting 'winer' of ga; did you mean 'winners'?",
        "sheppard:kept=3": "'sheppard:kept=3': no setting 'kept' of sheppard; there are: none",
    }.items(),
)
def test_a_strategys_own_settings_stand_behind_its_name(strategy: str, message: str, rules: RuleSet) -> None:
    with pytest.raises(UsageError) as refused:
        make_breeder(Settings.of(strategy), rules, [rules.hand_tuned()])
    assert str(refused.value) == message
    assert make_breeder(Settings(strategy="ga:winners=0.5"), rules, [rules.hand_tuned()]).own.winners == 0.5
