"""Strategies that keep a population of DEAP individuals: rank them, select, cross, mutate."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from deap import base, tools

from evolve.evaluation.fitness import Tally
from evolve.strategies import operators
from evolve.strategies.base import BREEDING, FIRST, Breeder
from evolve.strategies.operators import Individual
from rulebots.rules import Weights


class PopulationBreeder(Breeder):
    """A population whose winners become the next one; Python's `random` is lent to DEAP, see operators.py."""

    fitness: ClassVar[type[base.Fitness]]

    def begin(self, start: list[list[float]]) -> None:
        """Make the operators and the first population."""
        self.toolbox = self.make_toolbox()
        with operators.seeded(self.settings.seed, 0, FIRST):
            self.population = self.first(start)

    def ask(self) -> list[Weights]:
        """The population."""
        return [self.weights(individual) for individual in self.population]

    def tell(self, tally: Tally) -> None:
        """Rank the population, and breed the next one."""
        for individual, values in zip(self.population, self.score(tally), strict=True):
            individual.fitness.values = values
        self.generation += 1
        ranked = tools.selBest(self.population, len(self.population))
        with operators.seeded(self.settings.seed, self.generation, BREEDING):
            self.population = self.breed(ranked)

    def state(self) -> dict[str, Any]:
        """The genes of the population, which has not been measured yet."""
        return {**super().state(), "population": [packed(genes) for genes in self.population]}

    def restore(self, state: dict[str, Any]) -> None:
        """Take up a population that has not been measured yet."""
        super().restore(state)
        self.population = [self.individual(unpacked(text)) for text in state["population"]]

    def individual(self, genes: Sequence[float]) -> Individual:
        """A player that has not been measured."""
        return Individual(genes, self.fitness())

    @abstractmethod
    def make_toolbox(self) -> base.Toolbox:
        """The strategy's operators, by their DEAP names."""

    @abstractmethod
    def first(self, start: list[list[float]]) -> list[Individual]:
        """The first population."""

    @abstractmethod
    def score(self, tally: Tally) -> list[tuple[float, ...]]:
        """The fitness values of each player."""

    @abstractmethod
    def breed(self, ranked: list[Individual]) -> list[Individual]:
        """The next population from the measured one, best first."""


def packed(genes: Sequence[float]) -> str:
    """Genes as hexadecimal digits of float64: exact, and a tenth of the time that decimal ones take to write."""
    return np.array(genes, "<f8").tobytes().hex()


def unpacked(text: str) -> list[float]:
    """The genes again."""
    return list(np.frombuffer(bytes.fromhex(text), "<f8").tolist())
