"""Tuning programs by games: our search beside others on simulated programs whose best parameters are known.

A program has d parameters x, started at 0, with ranges of -2 to 2. It loses (x - o)' M (x - o) Elo, levelled off by
400 tanh(loss / 400), against the best program o: M = A'A, A = diag(sqrt k) (I + S), k log-normal, S symmetric and
normal with a deviation of 0.15, o normal with one of 0.7, scaled so that the start loses 80 Elo. 35 % of even games
are drawn. A pair are two games. Other worlds change one thing:

- saturating: the loss levels off at 160 Elo, so that most of the range is almost flat;
- plateaued: only steps of a tenth of the range count, and what lies between them changes nothing;
- non-transitive: (a - o)' K (b - o) Elo besides, K antisymmetric, as large as what a point near the start loses;
- uneven: each range is 1 to 10 times as wide, and most of it is nonsense;
- narrow: ranges that hold the best parameters anywhere, up to their ends.

All methods have the same games and ranges; ours pays for its trials out of them. SPSA has the best of three settings in
each cell, the others one setting for all cells. CMA-ES (cma) and Optuna (TPE) take part where they are installed,
Optuna in fewer worlds, because it is slow.

Last, what is said of a tune: programs that are no better than the start and are called better by fresh games, and how
often the forecast's interval of 90 % contains the gain.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from machine import Figures

from evolve.tuning.forecast import forecast, steps
from evolve.tuning.search import Search
from evolve.tuning.verdict import judged

Floats = npt.NDArray[np.float64]
SIZES = (6, 20, 60)
#: The most Elo that may be left after 20,000 games in ordinary worlds.
TARGETS = {6: 6, 20: 15, 60: 45}
GAMES = 20_000
FEW_GAMES = 4_000
KINDS = ("quadratic", "saturating", "plateaued", "non-transitive", "uneven", "narrow")
#: Half the range, and the standard deviation of the best parameters: then the issue's throw-away leaves what it left.
REACH = 2.0
DEVIATION = 0.7
START_LOSS = 80.0
DRAWS = 0.35
#: Elo at which the loss levels off.
FLAT = 400.0
SATURATED = 160.0
#: How a method tunes all worlds: (worlds, games, seed) -> results, float64[count, size].
Method: TypeAlias = "Callable[[Worlds, int, int], Floats]"
#: Reported seeds; development had seeds below 100.
SEED = 46_000


class Worlds:
    """`count` programs of `size` parameters each, played all at once; points are float64[count, n, size] in 0..1."""

    def __init__(self, count: int, size: int, seed: int, kind: str = "quadratic", loss: float = START_LOSS) -> None:
        rng = np.random.default_rng([seed, size, KINDS.index(kind)])
        self.rng = rng
        self.kind = kind
        self.reach = np.full((count, size), REACH)
        if kind == "uneven":
            self.reach *= 10 ** rng.random((count, size))
        shape = (count, size, size)
        k = rng.lognormal(0, 1, (count, size))
        upper = np.triu(0.15 * rng.standard_normal(shape))
        symmetric = upper + np.transpose(np.triu(upper, 1), (0, 2, 1))
        self.factor = np.sqrt(k)[:, :, None] * (np.eye(size) + symmetric)
        self.best = np.clip(DEVIATION * rng.standard_normal((count, size)), -REACH, REACH)
        if kind == "narrow":
            self.best = rng.uniform(-REACH, REACH, (count, size))
        if kind == "plateaued":
            self.best = self._values((0.5 + self.best / (2 * REACH))[:, None])[:, 0]
        self.factor *= np.sqrt(self._level(loss, inverse=True) / self._square(np.zeros((count, 1, size))))[:, :, None]
        skew = rng.standard_normal(shape)
        skew -= np.transpose(skew, (0, 2, 1))
        self.skew = skew * loss / (DEVIATION**2 * size * np.sqrt(2)) if kind == "non-transitive" else 0 * skew

    @property
    def start(self) -> Floats:
        """Where every tune begins: the middle of the ranges, float64[count, size]."""
        return np.full(self.best.shape, 0.5)

    def loss(self, points: Floats) -> Floats:
        """Elo that each point loses against the best program, float64[count, n]."""
        return self._level(self._square(self._values(points)))

    def left(self, results: Floats) -> Floats:
        """Elo that each world's result, float64[count, size], still loses."""
        return self.loss(results[:, None])[:, 0]

    def play(self, first: Floats, second: Floats, pairs: int = 1) -> Floats:
        """Mean points of the first against the second over pairs of games, float64[count, n]."""
        behind = self.loss(first) - self.loss(second)
        if self.kind == "non-transitive":
            a, b = (self._values(points) - self.best[:, None] for points in (first, second))
            behind = behind - np.einsum("wni,wij,wnj->wn", a, self.skew, b, optimize=True)
        expected = 1 / (1 + 10 ** (behind / 400))
        draws = np.minimum(DRAWS, 2 * np.minimum(expected, 1 - expected))
        wins = expected - draws / 2
        if pairs == 1:
            luck = self.rng.random((2, *expected.shape))
            return ((luck < wins) + 0.5 * ((luck >= wins) & (luck < wins + draws))).mean(axis=0)
        results = self.rng.multinomial(2 * pairs, np.stack([wins, draws, 1 - wins - draws], axis=-1).clip(0))
        return (results[..., 0] + 0.5 * results[..., 1]) / (2 * pairs)

    def _values(self, points: Floats) -> Floats:
        values = (2 * points - 1) * self.reach[:, None]
        if self.kind == "plateaued":
            grid = REACH / 5
            return np.floor(values / grid + 0.5) * grid
        return values

    def _square(self, values: Floats) -> Floats:
        return np.square((values - self.best[:, None]) @ np.transpose(self.factor, (0, 2, 1))).sum(axis=-1)

    def _level(self, square: Any, *, inverse: bool = False) -> Any:
        top = SATURATED if self.kind == "saturating" else FLAT
        return top * np.arctanh(square / top) if inverse else top * np.tanh(square / top)


