"""A tuning run: trials, search, fresh games; stopped at any pair, and resumed to the same result."""

import contextlib
import functools
import itertools
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np

from evolve.tuning.evidence import Evidence
from evolve.tuning.forecast import Forecast, forecast, steps
from evolve.tuning.matches import FunctionMatch, Match, MatchError, Played
from evolve.tuning.parameter_files import ParameterFile
from evolve.tuning.parameters import Parameter, Values, start_of, values_at, written
from evolve.tuning.search import Search
from evolve.tuning.trials import Task, Trials, refuse_dead, tried
from evolve.tuning.verdict import Verdict, judged
from evolve.workers import Workers
from rulebots.errors import UsageError, check_whole, demand
from rulebots.game import Floats
from rulebots.game.random_numbers import check_seed, rng_of
from rulebots.ratings import win_rate_interval

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
#: The part of a given time that search and fresh games take; trials and controls take the rest.
PLAYED_SHARE = 0.9
#: Seconds of games that show how fast they are: not in the first pair, and more in the next ones, while workers start.
ENOUGH = (math.inf, 5.0, 0.5)
#: Fresh pairs between two checkpoints.
BLOCK = 50
#: A search ends when more than this part of its pairs is lost, after at least so many.
MOST_LOST = 0.1
FEWEST_PLAYED = 20
#: How often the trials play a pair that fails, once the program has played at all.
TRIES = 3
MOST_GAMES = 10**9
MOST_PARAMETERS = 1000


@dataclass(frozen=True)
class TuningTask:
    """What a run is to do. With `keep_dead`, parameters that change nothing are no mistake.

    `fresh` games are played at its end, None for a part of `games`. The result goes to `out`, in the form of `file`.
    In place of `games`, `seconds` is the time that all of it may take: see `fitted`.

    Raises:
        UsageError: a number is out of range.
    """

    match: Match
    parameters: tuple[Parameter, ...]
    games: int = 20_000
    seed: int = 1
    fresh: int | None = None
    keep_dead: bool = False
    file: ParameterFile | None = None
    out: str = ""
    seconds: float | None = None

    def __post_init__(self) -> None:
        check_whole("parameters", len(self.parameters), 1, MOST_PARAMETERS)
        check_whole("games", self.games, 2, MOST_GAMES)
        check_seed(self.seed)

    @property
    def fresh_games(self) -> int:
        """Games at the end."""
        return min(max(round(self.games * FRESH_PART), FEWEST_FRESH), MOST_FRESH) if self.fresh is None else self.fresh

    def fitted(self, games_a_second: float) -> Self:
        """With as many games as fit its time. Raises UsageError where hardly any do."""
        assert self.seconds is not None
        whole = PLAYED_SHARE * self.seconds * games_a_second
        usual = min(max(whole * FRESH_PART / (1 + FRESH_PART), FEWEST_FRESH), MOST_FRESH)
        games = int(whole - (usual if self.fresh is None else self.fresh))
        demand(
            games >= FEWEST_FRESH,
            f"at {games_a_second:,.1f} games a second {self.seconds:g} s are too short for a search and fresh games",
        )
        return replace(self, games=min(games, MOST_GAMES))

    def seed_of(self, phase: int) -> int:
        """The seed of the first pair that is played for a purpose; those after it follow."""
        return int(rng_of(self.seed, phase).integers(SEEDS))


class Progress(NamedTuple):
    """How a search goes: the latest result's win rate against the start, with its 95 % interval, by control games."""

    games: int
    best: float
    best_95: tuple[float, float]
    games_a_second: float


@dataclass(frozen=True)
class Tuned:
    """What a run found: the values, the interval of each, which were not shown to matter, and the verdict."""

    parameters: tuple[Parameter, ...]
    values: Values
    intervals: Mapping[str, tuple[Any, Any]]
    unshown: tuple[str, ...]
    forecast: Forecast
    verdict: Verdict
    games: int
    lost: int

    @property
    def arguments(self) -> str:
        """The values as NAME=VALUE."""
        return " ".join(f"{name}={written(value)}" for name, value in self.values.items())


