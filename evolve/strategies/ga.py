"""Genetic algorithms made for noisy scores: `ga`, and `memetic`, whose players also learn.

The score of one player in 400 games is mostly luck, so nothing rests on a single score. A child is the weighted mean
of all winners, moved by a random step that shrinks from generation to generation. The few elites are re-evaluated on
fresh deals. The run-off is between means of winners as well as single players.

Of `memetic`, the player in the middle of the population takes lessons in each generation: games are rolled out after
each candidate move of its decisions, its weights follow the policy gradient on the returns (see evolve/lessons/), and
all children inherit what it learnt. Selection adds what lessons do not show, such as how to play against other styles.
Moscato, "On evolution, search, optimization, genetic algorithms and martial arts: towards memetic algorithms", 1989.

DEAP draws from Python's global `random`. `seeded` gives that a state that belongs to a run and a generation, and
restores the former one, so that runs and other users of `random` do not disturb each other.
"""

import contextlib
import random
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import geometric_mean
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from deap import base, tools

from evolve.evaluation.fitness import Tally
from evolve.lessons.learner import Learner, LearnerSettings
from evolve.strategies.base import BREEDING, FIRST, Breeder
from rulebots.files.ranges import number
from rulebots.game import Floats
from rulebots.game.random_numbers import rng_of
from rulebots.rules import Weights

#: The least and the most that a step is scaled by.
SCALES = (0.02, 2.0)


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
        """Make the first population."""
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
        with seeded(self.settings.seed, self.generation, BREEDING):
            self.population = self.breed(tools.selBest(self.population, len(self.population)))

    def state(self) -> dict[str, Any]:
        """The generation, and the genes of the population that is to be measured, as the digits of float64.

        They are exact, and written in a tenth of the time of decimal ones.
        """
        return {**super().state(), "population": [np.array(genes, "<f8").tobytes().hex() for genes in self.population]}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on with the population that is to be measured."""
        super().restore(state)
        genes = (np.frombuffer(bytes.fromhex(text), "<f8").tolist() for text in state["population"])
        self.population = [self.individual(one) for one in genes]

    def individual(self, genes: Sequence[float]) -> Individual:
        """A player that has no fitness yet."""
        return Individual(genes, self.fitness())

    @abstractmethod
    def first(self, start: list[list[float]]) -> list[Individual]:
        """The first population."""

    @abstractmethod
    def score(self, tally: Tally) -> list[tuple[float, ...]]:
        """The fitness values of each player, in the order of the population."""

    @abstractmethod
    def breed(self, ranked: list[Individual]) -> list[Individual]:
        """The next population from the measured one, best first."""


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
    scaling: float = number(
        1.0, 0.0, 1.0, "1: its size is inverse to how much a rule differs among the moves; 0: alike"
    )
    remembered: int = number(10, 1, 1000, "the latest means of winners to remember for the run-off")
    finalists: int = number(6, 1, 100, "players in the run-off: up to three means of winners, then single players")


class GeneticBreeder(PopulationBreeder):
    """Truncation selection, gene pool crossover, Gaussian mutation; see the module."""

    name = "ga"
    own_settings: ClassVar[type] = GeneticSettings
    fitness = Strength
    #: The latest means of winners, the best single players, and what scales mutation.
    kept = ("means", "ranked", "ranges", "started")

    def begin(self, start: list[list[float]]) -> None:
        """No generation has been measured yet."""
        self.means: list[list[float]] = []
        self.ranked: list[list[float]] = []
        #: The players to start from are the first ones of the first population.
        self.started = min(len(start), self.settings.population)
        super().begin(start)

    def scale(self, ranges: Floats) -> None:
        """Scale mutation from now on; the first population is drawn again."""
        super().scale(ranges)
        if self.generation == 0:
            super().begin([list(genes) for genes in self.population[: max(1, self.started)]])

    @property
    def sigma(self) -> float:
        """The standard deviation of this generation's mutation."""
        s = self.own
        return max(s.mutation_floor, s.mutation * s.mutation_decay**self.generation)

    @property
    def steps(self) -> Floats:
        """The mutation of each gene as a share of `sigma`, float64[genes]; their geometric mean is 1.

        It is in inverse proportion to the range of the rule, between bounds; a rule that never differs counts as one
        with a range of 1.
        """
        return np.tile(scaled_steps(self.ranges, self.own.scaling), 1 if self.rules.flat else 2)

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
        winners = ranked[: max(2, round(s.winners * population))]
        centre = self.centre_of(winners)
        self.means = [*self.means, centre][-s.remembered :]
        self.ranked = [list(genes) for genes in ranked[: s.finalists]]
        elites = [self.individual(genes) for genes in ranked[: round(s.elites * population)]]
        count = round(s.immigrants * population)
        immigrants = [
            self.individual(redraw(winners[i % len(winners)], s.redrawn, -s.redrawn_range, s.redrawn_range))
            for i in range(count)
        ]
        children = [self._mutant(centre) for _ in range(population - len(elites) - count)]
        return [*elites, *immigrants, *children]

    def centre_of(self, winners: list[Individual]) -> list[float]:
        """The weighted mean of the winners; the children are its mutants."""
        return cross_pool(winners)

    def finalists(self) -> list[Weights]:
        """The mean of the latest winners, the mean of the latest means, and the best single players."""
        averages = averages_of(self.means) if self.means else []
        return [self.weights(genes) for genes in [*averages, *(self.ranked or self.population)][: self.own.finalists]]

    def _mutant(self, genes: Sequence[float]) -> Individual:
        mutant = self.individual(genes)
        tools.mutGaussian(mutant, mu=0.0, sigma=(self.sigma * self.steps).tolist(), indpb=1.0)
        return mutant


