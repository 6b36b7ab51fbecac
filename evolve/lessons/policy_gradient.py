"""Policy gradient on the returns of rollouts.

Were a decision's move drawn from the softmax of score / temperature, its expected return would be a
smooth function of the weights; steps along its gradient make better moves more likely. So a player imitates
what rollouts of its own games advise ("direct policy iteration": Lagoudakis and Parr, 2003; Lazaric,
Ghavamzadeh and Munos, 2010). The steps are those of Adam (Kingma and Ba, 2015).
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

#: Decisions in a batch, which makes one step.
BATCH = 400
#: Adam's decay rates of the mean gradient and of its mean square, and what keeps it from a division by 0.
BETA1 = 0.9
BETA2 = 0.999
EPSILON = 1e-9


class Adam:
    """Steps along gradients, float64[genes]: about 1 for each gene, however small its gradient is.

    Kingma and Ba, "Adam: a Method for Stochastic Optimization", 2015, algorithm 1.
    """

    def __init__(self, genes: int) -> None:
        self.steps = 0
        self.mean: Floats = np.zeros(genes)
        self.square: Floats = np.zeros(genes)

    def step(self, gradient: Floats) -> Floats:
        """The next step, for a step size of 1."""
        self.steps += 1
        self.mean = BETA1 * self.mean + (1.0 - BETA1) * gradient
        self.square = BETA2 * self.square + (1.0 - BETA2) * gradient**2
        size = np.sqrt(self.square / (1.0 - BETA2**self.steps))
        step: Floats = self.mean / (1.0 - BETA1**self.steps) / (size + EPSILON)
        return step

    def state(self) -> dict[str, Any]:
        """The moments as plain data."""
        return {"steps": self.steps, "mean": self.mean.tolist(), "square": self.square.tolist()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from what `state` gave."""
        self.steps = state["steps"]
        self.mean = np.array(state["mean"])
        self.square = np.array(state["square"])


def ascend(
    genes: Floats,
    lessons: Sequence[Lessons],
    adam: Adam,
    *,
    epochs: int,
    step_size: float,
    temperature: float,
    rng: np.random.Generator,
) -> Floats:
    """The genes, float64[genes], after some passes over all lessons, their batches in random order.

    `step_size` is about how far one step moves each gene.
    """
    batches = [(part, start) for part in lessons for start in range(0, len(part), BATCH)]
    ends = {id(part): np.cumsum(part.counts) for part in lessons}
    gradient = np.zeros_like(genes)
    for _ in range(epochs):
        for number in rng.permutation(len(batches)):
            part, start = batches[number]
            decisions = slice(start, start + BATCH)
            counts = part.counts[decisions]
            last = ends[id(part)][decisions][-1]
            moves = slice(last - counts.sum(), last)
            gradient[:] = 0.0
            batch = (part.features[moves], part.returns[moves], counts, part.late[decisions])
            _compiled()(*batch, genes, temperature, gradient)
            genes = genes + step_size * adam.step(gradient / len(counts))
    return genes


@kernel
def add_gradients(
    features: Any, returns: Any, counts: Any, late: Any, genes: Any, temperature: float, gradient: Any
) -> None:
    """Add to `gradient`, float64[genes], that of each decision's expected return; see `Lessons` for the rest.

    With p = softmax(score / temperature), the expected return is sum(p * return), and its gradient
    sum(p * (return - expected return) * d score / d gene) / temperature. `genes` are early and late weights one
    after the other, or one a rule. Plain sums in this order: a library's rounding differs between machines.
    """
    rules = features.shape[1]
    flat = genes.shape[0] == rules
    chance = np.zeros(returns.shape[0])
    weights = np.zeros(rules)
    first = 0
    for i in range(counts.shape[0]):
        best = -np.inf
        t = late[i]
        for r in range(rules):
            weights[r] = genes[r] if flat else (1.0 - t) * genes[r] + t * genes[rules + r]
        for m in range(first, first + counts[i]):
            score = 0.0
            for r in range(rules):
                score += weights[r] * features[m, r]
            chance[m] = score / temperature
            best = max(best, chance[m])
        total = 0.0
        expected = 0.0
        for m in range(first, first + counts[i]):
            chance[m] = math.exp(chance[m] - best)
            total += chance[m]
            expected += chance[m] * returns[m]
        for m in range(first, first + counts[i]):
            by_score = chance[m] / total * (returns[m] - expected / total) / temperature
            if flat:
                for r in range(rules):
                    gradient[r] += by_score * features[m, r]
            else:
                early = (1.0 - t) * by_score
                later = t * by_score
                for r in range(rules):
                    gradient[r] += early * features[m, r]
                    gradient[rules + r] += later * features[m, r]
        first += counts[i]


@functools.cache
def _compiled() -> Callable[..., None]:
    numbers = np.zeros(0)
    none = np.zeros((0, 0), np.float32)
    return runnable(add_gradients, none, numbers, np.zeros(0, np.int64), numbers, numbers, 1.0, numbers)
