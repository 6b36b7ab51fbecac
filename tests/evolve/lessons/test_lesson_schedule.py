"""Which games lessons come from, and that all workers take the same ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evolve.evaluation.arena import Arena
from evolve.lessons.learner import LessonRequest, take_lessons, why_none
from evolve.lessons.rollouts import Lessons
from evolve.schedules import lesson_schedule
from evolve.settings import Settings
from evolve.strategies import make_breeder
from evolve.workers import Workers
from evolve.workers.processes import workers_of
from rulebots.game import Game
from rulebots.packages import load_game, package_of
from rulebots.packages.players import make_player
from rulebots.packages.rule_sets import load_rules

SETTINGS = Settings(game="tictactoe", lessons=9, rollouts=2)


def same(first: Lessons, second: Lessons) -> bool:
    return all(np.array_equal(getattr(first, name), getattr(second, name)) for name in vars(first))


def test_lessons_are_shared_out_among_opponents_and_itself() -> None:
    schedule = lesson_schedule(40, 2, 0.25)
    assert schedule[:, 0].tolist() == list(range(40))
    whom = schedule[:, 1:].sum(axis=1)  # the learner is 0
    assert [(whom == n).sum() for n in (1, 2, 3)] == [16, 14, 10]
    assert (schedule[::2, 1] == 0).all()
    assert (schedule[1::2, 2] == 0).all()
    assert (whom[::2] == whom[1::2]).all()
    assert set(lesson_schedule(6, 2, 0.0)[:, 1:].sum(axis=1)) == {1, 2}
    assert set(lesson_schedule(6, 2, 1.0)[:, 1:].sum(axis=1)) == {3}
    assert set(lesson_schedule(6, 0, 0.25)[:, 1:].sum(axis=1)) == {1}


@pytest.mark.compiled
def test_all_workers_take_the_same_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("tictactoe")
    rules, opponents = load_rules(game=game), [make_player(package_of(game).references[0], game)]
    request = LessonRequest(3, rules.hand_tuned(), np.inf, 0.5)

    def taken_by(workers: Workers) -> Lessons:
        return take_lessons(Arena(game, SETTINGS, workers), request, rules, opponents)

    here = taken_by(Workers(1))
    with workers_of("loky", 2) as there:
        assert same(taken_by(there), here)
    monkeypatch.setattr("evolve.lessons.learner.ROLLOUTS_AT_ONCE", 1)
    assert same(taken_by(Workers(2)), here)


def test_a_run_takes_no_lessons_where_its_strategy_or_its_rules_cannot(lost_cities: Game) -> None:
    learner = make_breeder(
        SETTINGS.of("memetic"), load_rules(game=lost_cities), [load_rules(game=lost_cities).hand_tuned()]
    ).learner
    standard, sheppard = load_rules("standard", lost_cities), load_rules("sheppard", lost_cities)
    assert why_none(SETTINGS, learner, standard) is None
    assert why_none(SETTINGS, None, standard) == "the strategy 'ga' takes none"
    assert why_none(replace(SETTINGS, lessons=0), None, standard) is None
    assert "do not simply take the best score" in why_none(SETTINGS, learner, sheppard)
