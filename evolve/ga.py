"""The default strategy: a genetic algorithm made for noisy scores.

What 600 games say of one player is mostly luck, so nothing rests on one player's score: a child is
the weighted mean of all winners, moved by a random step that shrinks from generation to generation;
the few survivors are measured again on fresh deals; and what goes into the run-off are means of
winners as well as single players.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np
from deap import base, tools

from evolve import operators
from evolve.breeder import Breeder
from evolve.fitness import Tally
from evolve.operators import Individual, Strength
from evolve.settings import Settings
from rulebots.rules import RuleSet, Weights

#: Means of winners that are remembered for the run-off.
REMEMBERED = 10
#: A newcomer's fresh weights are drawn from this range, about that of hand-tuned ones.
RANGE = (-1.0, 1.0)
RENEWED = 0.1
FINALISTS = 6


class GeneticBreeder(Breeder):
    """Truncation selection, gene pool crossover, Gaussian mutation; see the module."""

    name = "ga"
    fitness = Strength

    def __init__(
        self, settings: Settings, rules: RuleSet, start: Sequence[Weights], new_rules: Sequence[int] = ()
    ) -> None:
        self.means: deque[list[float]] = deque(maxlen=REMEMBERED)
        self.ranked: list[Individual] = []
        super().__init__(settings, rules, start, new_rules)

    def make_toolbox(self) -> base.Toolbox:
        """select, mate, mutate, newcomer."""
        toolbox = base.Toolbox()
        winners = max(2, round(self.settings.winners * self.settings.population))
        toolbox.register("select", tools.selBest, k=winners)
        toolbox.register("mate", operators.cross_pool)
        toolbox.register("mutate", tools.mutGaussian, mu=0.0, indpb=1.0)
        toolbox.register("newcomer", operators.renew, share=RENEWED, low=RANGE[0], high=RANGE[1])
        return toolbox

    @property
    def sigma(self) -> float:
        """The standard deviation of this generation's mutation."""
        s = self.settings
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
        s = self.settings
        winners = self.toolbox.select(ranked)
        centre = self.toolbox.mate(winners)
        self.means.append(centre)
        self.ranked = ranked
        survivors = [self.individual(genes) for genes in ranked[: round(s.survivors * s.population)]]
        fresh = range(round(s.newcomers * s.population))
        newcomers = [self.individual(self.toolbox.newcomer(winners[i % len(winners)])) for i in fresh]
        children = [self._mutant(centre) for _ in range(s.population - len(survivors) - len(newcomers))]
        return [*survivors, *newcomers, *children]

    def finalists(self) -> list[Weights]:
        """The mean of the latest winners, the mean of the latest means, and the best single players."""
        means = np.array(self.means)
        averages = [means[-1], means[len(means) // 2 :].mean(axis=0), means.mean(axis=0)] if len(means) else []
        best = self.ranked or self.population
        return [self.weights(genes) for genes in [*averages, *best][:FINALISTS]]

    def _mutant(self, genes: Sequence[float]) -> Individual:
        (mutant,) = self.toolbox.mutate(self.individual(genes), sigma=self.sigma)
        return mutant
