"""Win rate, superiority and margin of one match from the results of its deals, with the number of different deals.

A repeated game says nothing new: `effective` is the number of different deals that the deals amount to; None: all of
them are different.
"""

import functools
import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]

#: Fewer different deals allow no interval: from 10 on, the intervals contain the truth as often as they say
#: (benchmarks/intervals.py).
FEWEST_DEALS = 10
#: The normal quantile of a two-sided interval of 95 %.
Z = NormalDist().inv_cdf(0.975)
#: The number of scores that a mirrored deal can have: 0, 1/4 .. 1.
QUARTERS = 5
#: Elo points of one unit of log-odds.
ELO_A_LOGIT = 400.0 / math.log(10.0)
#: The games of a mirrored deal at a table of two.
GAMES_A_DEAL = 2
#: Added to the sum of squares of the deals' scores, counted in games: two deals half a game away from their mean.
DOUBT = 2 * 0.5**2
#: Values that differ by no more are equal.
EQUAL = 1e-12
#: From this many degrees of freedom on the expansion of Student's t is as exact as the continued fraction.
MANY = 1000.0
#: Parts of the continued fraction: below `MANY` degrees of freedom further ones change no digit.
PARTS = 120


@dataclass(frozen=True)
class Distinct:
    """What some deals amount to: `deals` of them are different, and tell as much as `effective` equally frequent ones.

    `effective` is L. Kish's effective sample size (Survey Sampling, 1965): the square of the number of deals by the sum
    of the squares of how often each different one was played. It is at most `deals`, and equal to it where each was
    played equally often.
    """

    deals: int
    effective: float

    @property
    def too_few(self) -> bool:
        """Whether they allow no interval."""
        return self.effective < FEWEST_DEALS


def distinct(deals: Ints) -> Distinct:
    """What deals amount to: equal numbers, int64[deals], are equal deals."""
    return amount_of(np.unique(deals, return_counts=True)[1])


def amount_of(copies: Ints) -> Distinct:
    """What deals amount to that were played so often each: int64[deals], all above 0."""
    return Distinct(len(copies), int(copies.sum()) ** 2 / max(1, int((copies**2).sum())))


def pentanomial(deal_scores: Floats) -> Ints:
    """How many deals had each of the scores 0, 1/4, 1/2, 3/4, 1: int64[5] from float64[deals]."""
    return np.bincount(np.rint(4 * deal_scores).astype(np.int64), minlength=QUARTERS)


def effective_trials(deal_scores: Floats, effective: float | None = None, games: float = GAMES_A_DEAL) -> float:
    """The number of independent games whose mean would have the variance of the deals' mean score.

    `games` are those behind each deal's score. The variance has `DOUBT` added. If all deals ended alike, each different
    one counts as one trial.
    """
    rate = float(deal_scores.mean())
    deals = float(len(deal_scores) if effective is None else effective)
    if deals <= 1 or all_alike(deal_scores):
        return deals
    variance = (float(deal_scores.var()) + DOUBT / (games**2 * deals)) / (deals - 1)
    return max(rate * (1 - rate) / variance, 1.0)


def all_alike(values: Floats) -> bool:
    """Whether values, float64[deals], are equal up to rounding: they do not tell how far others would be from them."""
    # Where rounding tells them apart, their variance would be next to nothing, and an interval without width.
    return np.allclose(values, values[0], rtol=EQUAL, atol=EQUAL)


def win_rate_interval(
    deal_scores: Floats, effective: float | None = None, games: float = GAMES_A_DEAL, confidence: float = 0.95
) -> tuple[float, float]:
    """An interval for the win rate, by default of 95 %, from the score of each deal, float64[deals] in 0..1.

    Each score is a mean of that many games. It is Wilson's interval (J. Am. Stat. Assoc. 22, 1927) with the
    effective number of trials, as the surveys of clustered samples have it (E. L. Korn and B. I. Graubard, Survey
    Methodology 24, 1998): Student's quantile for one degree of freedom less than there are deals, because the deals
    tell their own variance. It stays inside 0..1, and does not claim certainty when every deal ended alike. A
    single deal says nothing.

    Where most deals end alike, a few hide the rare ones that do not. So two deals more are counted in the variance, one
    half a game better than the mean and one half a game worse, as D. G. Bonett and R. M. Price add a pair to each kind
    of disagreement (J. Educ. Behav. Stat. 37, 2012).
    """
    rate = float(deal_scores.mean())
    deals = float(len(deal_scores) if effective is None else effective)
    if deals <= 1:
        return 0.0, 1.0
    trials = effective_trials(deal_scores, deals, games)
    quantile = student_quantile(deals - 1, (1 + confidence) / 2)
    spread = quantile**2 / trials
    centre = (rate + spread / 2) / (1 + spread)
    half = quantile / (1 + spread) * math.sqrt(rate * (1 - rate) / trials + spread / (4 * trials))
    # Rounding must not put an end of the interval beyond the rate itself.
    return max(0.0, min(rate, centre - half)), min(1.0, max(rate, centre + half))


