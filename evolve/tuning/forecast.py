"""How much a number of games will gain, and how far to perturb: from the games at the ends of each parameter's range.

A few games at an end say little, so `forecast` weighs what programs may be like by how well they explain the results
of all ends together. Programs differ in how far from the start the best values lie, and in what they gain; within a
program parameters differ in weight (log-normal). What a search leaves of the gain that there is was measured in
simulations (benchmarks/tuning.py).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rulebots.game import Floats
from rulebots.game.random_numbers import rng_of
from rulebots.ratings.intervals import ELO_A_LOGIT

GAMES_A_PAIR = 2
#: What programs may be like: the distance of the best values from the start, in ranges (a standard deviation), and the
#: Elo that all best values together gain.
DISTANCES = (0.03, 0.06, 0.12, 0.2, 0.3)
GAINS = (8.0, 16.0, 32.0, 64.0, 128.0, 256.0)
#: Samples of a parameter in each kind of program, and of the gain.
SAMPLES = 300
OUTCOMES = 4_000
#: The variance of the points of a game between equals: half of the games or fewer are drawn.
VARIANCE = 0.2
#: Losses level off: bad programs do not become worse without end.
MOST_ELO = 400.0
#: After GAMES games a search of SIZE parameters with GAIN Elo to gain has gained ODDS times what it leaves; the powers
#: say how that depends on each, and the deviation of the logarithm by how much tunes differ.
ODDS = 22.0
GAMES = 20_000
SIZE = 20
GAIN = 80.0
GAMES_POWER = 0.8
SIZE_POWER = 1.1
GAIN_POWER = 1.3
DEVIATION = 0.5
#: The deviation in Elo of where a search ends that has learnt next to nothing.
ASTRAY = 3.0
#: The deviation of the logarithm of the gain: parameters depend on each other, which single ends do not show.
CROSSED = 0.6
#: The quantiles of an interval of 90 %, and the middle.
QUANTILES = (0.05, 0.5, 0.95)
#: Perturbations are smaller where the ends of a range lose more Elo than this.
STEEP = 60.0


@dataclass(frozen=True)
class Forecast:
    """The gain in Elo that a number of games is expected to bring, with a 90 % interval."""

    games: int
    gain: float
    low: float
    high: float

    def __str__(self) -> str:
        """One line, such as "about 12,000 games for +25 Elo (+8 to +44)"."""
        return f"about {self.games:,} games for {self.gain:+.0f} Elo ({self.low:+.0f} to {self.high:+.0f})"


def steps(ends: Floats, pairs: int) -> Floats:
    """The relative sizes of the perturbations, float64[d], at most 1: smaller where ends are worse; see `forecast`."""
    games = 2 * GAMES_A_PAIR * pairs
    # One game more drawn at each end: few games must not look certain.
    rate = (games * ends.mean(axis=1) + 1) / (games + 2)
    loss = ELO_A_LOGIT * np.log(1 / rate - 1)
    sizes = 1 / np.sqrt(np.maximum(loss, STEEP))
    return np.asarray(sizes / sizes.max())


def forecast(start: Floats, ends: Floats, pairs: int, games: int) -> Forecast:
    """What a search of so many games will gain.

    `start` is float64[d] in 0..1; `ends`, float64[d, 2], are the mean points of the lower and of the upper end of each
    parameter's range against the start, all other parameters unchanged, over `pairs` pairs of games each.
    """
    rng = rng_of(0)
    kinds = [(distance, total) for distance in DISTANCES for total in GAINS]
    fits, means, variances = np.array([_explained(start, ends, pairs, *kind, rng) for kind in kinds]).T
    shares = np.exp(fits - fits.max())  # probabilities from log likelihoods
    drawn = rng.choice(len(kinds), OUTCOMES, p=shares / shares.sum())
    # The sum of many parameters' gains, none negative: a gamma distribution of this mean and variance.
    mean = np.maximum(means[drawn], 1e-9)
    variance = np.maximum(variances[drawn], 1e-9)
    possible = rng.gamma(mean**2 / variance, variance / mean) * np.exp(CROSSED * rng.standard_normal(OUTCOMES))
    known = ODDS * (games / GAMES) ** GAMES_POWER * (SIZE / len(start)) ** SIZE_POWER
    odds = known * (possible / GAIN) ** GAIN_POWER * np.exp(DEVIATION * rng.standard_normal(OUTCOMES))
    gained = _levelled(possible * odds / (1 + odds)) + ASTRAY * rng.standard_normal(OUTCOMES)
    low, middle, high = np.quantile(gained, QUANTILES).tolist()
    return Forecast(games, middle, low, high)


def _explained(
    start: Floats, ends: Floats, pairs: int, distance: float, total: float, rng: np.random.Generator
) -> tuple[float, float, float]:
    """How well a kind of program explains the ends (a log likelihood), and the mean and variance of its gain in Elo."""
    shape = (SAMPLES, len(start))
    curvature = total / (len(start) * distance**2) * rng.lognormal(-0.5, 1.0, shape)
    best = np.clip(distance * rng.standard_normal(shape), -start, 1 - start)
    gain = curvature * best**2
    likelihood = np.zeros(shape)
    for end, scored in zip((-start, 1 - start), ends.T, strict=True):
        # The start is on the slope that levels off, `total` below the best.
        loss = _levelled(total + curvature * (end - best) ** 2 - gain) - _levelled(total)
        expected = 1 / (1 + np.exp(loss / ELO_A_LOGIT))
        # Half a game more: no result is impossible.
        variance = (4 * VARIANCE * expected * (1 - expected) + 0.5 / (2 * pairs)) / (2 * pairs)
        likelihood -= (scored - expected) ** 2 / variance / 2 + np.log(variance) / 2
    top = likelihood.max(axis=0)
    shares = np.exp(likelihood - top)
    fit = float((top + np.log(shares.mean(axis=0))).sum())
    shares /= shares.sum(axis=0)
    mean = (shares * gain).sum(axis=0)
    return fit, float(mean.sum()), float((shares * (gain - mean) ** 2).sum())


def _levelled(loss: Any) -> Any:
    return MOST_ELO * np.tanh(loss / MOST_ELO)
