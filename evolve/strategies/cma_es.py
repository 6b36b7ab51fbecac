"""Covariance matrix adaptation (Hansen and Ostermeier, 2001) by DEAP, set up for noisy scores.

The population is several times larger than CMA-ES recommends, and the mean is the answer: both average out the
noise of single scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from deap import cma

from evolve.strategies.mean import Floats, MeanBreeder
from evolve.strategies.population import Individual, Strength
from rulebots.files.ranges import number


@dataclass(frozen=True)
class CmaSettings:
    """The settings of `cma-es`."""

    sigma: float = number(0.4, 0.0001, 10.0, "standard deviation of the samples, first generation")
    winners: float = number(0.5, 0.01, 1.0, "the share of a population that the mean is made of")


class CovarianceBreeder(MeanBreeder):
    """DEAP's `cma.Strategy`, its random numbers drawn from the seed; see the module."""

    name = "cma-es"
    own_settings = CmaSettings

    def begin(self, start: list[list[float]]) -> None:
        """An isotropic distribution around the best of the players to start from."""
        super().begin(start)
        size = self.settings.population
        winners = max(1, round(self.own.winners * size))
        self.cma = cma.Strategy(self.mean, self.own.sigma, lambda_=size, mu=winners)

    def samples(self, normal: Floats) -> Floats:
        """Samples of the current normal distribution."""
        samples: Floats = self.mean + self.cma.sigma * normal @ self.cma.BD.T
        return samples

    def learn(self, samples: Floats, strength: Floats) -> None:
        """DEAP's update of mean, covariance and step size."""
        measured = [Individual(genes, Strength((score,))) for genes, score in zip(samples, strength, strict=True)]
        self.cma.update(measured)
        self.mean = self.cma.centroid

    def state(self) -> dict[str, Any]:
        """Besides the mean: the step size, the covariance and the two evolution paths."""
        kept = {name: getattr(self.cma, name).tolist() for name in ("C", "pc", "ps")}
        return {**super().state(), **kept, "sigma": float(self.cma.sigma), "updates": self.cma.update_count}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from them; the axes follow from the covariance."""
        super().restore(state)
        parameters = {"lambda_": self.cma.lambda_, "mu": self.cma.mu, "cmatrix": np.array(state["C"])}
        self.cma = cma.Strategy(self.mean, state["sigma"], **parameters)
        self.cma.pc, self.cma.ps = np.array(state["pc"]), np.array(state["ps"])
        self.cma.update_count = state["updates"]
