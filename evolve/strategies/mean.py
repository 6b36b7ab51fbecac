"""Strategies that move one mean through the space of weights and measure players drawn around it.

What a few hundred games say of a single player is mostly luck, and the best of many scores is
mostly the luckiest; the mean, into which every game of every generation has gone, is the answer.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

from evolve.evaluation.fitness import Tally
from evolve.strategies.base import BREEDING, Breeder
from rulebots.random_numbers import rng_of
from rulebots.rules import Weights

Floats = npt.NDArray[np.float64]

#: Means that are remembered, for an average of them to run off against the latest.
REMEMBERED = 10


class MeanBreeder(Breeder):
    """Draw players around a mean, and move it towards those that did well.

    The players to start from are measured as they are in the breeder's first generation: guests among the
    samples, from whom the mean learns as from any other.
    """

    def begin(self, start: list[list[float]]) -> None:
        """The mean starts at the best of the players to start from."""
        self.guests = np.array(start[: self.settings.population], np.float64)
        self.mean: Floats = self.guests[0].copy()
        self.means: list[list[float]] = []

    @abstractmethod
    def samples(self, normal: Floats) -> Floats:
        """Players from standard normal numbers, float64[population, genes]."""

    @abstractmethod
    def learn(self, samples: Floats, strength: Floats) -> None:
        """Move the mean; `strength` is float64[population], the more the better."""

    def drawn(self) -> Floats:
        """The players of this generation, float64[population, genes]."""
        normal = rng_of(self.settings.seed, self.generation, BREEDING).standard_normal(
            (self.settings.population, len(self.mean))
        )
        samples = self.samples(normal)
        if len(self.guests):
            samples[: len(self.guests)] = self.guests
        return samples

    def ask(self) -> list[Weights]:
        """The drawn players."""
        return [self.weights(genes.tolist()) for genes in self.drawn()]

    def tell(self, tally: Tally) -> None:
        """Learn from the games of the drawn players."""
        self.learn(self.drawn(), tally.strength(self.settings.margin))
        self.means = [*self.means, self.mean.tolist()][-REMEMBERED:]
        self.guests = self.guests[:0]
        self.generation += 1

    def finalists(self) -> list[Weights]:
        """The mean, then averages of the latest means: an average lags behind, but its luck evens out."""
        if not self.means:
            return [self.weights(self.mean.tolist()), *(self.weights(genes.tolist()) for genes in self.guests[1:])]
        means = np.array(self.means)
        averages = (means[-1], means[len(means) // 2 :].mean(axis=0), means.mean(axis=0))
        return [self.weights(genes.tolist()) for genes in averages]

    def state(self) -> dict[str, Any]:
        """Besides the generation: the mean, the latest means, and guests that have not been measured yet."""
        guests = self.guests.tolist()
        return {**super().state(), "mean": self.mean.tolist(), "means": self.means, "guests": guests}

    def restore(self, state: dict[str, Any]) -> None:
        """Take them up."""
        super().restore(state)
        self.mean, self.means = np.array(state["mean"], np.float64), state["means"]
        self.guests = np.array(state["guests"], np.float64).reshape(-1, len(self.mean))


def by_rank(strength: Floats) -> npt.NDArray[np.int64]:
    """The order from the best to the worst, ties as they stand."""
    return np.argsort(-strength, kind="stable")
