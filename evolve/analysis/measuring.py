"""What the analyses share: figures with their uncertainty, and budgets of time or games.

Equal games are one game: see rulebots/ratings/intervals.py.
"""

import functools
import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from rulebots.errors import demand
from rulebots.game import Ints
from rulebots.play.results import MatchResult
from rulebots.ratings import distinct, margin_interval, win_rate_interval

T = TypeVar("T")


@dataclass(frozen=True)
class Estimate:
    """A mean with the ends of its 95 % interval, and the number of different games behind it.

    The ends are None if there are too few games for an interval, or all had the same; so is the mean if there are none.
    """

    mean: float | None
    low: float | None
    high: float | None
    games: float


NOTHING = Estimate(None, None, None, 0.0)


def plain(figures: Any) -> Any:
    """Maps and lists of figures as plain data for JSON: each estimate becomes a map of its four numbers."""
    if isinstance(figures, Estimate):
        return asdict(figures)
    if isinstance(figures, dict):
        return {name: plain(figure) for name, figure in figures.items()}
    return [*map(plain, figures)] if isinstance(figures, list) else figures


def win_rate(result: MatchResult, of_several: int = 1) -> Estimate:
    """The win rate of a match's first player; `of_several` is as in `ratio`."""
    low, high = (
        (None, None)
        if result.too_few
        else win_rate_interval(
            result.scores, result.effective_deals, result.games / result.deals, 1 - 0.05 / of_several
        )
    )
    return Estimate(result.win_rate, low, high, result.effective_deals)


def share(values: npt.NDArray[Any], courses: Ints) -> Estimate:
    """The mean of a number in 0..1 of each game, [games], with Wilson's interval."""
    return average(values, courses, functools.partial(win_rate_interval, games=1))


def average(
    values: npt.NDArray[Any], courses: Ints, interval: Callable[..., tuple[float, float]] = margin_interval
) -> Estimate:
    """The mean of a number of each game, [games], with Student's interval, or another one."""
    if not len(values):
        return NOTHING
    numbers = np.asarray(values, np.float64)
    games = distinct(courses)
    low, high = interval(numbers, games.effective)
    known = not games.too_few and math.isfinite(low)
    return Estimate(float(numbers.mean()), low if known else None, high if known else None, games.effective)


def ratio(
    amounts: npt.NDArray[Any],
    cases: npt.NDArray[Any],
    courses: Ints,
    of_several: int = 1,
    interval: Callable[..., tuple[float, float]] = margin_interval,
) -> Estimate:
    """The sum of `amounts` by the sum of `cases`, [games] each: a mean over cases, of which a game has many.

    The interval is that of a ratio estimator (W. G. Cochran, Sampling Techniques, 1977, section 6): the games are
    independent, the cases within one are not. If it is one `of_several` intervals that are searched for a remarkable
    one, all of them hold together in 95 % (Bonferroni).
    """
    some = cases > 0
    if not some.any():
        return NOTHING
    weights = np.asarray(cases[some], np.float64)
    sums = np.asarray(amounts[some], np.float64)
    mean = float(sums.sum() / weights.sum())
    return average(
        mean + (sums - mean * weights) / weights.mean(),
        courses[some],
        functools.partial(interval, confidence=1 - 0.05 / of_several),
    )


def share_of_cases(chosen: Ints, cases: Ints, courses: Ints, of_several: int = 1) -> Estimate:
    """The ratio of int64[games] where each case counts once or not at all, with Wilson's interval: within 0..1."""
    wilson = functools.partial(win_rate_interval, games=cases.sum() / max(1, np.count_nonzero(cases)))
    return ratio(chosen, cases, courses, of_several, wilson)


def within_budget(steps: Iterable[tuple[T, int]], seconds: float | None, games: int | None) -> Iterator[T]:
    """Steps, each with the games that were played by then, until that many seconds or games are spent: at least one.

    Raises UsageError without a budget, or for one that is not above 0.
    """
    demand(
        (seconds is None) != (games is None) and (seconds or games or 0) > 0,
        "expected a budget above 0, of seconds or of games",
    )
    began = time.monotonic()
    for step, played in steps:
        yield step
        if (games is not None and played >= games) or (seconds is not None and time.monotonic() - began >= seconds):
            return
