"""A genetic algorithm made for noisy scores.

The score of one player in 400 games is mostly luck, so nothing rests on a single score. A child is the weighted mean
of all winners, moved by a random step that shrinks from generation to generation. The few elites are
re-evaluated on fresh deals. The run-off is between means of winners as well as single players.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from deap import base, tools

from evolve.evaluation.fitness import Tally
from evolve.strategies.population import Individual, PopulationBreeder, Strength
from rulebots.files.ranges import number
from rulebots.rules import Weights


@dataclass(frozen=True)
class GeneticSettings:
    """The settings of `ga`."""

    winners: float = number(0.25, 0.01, 1.0, "the share of a population that breeds")
    elites: float = number(0.04, 0.0, 0.4, "the share kept unchanged, and re-evaluated")
    immigrants: float = number(0.04, 0.0, 0.4, "the share of random immigrants: winners with some weights redrawn")
    redrawn: float = number(0.1, 0.0, 1.0, "the share of an immigrant's weights that is redrawn")
    redrawn_range: float = number(1.0, 0.0, 10.0, "they are drawn between minus and plus this, as hand-tuned ones lie")
    mutation: float = number(0.5, 0.0, 10.0, "standard deviation of the change of a weight, first generation")
    mutation_decay: float = number(0.976, 0.5, 1.0, "the factor by which it shrinks each generation")
    mutation_floor: float = number(0.05, 0.0, 10.0, "where it stops")
    remembered: int = number(10, 1, 1000, "the latest means of winners to remember for the run-off")
    finalists: int = number(6, 1, 100, "players in the run-off: up to three means of winners, then single players")


class GeneticBreeder(PopulationBreeder):
    """Truncation selection, gene pool crossover, Gaussian mutation; see the module."""

    name = "ga"
    own_settings: ClassVar[type] = GeneticSettings
    fitness = Strength

    def begin(self, start: list[list[float]]) -> None:
        """No generation has been measured yet."""
        self.means: list[list[float]] = []
        self.ranked: list[list[float]] = []
        super().begin(start)

    def state(self) -> dict[str, Any]:
        """Besides the population: the latest means of winners, and the best single players."""
        return {**super().state(), "means": self.means, "ranked": self.ranked}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from these as well."""
        super().restore(state)
        self.means = state["means"]
        self.ranked = state["ranked"]

    def make_toolbox(self) -> base.Toolbox:
        """select, mate, mutate, immigrant."""
        toolbox = base.Toolbox()
        winners = max(2, round(self.own.winners * self.settings.population))
        toolbox.register("select", tools.selBest, k=winners)
        toolbox.register("mate", cross_pool)
        toolbox.register("mutate", tools.mutGaussian, mu=0.0, indpb=1.0)
        reach = self.own.redrawn_range
        toolbox.register("immigrant", redraw, share=self.own.redrawn, low=-reach, high=reach)
        return toolbox

    @property
    def sigma(self) -> float:
        """The standard deviation of this generation's mutation."""
        s = self.own
        return max(s.mutation_floor, s.mutation * s.mutation_decay**self.generation)

    def first(self, start: list[list[float]]) -> list[Individual]:
        """The players to start from, then mutants of each of them in turn."""
        kept = [self.individual(genes) for genes in start[: self.settings.population]]
        mutants = (self._mutant(start[i % len(start)]) for i in range(self.settings.population - len(kept)))
        return [*kept, *mutants]

    def score(self, tally: Tally) -> list[tuple[float, ...]]:
        """Wins a game and half the draws, plus a little for every point of margin; stalled games count nothing.

        Wins are the goal. But a margin says more of a single game, so a small weight on it separates similar
        players with far fewer games.
        """
        return [(float(value),) for value in tally.strength(self.settings.margin)]

    def breed(self, ranked: list[Individual]) -> list[Individual]:
        """Elites, random immigrants, and mutated children of all winners."""
        s = self.own
        population = self.settings.population
        winners = self.toolbox.select(ranked)
        centre = self.centre_of(winners)
        self.means = [*self.means, centre][-s.remembered :]
        self.ranked = [list(genes) for genes in ranked[: s.finalists]]
        elites = [self.individual(genes) for genes in ranked[: round(s.elites * population)]]
        count = round(s.immigrants * population)
        immigrants = [self.individual(self.toolbox.immigrant(winners[i % len(winners)])) for i in range(count)]
        children = [self._mutant(centre) for _ in range(population - len(elites) - count)]
        return [*elites, *immigrants, *children]

    def centre_of(self, winners: list[Individual]) -> list[float]:
        """The weighted mean of the winners; the children are its mutants."""
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


def cross_pool(winners: Sequence[Sequence[float]]) -> list[float]:
    """The child of all winners, best first: their mean, weighted by rank.

    Gene pool recombination (Mühlenbein and Voigt, 1995) with the logarithmic weights of evolution
    strategies (Hansen and Ostermeier, 2001): the noise of single scores averages out.
    """
    ranks = np.arange(1, len(winners) + 1)
    shares = np.log(len(winners) + 0.5) - np.log(ranks)
    return list((shares / shares.sum()) @ np.array(winners, np.float64))


def redraw(genes: Sequence[float], share: float, low: float, high: float) -> list[float]:
    """A copy in which each weight is redrawn between `low` and `high` with the probability `share`."""
    return [random.uniform(low, high) if random.random() < share else gene for gene in genes]  # noqa: S311 - likewise
