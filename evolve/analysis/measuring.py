"""What the analyses share: games on the same deals, figures with their uncertainty, and budgets of time or games.

Equal games are one game: see rulebots/ratings/intervals.py.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from rulebots.errors import UsageError
from rulebots.play.deals import Deals, courses_of
from rulebots.play.match import play_games
from rulebots.play.results import MatchResult, contests_of
from rulebots.players import Player
from rulebots.ratings import FEWEST_DEALS, Distinct, distinct, margin_interval, win_rate_interval

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
T = TypeVar("T")


@dataclass(frozen=True)
class Estimate:
    """A mean with the ends of its 95 % interval, and how many different games it amounts to.

    The ends are None where there are too few games for an interval, the mean where there are none.
    """

    mean: float | None
    low: float | None
    high: float | None
    games: float

    def as_data(self) -> dict[str, Any]:
        """The four numbers by name, for JSON."""
        return asdict(self)


NOTHING = Estimate(None, None, None, 0.0)


def win_rate(result: MatchResult, *, of_second: bool = False) -> Estimate:
    """The win rate of a match's first player, or of its second one."""
    rate, ends = result.win_rate, result.win_rate_95
    if of_second:
        rate, ends = (result.losses + result.draws / 2) / result.games, (1 - ends[1], 1 - ends[0])
    low, high = (None, None) if result.too_few else ends
    return Estimate(rate, low, high, result.effective_deals)


def share(values: Floats, courses: Ints) -> Estimate:
    """The mean of a number in 0..1 of each game, float64[games], with Wilson's interval."""
    if not len(values):
        return NOTHING
    found = distinct(courses)
    low, high = (None, None) if found.too_few else win_rate_interval(values, found.effective)
    return Estimate(float(values.mean()), low, high, found.effective)


def average(values: Floats, courses: Ints) -> Estimate:
    """The mean of a number of each game, float64[games], with Student's interval."""
    return _around(values, distinct(courses), 0.95) if len(values) else NOTHING


def ratio(amounts: Floats, cases: Floats, courses: Ints, of_several: int = 1) -> Estimate:
    """The sum of `amounts` by the sum of `cases`, float64[games] each: a mean over cases, of which a game has many.

    The interval is that of a ratio estimator (W. G. Cochran, Sampling Techniques, 1977, section 6): the games are
    independent, the cases within one are not. Where it is one `of_several` intervals that are looked through for a
    remarkable one, all of them hold together in 95 % (Bonferroni).
    """
    asked = cases > 0
    if not asked.any():
        return NOTHING
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
    low, high = (None, None) if found.too_few else margin_interval(values, found.effective, confidence)
    return Estimate(float(values.mean()), low, high, found.effective)


@dataclass(frozen=True)
class Played:
    """A player against opponents: `scores` float64[opponents, deals], the mean of a deal's games.

    `courses`, int64[opponents, deals], are equal where all games of the deals were.
    """

    scores: Floats
    courses: Ints


def played(player: Player, opponents: Sequence[Player], deals: Deals, jobs: int) -> Played:
    """What a player scores on each deal, from all sides, against each of the opponents."""
    each = [deals.mirrored(0, number) for number in range(1, len(opponents) + 1)]
    games = play_games([player, *opponents], deals, np.concatenate(each), jobs)
    contests = contests_of(games, deals.game)
    shape = (len(opponents), len(deals))
    return Played(contests.by_deal(contests.scores()).reshape(shape), contests.courses.reshape(shape))


def paired_difference(one: Played, other: Played) -> tuple[Floats, Distinct]:
    """What the second scores less on each deal, float64[opponents, deals], and how many different deals there are.

    A copy of a deal is one on which both players played as before.
    """
    return one.scores - other.scores, distinct(courses_of(np.concatenate([one.courses, other.courses]).T))


def paired_interval(differences: Floats, effective: float | None = None) -> tuple[float, float]:
    """A 95 % interval for the mean of float64[deals], each in -1..1: Student's t over deals.

    `effective` is how many different deals they amount to; None: all are different. Fewer than FEWEST_DEALS exclude
    nothing. Where no deal makes a difference, the share of deals that may still make the largest one is bounded by
    Clopper and Pearson (Biometrika 26, 1934).
    """
    deals = float(len(differences) if effective is None else effective)
    if deals < FEWEST_DEALS:
        return -1.0, 1.0
    if differences.any():
        return margin_interval(differences, deals)
    reach = 1.0 - 0.025 ** (1.0 / deals)
    return -reach, reach


def within_budget(steps: Iterable[tuple[T, int]], seconds: float | None, games: int | None) -> Iterator[T]:
    """Steps, each with the games that were played by then, until that many seconds or games are spent: at least one.

    Raises UsageError without a budget, or for one that is not above 0.
    """
    if (seconds is None) == (games is None) or (seconds or games or 0) <= 0:
        raise UsageError("expected a budget above 0, of seconds or of games")
    began = time.monotonic()
    for step, done in steps:
        yield step
        if (games is not None and done >= games) or (seconds is not None and time.monotonic() - began >= seconds):
            return
