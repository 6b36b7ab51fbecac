"""A match without a number of games: it goes on until its own results say that it may end."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from rulebots.errors import UsageError
from rulebots.play import MOST_DEALS
from rulebots.play.deals import DealStream
from rulebots.play.match import game_of, play_deals
from rulebots.play.results import Games, MatchResult, match_result
from rulebots.players import Player
from rulebots.ratings import Sprt

#: Deals of a block: so many at first, then this share of those played, so that looking costs next to nothing.
FIRST_BLOCK, SHARE = 4, 8

Enough = Callable[[MatchResult], bool]


class OpenMatch:
    """Two players on the deals of `play_match`, as many as somebody asks for; `result` is that of all of them.

    Raises:
        UsageError: players of different games, a wrong option or seed.
    """

    def __init__(
        self,
        first: Player,
        second: Player,
        seed: int = 1,
        options: Mapping[str, int] | None = None,
        jobs: int = 1,
        opening_plies: int | None = None,
    ) -> None:
        self.first, self.second, self.jobs = first, second, jobs
        self.stream = DealStream(game_of([first, second]), seed, options=options, opening_plies=opening_plies)
        self._played: list[Games] = []
        self.deals = 0

    def play(self, deals: int) -> MatchResult:
        """Go on for that many deals. The result is the same in however many steps a match was played."""
        self._played.append(play_deals(self.first, self.second, self.stream.take(deals), self.jobs))
        self.deals += deals
        return self.result

    def play_until(
        self, enough: Enough, most_deals: int = MOST_DEALS, watch: Callable[[MatchResult], object] | None = None
    ) -> MatchResult:
        """Go on, block by block, until `enough(result)` or `most_deals`; `watch` sees the result of each block."""
        if not 1 <= most_deals <= MOST_DEALS:
            raise UsageError(f"deals: expected a whole number from 1 to {MOST_DEALS}, not {most_deals}")
        while True:
            result = self.play(min(next_block(self.deals), most_deals - self.deals))
            if watch:
                watch(result)
            if enough(result) or self.deals >= most_deals:
                return result

    @property
    def result(self) -> MatchResult:
        """All games up to now."""
        if len(self._played) > 1:
            parts = ([getattr(games, f.name) for games in self._played] for f in fields(Games))
            self._played = [Games(*map(np.concatenate, parts))]
        return match_result(self._played[0])


def next_block(deals: int) -> int:
    """How many deals to play after so many, before looking at the result again."""
    return max(FIRST_BLOCK, deals // SHARE)


def narrow(half_width: float) -> Enough:
    """Enough when the 95 % interval of the win rate is no wider than twice this (0.005 is 0.5 %).

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
    """Enough when that many seconds have gone since the first block, in which code may have been compiled.

    The block in play is finished.

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
    """Enough when the test has a verdict."""
    return lambda result: test.verdict(np.array(result.pentanomial)) != "undecided"


@dataclass(frozen=True)
class SprtResult:
    """A test and the match that was played for it; `accepted` is "H0", "H1" or "undecided"."""

    test: Sprt
    match: MatchResult
    llr: float
    accepted: str

    def summary(self) -> dict[str, Any]:
        """The test in plain numbers."""
        lower, upper = self.test.bounds
        risks = {"alpha": self.test.alpha, "beta": self.test.beta}
        bounds = {"lower": lower, "upper": upper, "llr": self.llr}
        return {"elo0": self.test.elo0, "elo1": self.test.elo1, **risks, **bounds, "accepted": self.accepted}


def sprt_result(test: Sprt, match: MatchResult) -> SprtResult:
    """How a test stands after a match."""
    deals = np.array(match.pentanomial)
    return SprtResult(test, match, test.llr(deals), test.verdict(deals))


def play_sprt(
    first: Player,
    second: Player,
    test: Sprt,
    seed: int = 1,
    options: Mapping[str, int] | None = None,
    jobs: int = 1,
    opening_plies: int | None = None,
    most_deals: int = MOST_DEALS,
) -> SprtResult:
    """Play until a sequential test has a verdict on the first player's Elo difference, or `most_deals`.

    Raises:
        UsageError: players of different games, a wrong option or seed.
    """
    match = OpenMatch(first, second, seed, options, jobs, opening_plies)
    return sprt_result(test, match.play_until(decided(test), most_deals))
