"""A genetic algorithm whose players learn: what was learnt is inherited, and lessons are those of the middle."""

from __future__ import annotations

import numpy as np
import pytest
from breeders import bred

from evolve.settings import Settings
from evolve.strategies.ga import MemeticBreeder
from rulebots.game import Game
from rulebots.packages.rule_sets import load_rules
from rulebots.rules import RuleSet


@pytest.fixture(scope="module")
def rules(lost_cities: Game) -> RuleSet:
    return load_rules("sheppard", lost_cities)


def breeder_of(rules: RuleSet, generations: int) -> MemeticBreeder:
    breeder = bred("memetic", rules, generations)
    assert isinstance(breeder, MemeticBreeder)
    return breeder


def test_the_first_lessons_are_those_of_the_player_to_start_from(rules: RuleSet) -> None:
    (request,) = breeder_of(rules, 0).learner.wanted(0)
    assert np.allclose(request.weights, rules.hand_tuned())


def test_what_was_learnt_moves_the_centre_of_all_children(rules: RuleSet) -> None:
    plain, taught = breeder_of(rules, 0), breeder_of(rules, 0)
    winners = plain.population[:4]
    taught.learner.change = np.full(len(winners[0]), 0.5)
    assert np.allclose(taught.centre_of(winners), np.array(plain.centre_of(winners)) + 0.5)


def test_mutants_stay_nearer_than_those_of_ga() -> None:
    assert Settings.of("memetic").lessons == 2000
    assert MemeticBreeder.own_settings().mutation < MemeticBreeder.__mro__[1].own_settings().mutation


def test_the_state_holds_what_the_learner_remembers(rules: RuleSet) -> None:
    breeder = breeder_of(rules, 2)
    assert breeder.state()["learner"] == breeder.learner.state()
