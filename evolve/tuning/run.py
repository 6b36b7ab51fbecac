"""A tuning run: trials, search, fresh games; stopped at any pair, and resumed to the same result."""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from evolve.tuning.evidence import Evidence
from evolve.tuning.forecast import Forecast, forecast, steps
from evolve.tuning.matches import FunctionMatch, Match, MatchError, Played
from evolve.tuning.parameters import Parameter, Values, start_of, values_at, written
from evolve.tuning.search import Search
from evolve.tuning.trials import Task, Trials, refuse_dead, tried
from evolve.tuning.verdict import Verdict, judged
from evolve.workers import Workers
from rulebots.errors import UsageError, check_whole
from rulebots.game.random_numbers import check_seed, rng_of
from rulebots.ratings import win_rate_interval

FloatArray = npt.NDArray[np.float64]

#: What pairs are played for, each with seeds of its own.
TRIALS, SEARCH, CONTROL, FRESH, DITHER = range(5)
#: Seeds of matches are whole numbers of 31 bits: every language has those.
SEEDS = 2**30
#: Pairs of the search to one of its present result against the start, which only tells how it goes; and the part of
#: them that tells how it goes now.
CONTROLS = 50
LATEST = 1 / 3
#: Fresh games, as a part of those of the search, and their limits.
FRESH_PART = 1 / 5
FEWEST_FRESH = 100
MOST_FRESH = 10_000
#: Fresh pairs between two checkpoints.
BLOCK = 50
#: A search ends when more than this part of its pairs is lost, after at least so many.
MOST_LOST = 0.1
FEWEST_PLAYED = 20
MOST_GAMES = 10**9
MOST_PARAMETERS = 1000


@dataclass(frozen=True)
class TuningPlan:
    """What a run is to do; `fresh` games at its end, None for a part of `games`."""

    games: int = 20_000
    seed: int = 1
    fresh: int | None = None
    keep_dead: bool = False

    def __post_init__(self) -> None:
        check_whole("games", self.games, 2, MOST_GAMES)
        check_seed(self.seed)

    @property
    def fresh_games(self) -> int:
        """Games at the end."""
        usual = min(max(round(self.games * FRESH_PART), FEWEST_FRESH), MOST_FRESH)
        return usual if self.fresh is None else self.fresh


class Progress(NamedTuple):
    """How a search goes: the latest result's win rate against the start, with its 95 % interval, by control games."""

    games: int
    total: int
    best: float
    best_95: tuple[float, float]
    games_a_second: float
    lost: int
    values: Values


@dataclass(frozen=True)
class Tuned:
    """What a run found: the values, the interval of each, which parameters were shown to matter, and the verdict."""

    parameters: tuple[Parameter, ...]
    values: Values
    intervals: Mapping[str, tuple[Any, Any]]
    mattered: tuple[str, ...]
    forecast: Forecast
    verdict: Verdict
    games: int
    lost: int

    @property
    def unshown(self) -> tuple[str, ...]:
        """The parameters that were not shown to matter."""
        return tuple(one.name for one in self.parameters if one.name not in self.mattered)

    @property
    def arguments(self) -> str:
        """The values as NAME=VALUE."""
        return " ".join(f"{name}={written(value)}" for name, value in self.values.items())


