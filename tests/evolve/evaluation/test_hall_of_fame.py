"""The hall of fame: a few champions, spread evenly over the run."""

from __future__ import annotations

import json

import numpy as np
import pytest

from evolve.evaluation.hall_of_fame import KEPT, MOST_IN_RUN_OFF, HallOfFame


def test_members_are_spread_evenly_over_the_generations() -> None:
    hall, met, kept = HallOfFame(3), [], []
    for generation in range(1, 10):
        hall.consider(generation, np.full((2, 1), generation))
        met.append(list(hall.opponents))
        kept.append(list(hall.members))
    assert met == [[1], [1, 2], [1, 2, 3], [1, 3], [1, 3, 5], [1, 3, 5], [1, 5], [1, 5], [1, 5, 9]]
    assert kept == [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4], [1, 3, 5], [1, 3, 5], [1, 3, 5, 7], [1, 3, 5, 7], [1, 5, 9]]
    assert hall.opponents[5].tolist() == [[5], [5]]


@pytest.mark.parametrize("size", range(1, 12))
def test_nobody_meets_others_because_more_are_kept(size: int) -> None:
    """What a population meets, and so the weights of a run, depends on the size alone."""
    hall, stride, members = HallOfFame(size), 1, list[int]()
    for generation in range(1, 60):
        hall.consider(generation, np.zeros((2, 1)))
        members += [generation] if (generation - 1) % stride == 0 else []
        while len(members) > size:
            stride *= 2
            members = [g for g in members if (g - 1) % stride == 0]
        assert list(hall.opponents) == members
        assert len(hall.members) <= max(size, KEPT)


def test_in_a_hall_of_size_0_nobody_is_met_but_some_are_kept() -> None:
    hall = HallOfFame(0)
    for generation in range(1, 51):
        hall.consider(generation, np.zeros((2, 1)))
        assert hall.opponents == {}
    assert list(hall.members) == [1, 17, 33, 49]


@pytest.mark.parametrize("size", [0, 4, 20, 50, 200])
def test_of_a_large_hall_some_take_part_in_the_run_off_spread_over_the_run(size: int) -> None:
    hall = HallOfFame(size)
    for generation in range(1, 400):
        hall.consider(generation, np.zeros((2, 1)))
    taking_part = list(hall.candidates)
    assert min(size, MOST_IN_RUN_OFF) // 2 <= len(taking_part) <= MOST_IN_RUN_OFF
    assert (taking_part == list(hall.members)) == (size <= MOST_IN_RUN_OFF)
    assert len(set(np.diff(taking_part))) == 1


def test_a_restored_hall_continues_as_the_original() -> None:
    hall, other = HallOfFame(2), HallOfFame(2)
    for generation in range(1, 6):
        hall.consider(generation, np.full((2, 1), 0.1 * generation))
    other.restore(json.loads(json.dumps(hall.state())))
    for one in (hall, other):
        one.consider(9, np.ones((2, 1)))
    assert other.state() == hall.state()
