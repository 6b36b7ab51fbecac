"""Strategies that keep a population of DEAP individuals: rank them, select, cross, mutate.

DEAP draws from Python's global `random`. `seeded` gives that a state that belongs to a run and a generation, and
restores the former one, so that runs and other users of `random` do not disturb each other.
"""

from __future__ import annotations

import contextlib
import random
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from deap import base, tools

from evolve.evaluation.fitness import Tally
from evolve.strategies.base import BREEDING, FIRST, Breeder
from rulebots.game.random_numbers import rng_of
from rulebots.rules import Weights


class Strength(base.Fitness):  # type: ignore[misc]  # DEAP has no types
    """One number, to be maximised."""

    weights = (1.0,)


class Individual(list[float]):
    """A player's genes, one a weight, with its fitness."""

    def __init__(self, genes: Sequence[float], fitness: base.Fitness) -> None:
        super().__init__(float(gene) for gene in genes)
        self.fitness = fitness


@contextlib.contextmanager
def seeded(*identity: int) -> Iterator[None]:
    """Seed Python's `random` by an identity, such as (seed, generation), while the block runs."""
    former = random.getstate()
    random.seed(int(rng_of(*identity).integers(2**63)))
    try:
        yield
    finally:
        random.setstate(former)


class PopulationBreeder(Breeder):
    """Breeds the next population from the winners of this one; DEAP draws from `random`."""

    fitness: ClassVar[type[base.Fitness]]

    def begin(self, start: list[list[float]]) -> None:
        """Make the operators and the first population."""
        self.toolbox = self.make_toolbox()
        with seeded(self.settings.seed, 0, FIRST):
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
        with seeded(self.settings.seed, self.generation, BREEDING):
            self.population = self.breed(ranked)

    def state(self) -> dict[str, Any]:
        """The generation, and the genes of the population that is to be measured."""
        return {**super().state(), "population": [packed(genes) for genes in self.population]}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on with the population that is to be measured."""
        super().restore(state)
        self.population = [self.individual(unpacked(text)) for text in state["population"]]

    def individual(self, genes: Sequence[float]) -> Individual:
        """A player that has no fitness yet."""
        return Individual(genes, self.fitness())

    @abstractmethod
    def make_toolbox(self) -> base.Toolbox:
        """The strategy's operators, by their DEAP names."""

    @abstractmethod
    def first(self, start: list[list[float]]) -> list[Individual]:
        """The first population."""

    @abstractmethod
    def score(self, tally: Tally) -> list[tuple[float, ...]]:
        """The fitness values of each player, in the order of the population."""

    @abstractmethod
    def breed(self, ranked: list[Individual]) -> list[Individual]:
        """The next population from the measured one, best first."""


def packed(genes: Sequence[float]) -> str:
    """Genes as the hexadecimal digits of float64: exact, and written in a tenth of the time of decimal ones."""
    return np.array(genes, "<f8").tobytes().hex()


def unpacked(text: str) -> list[float]:
    """The genes that `packed` wrote."""
    return list(np.frombuffer(bytes.fromhex(text), "<f8").tolist())
