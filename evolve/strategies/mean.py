"""Strategies that move one mean through the space of weights and measure players drawn around it.

A few hundred games say little of a single player, and the best of many scores is mostly the luckiest.
The mean uses every game of every generation, so the mean is the answer.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

from evolve.evaluation.fitness import Tally
from evolve.strategies.base import BREEDING, Breeder
from rulebots.game.random_numbers import rng_of
from rulebots.rules import Weights

Floats = npt.NDArray[np.float64]

#: The latest means to remember: averages of them enter the run-off as well.
REMEMBERED = 10


class MeanBreeder(Breeder):
    """Draw players around a mean, and move it towards those that did well.

    The players to start from are injected into the samples of the breeder's first generation (Hansen, "Injecting
    external solutions into CMA-ES", 2011): measured as they are, and learnt from as from any other sample.
    """

    def begin(self, start: list[list[float]]) -> None:
        """The mean starts at the best of the players to start from."""
        self.injected = np.array(start[: self.settings.population], np.float64)
        self.mean: Floats = self.injected[0].copy()
        self.means: list[list[float]] = []

    @abstractmethod
    def samples(self, normal: Floats) -> Floats:
        """Players, float64[population, genes], from as many standard normal numbers."""

    @abstractmethod
    def learn(self, samples: Floats, strength: Floats) -> None:
        """Move the mean; `strength` is float64[population], larger is better."""

    def drawn(self) -> Floats:
        """The players of this generation, float64[population, genes]."""
        normal = rng_of(self.settings.seed, self.generation, BREEDING).standard_normal(
            (self.settings.population, len(self.mean))
        )
        samples = self.samples(normal)
        if len(self.injected):
            samples[: len(self.injected)] = self.injected
        return samples

    def ask(self) -> list[Weights]:
        """The drawn players."""
        return [self.weights(genes.tolist()) for genes in self.drawn()]

    def tell(self, tally: Tally) -> None:
        """Learn from the games of the drawn players."""
        self.learn(self.drawn(), tally.strength(self.settings.margin))
        self.means = [*self.means, self.mean.tolist()][-REMEMBERED:]
        self.injected = self.injected[:0]
        self.generation += 1

    def finalists(self) -> list[Weights]:
        """The mean, then averages of the latest means: an average lags, but has less noise."""
        if not self.means:
            return [self.weights(self.mean.tolist()), *(self.weights(genes.tolist()) for genes in self.injected[1:])]
        means = np.array(self.means)
        averages = (means[-1], means[len(means) // 2 :].mean(axis=0), means.mean(axis=0))
        return [self.weights(genes.tolist()) for genes in averages]

    def state(self) -> dict[str, Any]:
        """Besides the generation: the mean, the latest means, and injected players that are still to be measured."""
        injected = self.injected.tolist()
        return {**super().state(), "mean": self.mean.tolist(), "means": self.means, "injected": injected}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from them."""
        super().restore(state)
        self.mean, self.means = np.array(state["mean"], np.float64), state["means"]
        self.injected = np.array(state["injected"], np.float64).reshape(-1, len(self.mean))


def by_rank(strength: Floats) -> npt.NDArray[np.int64]:
    """The order from the best to the worst, int64[players]; ties keep their order."""
    return np.argsort(-strength, kind="stable")
