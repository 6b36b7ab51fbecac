"""Learners: what a strategy that learns from lessons offers, and a learner that follows the policy gradient.

A learner asks for lessons of a player (`wanted`) and is told them (`learn`), once a generation. It lives inside a
breeder, whose state holds the learner's. Lessons themselves are too large for a checkpoint: after a restore the
learner wants those of earlier generations again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from evolve.lessons.policy_gradient import Adam, ascend
from evolve.lessons.rollouts import Lessons
from rulebots.files.ranges import number
from rulebots.game.random_numbers import rng_of
from rulebots.rules import Weights

Floats = npt.NDArray[np.float64]

#: A move less likely than this, for each time that the best one is drawn, changes nothing: it is not a candidate.
LEAST_CHANCE = 0.01
#: What the learner's random numbers are for; the strategies use 0 and 1.
STUDYING = 2


@dataclass(frozen=True)
class LessonRequest:
    """Lessons of a generation from the games of one player.

    `weights` are that player's, float64[2, rules]. Moves whose scores are at most `score_margin` below the best one's
    are candidates. `self_play` is the share of the games that it plays against itself, 0 to 1.
    """

    generation: int
    weights: Weights
    score_margin: float
    self_play: float


class Learner(Protocol):
    """What a strategy that learns from lessons offers as `Breeder.learner`."""

    def wanted(self, generation: int) -> list[LessonRequest]:
        """The lessons to take before the breeder is told this generation; the last request is of this generation.

        There is one, and after a restore one for each earlier generation that is still remembered.
        """

    def learn(self, generation: int, lessons: Sequence[Lessons]) -> None:
        """Learn from the lessons that were wanted, in their order. The breeder's `tell` comes after it."""


@dataclass(frozen=True)
class LearnerSettings:
    """The settings of a learner that follows policy gradients."""

    step_size: float = number(0.02, 0.0, 10.0, "how far lessons move a weight at each step, first generation")
    step_decay: float = number(0.954, 0.5, 1.0, "the factor by which it shrinks each generation")
    step_floor: float = number(0.002, 0.0, 10.0, "where it stops")
    temperature: float = number(0.2, 0.0001, 1000.0, "by how much a better score makes a move e times as likely")
    self_play: float = number(0.2, 0.0, 1.0, "the share of lessons that are from games against itself")
    epochs: int = number(6, 1, 1000, "passes over the remembered lessons in a generation")
    memory: int = number(20, 1, 1000, "generations whose lessons are remembered")


class PolicyGradientLearner:
    """Moves the weights of one player after another along the policy gradient of the latest lessons.

    `first` are the genes of the player that takes the first lessons, `weights_of` makes weights of genes, and `seed`
    is that of the run.
    """

    def __init__(
        self, first: Sequence[float], weights_of: Callable[[list[float]], Weights], settings: LearnerSettings, seed: int
    ) -> None:
        self.settings = settings
        self.seed = seed
        self.weights_of = weights_of
        #: Genes of the players of the latest generations, the current one last; their lessons, as far as they are here.
        self.players = [list(first)]
        self.lessons: list[Lessons] = []
        self.adam = Adam(len(first))
        self.change: Floats = np.zeros(len(first))

    def wanted(self, generation: int) -> list[LessonRequest]:
        """Lessons of each player that has none."""
        margin = self.settings.temperature * -math.log(LEAST_CHANCE)
        first = generation - len(self.players) + 1
        return [
            LessonRequest(first + i, self.weights_of(genes), margin, self.settings.self_play)
            for i, genes in enumerate(self.players)
            if i >= len(self.lessons)
        ]

    def learn(self, generation: int, lessons: Sequence[Lessons]) -> None:
        """Note what the remembered lessons change in the current player."""
        s = self.settings
        genes = np.array(self.players[-1])
        self.lessons = [*self.lessons, *lessons]
        learnt = ascend(
            genes,
            self.lessons,
            self.adam,
            epochs=s.epochs,
            step_size=max(s.step_floor, s.step_size * s.step_decay**generation),
            temperature=s.temperature,
            rng=rng_of(self.seed, generation, STUDYING),
        )
        self.change = learnt - genes

    def inherit(self, genes: Sequence[float]) -> list[float]:
        """Add to these genes what was learnt; the result is the player that takes the next lessons."""
        heir: list[float] = (np.array(genes) + self.change).tolist()
        self.change = np.zeros(len(heir))
        self.players = [*self.players, heir][-self.settings.memory :]
        # As many lessons as players before the heir: the oldest are forgotten with their player.
        self.lessons = self.lessons[max(0, len(self.lessons) - len(self.players) + 1) :]
        return heir

    def state(self) -> dict[str, Any]:
        """The players, from whose games the lessons can be taken again, and the optimiser, as plain data."""
        return {"players": self.players, "adam": self.adam.state()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from what `state` gave; `wanted` then asks for the lessons."""
        self.players = state["players"]
        self.lessons = []
        self.adam.restore(state["adam"])