def try_out(task: TuningTask, workers: Workers, told: Callable[[int], object] = lambda _: None) -> Trials:
    """Trials before the search; `told` is called with the number of pairs that have been played.

    Raises:
        UsageError: a match has no result, or a parameter is dead.
    """
    first = task.seed_of(TRIALS)
    results = list[Played]()

    def play(pairs: Sequence[Task]) -> list[Played]:
        seeded = [(one, other, first + number) for one, other, number in pairs]
        # A program that never plays is told at once; one that crashes now and then is borne, as in the search.
        tries = TRIES if results else 1
        for played in workers.each(functools.partial(play_or_fail, task.match, tries=tries), seeded):
            results.append(played)
            told(len(results))
        return results[-len(pairs) :] if pairs else []

    trials = tried(task.match, task.parameters, play, task.games)
    if not task.keep_dead:
        refuse_dead(trials)
    return trials


def paced(task: TuningTask, workers: Workers) -> TuningTask:
    """The task, with as many games as fit its time. Raises UsageError as `try_out` or `fitted`."""
    start = {one.name: one.start for one in task.parameters}
    for batch in itertools.count():
        began = time.perf_counter()
        pairs = [(start, start, seed) for seed in range(8**batch)]
        games = sum(played.games for played in workers.each(functools.partial(play_or_fail, task.match), pairs))
        seconds = time.perf_counter() - began
        if seconds > ENOUGH[min(batch, 2)]:
            break
    return task.fitted(games / seconds)


