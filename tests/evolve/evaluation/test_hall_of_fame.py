"""The hall of fame: a few champions, spread evenly over the run."""

from __future__ import annotations

import json

import numpy as np

from evolve.evaluation.hall_of_fame import HallOfFame


def test_members_are_spread_evenly_over_the_generations() -> None:
    hall, seen = HallOfFame(3), []
    for generation in range(1, 10):
        hall.consider(generation, np.full((2, 1), generation))
        seen.append(list(hall.members))
    assert seen == [[1], [1, 2], [1, 2, 3], [1, 3], [1, 3, 5], [1, 3, 5], [1, 5], [1, 5], [1, 5, 9]]
    assert hall.members[5].tolist() == [[5], [5]]


def test_a_hall_of_size_0_stays_empty() -> None:
    hall = HallOfFame(0)
    hall.consider(1, np.zeros((2, 1)))
    assert hall.members == {}


def test_a_restored_hall_continues_as_the_original() -> None:
    hall, other = HallOfFame(2), HallOfFame(2)
    for generation in range(1, 6):
        hall.consider(generation, np.full((2, 1), 0.1 * generation))
    other.restore(json.loads(json.dumps(hall.state())))
    for one in (hall, other):
        one.consider(9, np.ones((2, 1)))
    assert other.state() == hall.state()
