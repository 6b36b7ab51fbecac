"""The arithmetic of particles: how far to raise a power, which of them to keep, and which model each one has."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
#: How near the power of a step is found: in how many rounds, and into how many parts each divides what is left.
ROUNDS, PARTS = 3, 16


def next_power(likely: Floats, power: float, effective: float) -> float:
    """The largest power, up to 1, that leaves so many effective particles.

    `likely`, float64[n], are log likelihoods of particles that are drawn by their power `power` so far.
    """
    likely = likely[likely > -np.inf] - likely.max()
    low, high = power, 1.0
    if _effective(likely, np.array([high - power]))[0] >= effective:
        return high
    for _ in range(ROUNDS):
        powers = np.linspace(low, high, PARTS + 1)
        too_far = int(np.argmin(_effective(likely, powers[1:] - power) >= effective)) + 1
        low, high = powers[too_far - 1], powers[too_far]
    return float(high)


def _effective(likely: Floats, powers: Floats) -> Floats:
    """How many equally weighted particles those raised to each power are worth, float64[powers].

    Kong, Liu and Wong, JASA 89(425), 1994.
    """
    weights = np.exp(powers[:, None] * likely)
    return np.asarray(weights.sum(axis=1) ** 2 / (weights**2).sum(axis=1))


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