def ours(worlds: Worlds, games: int, seed: int) -> Floats:
    """The search of `evolve tune`, one for each world, with the trials before it."""
    ends, rounds = ends_of(worlds, games)
    left = games - 2 * rounds * ends[0].size
    searches = [
        Search(start, left, seed + number, steps(ends[number], rounds)) for number, start in enumerate(worlds.start)
    ]
    while any(not search.done for search in searches):
        batches = [search.pairs() for search in searches]
        most = max(len(plus) for plus, _ in batches)
        # Worlds whose batch is smaller play more pairs, which nobody counts.
        plus, minus = (
            np.array([np.resize(pair[side], (most, pair[side].shape[1])) for pair in batches]) for side in (0, 1)
        )
        points = worlds.play(plus, minus)
        for search, (own, _), scored in zip(searches, batches, points, strict=True):
            if len(own):
                search.tell(scored[: len(own)])
    return np.array([search.result() for search in searches])


def ends_of(worlds: Worlds, games: int) -> tuple[Floats, int]:
    """What both ends of each range score against the start, float64[count, size, 2], and over how many pairs."""
    count, size = worlds.start.shape
    rounds = int(np.clip(games // 2 / 20 / (2 * size), 1, 10))
    start = np.broadcast_to(worlds.start[:, None], (count, size, size))
    lower = start - 0.5 * np.eye(size)
    return np.stack([worlds.play(end, start, rounds) for end in (lower, lower + np.eye(size))], axis=-1), rounds


def first_strategy(worlds: Worlds, games: int, seed: int) -> Floats:
    """The throw-away that the targets come from: a mirrored evolution strategy with Adam and averaging."""
    rng = np.random.default_rng(seed)
    centre = worlds.start
    size = centre.shape[1]
    unit = 1 / (2 * REACH)
    batch = 4 * size
    batches = games // 2 // batch
    gradient = squares = total = np.zeros_like(centre)
    for number in range(batches):
        normal = rng.standard_normal((len(centre), batch, size))
        away = 0.15 * unit * normal
        points = worlds.play(centre[:, None] + away, centre[:, None] - away)
        slope = np.einsum("wn,wnd->wd", points - 0.5, normal) / batch
        gradient = 0.9 * gradient + 0.1 * slope
        squares = 0.999 * squares + 0.001 * slope**2
        step = unit * 0.05 * (0.002 / 0.05) ** (number / batches)
        unbiased = gradient / (1 - 0.9 ** (number + 1))
        centre = centre + step * unbiased / (np.sqrt(squares / (1 - 0.999 ** (number + 1))) + 1e-8)
        if number >= 0.75 * batches:
            total = total + centre
    return total / (batches - np.ceil(0.75 * batches))


def fishtest(end_rate: float) -> Method:
    """Fishtest's SPSA: c_end is a twentieth of the range, its default."""

    def tune(worlds: Worlds, games: int, seed: int) -> Floats:
        rng = np.random.default_rng(seed)
        centre = worlds.start
        pairs = games // 2
        stability = 0.1 * pairs
        c_end = 1 / 20
        c_first = c_end * pairs**0.101
        a_first = end_rate * c_end**2 * (stability + pairs) ** 0.602
        for number in range(1, pairs + 1):
            flips = rng.choice([-1.0, 1.0], centre.shape)
            c = c_first / number**0.101
            a = a_first / (stability + number) ** 0.602
            points = worlds.play(*sides(centre, c * flips))[:, 0]
            centre = (centre + a / c * 4 * (points - 0.5)[:, None] * flips).clip(0, 1)
        return centre

    return tune


def weather_factory(a: float) -> Method:
    """weather-factory's SPSA: A = 5,000 games, c = 1.

    Steps lose 2.5 Elo where a parameter has the mean weight, as it advises: we tell it.
    """

    def tune(worlds: Worlds, games: int, seed: int) -> Floats:
        rng = np.random.default_rng(seed)
        centre = worlds.start
        weight = np.square(worlds.factor).sum(axis=1).mean(axis=1, keepdims=True)
        step = np.sqrt(2.5 / weight) / (2 * REACH)
        for played in range(2, games + 1, 2):
            flips = rng.choice([-1.0, 1.0], centre.shape)
            c = 1 / played**0.102
            points = worlds.play(*sides(centre, step * flips * c))[:, 0]
            gradient = -4 * (points - 0.5)[:, None]
            centre = (centre - gradient / (flips * c) * a / (played + 5_000) ** 0.601 * step).clip(0, 1)
        return centre

    return tune


def sides(centre: Floats, away: Floats) -> tuple[Floats, Floats]:
    """Both points of a pair, float64[count, 1, size]."""
    return (centre + away).clip(0, 1)[:, None], (centre - away).clip(0, 1)[:, None]


def random_points(worlds: Worlds, games: int, seed: int, each: int = 100) -> Floats:
    """The best of random points in the middle third of each range, 200 games each against the start."""
    rng = np.random.default_rng(seed)
    tried = 1 / 3 + rng.random((len(worlds.start), games // 2 // each, worlds.start.shape[1])) / 3
    scores = worlds.play(tried, np.broadcast_to(worlds.start[:, None], tried.shape), each)
    return tried[np.arange(len(tried)), scores.argmax(axis=1)]


def cma_es(worlds: Worlds, games: int, seed: int, each: int = 30) -> Floats:
    """CMA-ES of the package cma, 60 games a point against the start; the mean of its distribution."""
    import cma

    options = {"bounds": [0, 1], "verbose": -9, "maxiter": 1_000_000, "tolfun": 0, "tolflatfitness": 1_000_000}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tunes = [
            cma.CMAEvolutionStrategy(start, 0.2, {**options, "seed": seed + 1 + number})
            for number, start in enumerate(worlds.start)
        ]
        for _ in range(games // 2 // each // tunes[0].popsize):
            tried = np.array([tune.ask() for tune in tunes])
            points = worlds.play(tried, np.broadcast_to(worlds.start[:, None], tried.shape), each)
            for tune, asked, scored in zip(tunes, tried, points, strict=True):
                tune.tell(list(asked), (1 - scored).tolist())
        return np.array([tune.result.xfavorite for tune in tunes])


def optuna_tpe(worlds: Worlds, games: int, seed: int, each: int = 100) -> Floats:
    """Optuna's TPE, 200 games a trial against the start; its best trial."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    size = worlds.start.shape[1]
    names = [f"p{number}" for number in range(size)]
    span = optuna.distributions.FloatDistribution(0, 1)
    studies = [
        optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed + number))
        for number in range(len(worlds.start))
    ]
    for _ in range(games // 2 // each):
        trials = [study.ask(dict.fromkeys(names, span)) for study in studies]
        tried = np.array([[trial.params[name] for name in names] for trial in trials])[:, None]
        points = worlds.play(tried, worlds.start[:, None], each)[:, 0]
        for study, trial, scored in zip(studies, trials, points, strict=True):
            study.tell(trial, float(scored))
    return np.array([[study.best_params[name] for name in names] for study in studies])


def rivals() -> dict[str, list[Method]]:
    """Each method with its settings, of which the best counts in each cell."""
    import importlib.util

    methods = {
        "evolve tune": [ours],
        "the first strategy": [first_strategy],
        "fishtest's SPSA": [fishtest(rate) for rate in (0.002, 0.01, 0.03)],
        "weather-factory's SPSA": [weather_factory(a) for a in (0.3, 1.0, 3.0)],
        "random points": [random_points],
        "CMA-ES": [cma_es] if importlib.util.find_spec("cma") else [],
        "Optuna": [optuna_tpe] if importlib.util.find_spec("optuna") else [],
    }
    return {name: settings for name, settings in methods.items() if settings}


def compare(kind: str, size: int, games: int, count: int, slow: int) -> None:
    """Print what each method leaves in one cell."""
    left: dict[str, tuple[float, float]] = {}
    for name, settings in rivals().items():
        worlds_of = slow if name == "Optuna" else count
        found = []
        for tune in settings:
            worlds = Worlds(worlds_of, size, SEED, kind)
            found.append(worlds.left(tune(worlds, games, SEED)))
        best = min(found, key=np.mean)
        left[name] = float(best.mean()), 1.96 * float(best.std()) / np.sqrt(max(1, len(best) - 1))
    figures = Figures(f"{kind}, {size} parameters, {games:,} games: Elo left in {count} worlds, mean and 95 % interval")
    for name, (mean, half) in left.items():
        target, met = "", None
        if name == "evolve tune":
            target = "the least"
            met = mean == min(one for one, _ in left.values())
            if kind == "quadratic" and games == GAMES:
                target += f", at most {TARGETS[size]}"
                met = met and mean <= TARGETS[size]
        few = f", {slow} worlds" if name == "Optuna" else ""
        figures.add(name, f"{mean:.1f} ± {half:.1f}{few}", target, met=met)
    figures.show()


def false_gains(tunes: int, fresh: int = 500) -> None:
    """Print how often a program without a gain is called better."""
    figures = Figures(f"called better after {fresh:,} fresh pairs, of {tunes:,} tunes")
    nothing = Worlds(tunes, 6, SEED, loss=1e-6)
    for what, results in (
        ("the result is the start", nothing.start),
        ("nothing to gain, tunes of 1,000 games", ours(nothing, 1_000, SEED)),
    ):
        both = [np.repeat(points[:, None], fresh, axis=1) for points in (results, nothing.start)]
        share = np.mean([judged(points).word == "better" for points in nothing.play(*both)])
        figures.add(what, f"{100 * share:.1f} %", "at most 5 %", met=bool(share <= 0.05))
    figures.show()


def coverage(count: int, games: int = FEW_GAMES) -> None:
    """Print how often the forecast's interval contains the gain, in worlds that have 10 to 160 Elo to gain."""
    held: list[bool] = []
    for size in SIZES:
        for loss in (10.0, 20.0, 40.0, 80.0, 160.0):
            worlds = Worlds(count, size, SEED + 1, loss=loss)
            ends, rounds = ends_of(worlds, games)
            gains = loss - worlds.left(ours(worlds, games, SEED))
            for start, end, gain in zip(worlds.start, ends, gains, strict=True):
                told = forecast(start, end, rounds, games)
                held.append(told.low <= gain <= told.high)
    figures = Figures(f"forecasts of {len(held)} tunes of {games:,} games")
    figures.add("the gain is inside", f"{100 * np.mean(held):.0f} %", "at least 90 %", met=bool(np.mean(held) >= 0.9))
    figures.show()


def main() -> None:
    """Compare the methods cell by cell, then measure verdict and forecast."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worlds", type=int, default=200, help="in each cell (default 200)")
    parser.add_argument("--slow-worlds", type=int, default=20, metavar="N", help="of Optuna (default 20)")
    parser.add_argument("--kinds", nargs="*", default=list(KINDS), choices=KINDS, metavar="KIND", help="default: all")
    parser.add_argument("--sizes", nargs="+", type=int, default=list(SIZES), choices=SIZES, metavar="N")
    parser.add_argument("--games", nargs="+", type=int, default=[GAMES, FEW_GAMES], metavar="N")
    parser.add_argument("--tunes", type=int, default=1_000, metavar="N", help="to judge (default 1,000; 0: none)")
    parser.add_argument("--forecasts", type=int, default=20, metavar="N", help="in each cell (default 20; 0: none)")
    parser.add_argument("--quick", action="store_true", help="one small cell, to see that it works")
    wanted = parser.parse_args()
    if wanted.quick:
        wanted.kinds, wanted.sizes, wanted.games = ["quadratic"], [6], [FEW_GAMES]
        wanted.worlds, wanted.slow_worlds, wanted.tunes, wanted.forecasts = 4, 1, 50, 1
    for kind in wanted.kinds:
        for size in wanted.sizes:
            for games in wanted.games:
                compare(kind, size, games, wanted.worlds, wanted.slow_worlds)
    if wanted.tunes:
        false_gains(wanted.tunes)
    if wanted.forecasts:
        coverage(wanted.forecasts)


if __name__ == "__main__":
    main()
