"""Daniel Sheppard's breeder (Ruby Quiz 51), whose YAML a person could edit."""

from __future__ import annotations

import random
from collections.abc import Sequence
from types import MappingProxyType

from deap import base, tools

from evolve.evaluation.fitness import Tally
from evolve.strategies.ga import Individual, PopulationBreeder
from rulebots.errors import UsageError
from rulebots.rules import Weights

KEPT = 8
WIDTH = 0.05
COPIES = 2
IMMIGRANT = (-0.2, 0.8)
#: The best eight, the average of the best two, two mutants of the best, two of the average, a random immigrant.
POPULATION = KEPT + 1 + COPIES + COPIES + 1


class SheppardStrength(base.Fitness):  # type: ignore[misc]  # DEAP has no types
    """Fewest broken games, then most wins, then the highest total score."""

    weights = (-1.0, 1.0, 1.0)


class SheppardBreeder(PopulationBreeder):
    """Sort by fewest broken games, most wins, highest total score; keep eight, add six."""

    name = "sheppard"
    defaults = MappingProxyType({"population": POPULATION, "deals": 5, "opponents": (), "hall_of_fame": 0})
    fitness = SheppardStrength

    def begin(self, start: list[list[float]]) -> None:
        """The first population. Raises UsageError for another size than Sheppard's."""
        if self.settings.population != POPULATION:
            raise UsageError(
                f"population: the strategy '{self.name}' always breeds {POPULATION} players, "
                f"not {self.settings.population}"
            )
        super().begin(start)

    def make_toolbox(self) -> base.Toolbox:
        """select, mate, mutate, immigrant."""
        toolbox = base.Toolbox()
        toolbox.register("select", tools.selBest, k=KEPT)
        toolbox.register("mate", average)
        toolbox.register("mutate", mutate_uniform, width=WIDTH)
        toolbox.register("immigrant", random_genes, low=IMMIGRANT[0], high=IMMIGRANT[1])
        return toolbox

    def first(self, start: list[list[float]]) -> list[Individual]:
        """The players to start from, then immigrants."""
        immigrants = [self.toolbox.immigrant(len(start[0])) for _ in range(POPULATION - len(start))]
        return [self.individual(genes) for genes in [*start[:POPULATION], *immigrants]]

    def score(self, tally: Tally) -> list[tuple[float, ...]]:
        """(broken games, wins, total score)."""
        return [
            (float(broken), float(wins), float(total))
            for broken, wins, total in zip(tally.stalled, tally.wins, tally.points, strict=True)
        ]

    def breed(self, ranked: list[Individual]) -> list[Individual]:
        """Keep eight as they are, and add six."""
        kept = self.toolbox.select(ranked)
        best = kept[0]
        average = self.toolbox.mate(best, kept[1])
        mutants = [self.toolbox.mutate(parent) for parent in (best, average) for _ in range(COPIES)]
        genes = [*kept, average, *mutants, self.toolbox.immigrant(len(best))]
        return [self.individual(g) for g in genes]

    def finalists(self) -> list[Weights]:
        """The best eight."""
        return [self.weights(genes) for genes in self.population[:KEPT]]


def average(first: Sequence[float], second: Sequence[float]) -> list[float]:
    """Sheppard's crossover: the mean of two players."""
    return [(a + b) / 2 for a, b in zip(first, second, strict=True)]


def mutate_uniform(genes: Sequence[float], width: float) -> list[float]:
    """Sheppard's mutation: every weight moves by up to `width`, up or down."""
    return [gene + random.uniform(-width, width) for gene in genes]  # noqa: S311 - games, not secrets


def random_genes(count: int, low: float, high: float) -> list[float]:
    """Sheppard's immigrant: every weight drawn between `low` and `high`."""
    return [random.uniform(low, high) for _ in range(count)]  # noqa: S311 - games, not secrets
