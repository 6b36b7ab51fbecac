"""A genetic algorithm whose players also learn: what one of them learns, all children inherit.

Each generation the player in the middle of the population takes lessons: where it hesitates between
moves, the game is played on after each of them (see evolve/lessons/rollouts.py), and its weights follow what
came of it (see learner.py). Selection finds what lessons do not show, such as how to meet players
that play otherwise. Moscato, "On evolution, search, optimization, genetic algorithms and martial arts:
towards memetic algorithms", 1989.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from evolve.lessons.policy_gradient import Learner
from evolve.lessons.rollouts import Lessons
from evolve.strategies.base import STUDYING, Pupil
from evolve.strategies.ga import GeneticBreeder, GeneticSettings
from evolve.strategies.operators import Individual
from evolve.strategies.population import packed, unpacked
from rulebots.random_numbers import rng_of
from rulebots.ranges import number

#: A move that would be drawn less often than this for each time that the best one is changes nothing: no contender.
LEAST_CHANCE = 0.01


@dataclass(frozen=True)
class MemeticSettings(GeneticSettings):
    """The settings of `memetic`: those of `ga`, whose mutants stay nearer, and how it learns."""

    mutation: float = number(0.05, 0.0, 10.0, "standard deviation of the change of a weight, first generation")
    mutation_floor: float = number(0.01, 0.0, 10.0, "where it stops")
    rate: float = number(0.02, 0.0, 10.0, "how far lessons move a weight at each step, first generation")
    rate_decay: float = number(0.954, 0.5, 1.0, "the factor by which it shrinks each generation")
    rate_floor: float = number(0.002, 0.0, 10.0, "where it stops")
    temperature: float = number(0.2, 0.0001, 1000.0, "by how much a better score makes a move e times as likely")
    self_play: float = number(0.2, 0.0, 1.0, "the share of lessons that are from games against itself")
    passes: int = number(6, 1, 1000, "how often each of the remembered lessons is taken in a generation")
    memory: int = number(20, 1, 1000, "generations whose lessons are remembered")


class MemeticBreeder(GeneticBreeder):
    """`ga`, and what lessons teach; see the module."""

    name = "memetic"
    own_settings = MemeticSettings

    def begin(self, start: list[list[float]]) -> None:
        """Nothing has been learnt yet."""
        self.pupils = [start[0]]
        self.remembered: list[Lessons] = []
        self.learner = Learner(len(start[0]))
        self.learnt = np.zeros(len(start[0]))
        super().begin(start)

    def pupil(self) -> Pupil:
        """The player whose mutants this generation's children are."""
        return self._pupil(self.pupils[-1])

    def former_pupils(self) -> list[tuple[int, Pupil]]:
        """Those of the generations that are remembered."""
        first = self.generation - len(self.pupils) + 1
        return [(first + i, self._pupil(genes)) for i, genes in enumerate(self.pupils[:-1])]

    def remember(self, lessons: Lessons) -> None:
        """Besides those remembered already."""
        self.remembered = [*self.remembered, lessons][-self.own.memory :]

    def study(self, lessons: Lessons) -> None:
        """What the lessons change in the pupil, the winners' children will inherit."""
        self.remember(lessons)
        s, genes, rng = self.own, np.array(self.pupils[-1]), rng_of(self.settings.seed, self.generation, STUDYING)
        rate = max(s.rate_floor, s.rate * s.rate_decay**self.generation)
        self.learnt = self.learner.learn(genes, self.remembered, s.passes, rate, s.temperature, rng) - genes

    def centre_of(self, winners: list[Individual]) -> list[float]:
        """The winners' mean, and what the pupil has learnt."""
        centre: list[float] = (np.array(super().centre_of(winners)) + self.learnt).tolist()
        self.learnt = np.zeros(len(centre))
        self.pupils = [*self.pupils, centre][-self.own.memory - 1 :]
        return centre

    def state(self) -> dict[str, Any]:
        """Besides that of `ga`: the pupils, of whose games the lessons can be taken again, and the learner's memory."""
        kept = {"pupils": [packed(genes) for genes in self.pupils], "learner": self.learner.state()}
        return {**super().state(), **kept}

    def restore(self, state: dict[str, Any]) -> None:
        """Take these up as well; the lessons come by `remember`."""
        super().restore(state)
        self.pupils = [unpacked(text) for text in state["pupils"]]
        self.learner.restore(state["learner"])

    def _pupil(self, genes: list[float]) -> Pupil:
        return Pupil(self.weights(genes), self.own.temperature * -math.log(LEAST_CHANCE), self.own.self_play)
