"""Daniel Sheppard's breeder (Ruby Quiz 51), whose YAML a person could edit."""

import random
from collections.abc import Sequence
from types import MappingProxyType

from deap import base

from evolve.evaluation.fitness import Tally
from evolve.strategies.ga import Individual, PopulationBreeder
from rulebots.errors import demand
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
        demand(
            self.settings.population == POPULATION,
            f"population: the strategy '{self.name}' always breeds {POPULATION} players, "
            f"not {self.settings.population}",
        )
        super().begin(start)

    def first(self, start: list[list[float]]) -> list[Individual]:
        """The players to start from, then immigrants."""
        immigrants = [immigrant(len(start[0])) for _ in range(POPULATION - len(start))]
        return [self.individual(genes) for genes in [*start[:POPULATION], *immigrants]]

    def score(self, tally: Tally) -> list[tuple[float, ...]]:
        """(broken games, wins, total score)."""
        return [
            (float(broken), float(wins), float(total))
            for broken, wins, total in zip(tally.stalled, tally.wins, tally.points, strict=True)
        ]

    def breed(self, ranked: list[Individual]) -> list[Individual]:
        """Keep eight as they are, and add six."""
        kept = ranked[:KEPT]
        mean = [(a + b) / 2 for a, b in zip(kept[0], kept[1], strict=True)]
        mutants = [mutant(parent) for parent in (kept[0], mean) for _ in range(COPIES)]
        return [self.individual(genes) for genes in [*kept, mean, *mutants, immigrant(len(mean))]]

    def finalists(self) -> list[Weights]:
        """The best eight."""
        return [self.weights(genes) for genes in self.population[:KEPT]]


def mutant(genes: Sequence[float]) -> list[float]:
    """Sheppard's mutation: every weight moves by up to WIDTH, up or down."""
    return [gene + random.uniform(-WIDTH, WIDTH) for gene in genes]  # noqa: S311 - games, not secrets


def immigrant(count: int) -> list[float]:
    """Sheppard's immigrant: every weight drawn from IMMIGRANT."""
    return [random.uniform(*IMMIGRANT) for _ in range(count)]  # noqa: S311 - games, not secrets
