"""A sequential test of two Elo differences on deals, which ends as soon as the games allow a verdict."""

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from rulebots.errors import demand
from rulebots.ratings.intervals import FEWEST_DEALS, QUARTERS, Floats, Ints, expected_score

Verdict = Literal["H0", "H1", "undecided"]
#: How many deals had each of the five scores.
Counts: TypeAlias = Ints | Floats
#: A larger difference needs no test: nearly every game is won.
MOST_ELO = 1000
#: The count of a score that no deal had, so that no distribution excludes it.
TRACE = 1e-3
#: Safety cap on Newton iterations.
MOST_STEPS = 200
#: Decimals beyond which a difference of scores is rounding.
ROUNDED = 12
_SCORES = np.arange(QUARTERS) / (QUARTERS - 1)


@dataclass(frozen=True)
class Sprt:
    """The test of H0 (the first player's Elo difference is at most `elo0`) against H1 (it is at least `elo1`).

    `alpha` is the risk of accepting H1 when H0 is true, `beta` that of accepting H0 when H1 is true.

    It is Wald's test (Ann. Math. Stat. 16, 1945) in its generalised form: each hypothesis is represented by the
    most likely distribution of the five deal scores that has its mean. Chess engines are tested in this way
    (fishtest's LLRcalc.py): M. Van den Bergh, "The maximum likelihood estimate of a multinomial distribution with
    given expectation", proposition 1.1; X. Li, J. Liu and Z. Ying, "Generalized sequential probability ratio test
    for separate families of hypotheses", Sequential Analysis 33, 2014.

    Raises:
        UsageError: elo0 is not below elo1, one is beyond `MOST_ELO`, or alpha or beta is not between 0 and 0.5.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        pair = f"{self.elo0:g} {self.elo1:g}"
        demand(
            -MOST_ELO <= self.elo0 < self.elo1 <= MOST_ELO,
            f"SPRT: expected ELO0 below ELO1, from {-MOST_ELO} to {MOST_ELO}, such as 0 10, not {pair}",
        )
        for name in ("alpha", "beta"):
            risk = getattr(self, name)
            demand(0 < risk < 0.5, f"SPRT: expected {name} between 0 and 0.5, such as 0.05, not {risk:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log likelihood ratios at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, deals: Counts, scores: Floats = _SCORES) -> float:
        """The log likelihood ratio of H1 to H0, from the number of deals with each score, by default a `pentanomial`.

        `scores`, float64[n], rise from 0 to 1. Where deals are alike, take the number that they amount to: float64[n].
        """
        counts = np.where(deals == 0, TRACE, deals)
        h0, h1 = (_most_likely(counts / counts.sum(), scores - expected_score(elo)) for elo in (self.elo0, self.elo1))
        return float(counts @ np.log(h1 / h0))

    def verdict(self, deals: Counts, scores: Floats = _SCORES) -> Verdict:
        """The hypothesis that the deals have decided for, or "undecided"; given as `llr` takes them."""
        lower, upper = self.bounds
        llr = self.llr(deals, scores)
        return "H1" if llr >= upper else "H0" if llr <= lower else "undecided"

    def verdict_on_gains(self, gains: Floats, effective: float) -> Verdict:
        """What it says of gains, float64[deals]: scores less those of another player on the same deals, -1 to 1.

        They become scores of 0 to 1, so a gain is twice what the Elo stands for. `effective` is the number of deals
        that they amount to; fewer than FEWEST_DEALS decide nothing.
        """
        if effective < FEWEST_DEALS:
            return "undecided"
        possible = [0.0, 0.5, 1.0]
        values, counts = np.unique([*possible, *(0.5 + gains / 2).round(ROUNDED)], return_counts=True)
        deals = ((counts - np.isin(values, possible)) * (effective / len(gains))).astype(np.float64)
        return self.verdict(deals, values)


def _most_likely(shares: Floats, away: Floats) -> Floats:
    """The distribution with some mean under which the observed shares, all above 0, are most likely.

    `away` are the scores less that mean. It is shares / (1 + x * away), with the x for which it sums to 1.
    """
    # Between the poles of the outermost scores the sum falls from +inf to -inf: Newton's method in a shrinking bracket.
    low = -1 / away[-1]
    high = -1 / away[0]
    x = 0.0
    for _ in range(MOST_STEPS):
        terms = away / (1 + x * away)
        excess = float(shares @ terms)
        former = x
        low, high = (x, high) if excess > 0 else (low, x)
        x += excess / float(shares @ terms**2)
        if not low < x < high:
            x = (low + high) / 2
        if abs(x - former) <= 1e-15 * max(1.0, abs(x)):
            break
    return np.asarray(shares / (1 + x * away))