class Tuning:
    """A tuning run. `state` is that of an earlier one of the same plan; `known` are pairs that were played already.

    The phases are `prepare`, `search_on` until it ends, `judge`, and `tuned`; each that is over is left out. `note` is
    called with each pair's key and points as it ends, `complain` with a line for each pair that is lost.
    """

    def __init__(
        self,
        match: Match,
        parameters: Sequence[Parameter],
        plan: TuningPlan,
        workers: Workers,
        state: Mapping[str, Any] | None = None,
        known: Mapping[tuple[int, int], float] | None = None,
    ) -> None:
        check_whole("parameters", len(parameters), 1, MOST_PARAMETERS)
        self.match = match
        self.parameters = tuple(parameters)
        self.plan = plan
        self.workers = workers
        self.note: Callable[[int, int, float], object] = lambda *_: None
        self.complain: Callable[[str], object] = lambda _: None
        self._known = dict(known or {})
        self._start = {one.name: one.start for one in self.parameters}
        self._seeds = [int(rng_of(plan.seed, phase).integers(SEEDS)) for phase in range(DITHER)]
        saved = state or {}
        self.trials = Trials.from_state(saved["trials"]) if saved else None
        self.search = Search.from_state(saved["search"]) if saved else None
        self.evidence = Evidence(len(self.parameters), saved.get("evidence"))
        self.controls: list[float] = list(saved.get("controls", ()))
        self.fresh = [math.nan if one is None else one for one in saved.get("fresh", ())]
        self.lost = int(saved.get("lost", 0))

    def state(self) -> dict[str, Any]:
        """All that the future depends on, as plain data; after `prepare`."""
        assert self.trials is not None
        assert self.search is not None
        own = {"controls": list(self.controls), "fresh": _plain(self.fresh), "lost": self.lost}
        parts = {"trials": self.trials.state(), "search": self.search.state(), "evidence": self.evidence.state()}
        return {**parts, **own}

    @property
    def games_a_pair(self) -> int:
        """How many games a pair has; after `prepare`."""
        assert self.trials is not None
        return self.trials.games_a_pair

    @property
    def forecast(self) -> Forecast:
        """What the search is expected to gain; after `prepare`."""
        assert self.trials is not None
        return forecast(start_of(self.parameters), self.trials.ends, self.trials.rounds, self.plan.games)

    def prepare(self) -> Trials:
        """The trials, unless they are over. Raises UsageError: a match has no result, or a parameter is dead."""
        if self.trials is None:
            pairs = self.plan.games // 2
            self.trials = tried(self.match, self.parameters, self._tried, pairs)
            refuse_dead(self.trials, keep=self.plan.keep_dead)
            start = start_of(self.parameters)
            scale = steps(start, self.trials.ends, self.trials.rounds)
            # A search counts two games to a pair.
            games = max(2, 2 * (self.plan.games // self.games_a_pair))
            self.search = Search(start, games, self.plan.seed, scale)
        return self.trials

    def search_on(self) -> Iterator[Progress]:
        """Batch after batch of pairs, until the games are spent. Raises MatchError if too many are lost."""
        search = self.search
        assert search is not None
        began = time.monotonic()
        before = search.games_played
        while not search.done:
            plus, minus = search.pairs()
            first = search.games_played // 2
            due = (first + len(plus)) // CONTROLS - len(self.controls)
            latest = self.values
            points = self._points(SEARCH, first, self._sides(plus, minus, first))
            controls = self._points(CONTROL, len(self.controls), [(latest, self._start)] * due)
            self.lost += int(np.isnan(points).sum())
            self.evidence.add(plus, minus, points)
            search.tell(points)
            self.controls += np.nan_to_num(controls, nan=0.5).tolist()
            seconds = max(time.monotonic() - began, 1e-9)
            yield self._progress((search.games_played - before) / 2 * self.games_a_pair / seconds)
            _check_losses(self.lost, search.games_played // 2)

    def judge(self) -> Verdict:
        """The verdict of fresh games; block by block, so that `self.fresh` can be saved between them."""
        for _ in self.judging():
            pass
        return judged(np.array(self.fresh, np.float64))

    def judging(self) -> Iterator[int]:
        """The fresh pairs in blocks, until all are played: how many there are so far."""
        pairs = max(1, self.plan.fresh_games // self.games_a_pair)
        while (played := len(self.fresh)) < pairs:
            block = min(BLOCK, pairs - played)
            fresh = self._points(FRESH, played, [(self.values, self._start)] * block)
            _check_losses(int(np.isnan([*self.fresh, *fresh]).sum()), played + block)
            self.fresh += fresh.tolist()
            yield len(self.fresh)

    @property
    def values(self) -> dict[str, Any]:
        """The values of the result so far."""
        assert self.search is not None
        return values_at(self.parameters, self.search.result())

    def tuned(self) -> Tuned:
        """All that was found, after `judge`."""
        assert self.search is not None
        intervals = self.evidence.intervals(self.search.result())
        ends = zip(self.parameters, intervals.tolist(), strict=True)
        shown = zip(self.parameters, self.evidence.mattered(), strict=True)
        return Tuned(
            self.parameters,
            self.values,
            {one.name: (one.value(low), one.value(high)) for one, (low, high) in ends},
            tuple(one.name for one, matters in shown if matters),
            self.forecast,
            self.judge(),
            self.search.games_played // 2 * self.games_a_pair,
            self.lost,
        )

    def _sides(self, plus: FloatArray, minus: FloatArray, first: int) -> list[tuple[Values, Values]]:
        """The values of each pair. Whole numbers and words are rounded by chance, alike on both sides."""
        sides = list[tuple[Values, Values]]()
        for i, (one, other) in enumerate(zip(plus, minus, strict=True)):
            dither = rng_of(self.plan.seed, DITHER, first + i).random(len(one))
            sides.append((values_at(self.parameters, one, dither), values_at(self.parameters, other, dither)))
        return sides

    def _points(self, phase: int, first: int, sides: Sequence[tuple[Values, Values]]) -> FloatArray:
        """The points of the first side of each pair, float64[n]; NaN: the pair was lost."""
        points = np.array([self._known.pop((phase, first + i), math.nan) for i in range(len(sides))], np.float64)
        left = [i for i in range(len(sides)) if math.isnan(points[i])]
        tasks = [(*sides[i], self._seeds[phase] + first + i) for i in left]
        outcomes = self.workers.each(functools.partial(play_pair, self.match), tasks)
        for i, (played, problem) in zip(left, outcomes, strict=True):
            if played is None:
                self.complain(f"a pair of games was lost: {problem}")
            else:
                points[i] = played.points
                self.note(phase, first + i, played.points)
        return points

    def _tried(self, tasks: Sequence[Task]) -> list[Played]:
        seeded = [(first, second, self._seeds[TRIALS] + seed) for first, second, seed in tasks]
        return list(self.workers.each(functools.partial(play_or_fail, self.match), seeded))

    def _progress(self, games_a_second: float) -> Progress:
        assert self.search is not None
        latest = np.array(self.controls[-max(1, round(len(self.controls) * LATEST)) :] or [0.5])
        games = self.search.games_played // 2 * self.games_a_pair
        rate = float(latest.mean())
        interval = win_rate_interval(latest)
        return Progress(games, self.plan.games, rate, interval, games_a_second, self.lost, self.values)


def _check_losses(lost: int, pairs: int) -> None:
    if pairs >= FEWEST_PLAYED and lost > MOST_LOST * pairs:
        raise MatchError(f"{lost:,} of {pairs:,} pairs of games had no result: see the lines above")


def play_pair(match: Match, task: Task) -> tuple[Played | None, str]:
    """A pair of games; without a result None, and what the program said."""
    try:
        return match.pair(*task), ""
    except UsageError as error:
        return None, str(error)


def play_or_fail(match: Match, task: tuple[Any, Any, int]) -> Played:
    """A pair of games. Raises UsageError where it has no result."""
    return match.pair(*task)


def _plain(points: Sequence[float]) -> list[float | None]:
    return [None if math.isnan(one) else one for one in points]


def tune(
    match: Match | Callable[[Values, Values, int], Any],
    parameters: Sequence[Parameter],
    *,
    games: int = 20_000,
    seed: int = 1,
    fresh: int | None = None,
    jobs: int = 1,
    keep_dead: bool = False,
) -> Tuned:
    """Tune parameters by games: trials, search, and a verdict on fresh games.

    `match` is a function `play(first, second, seed)`, or what another module here makes of a command. The function is
    given two maps of values by name, and returns the points of `first`: 1, 0.5 or 0, or a list of those of many games.
    `jobs` are threads.

    Raises:
        UsageError: a match has no result, a parameter changes nothing, or a number is out of range.
    """
    played = match if isinstance(match, Match) else FunctionMatch(match)
    tuning = Tuning(played, parameters, TuningPlan(games, seed, fresh, keep_dead), Workers(jobs))
    tuning.prepare()
    for _ in tuning.search_on():
        pass
    return tuning.tuned()
