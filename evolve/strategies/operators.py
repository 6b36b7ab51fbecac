"""Crossover and mutation as DEAP operators, in addition to DEAP's own.

DEAP draws from Python's global `random`. `seeded` gives that a state that belongs to a run and a generation, and
restores the former one, so that runs and other users of `random` do not disturb each other.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator, Sequence

import numpy as np
from deap import base

from rulebots.game.random_numbers import rng_of


class Strength(base.Fitness):  # type: ignore[misc]  # DEAP has no types
    """One number, to be maximised."""

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
    """Seed Python's `random` by an identity, such as (seed, generation), while the block runs."""
    former = random.getstate()
    random.seed(int(rng_of(*identity).integers(2**63)))
    try:
        yield
    finally:
        random.setstate(former)


def cross_pool(winners: Sequence[Sequence[float]]) -> list[float]:
    """The child of all winners, best first: their mean, weighted by rank.

    Gene pool recombination (Mühlenbein and Voigt, 1995) with the logarithmic weights of evolution
    strategies (Hansen and Ostermeier, 2001): the noise of single scores averages out.
    """
    ranks = np.arange(1, len(winners) + 1)
    shares = np.log(len(winners) + 0.5) - np.log(ranks)
    return list((shares / shares.sum()) @ np.array(winners, np.float64))


def average(first: Sequence[float], second: Sequence[float]) -> list[float]:
    """Sheppard's crossover: the mean of two players."""
    return [(a + b) / 2 for a, b in zip(first, second, strict=True)]


def mutate_uniform(genes: Sequence[float], width: float) -> list[float]:
    """Sheppard's mutation: every weight moves by up to `width`, up or down."""
    return [gene + random.uniform(-width, width) for gene in genes]  # noqa: S311 - games, not secrets


def random_genes(count: int, low: float, high: float) -> list[float]:
    """Sheppard's immigrant: every weight drawn between `low` and `high`."""
    return [random.uniform(low, high) for _ in range(count)]  # noqa: S311 - games, not secrets


def redraw(genes: Sequence[float], share: float, low: float, high: float) -> list[float]:
    """A copy in which each weight is redrawn between `low` and `high` with the probability `share`."""
    return [random.uniform(low, high) if random.random() < share else gene for gene in genes]  # noqa: S311 - likewise
