"""Student's t (Biometrika 6, 1908): the width of an interval whose error was estimated from few deals."""

from __future__ import annotations

import math
from statistics import NormalDist

#: From this many degrees of freedom on the expansion is as exact as the continued fraction, and needs no iteration.
MANY = 1000.0
#: Parts of the continued fraction: below `MANY` degrees of freedom further ones change no digit.
PARTS = 120


def student_quantile(freedom: float, probability: float) -> float:
    """The quantile of Student's distribution for a probability above 0.5 and below 1.

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


def _tail(freedom: float, at: float) -> tuple[float, float]:
    """The probability of more than exp(`at`), and its negative derivative by `at`."""
    a = freedom / 2
    b = 0.5
    whole = _log_sum(math.log(freedom), 2 * at)
    log_x = math.log(freedom) - whole
    log_rest = 2 * at - whole
    front = math.exp(a * log_x + b * log_rest + math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b))
    if math.exp(log_x) < (a + 1) / (a + b + 2):
        return front / a * _fraction(a, b, math.exp(log_x)) / 2, front
    return (1 - front / b * _fraction(b, a, math.exp(log_rest))) / 2, front


def _log_sum(first: float, second: float) -> float:
    """The logarithm of the sum of two numbers whose logarithms these are."""
    return max(first, second) + math.log1p(math.exp(-abs(first - second)))


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function: https://dlmf.nist.gov/8.17.E22."""
    value = 1.0
    for m in range(PARTS, 0, -1):
        value = 1 + m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)) / value
        value = 1 - (a + m - 1) * (a + b + m - 1) * x / ((a + 2 * m - 2) * (a + 2 * m - 1)) / value
    return 1 / value