def cross_pool(winners: Sequence[Sequence[float]]) -> list[float]:
    """The child of all winners, best first: their mean, weighted by rank.

    Gene pool recombination (Mühlenbein and Voigt, 1995) with the logarithmic weights of evolution
    strategies (Hansen and Ostermeier, 2001): the noise of single scores averages out.
    """
    shares = np.log(len(winners) + 0.5) - np.log(np.arange(1, len(winners) + 1))
    return list((shares / shares.sum()) @ np.array(winners, np.float64))


def averages_of(means: Sequence[Sequence[float]]) -> list[list[float]]:
    """The last of some means, the mean of the later half, and that of all: an average lags, but has less noise."""
    rows = np.array(means)
    return [rows[-1].tolist(), rows[len(rows) // 2 :].mean(axis=0).tolist(), rows.mean(axis=0).tolist()]


def scaled_steps(ranges: Floats, scaling: float) -> Floats:
    """The step of each rule, float64[rules], inverse to its range to the power of `scaling`; geometric mean 1."""
    steps = np.clip(1 / np.where(ranges > 0, ranges, 1.0), *SCALES) ** scaling
    return steps / geometric_mean(steps.tolist())


def redraw(genes: Sequence[float], share: float, low: float, high: float) -> list[float]:
    """A copy in which each weight is redrawn between `low` and `high` with the probability `share`."""
    return [random.uniform(low, high) if random.random() < share else gene for gene in genes]  # noqa: S311 - games, not secrets


@dataclass(frozen=True)
class MemeticSettings(LearnerSettings, GeneticSettings):
    """The settings of `memetic`: those of `ga`, with mutants that stay nearer, and of its learner."""

    mutation: float = number(0.05, 0.0, 10.0, "standard deviation of the change of a weight, first generation")
    mutation_floor: float = number(0.01, 0.0, 10.0, "where it stops")
    scaling: float = number(
        0.0, 0.0, 1.0, "1: its size is inverse to how much a rule differs among the moves; 0: alike"
    )


class MemeticBreeder(GeneticBreeder):
    """`ga` with a learner; see the module."""

    name = "memetic"
    own_settings = MemeticSettings
    defaults = MappingProxyType({"lessons": 2000})
    learner: Learner

    def begin(self, start: list[list[float]]) -> None:
        """The first lessons are those of the best player to start from."""
        self.learner = Learner(start[0], self.weights, self.own, self.settings.seed)
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
