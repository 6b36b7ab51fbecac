"""A match without a fixed number of games, which goes on until its results say that it may end."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rulebots.errors import UsageError
from rulebots.play import MOST_DEALS
from rulebots.play.deals import DealStream
from rulebots.play.loop import Terms
from rulebots.play.match import game_of, play_deals
from rulebots.play.results import Games, MatchResult, joined, match_result
from rulebots.players import Player
from rulebots.ratings import Sprt

#: Deals in a block: FIRST_BLOCK at first, then 1 / SHARE of those played, so that evaluation costs next to nothing.
FIRST_BLOCK, SHARE = 4, 8
#: From so many deals on, a match ends in which half of the deals were copies of the other half: see `unless_repeating`.
REPEATING = 1000

#: Whether a match may end with this result.
Enough = Callable[[MatchResult], bool]
#: Called with the result so far; False, and nothing else, ends the match there.
Watch = Callable[[MatchResult], object]


class OpenMatch:
    """Two players on the deals of `play_match`, as many as are asked for; `result` covers all of them.

    Raises:
        UsageError: players of different games, or a wrong option, seed or limit of time.
    """

    def __init__(
        self,
        first: Player,
        second: Player,
        seed: int = 1,
        options: Mapping[str, int] | None = None,
        jobs: int = 1,
        opening_plies: int | None = None,
        move_seconds: float | None = None,
    ) -> None:
        self.terms = Terms(move_seconds)
        self.first, self.second, self.jobs = first, second, jobs
        self.stream = DealStream(game_of([first, second]), seed, options=options, opening_plies=opening_plies)
        self._played: list[Games] = []
        self.deals = 0

    def play(self, deals: int) -> MatchResult:
        """Play that many more deals. The result does not depend on the number of steps.

        Raises:
            PlayerFault: a player chose no legal move, failed, or thought for more than `move_seconds`.
        """
        self._played.append(play_deals(self.first, self.second, self.stream.take(deals), self.jobs, terms=self.terms))
        self.deals += deals
        return self.result

    def play_until(self, enough: Enough, most_deals: int = MOST_DEALS, watch: Watch | None = None) -> MatchResult:
        """Play block by block until `enough(result)` or `most_deals`.

        `watch` is given the result so far after each block; if it returns False, the match ends there.

        Raises:
            UsageError: `most_deals` is out of range.
        """
        if not 1 <= most_deals <= MOST_DEALS:
            raise UsageError(f"deals: expected a whole number from 1 to {MOST_DEALS}, not {most_deals}")
        while True:
            result = self.play(min(next_block(self.deals), most_deals - self.deals))
            if watch and watch(result) is False:
                return result
            if enough(result) or self.deals >= most_deals:
                return result

    @property
    def result(self) -> MatchResult:
        """The result of all games so far."""
        if len(self._played) > 1:
            self._played = [joined(self._played)]
        return match_result(self._played[0])


def next_block(deals: int) -> int:
    """How many deals to play before the next look at the result, after `deals` deals."""
    return max(FIRST_BLOCK, deals // SHARE)


def unless_repeating(enough: Enough) -> Enough:
    """Also enough when the second half of the deals, from REPEATING on, brought no new one: more would say no more."""
    distinct, reached = 0, 0

    def also(result: MatchResult) -> bool:
        nonlocal distinct, reached
        if result.distinct_deals > distinct:
            distinct, reached = result.distinct_deals, result.deals
        return enough(result) or result.deals >= max(REPEATING, 2 * reached)

    return also


def narrow(half_width: float) -> Enough:
    """Enough when the 95 % interval of the win rate is at most twice this wide (0.005 is 0.5 %).

    It never is for players who repeat a few games: see `unless_repeating`.

    Raises:
        UsageError: it is not between 0 and 0.5.
    """
    if not 0 < half_width < 0.5:
        raise UsageError(f"until: expected a half-width between 0 % and 50 %, such as 0.5%, not {100 * half_width:g}%")

    def enough(result: MatchResult) -> bool:
        low, high = result.win_rate_95
        return high - low <= 2 * half_width

    return enough


def time_over(seconds: float) -> Enough:
    """Enough when that many seconds have passed since the first block, during which code may have been compiled.

    The block in progress is finished.

    Raises:
        UsageError: it is not above 0.
    """
    if not 0 < seconds < float("inf"):
        raise UsageError(f"seconds: expected a number above 0, not {seconds:g}")
    ends: list[float] = []

    def enough(_: MatchResult) -> bool:
        now = time.monotonic()
        ends[:] = ends or [now + seconds]
        return now >= ends[0]

    return enough


def decided(test: Sprt) -> Enough:
    """Enough when the test has a verdict. It never has for players who repeat a few games: see `unless_repeating`."""
    return lambda result: sprt_result(test, result).accepted != "undecided"


@dataclass(frozen=True)
class SprtResult:
    """A test and the match played for it; `accepted` is "H0", "H1" or "undecided"."""

    test: Sprt
    match: MatchResult
    llr: float
    accepted: str

    def summary(self) -> dict[str, Any]:
        """The test in plain numbers, for JSON."""
        lower, upper = self.test.bounds
        risks = {"alpha": self.test.alpha, "beta": self.test.beta}
        bounds = {"lower": lower, "upper": upper, "llr": self.llr}
        return {"elo0": self.test.elo0, "elo1": self.test.elo1, **risks, **bounds, "accepted": self.accepted}


def sprt_result(test: Sprt, match: MatchResult) -> SprtResult:
    """The verdict of a test on a match; too few different deals decide nothing."""
    # Copies say nothing new: the scores count as often as the deals that they amount to.
    counts = np.array(match.pentanomial) * (match.effective_deals / match.deals)
    return SprtResult(test, match, test.llr(counts), "undecided" if match.too_few else test.verdict(counts))


def play_sprt(
    first: Player,
    second: Player,
    test: Sprt,
    seed: int = 1,
    options: Mapping[str, int] | None = None,
    jobs: int = 1,
    opening_plies: int | None = None,
    most_deals: int = MOST_DEALS,
    move_seconds: float | None = None,
    watch: Watch | None = None,
) -> SprtResult:
    """Play until a sequential test reaches a verdict on the first player's Elo difference, or until `most_deals`.

    It ends undecided, too, where the players only repeat games that they have played, and where `watch`, which is given
    the result so far now and then, returns False.

    Raises:
        UsageError: players of different games, or a wrong option, seed or limit of time.
        PlayerFault: as `OpenMatch.play` does.
    """
    match = OpenMatch(first, second, seed, options, jobs, opening_plies, move_seconds)
    return sprt_result(test, match.play_until(unless_repeating(decided(test)), most_deals, watch))
