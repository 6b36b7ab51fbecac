"""A genetic algorithm made for noisy scores.

What 400 games say of one player is mostly luck, so nothing rests on one player's score: a child is
the weighted mean of all winners, moved by a random step that shrinks from generation to generation;
the few survivors are measured again on fresh deals; and what goes into the run-off are means of
winners as well as single players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from deap import base, tools

from evolve.evaluation.fitness import Tally
from evolve.strategies import operators
from evolve.strategies.operators import Individual, Strength
from evolve.strategies.population import PopulationBreeder
from rulebots.ranges import number
from rulebots.rules import Weights


@dataclass(frozen=True)
class GeneticSettings:
    """The settings of `ga`."""

    winners: float = number(0.25, 0.01, 1.0, "the share of a population that breeds")
    survivors: float = number(0.04, 0.0, 0.4, "the share kept as they are and measured anew")
    newcomers: float = number(0.04, 0.0, 0.4, "the share that are winners with some of their weights drawn anew")
    renewed: float = number(0.1, 0.0, 1.0, "how many of a newcomer's weights these are")
    reach: float = number(1.0, 0.0, 10.0, "they are drawn between minus and plus this, about as hand-tuned ones lie")
    mutation: float = number(0.5, 0.0, 10.0, "standard deviation of the change of a weight, first generation")
    mutation_decay: float = number(0.976, 0.5, 1.0, "the factor by which it shrinks each generation")
    mutation_floor: float = number(0.05, 0.0, 10.0, "where it stops")
    remembered: int = number(10, 1, 1000, "means of winners that are remembered for the run-off")
    finalists: int = number(6, 1, 100, "players in the run-off: up to three means of winners, then single players")


class GeneticBreeder(PopulationBreeder):
    """Truncation selection, gene pool crossover, Gaussian mutation; see the module."""

    name = "ga"
    own_settings = GeneticSettings
    fitness = Strength

    def begin(self, start: list[list[float]]) -> None:
        """Nobody has won yet."""
        self.means: list[list[float]] = []
        self.ranked: list[list[float]] = []
        super().begin(start)

    def state(self) -> dict[str, Any]:
        """Besides the population: the latest means of winners, and the best single players."""
        return {**super().state(), "means": self.means, "ranked": self.ranked}

    def restore(self, state: dict[str, Any]) -> None:
        """Take these up as well."""
        super().restore(state)
        self.means, self.ranked = state["means"], state["ranked"]

    def make_toolbox(self) -> base.Toolbox:
        """select, mate, mutate, newcomer."""
        toolbox = base.Toolbox()
        winners = max(2, round(self.own.winners * self.settings.population))
        toolbox.register("select", tools.selBest, k=winners)
        toolbox.register("mate", operators.cross_pool)
        toolbox.register("mutate", tools.mutGaussian, mu=0.0, indpb=1.0)
        toolbox.register("newcomer", operators.renew, share=self.own.renewed, low=-self.own.reach, high=self.own.reach)
        return toolbox

    @property
    def sigma(self) -> float:
        """The standard deviation of this generation's mutation."""
        s = self.own
        return max(s.mutation_floor, s.mutation * s.mutation_decay**self.generation)

    def first(self, start: list[list[float]]) -> list[Individual]:
        """The players to start from, and mutants of each of them in turn."""
        kept = [self.individual(genes) for genes in start[: self.settings.population]]
        mutants = (self._mutant(start[i % len(start)]) for i in range(self.settings.population - len(kept)))
        return [*kept, *mutants]

    def score(self, tally: Tally) -> list[tuple[float, ...]]:
        """Wins a game and half the draws, plus a little for every point of margin; stalled games give nothing.

        Wins are what a player is for; the margin says more of a single game, so that a small weight
        on it tells neighbours apart with far fewer games.
        """
        return [(float(value),) for value in tally.strength(self.settings.margin)]

    def breed(self, ranked: list[Individual]) -> list[Individual]:
        """Survivors, newcomers, and mutated children of all winners."""
        s, population = self.own, self.settings.population
        winners = self.toolbox.select(ranked)
        centre = self.centre_of(winners)
        self.means = [*self.means, centre][-s.remembered :]
        self.ranked = [list(genes) for genes in ranked[: s.finalists]]
        survivors = [self.individual(genes) for genes in ranked[: round(s.survivors * population)]]
        fresh = range(round(s.newcomers * population))
        newcomers = [self.individual(self.toolbox.newcomer(winners[i % len(winners)])) for i in fresh]
        children = [self._mutant(centre) for _ in range(population - len(survivors) - len(newcomers))]
        return [*survivors, *newcomers, *children]

    def centre_of(self, winners: list[Individual]) -> list[float]:
        """The weighted mean of the winners, of whom the children are mutants."""
        centre: list[float] = self.toolbox.mate(winners)
        return centre

    def finalists(self) -> list[Weights]:
        """The mean of the latest winners, the mean of the latest means, and the best single players."""
        means = np.array(self.means)
        averages = [means[-1], means[len(means) // 2 :].mean(axis=0), means.mean(axis=0)] if len(means) else []
        best = self.ranked or self.population
        return [self.weights(genes) for genes in [*averages, *best][: self.own.finalists]]

    def _mutant(self, genes: Sequence[float]) -> Individual:
        (mutant,) = self.toolbox.mutate(self.individual(genes), sigma=self.sigma)
        return mutant
