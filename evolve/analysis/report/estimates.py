"""A figure with its uncertainty. Equal games are one game: see rulebots/ratings/distinct.py."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.ratings import Distinct, distinct, margin_interval, win_rate_interval

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Estimate:
    """A mean with the ends of its interval, and how many different games it amounts to.

    The ends are None where those are too few for an interval, the mean where there are none.
    """

    mean: float | None
    low: float | None
    high: float | None
    games: float

    def as_data(self) -> dict[str, Any]:
        """The four numbers by name, for JSON."""
        return asdict(self)


def share(values: Floats, courses: Ints) -> Estimate:
    """The mean of a number in 0..1 of each game, float64[games], with Wilson's interval."""
    if not len(values):
        return Estimate(None, None, None, 0.0)
    found = distinct(courses)
    low, high = (None, None) if found.too_few else win_rate_interval(values, found.effective)
    return Estimate(float(values.mean()), low, high, found.effective)


def average(values: Floats, courses: Ints) -> Estimate:
    """The mean of a number of each game, float64[games], with Student's interval."""
    if not len(values):
        return Estimate(None, None, None, 0.0)
    return _around(values, distinct(courses), 0.95)


def ratio(amounts: Floats, cases: Floats, courses: Ints, of_several: int = 1) -> Estimate:
    """The sum of `amounts` by the sum of `cases`, float64[games] each: a mean over cases, of which a game has many.

    The interval is that of a ratio estimator (W. G. Cochran, Sampling Techniques, 1977, section 6): the games are
    independent, the cases within one are not. Where it is one `of_several` intervals that are looked through for a
    remarkable one, all of them hold together in 95 % (Bonferroni).
    """
    asked = cases > 0
    if not asked.any():
        return Estimate(None, None, None, 0.0)
    amounts, cases, found = amounts[asked], cases[asked], distinct(courses[asked])
    mean = float(amounts.sum() / cases.sum())
    apart = (amounts - mean * cases) / cases.mean()
    return _around(mean + apart, found, 1 - 0.05 / of_several)


def share_of_cases(chosen: Ints, cases: Ints, courses: Ints, of_several: int = 1) -> Estimate:
    """The ratio of int64[games] where each case counts once or not at all; all or none of them still leave a doubt."""
    found = ratio(chosen.astype(np.float64), cases.astype(np.float64), courses, of_several)
    if found.mean is None or found.low is None or 0 < found.mean < 1:
        return found
    ends = win_rate_interval(np.full(max(1, int(found.games)), found.mean), found.games)
    return Estimate(found.mean, *ends, found.games)


def _around(values: Floats, found: Distinct, confidence: float) -> Estimate:
    mean = float(values.mean())
    if found.too_few:
        return Estimate(mean, None, None, found.effective)
    return Estimate(mean, *margin_interval(values, found.effective, confidence), found.effective)
