"""A genetic algorithm whose players also learn: what one of them learns, all children inherit.

Each generation the player in the middle of the population takes lessons: games are rolled out after each candidate
move of its decisions, and its weights follow the policy gradient on the returns (see evolve/lessons/). Selection
adds what lessons do not show, such as how to play against other styles. Moscato, "On evolution,
search, optimization, genetic algorithms and martial arts: towards memetic algorithms", 1989.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from evolve.lessons.learner import LearnerSettings, PolicyGradientLearner
from evolve.strategies.ga import GeneticBreeder, GeneticSettings
from evolve.strategies.population import Individual
from rulebots.files.ranges import number


@dataclass(frozen=True)
class MemeticSettings(LearnerSettings, GeneticSettings):
    """The settings of `memetic`: those of `ga`, with mutants that stay nearer, and of its learner."""

    mutation: float = number(0.05, 0.0, 10.0, "standard deviation of the change of a weight, first generation")
    mutation_floor: float = number(0.01, 0.0, 10.0, "where it stops")


class MemeticBreeder(GeneticBreeder):
    """`ga` with a learner; see the module."""

    name = "memetic"
    own_settings = MemeticSettings
    defaults = MappingProxyType({"population": 40, "opponent_deals": 60, "lessons": 2000})
    learner: PolicyGradientLearner

    def begin(self, start: list[list[float]]) -> None:
        """The first lessons are those of the best player to start from."""
        self.learner = PolicyGradientLearner(start[0], self.weights, self.own, self.settings.seed)
        super().begin(start)

    def centre_of(self, winners: list[Individual]) -> list[float]:
        """The winners' mean with what was learnt; it takes the next lessons."""
        return self.learner.inherit(super().centre_of(winners))

    def state(self) -> dict[str, Any]:
        """Besides that of `ga`: the learner's."""
        return {**super().state(), "learner": self.learner.state()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from these as well."""
        super().restore(state)
        self.learner.restore(state["learner"])
