"""Learning from lessons: weights follow the slope of what a player would get that draws its moves by their scores.

Were a decision's move drawn with a chance in proportion to exp(score / temperature), the worth of what
is drawn would be a smooth function of the weights; its slope points to weights that like the better
moves better. So a player imitates what playing its own games on would have advised ("direct policy
iteration": Lagoudakis and Parr, 2003; Lazaric, Ghavamzadeh and Munos, 2010). The steps are Adam's
(Kingma and Ba, 2015): each weight has its own length of step.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from evolve.lessons.rollouts import Lessons
from rulebots.kernel import kernel, runnable

Floats = npt.NDArray[np.float64]

#: Lessons that make one step together.
BATCH = 400
#: Adam's memory of slopes and of their squares, and what keeps a slope of 0 from being divided by.
SLOPES, SQUARES, TINY = 0.9, 0.999, 1e-9


class Learner:
    """Adam's memory of one player's genes."""

    def __init__(self, genes: int) -> None:
        self.steps = 0
        self.slope: Floats = np.zeros(genes)
        self.square: Floats = np.zeros(genes)

    def learn(
        self,
        genes: Floats,
        remembered: Sequence[Lessons],
        passes: int,
        rate: float,
        temperature: float,
        rng: np.random.Generator,
    ) -> Floats:
        """The genes after all lessons were taken `passes` times; `rate` is about how far one step moves each gene."""
        batches = [(lessons, start) for lessons in remembered for start in range(0, len(lessons), BATCH)]
        ends = {id(lessons): np.cumsum(lessons.counts) for lessons in remembered}
        slope = np.zeros_like(genes)
        for _ in range(passes):
            for number in rng.permutation(len(batches)):
                lessons, start = batches[number]
                part = slice(start, start + BATCH)
                counts = lessons.counts[part]
                last = ends[id(lessons)][part][-1]
                moves = slice(last - counts.sum(), last)
                slope[:] = 0.0
                taught = (lessons.features[moves], lessons.worth[moves], counts, lessons.late[part])
                _compiled()(*taught, genes, temperature, slope)
                genes = genes + rate * self._step(slope / len(counts))
        return genes

    def _step(self, slope: Floats) -> Floats:
        self.steps += 1
        self.slope = SLOPES * self.slope + (1.0 - SLOPES) * slope
        self.square = SQUARES * self.square + (1.0 - SQUARES) * slope**2
        size = np.sqrt(self.square / (1.0 - SQUARES**self.steps))
        step: Floats = self.slope / (1.0 - SLOPES**self.steps) / (size + TINY)
        return step

    def state(self) -> dict[str, Any]:
        """The memory as plain data."""
        return {"steps": self.steps, "slope": self.slope.tolist(), "square": self.square.tolist()}

    def restore(self, state: dict[str, Any]) -> None:
        """Take it up."""
        self.steps = state["steps"]
        self.slope, self.square = np.array(state["slope"]), np.array(state["square"])


@kernel
def add_slopes(features: Any, worth: Any, counts: Any, late: Any, genes: Any, temperature: float, slope: Any) -> None:
    """Add to `slope`, float64[genes], that of each decision's expected worth; see `Lessons` for the rest.

    `genes` are early and late weights one after the other, or one a rule. Plain sums, in the order in
    which they stand: a library's would be rounded otherwise on another machine.
    """
    rules = features.shape[1]
    flat = genes.shape[0] == rules
    chance = np.zeros(worth.shape[0])
    first = 0
    for i in range(counts.shape[0]):
        best, t = -np.inf, late[i]
        for m in range(first, first + counts[i]):
            score = 0.0
            for r in range(rules):
                weight = genes[r] if flat else (1.0 - t) * genes[r] + t * genes[rules + r]
                score += weight * features[m, r]
            chance[m] = score / temperature
            best = max(best, chance[m])
        total, expected = 0.0, 0.0
        for m in range(first, first + counts[i]):
            chance[m] = math.exp(chance[m] - best)
            total += chance[m]
            expected += chance[m] * worth[m]
        for m in range(first, first + counts[i]):
            pull = chance[m] / total * (worth[m] - expected / total) / temperature
            for r in range(rules):
                if flat:
                    slope[r] += pull * features[m, r]
                else:
                    slope[r] += (1.0 - t) * pull * features[m, r]
                    slope[rules + r] += t * pull * features[m, r]
        first += counts[i]


@functools.cache
def _compiled() -> Callable[..., None]:
    numbers, none = np.zeros(0), np.zeros((0, 0), np.float32)
    return runnable(add_slopes, none, numbers, np.zeros(0, np.int64), numbers, numbers, 1.0, numbers)
