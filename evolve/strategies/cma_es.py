"""Covariance matrix adaptation (Hansen and Ostermeier, 2001) by DEAP, set up for noisy scores.

A few hundred games say little about a single player, and the best of many scores is mostly the luckiest. The mean of
the distribution uses every game of every generation, so the mean is the answer. For the same reason the population is
several times larger than CMA-ES recommends.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from deap import cma

from evolve.evaluation.fitness import Tally
from evolve.strategies.base import BREEDING, Breeder
from evolve.strategies.ga import Individual, Strength, averages_of
from rulebots.files.ranges import number
from rulebots.game import Floats
from rulebots.game.random_numbers import rng_of
from rulebots.rules import Weights

#: The latest means to remember: averages of them enter the run-off as well.
REMEMBERED = 10
#: Bounds of the largest standard deviation, of the ratio of the smallest to it, and of the mean: where scores say
#: nothing for long, or ever more is better, numbers would overflow, or variances fall below 0 by rounding.
LEAST_DEVIATION = 1e-6
MOST_DEVIATION = 1e3
LEAST_RATIO = 1e-6
#: The covariance is scaled to 1 where its largest axis is longer than this, or that many times shorter than 1.
MOST_SCALE = 1e6
FARTHEST = 1e5


@dataclass(frozen=True)
class CmaSettings:
    """The settings of `cma-es`."""

    sigma: float = number(0.4, 0.0001, 10.0, "standard deviation of the samples, first generation")
    winners: float = number(0.5, 0.01, 1.0, "the share of a population that the mean is made of")


class CovarianceBreeder(Breeder):
    """DEAP's `cma.Strategy`, its random numbers drawn from the seed; see the module.

    The players to start from are injected into the samples of the first generation (Hansen, "Injecting external
    solutions into CMA-ES", 2011): measured unchanged, and learnt from like any other sample.
    """

    name = "cma-es"
    own_settings = CmaSettings
    kept = ("means",)

    def begin(self, start: list[list[float]]) -> None:
        """An isotropic distribution around the best of the players to start from."""
        size = self.settings.population
        winners = max(1, round(self.own.winners * size))
        self.injected = np.array(start[:size], np.float64)
        self.means: list[list[float]] = []
        self.cma = cma.Strategy(self.injected[0].copy(), self.own.sigma, lambda_=size, mu=winners)

    @property
    def mean(self) -> Floats:
        """The mean of the distribution, float64[genes]."""
        return np.asarray(self.cma.centroid)

    def samples(self) -> Floats:
        """The players of this generation, float64[population, genes]."""
        normal = rng_of(self.settings.seed, self.generation, BREEDING).standard_normal(
            (self.settings.population, len(self.mean))
        )
        samples: Floats = self.mean + self.cma.sigma * normal @ self.cma.BD.T
        samples[: len(self.injected)] = self.injected
        return samples

    def ask(self) -> list[Weights]:
        """The samples."""
        return [self.weights(genes.tolist()) for genes in self.samples()]

    def tell(self, tally: Tally) -> None:
        """DEAP's update of mean, covariance and step size."""
        measured = zip(self.samples(), tally.strength(self.settings.margin), strict=True)
        with np.errstate(invalid="ignore"):  # the root of a variance that rounding has brought below 0
            self.cma.update([Individual(genes, Strength((score,))) for genes, score in measured])
        self._keep_within_bounds()
        self.means = [*self.means, self.mean.tolist()][-REMEMBERED:]
        self.injected = self.injected[:0]
        self.generation += 1

    def finalists(self) -> list[Weights]:
        """The mean, then averages of the latest means: an average lags, but has less noise."""
        if not self.means:
            return [self.weights(genes.tolist()) for genes in (self.mean, *self.injected[1:])]
        return [self.weights(genes) for genes in averages_of(self.means)]

    def _keep_within_bounds(self) -> None:
        """Bring axes, step size and mean back within their bounds, if they have left them."""
        largest = float(np.nanmax(self.cma.diagD))
        # The first comparison is false for a NaN as well.
        if not self.cma.diagD.min() >= LEAST_RATIO * largest or not 1 / MOST_SCALE < largest < MOST_SCALE:
            variances, axes = np.linalg.eigh(self.cma.C / largest**2)
            covariance = axes * np.maximum(variances, LEAST_RATIO**2) @ axes.T
            self._resume(self.mean, self.cma.sigma * largest, covariance, self.cma.pc / largest, self.cma.ps)
            largest = float(self.cma.diagD.max())
        self.cma.sigma = float(np.clip(self.cma.sigma, LEAST_DEVIATION / largest, MOST_DEVIATION / largest))
        self.cma.centroid = np.clip(self.mean, -FARTHEST, FARTHEST)
        # DEAP corrects the first generations by a power of this; Python cannot tell a subnormal one from an overflow.
        self.cma.update_count = min(self.cma.update_count, int(150 / -math.log10(1.0 - self.cma.cs)) - 1)

    def _resume(self, mean: Any, sigma: float, covariance: Any, pc: Any, ps: Any) -> None:
        """Go on with another distribution, and these evolution paths."""
        updates = self.cma.update_count
        self.cma = cma.Strategy(mean, sigma, lambda_=self.cma.lambda_, mu=self.cma.mu, cmatrix=covariance)
        self.cma.pc = pc
        self.cma.ps = ps
        self.cma.update_count = updates

    def state(self) -> dict[str, Any]:
        """The distribution with its evolution paths, the latest means, and injected players not yet measured."""
        return {
            **super().state(),
            "mean": self.mean.tolist(),
            "injected": self.injected.tolist(),
            **{name: getattr(self.cma, name).tolist() for name in ("C", "pc", "ps")},
            "sigma": float(self.cma.sigma),
            "updates": self.cma.update_count,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from them; the axes follow from the covariance."""
        super().restore(state)
        mean = np.array(state["mean"], np.float64)
        self.injected = np.array(state["injected"], np.float64).reshape(-1, len(mean))
        self.cma.update_count = state["updates"]
        self._resume(mean, state["sigma"], *(np.array(state[name]) for name in ("C", "pc", "ps")))
