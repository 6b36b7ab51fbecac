"""What results say about strength, each with its uncertainty. Pure arithmetic over arrays of results."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

#: Two-sided 95 %.
Z = NormalDist().inv_cdf(0.975)


def win_rate_interval(deal_scores: npt.NDArray[np.float64]) -> tuple[float, float]:
    """A 95 % interval for the win rate, from the mean score of each deal (0, 0.25, .. 1), float64[deals].

    The two games of a mirrored deal are not independent, so deals are counted, not games. Wilson's
    interval (J. Am. Stat. Assoc. 22, 1927) with as many trials as would have the variance that the
    deals have: it stays inside 0..1, and does not claim certainty when every deal ended alike.
    """
    deals = len(deal_scores)
    rate = float(deal_scores.mean())
    variance = float(deal_scores.var(ddof=1)) / deals if deals > 1 else 0.0
    trials = max(rate * (1 - rate) / variance, 1.0) if variance > 0 else float(deals)
    centre = (rate + Z * Z / (2 * trials)) / (1 + Z * Z / trials)
    half = Z / (1 + Z * Z / trials) * math.sqrt(rate * (1 - rate) / trials + Z * Z / (4 * trials * trials))
    return max(0.0, centre - half), min(1.0, centre + half)


def elo(win_rate: float) -> float:
    """The Elo difference of a win rate; infinite for 0 and 1."""
    if win_rate <= 0.0:
        return -math.inf
    return math.inf if win_rate >= 1.0 else -400.0 * math.log10(1.0 / win_rate - 1.0)
