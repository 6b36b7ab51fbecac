"""Runs: a function is tuned, pairs are lost, and what is stopped goes on to the same bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from evolve import Parameter, tune
from evolve.tuning.matches import FunctionMatch, MatchError
from evolve.tuning.run import Tuning, TuningTask, paced, play_pair, try_out
from evolve.workers import Workers
from rulebots.errors import UsageError

SPEED = [Parameter("speed", 1.0, 0, 6)]


def arena(first, second, seed):
    weak = [40 * (side["speed"] - 3) ** 2 for side in (first, second)]
    return float(np.random.default_rng([seed, *map(int, weak)]).random() < 1 / (1 + 10 ** ((weak[0] - weak[1]) / 400)))


def begun(play: Any, games: int, fresh: int | None = None) -> Tuning:
    task = TuningTask(FunctionMatch(play), tuple(SPEED), games, fresh=fresh)
    return Tuning(task, Workers(1), try_out(task, Workers(1)))


def test_a_better_value_is_found_and_shown_on_fresh_games() -> None:
    tuned = tune(arena, SPEED, games=1000)
    assert tuned.verdict.word == "better"
    assert 2 < tuned.values["speed"] < 4
    assert tuned.intervals["speed"][0] <= tuned.values["speed"] <= tuned.intervals["speed"][1]
    assert (tuned.unshown, tuned.games, tuned.lost) == ((), 1000, 0)
    assert tuned.verdict.games == 200
    assert tuned.arguments == f"speed={tuned.values['speed']}"


def test_games_of_a_match_of_many_are_counted() -> None:
    tuned = tune(lambda *sides: [arena(*sides)] * 10, SPEED, games=400, fresh=100)
    assert (tuned.games, tuned.verdict.games) == (400, 100)


def test_trials_tell_how_many_pairs_have_been_played() -> None:
    told: list[int] = []
    try_out(TuningTask(FunctionMatch(arena), tuple(SPEED), games=100), Workers(1), told.append)
    assert told == [*range(1, 9 + 2 + 1)]


def test_trials_bear_a_pair_that_fails_once_and_tell_a_program_that_never_plays_at_once() -> None:
    calls = []

    def play(first, second, seed):
        calls.append(seed)
        if len(calls) % 7 == 0 or broken:
            raise RuntimeError("out of stones")
        return arena(first, second, seed)

    broken = False
    assert begun(play, 100).trials.repeats
    broken = True
    calls.clear()
    with pytest.raises(MatchError, match="out of stones"):
        begun(play, 100)
    assert len(calls) == 1


def test_threads_and_seeds() -> None:
    one, same, other = (tune(arena, SPEED, games=120, seed=seed, jobs=jobs) for seed, jobs in ((1, 1), (1, 3), (2, 1)))
    assert one.values == same.values != other.values


def test_bad_numbers_are_refused() -> None:
    for games, seed, parameters in ((1, 1, SPEED), (10, -1, SPEED), (10, 1, [])):
        with pytest.raises(UsageError):
            tune(arena, parameters, games=games, seed=seed)


def test_whole_numbers_of_both_sides_are_rounded_alike() -> None:
    met = set()

    def play(first, second, seed):
        met.add((first["n"], second["n"]))
        return float(first["n"] + np.random.default_rng(seed).random() > second["n"])

    tune(play, [Parameter("n", 2, 0, 4, whole=True)], games=200)
    assert all(type(n) is int for pair in met for n in pair)
    assert len(met) > 5


def test_a_pair_that_is_lost_is_told_and_left_out() -> None:
    calls = []

    def play(first, second, seed):
        calls.append(seed)
        if len(calls) > 300 and len(calls) % 50 == 0:
            raise RuntimeError("out of stones")
        return arena(first, second, seed)

    said: list[str] = []
    tuning = begun(play, 400)
    tuning.complain = said.append  # type: ignore[assignment]
    list(tuning.search_on())
    assert 0 < tuning.tuned().lost <= len(said)
    assert "a pair of games was lost" in said[0]
    assert "out of stones" in said[0]


def test_a_search_ends_when_too_many_pairs_are_lost() -> None:
    calls = []

    def play(first, second, seed):
        calls.append(seed)
        if len(calls) > 150:
            raise RuntimeError("out of stones")
        return arena(first, second, seed)

    tuning = begun(play, 400)
    with pytest.raises(MatchError, match="pairs of games had no result"):
        list(tuning.search_on())


def test_a_run_goes_on_from_its_state_and_its_last_pairs() -> None:
    def finished(tuning: Tuning) -> list[Any]:
        list(tuning.search_on())
        list(tuning.judge_on())
        return [tuning.tuned(), tuning.state()]

    whole = begun(arena, 200, 60)
    state: dict[str, Any] = {}
    noted: dict[tuple[int, int], float] = {}
    whole.note = lambda phase, pair, points: noted.update({(phase, pair): points})
    for count, _ in enumerate(whole.search_on()):
        if count == 3:
            state = whole.state()
            noted.clear()
    expected = finished(whole)
    played = []

    def counted(first, second, seed):
        played.append(seed)
        return arena(first, second, seed)

    known = dict(list(noted.items())[:7])
    task = TuningTask(FunctionMatch(counted), tuple(SPEED), 200, fresh=60)
    assert finished(Tuning(task, Workers(1), whole.trials, state, known)) == expected
    assert len(played) == 2 * (len(noted) - len(known))


def test_a_pair_without_a_result_is_none() -> None:
    assert play_pair(FunctionMatch(lambda *_: 5), ({}, {}, 1))[0] is None


@pytest.mark.parametrize(("fresh", "games", "fresh_games"), [(None, 7500, 1500), (400, 8600, 400)])
def test_search_and_fresh_games_fit_a_time(fresh, games, fresh_games) -> None:
    task = TuningTask(FunctionMatch(arena), tuple(SPEED), fresh=fresh, seconds=1000.0).fitted(10.0)
    assert (task.games, task.fresh_games) == (games, fresh_games)


def test_games_are_timed_once_the_workers_have_started(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 2.0, 2.0, 3.0, 3.0, 3.8])  # the start of workers takes 3 s
    monkeypatch.setattr("evolve.tuning.run.time.perf_counter", lambda: next(clock))
    task = TuningTask(FunctionMatch(arena), tuple(SPEED), fresh=100, seconds=100.0)
    assert paced(task, Workers(1)).games == 90 * 2 * 64 / 0.8 - 100
