"""Trials: do games repeat, and does each parameter change any?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from evolve.tuning.matches import FunctionMatch, Played
from evolve.tuning.parameters import Parameter
from evolve.tuning.trials import DEAD, MOST, SEEDS, Task, Trials, refuse_dead, tried
from rulebots.errors import UsageError

X, Y = Parameter("x", 1.0, 0, 2), Parameter("y", 1.0, 0, 2)


def trial(play: Callable[..., object], *parameters: Parameter, games: int = 20_000) -> tuple[Trials, list[Task]]:
    match = FunctionMatch(play)
    asked: list[Task] = []

    def all_played(tasks: Sequence[Task]) -> list[Played]:
        asked.extend(tasks)
        return [match.pair(*task) for task in tasks]

    return tried(match, parameters, all_played, games), asked


def by_x(first, second, seed):
    return float(first["x"] + np.random.default_rng(seed).random() / 2 > second["x"])


def test_a_parameter_that_changes_nothing_is_refused_by_name() -> None:
    trials, asked = trial(by_x, X, Y)
    assert (trials.repeats, trials.dead, trials.rounds) == (True, ["y"], MOST)
    assert len({seed for first, _, seed in asked if first["y"] == 2.0}) == DEAD
    with pytest.raises(UsageError, match="nothing changes with y: 12 pairs"):
        refuse_dead(trials)


def test_a_faint_parameter_is_given_more_games() -> None:
    def play(first, second, seed):
        return abs(by_x(first, second, seed) - (seed == 9 and first["y"] > 1))

    assert trial(play, X, Y, games=200)[0].dead == []


def test_the_ends_score_against_the_start() -> None:
    trials, _ = trial(by_x, X, games=200_000)
    assert np.array_equal(trials.ends, [[0.0, 1.0]])
    assert trials.games_a_pair == 2


def test_matches_of_many_games_are_tried_less_often() -> None:
    trials, _ = trial(lambda first, second, seed: [by_x(first, second, seed)] * 500, X, games=20_000)
    assert (trials.rounds, trials.games_a_pair) == (1, 1000)


def test_games_that_do_not_repeat_leave_nothing_dead() -> None:
    luck = np.random.default_rng(1)
    trials, _ = trial(lambda first, second, seed: luck.random(), X, Y)
    assert (trials.repeats, trials.dead) == (False, None)
    assert "cannot share their luck" in trials.notes[0]
    refuse_dead(trials)


def test_a_seed_that_changes_nothing_is_a_warning() -> None:
    trials, _ = trial(lambda first, second, seed: float(first["x"] > second["x"]), X)
    assert trials.same
    assert "all seeds gave the same results" in trials.notes[1]
    assert not trial(lambda first, second, seed: by_x(second, first, seed) if seed % 2 else 0.5, X)[0].same


def test_ends_that_lose_with_every_seed_are_no_warning() -> None:
    def play(first, second, seed):
        return first["x"] == 1 and (second["x"] != 1 or seed % 2)

    assert not trial(play, X)[0].same


def test_a_fault_ends_the_trials_at_once() -> None:
    def play(first, second, seed):
        raise ValueError("no board")

    with pytest.raises(UsageError, match="no board"):
        trial(play, X)


def test_the_same_seed_is_played_twice_first() -> None:
    _, asked = trial(by_x, X, Y)
    assert [seed for _, _, seed in asked[1 : 2 * SEEDS + 1]] == [0, 0, 1, 1, 2, 2, 3, 3]
