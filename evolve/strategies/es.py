"""An evolution strategy with antithetic samples: one step along the gradient that all of them estimate together.

Salimans et al., "Evolution Strategies as a Scalable Alternative to Reinforcement Learning", 2017,
arXiv:1703.03864: centred ranks as scores, every sample with its mirror image, momentum. The
width of the samples and the step shrink together, because the gradient is less clear near the optimum.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from evolve.strategies.mean import Floats, MeanBreeder, by_rank
from rulebots.files.ranges import number


@dataclass(frozen=True)
class EsSettings:
    """The settings of `es`."""

    sigma: float = number(0.6, 0.0001, 10.0, "standard deviation of the samples, first generation")
    sigma_decay: float = number(0.976, 0.5, 1.0, "the factor by which it shrinks each generation")
    sigma_floor: float = number(0.05, 0.0001, 10.0, "where it stops")
    step_size: float = number(
        3.0, 0.0001, 1000.0, "the length of a step, in standard deviations, where all ranks agree"
    )
    momentum: float = number(0.5, 0.0, 0.99, "the share of the former step in each step")


class EvolutionStrategyBreeder(MeanBreeder):
    """Antithetic samples, centred ranks, momentum; see the module."""

    name = "es"
    own_settings = EsSettings

    def begin(self, start: list[list[float]]) -> None:
        """Start without momentum."""
        super().begin(start)
        self.step: Floats = np.zeros_like(self.mean)

    @property
    def sigma(self) -> float:
        """The standard deviation of this generation's samples."""
        return max(self.own.sigma_floor, self.own.sigma * self.own.sigma_decay**self.generation)

    def samples(self, normal: Floats) -> Floats:
        """Mirrored pairs around the mean; of an odd number the last sample has no mirror image."""
        half = len(normal) // 2
        normal[half : 2 * half] = -normal[:half]
        return self.mean + self.sigma * normal

    def learn(self, samples: Floats, strength: Floats) -> None:
        """A step along the mean of all samples, weighted by centred ranks of unit variance."""
        count = len(samples)
        ranks = np.empty(count)
        ranks[by_rank(strength)] = np.linspace(1.0, -1.0, count) * np.sqrt(3.0)
        gradient = ranks @ (samples - self.mean) / self.sigma / count
        self.step = self.own.momentum * self.step + (1.0 - self.own.momentum) * gradient
        self.mean = self.mean + self.own.step_size * self.sigma * self.step

    def state(self) -> dict[str, Any]:
        """Besides the mean: the latest step."""
        return {**super().state(), "step": self.step.tolist()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from it."""
        super().restore(state)
        self.step = np.array(state["step"], np.float64)
