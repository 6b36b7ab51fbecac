"""The learner: which lessons it wants, what it remembers, and that its state is enough to continue."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest

from evolve.lessons.learner import Learner, LearnerSettings, LessonRequest
from evolve.lessons.rollouts import Lessons
from rulebots.rules import Weights


def weights_of(genes: Sequence[float]) -> Weights:
    return np.array(genes).reshape(2, -1)


def learner(memory: int = 3) -> Learner:
    return Learner([0.0] * 4, weights_of, LearnerSettings(memory=memory), seed=7)


def lessons_for(request: LessonRequest) -> Lessons:
    """Two decisions that depend on the request as those of a real game do: on generation and weights alone."""
    rng = np.random.default_rng([request.generation, int(1000 * np.abs(request.weights).sum())])
    counts = np.array([2, 3])
    return Lessons(counts, rng.random(2), rng.standard_normal((5, 2)).astype(np.float32), rng.random(5), np.arange(5))


def generation(taught: Learner, number: int) -> list[int]:
    """Let it learn and breed; the generations whose lessons it wanted."""
    wanted = taught.wanted(number)
    taught.learn(number, [lessons_for(request) for request in wanted])
    taught.inherit((np.array(taught.players[-1]) + 0.01).tolist())
    return [request.generation for request in wanted]


@pytest.mark.parametrize("memory", [1, 3])
def test_it_wants_the_lessons_of_each_generation_once_and_remembers_the_latest(memory: int) -> None:
    taught = learner(memory)
    for number in range(6):
        assert generation(taught, number) == [number]
        assert len(taught.players) == min(number + 2, memory)
        assert len(taught.lessons) == len(taught.players) - 1


@pytest.mark.parametrize("memory", [1, 3])
def test_after_a_restore_it_wants_what_it_remembered_again_and_continues_as_before(memory: int) -> None:
    whole, restored = learner(memory), learner(memory)
    for number in range(4):
        generation(whole, number)
    restored.restore(json.loads(json.dumps(whole.state())))
    assert [request.generation for request in restored.wanted(4)] == list(range(5 - memory, 5))
    for number in (4, 5):
        generation(whole, number)
        generation(restored, number)
    assert restored.state() == whole.state()


def test_what_is_learnt_is_inherited_once() -> None:
    taught = learner()
    taught.learn(0, [lessons_for(request) for request in taught.wanted(0)])
    first = taught.inherit([1.0] * 4)
    assert all(gene != 1.0 for gene in first)
    assert taught.inherit([1.0] * 4) == [1.0] * 4


def test_without_lessons_nothing_changes() -> None:
    taught = learner()
    assert [taught.inherit([float(i)] * 4) for i in range(5)] == [[float(i)] * 4 for i in range(5)]
    assert taught.lessons == []


def test_moves_too_unlikely_to_matter_are_no_candidates() -> None:
    (request,) = learner().wanted(0)
    assert np.exp(-request.score_margin / LearnerSettings.temperature) == pytest.approx(0.01)