class Tuning:
    """A tuning run after its trials: `search_on` until it ends, `judge_on` until it ends, then `tuned`.

    `saved` is the `state` of an earlier run of the same task, `known` are pairs that were played after it. `note` is
    called with each pair's key and points as it ends, `complain` with a line for each pair that is lost.
    """

    def __init__(
        self,
        task: TuningTask,
        workers: Workers,
        trials: Trials,
        saved: Mapping[str, Any] | None = None,
        known: Mapping[tuple[int, int], float] | None = None,
    ) -> None:
        self.task = task
        self.parameters = task.parameters
        self.workers = workers
        self.trials = trials
        self.note: Callable[[int, int, float], object] = lambda *_: None
        self.complain: Callable[[str], object] = lambda _: None
        self._known = dict(known or {})
        self._start = {one.name: one.start for one in self.parameters}
        saved = saved or {}
        start = start_of(self.parameters)
        ends = np.array(trials.ends)
        self.forecast = forecast(start, ends, trials.rounds, task.games)
        # A search counts two games to a pair.
        new = Search(start, max(2, 2 * (task.games // trials.games_a_pair)), task.seed, steps(ends, trials.rounds))
        self.search = Search.from_state(saved["search"]) if saved else new
        self.evidence = Evidence(len(self.parameters), saved.get("evidence"))
        self.controls: list[float] = list(saved.get("controls", ()))
        self.fresh = [math.nan if one is None else one for one in saved.get("fresh", ())]
        self.lost = int(saved.get("lost", 0))

    def state(self) -> dict[str, Any]:
        """All that the future depends on, as plain data."""
        return {
            "search": self.search.state(),
            "evidence": self.evidence.state(),
            "controls": list(self.controls),
            "fresh": [None if math.isnan(one) else one for one in self.fresh],
            "lost": self.lost,
        }

    @property
    def games(self) -> int:
        """Games of the search so far."""
        return self.search.games_played // 2 * self.trials.games_a_pair

    @property
    def values(self) -> dict[str, Any]:
        """The values of the result so far."""
        return values_at(self.parameters, self.search.result())

    def search_on(self) -> Iterator[Progress]:
        """Batch after batch of pairs, until the games are spent. Raises MatchError if too many are lost."""
        began = time.monotonic()
        before = self.games
        while not self.search.done:
            plus, minus = self.search.pairs()
            first = self.search.games_played // 2
            due = (first + len(plus)) // CONTROLS - len(self.controls)
            latest = self.values
            points = self._points(SEARCH, first, self._sides(plus, minus, first))
            controls = self._points(CONTROL, len(self.controls), [(latest, self._start)] * due)
            self.lost += int(np.isnan(points).sum())
            self.evidence.add(plus, minus, points)
            self.search.tell(points)
            self.controls += np.nan_to_num(controls, nan=0.5).tolist()
            rates = np.array(self.controls[-max(1, round(len(self.controls) * LATEST)) :] or [0.5])
            speed = (self.games - before) / max(time.monotonic() - began, 1e-9)
            yield Progress(self.games, float(rates.mean()), win_rate_interval(rates), speed)
            _check_losses(self.lost, self.search.games_played // 2)

    def judge_on(self) -> Iterator[int]:
        """The fresh pairs in blocks, until all are played: how many there are so far. Raises as `search_on`."""
        pairs = max(1, self.task.fresh_games // self.trials.games_a_pair)
        while (played := len(self.fresh)) < pairs:
            block = min(BLOCK, pairs - played)
            fresh = self._points(FRESH, played, [(self.values, self._start)] * block)
            _check_losses(int(np.isnan([*self.fresh, *fresh]).sum()), played + block)
            self.fresh += fresh.tolist()
            yield len(self.fresh)

    def tuned(self) -> Tuned:
        """All that was found."""
        ends = self.evidence.intervals(self.search.result()).tolist()
        return Tuned(
            self.parameters,
            self.values,
            {
                one.name: (one.value(low), one.value(high))
                for one, (low, high) in zip(self.parameters, ends, strict=True)
            },
            tuple(
                one.name for one, matters in zip(self.parameters, self.evidence.mattered(), strict=True) if not matters
            ),
            self.forecast,
            judged(np.array(self.fresh, np.float64), self.trials.games_a_pair),
            self.games,
            self.lost,
        )

    def _sides(self, plus: Floats, minus: Floats, first: int) -> list[tuple[Values, Values]]:
        """The values of each pair. Whole numbers and words are rounded by chance, alike on both sides."""
        dithers = [rng_of(self.task.seed, DITHER, first + i).random(len(self.parameters)) for i in range(len(plus))]
        return [
            (values_at(self.parameters, one, dither), values_at(self.parameters, other, dither))
            for one, other, dither in zip(plus, minus, dithers, strict=True)
        ]

    def _points(self, phase: int, first: int, sides: Sequence[tuple[Values, Values]]) -> Floats:
        """The points of the first side of each pair, float64[n]; NaN: the pair was lost."""
        points = np.array([self._known.pop((phase, first + i), math.nan) for i in range(len(sides))], np.float64)
        left = [i for i in range(len(sides)) if math.isnan(points[i])]
        seed = self.task.seed_of(phase) + first
        outcomes = self.workers.each(
            functools.partial(play_pair, self.task.match), [(*sides[i], seed + i) for i in left]
        )
        for i, (played, problem) in zip(left, outcomes, strict=True):
            if played is None:
                self.complain(f"a pair of games was lost: {problem}")
            else:
                points[i] = played.points
                self.note(phase, first + i, played.points)
        return points


def _check_losses(lost: int, pairs: int) -> None:
    demand(
        pairs < FEWEST_PLAYED or lost <= MOST_LOST * pairs,
        f"{lost:,} of {pairs:,} pairs of games had no result: see the lines above",
        MatchError,
    )


def play_pair(match: Match, task: Task) -> tuple[Played | None, str]:
    """A pair of games; without a result None, and what the program said."""
    try:
        return match.pair(*task), ""
    except UsageError as error:
        return None, str(error)


def play_or_fail(match: Match, task: tuple[Any, Any, int], tries: int = 1) -> Played:
    """A pair of games. Raises UsageError where it has no result in so many tries."""
    for _ in range(tries - 1):
        with contextlib.suppress(UsageError):
            return match.pair(*task)
    return match.pair(*task)


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
    task = TuningTask(played, tuple(parameters), games, seed, fresh, keep_dead)
    workers = Workers(jobs)
    tuning = Tuning(task, workers, try_out(task, workers))
    for _ in itertools.chain(tuning.search_on(), tuning.judge_on()):
        pass
    return tuning.tuned()
