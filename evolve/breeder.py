"""Ask and tell over a population of weights: no games, no files, no clock, no printing.

    breeder = make_breeder(settings, rules, start)
    while ...:
        breeder.tell(tally of breeder.ask())
    finalists = breeder.finalists()

A strategy is a subclass with a name. Its randomness comes from (seed, generation) alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from deap import base, tools

from evolve import operators
from evolve.fitness import Tally
from evolve.operators import Individual
from evolve.settings import Settings
from rulebots.game import UsageError, unknown
from rulebots.rules import RuleSet, Weights

#: What the random numbers of a generation are for: part of their identity.
FIRST, BREEDING = 0, 1
#: What a rule weighs in the players that bring it in: Sheppard's number.
NEW_WEIGHT = 0.8


class Breeder(ABC):
    """A population of players of one rule set, and how winners become the next one.

    `generation` counts the populations that have been told. `start` are weights, float64[2, rules],
    that begin, best first; the rest of the first population is made from them. `new_rules` are columns
    that they do not know yet: as in the seed, two newcomers bring each of them in.
    """

    name: ClassVar[str]
    fitness: ClassVar[type[base.Fitness]]

    def __init__(
        self, settings: Settings, rules: RuleSet, start: Sequence[Weights], new_rules: Sequence[int] = ()
    ) -> None:
        newcomers = (weights for column in new_rules for weights in introductions(start[0], column))
        start = [start[0], *newcomers, *start[1:]]
        self.settings = settings
        self.rules = rules
        self.generation = 0
        self.toolbox = self.make_toolbox()
        with operators.seeded(settings.seed, 0, FIRST):
            self.population = self.first([self.genes(weights) for weights in start])

    def ask(self) -> list[Weights]:
        """The players to measure, float64[2, rules] each."""
        return [self.weights(individual) for individual in self.population]

    def tell(self, tally: Tally) -> None:
        """Take what `ask`'s players made of their games, and breed the next population."""
        for individual, values in zip(self.population, self.score(tally), strict=True):
            individual.fitness.values = values
        self.generation += 1
        ranked = tools.selBest(self.population, len(self.population))
        with operators.seeded(self.settings.seed, self.generation, BREEDING):
            self.population = self.breed(ranked)

    def genes(self, weights: Weights) -> list[float]:
        """The numbers that evolve: early and late weights, or one a rule where the set is flat."""
        return list(weights[0] if self.rules.flat else weights.ravel())

    def weights(self, genes: Sequence[float]) -> Weights:
        """The genes as float64[2, rules]."""
        return np.array([genes, genes] if self.rules.flat else genes, np.float64).reshape(2, -1)

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

    @abstractmethod
    def finalists(self) -> list[Weights]:
        """The players of which one is the champion; the run-off decides on fresh deals."""


def introductions(best: Weights, column: int) -> tuple[Weights, Weights]:
    """The best player with a new rule, and a player with that rule alone."""
    with_it, alone = best.copy(), np.zeros_like(best)
    with_it[:, column] = alone[:, column] = NEW_WEIGHT
    return with_it, alone


def make_breeder(
    settings: Settings, rules: RuleSet, start: Sequence[Weights], new_rules: Sequence[int] = ()
) -> Breeder:
    """The breeder of the settings' strategy. Raises UsageError when there is none of that name."""
    from evolve.ga import GeneticBreeder
    from evolve.sheppard import SheppardBreeder

    strategies: dict[str, type[Breeder]] = {b.name: b for b in (GeneticBreeder, SheppardBreeder)}
    if settings.strategy not in strategies:
        raise UsageError(unknown("strategy", settings.strategy, strategies))
    return strategies[settings.strategy](settings, rules, start, new_rules)
