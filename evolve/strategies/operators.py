"""Selection, crossover and mutation as DEAP operators, beside those that DEAP brings itself.

DEAP draws from Python's global `random`. `seeded` lends it a state that belongs to a run and a
generation, and gives the former one back, so that a run neither disturbs nor depends on anyone.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator, Sequence

import numpy as np
from deap import base

from rulebots.random_numbers import rng_of


class Strength(base.Fitness):  # type: ignore[misc]  # DEAP has no types
    """One number, the more the better."""

    weights = (1.0,)


class SheppardStrength(base.Fitness):  # type: ignore[misc]  # DEAP has no types
    """Fewest broken games, then most wins, then the highest total score."""

    weights = (-1.0, 1.0, 1.0)


class Individual(list[float]):
    """A player's genes, one a weight, with its fitness."""

    def __init__(self, genes: Sequence[float], fitness: base.Fitness) -> None:
        super().__init__(float(gene) for gene in genes)
        self.fitness = fitness


@contextlib.contextmanager
def seeded(*identity: int) -> Iterator[None]:
    """Let Python's `random` be that of an identity, such as (seed, generation), for a while."""
    former = random.getstate()
    random.seed(int(rng_of(*identity).integers(2**63)))
    try:
        yield
    finally:
        random.setstate(former)


def cross_pool(winners: Sequence[Sequence[float]]) -> list[float]:
    """The child of all winners, best first: their weighted mean, the better the heavier.

    Gene pool recombination (Mühlenbein and Voigt, 1995) with the logarithmic weights of evolution
    strategies (Hansen and Ostermeier, 2001): noise in the single scores averages out.
    """
    ranks = np.arange(1, len(winners) + 1)
    shares = np.log(len(winners) + 0.5) - np.log(ranks)
    return list((shares / shares.sum()) @ np.array(winners, np.float64))


def average(first: Sequence[float], second: Sequence[float]) -> list[float]:
    """Sheppard's crossover: the mean of two players."""
    return [(a + b) / 2 for a, b in zip(first, second, strict=True)]


def mutate_uniform(genes: Sequence[float], width: float) -> list[float]:
    """Sheppard's mutation: every weight moves by up to `width`, either way."""
    return [gene + random.uniform(-width, width) for gene in genes]  # noqa: S311 - games, not secrets


def random_genes(count: int, low: float, high: float) -> list[float]:
    """Sheppard's newcomer: every weight anywhere between `low` and `high`."""
    return [random.uniform(low, high) for _ in range(count)]  # noqa: S311 - games, not secrets


def renew(genes: Sequence[float], share: float, low: float, high: float) -> list[float]:
    """A copy in which about that share of the weights is drawn anew between `low` and `high`."""
    return [random.uniform(low, high) if random.random() < share else gene for gene in genes]  # noqa: S311 - likewise