def likelihood_of_superiority(
    deal_scores: Floats, effective: float | None = None, games: float = GAMES_A_DEAL
) -> float:
    """How sure the deals make it that the first player's true win rate is above one half, 0..1.

    More than one deal is needed. It is the confidence at which the one-sided interval just excludes one half: above
    0.975 exactly when `win_rate_interval` lies above one half.
    """
    deals = float(len(deal_scores) if effective is None else effective)
    excess = float(deal_scores.mean()) - 0.5
    return student_probability(deals - 1, 2 * excess * math.sqrt(effective_trials(deal_scores, deals, games)))


def margin_interval(
    deal_margins: Floats, effective: float | None = None, confidence: float = 0.95
) -> tuple[float, float]:
    """An interval for the mean margin, by default of 95 %, from the mean margin of each deal, float64[deals].

    Student's t over deals. A single deal says nothing, nor do deals that all brought the same: the ends are infinite.
    """
    deals = float(len(deal_margins) if effective is None else effective)
    if deals <= 1 or all_alike(deal_margins):
        return -math.inf, math.inf
    half = student_quantile(deals - 1, (1 + confidence) / 2) * float(deal_margins.std()) / math.sqrt(deals - 1)
    mean = float(deal_margins.mean())
    return mean - half, mean + half


def paired_interval(
    differences: Floats, effective: float | None = None, confidence: float = 0.95
) -> tuple[float, float]:
    """An interval for the mean of float64[deals], each in -1..1, by default of 95 %: Student's t over deals.

    `effective` is the number of different deals; None: all are different. Fewer than FEWEST_DEALS exclude nothing. If
    all differences are alike, the share of deals that may still be as different as can be is bounded by C. J. Clopper
    and E. S. Pearson (Biometrika 26, 1934).
    """
    deals = float(len(differences) if effective is None else effective)
    if deals < FEWEST_DEALS:
        return -1.0, 1.0
    if not all_alike(differences):
        return margin_interval(differences, deals, confidence)
    reach = 1.0 - ((1.0 - confidence) / 2) ** (1.0 / deals)
    mean = float(differences.mean())
    return mean - reach * (1 + mean), mean + reach * (1 - mean)


def elo(win_rate: float) -> float:
    """The Elo difference that a win rate stands for; infinite for 0 and 1."""
    if win_rate <= 0.0:
        return -math.inf
    return math.inf if win_rate >= 1.0 else 400.0 * math.log10(win_rate / (1.0 - win_rate))


def expected_score(difference: float) -> float:
    """The win rate that an Elo difference stands for: the inverse of `elo`."""
    return 1.0 / (1.0 + 10.0 ** (-difference / 400.0))


@functools.lru_cache(maxsize=1000)
def student_quantile(freedom: float, probability: float) -> float:
    """The quantile of Student's t (Biometrika 6, 1908) for a probability above 0.5 and below 1.

    `freedom`, the degrees of freedom, is any number above 0. Below `MANY` it is found by Newton's method on the
    logarithm of the tail, which is a concave function of that of the quantile: from the second step on the method
    converges from one side. From there on it is the expansion of M. Abramowitz and I. A. Stegun, Handbook of
    Mathematical Functions, 26.7.5. Eleven digits are right for probabilities up to 0.9999; infinite where it is more
    than a float can be.
    """
    z = NormalDist().inv_cdf(probability)
    if freedom >= MANY:
        series = (
            z,
            (z**3 + z) / 4,
            (5 * z**5 + 16 * z**3 + 3 * z) / 96,
            (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
            (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
        )
        return math.fsum(term / freedom**power for power, term in enumerate(series))
    at = math.log(z)
    step = 1.0
    for _ in range(100):
        if abs(step) < 1e-12 * max(1.0, abs(at)):  # the logarithms of `_tail` are right to thirteen digits
            break
        tail, slope = _tail(freedom, at)
        step = math.log(tail / (1 - probability)) * tail / slope
        at += step
    return math.exp(at) if at < 709 else math.inf


def student_probability(freedom: float, at: float) -> float:
    """The probability of at most `at` by Student's t: the inverse of `student_quantile`, for any `at`.

    With `MANY` degrees of freedom it is Abramowitz and Stegun's 26.7.8, to seven digits.
    """
    if at <= 0:
        return 1 - student_probability(freedom, -at) if at < 0 else 0.5
    if freedom < MANY:
        return 1 - _tail(freedom, math.log(at))[0]
    return NormalDist().cdf(at * (1 - 1 / (4 * freedom)) / math.sqrt(1 + at**2 / (2 * freedom)))


def _tail(freedom: float, at: float) -> tuple[float, float]:
    """The probability of more than exp(`at`), and its negative derivative by `at`."""
    a = freedom / 2
    b = 0.5
    whole = float(np.logaddexp(math.log(freedom), 2 * at))
    log_x = math.log(freedom) - whole
    log_rest = 2 * at - whole
    front = math.exp(a * log_x + b * log_rest + math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b))
    if math.exp(log_x) < (a + 1) / (a + b + 2):
        return front / a * _fraction(a, b, math.exp(log_x)) / 2, front
    return (1 - front / b * _fraction(b, a, math.exp(log_rest))) / 2, front


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function: https://dlmf.nist.gov/8.17.E22."""
    value = 1.0
    for m in range(PARTS, 0, -1):
        value = 1 + m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)) / value
        value = 1 - (a + m - 1) * (a + b + m - 1) * x / ((a + 2 * m - 2) * (a + 2 * m - 1)) / value
    return 1 / value
