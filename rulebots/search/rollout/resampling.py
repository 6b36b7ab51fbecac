"""The arithmetic of particles: how far to raise a power, which of them to keep, and which model each one has."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
#: How near the power of a step is found, by halving.
HALVINGS = 20


def next_power(likely: Floats, power: float, effective: float) -> float:
    """The largest power, up to 1, that leaves so many effective particles.

    `likely`, float64[n], are log likelihoods of particles that are drawn by their power `power` so far.
    """
    low, high = power, 1.0
    if _effective(weights_of(likely, 1.0 - power)) >= effective:
        return 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2.0
        if _effective(weights_of(likely, middle - power)) >= effective:
            low = middle
        else:
            high = middle
    return high


def _effective(weights: Floats) -> float:
    """How many equally weighted particles these are worth: Kong, Liu and Wong, JASA 89(425), 1994."""
    return float(1.0 / (weights**2).sum())


def weights_of(likely: Floats, power: float) -> Floats:
    """Weights that sum to 1, from log likelihoods, float64[n], of which one at least is more than -inf."""
    with np.errstate(invalid="ignore"):
        weights = np.where(likely > -np.inf, np.exp(power * (likely - likely.max())), 0.0)
    return np.asarray(weights / weights.sum())


def systematic(weights: Floats, count: int, rng: np.random.Generator) -> Ints:
    """`count` numbers of entries, drawn as likely as they weigh, and shuffled: int64[count].

    Systematic resampling: Carpenter, Clifford and Fearnhead, IEE Proc. Radar Sonar Navig. 146(1), 1999.
    """
    steps = (np.arange(count) + rng.random()) / count
    drawn = np.searchsorted(np.cumsum(weights), steps).clip(max=len(weights) - 1)
    return rng.permutation(drawn)


def drawn_models(likely: Floats, power: float, rng: np.random.Generator) -> Ints:
    """A model for each deal, int64[n], as likely as the power of its log likelihoods, float64[n, models], makes it."""
    shares = np.cumsum(np.exp(power * (likely - likely.max(axis=1, keepdims=True))), axis=1)
    return np.asarray((shares <= rng.random((len(shares), 1)) * shares[:, -1:]).sum(axis=1))
