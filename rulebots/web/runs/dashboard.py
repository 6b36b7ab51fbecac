"""What the page shows of a run: figures from its log, and curves as shapes of SVG with nothing but numbers in them."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from evolve.evaluation.hall_of_fame import HallOfFame
from evolve.storage import log as run_log
from evolve.storage.folder import CHAMPION, LOCK, RUNS, process_of
from evolve.storage.log import Log
from rulebots.packages import game_names, origin_of_game, path_of_game

WIDTH, HEIGHT = 400.0, 260.0
#: What a chart leaves free for marks, the names of its axes, and the values of one generation.
LEFT, RIGHT, TOP, BOTTOM = 44.0, 10.0, 60.0, 46.0
#: The most points of a curve: more are not seen. And the most generations whose values can be pointed at.
MOST_POINTS, MOST_VALUES = 320, 40
#: The size of a small curve without marks.
SPARK_WIDTH, SPARK_HEIGHT = 120.0, 26.0
#: Rules of the champion whose weights moved most.
MOST_RULES = 12
#: Seconds without a line after which a run may have been stopped, where no lock tells.
QUIET = 120.0


@dataclass(frozen=True)
class Curve:
    """A curve: its points as SVG writes them, and the area around it, "" for none."""

    points: str
    band: str = ""


@dataclass(frozen=True)
class Values:
    """What the curves say of one generation: a line for each, its points, and the column in which it is pointed at."""

    generation: int
    x: float
    left: float
    width: float
    lines: tuple[str, ...]
    points: tuple[float | None, ...]


@dataclass(frozen=True)
class Chart:
    """Curves over generations with marks of both axes, each a place and a label."""

    curves: tuple[Curve, ...]
    across: tuple[tuple[float, str], ...]
    up: tuple[tuple[float, str], ...]
    values: tuple[Values, ...]
    width: float = WIDTH
    height: float = HEIGHT
    left: float = LEFT
    right: float = WIDTH - RIGHT
    top: float = TOP
    bottom: float = HEIGHT - BOTTOM


@dataclass(frozen=True)
class Series:
    """Win rates, 0..1, generation by generation; `band` is the interval around each, or nothing."""

    name: str
    generations: Sequence[int]
    rates: Sequence[float]
    band: Sequence[tuple[float, float]] = ()

    def said_of(self, generation: int) -> str:
        """Its values in one generation in words; "" where it has none."""
        if generation not in self.generations:
            return ""
        place = self.generations.index(generation)
        around = f" ({self.band[place][0]:.1%} to {self.band[place][1]:.1%})" if self.band else ""
        return f"{self.name} {self.rates[place]:.1%}{around}"


@dataclass(frozen=True)
class Moved:
    """A rule whose weights moved: early and late, in the first generation and now, and all of them as small curves."""

    rule: str
    before: tuple[float, float]
    now: tuple[float, float]
    curves: tuple[str, ...]


@dataclass(frozen=True)
class Dashboard:
    """What is shown of a run."""

    name: str
    title: str
    rules: str
    against: str
    state: str
    #: What the first generation waits for, "" once it is there.
    waits: str
    #: Whether a process runs it that can be stopped, and whether it can be resumed.
    running: bool
    resumable: bool
    generation: int
    total: int
    figures: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]
    series: tuple[Series, ...]
    chart: Chart | None
    moved: tuple[Moved, ...]
    #: Each rule of the latest champion with its early and its late weight.
    weights: tuple[tuple[str, float, float], ...]
    #: The generations whose champions everyone meets, with the best win rate of each.
    hall: tuple[tuple[int, str], ...]
    #: The game's name here, "" where it is not here.
    game: str
    champion: str
    #: Changes with everything that is shown.
    version: str


def dashboard_of(path: Path) -> Dashboard | None:
    """What is shown of the run in a folder; None for one whose log has no beginning. Raises InputError."""
    log = run_log.read(path)
    about = next((event for event in log.events if event["event"] == "begin"), None)
    if about is None:
        return None
    lines, settings = run_log.generations(log), about["settings"]
    over = log.events[-1]["event"] == "end"
    running, state = _state(log, path)
    latest = lines[-1] if lines else None
    fitting = [line["champion"] for line in lines if len(line["champion"][0]) == len(about["keys"])]
    series = _series(lines)
    total = next((e["generations"] for e in log.events[::-1] if "generations" in e), settings["generations"])
    return Dashboard(
        name=path.name,
        title=about["game"],
        rules=about["rules"],
        against=about["hand_tuned"],
        state=state,
        waits="" if lines or not running else _waits(log.events[-1], settings),
        running=running,
        resumable=not running and run_log.finished(log) is None,
        generation=latest["generation"] if latest else 0,
        total=total,
        figures=_figures(lines, total, over=over) if latest else (),
        warnings=tuple(latest["warnings"]) if latest else (),
        series=series,
        chart=chart_of(series),
        moved=_moved(about["keys"], fitting),
        weights=tuple(zip(about["keys"], *fitting[-1], strict=True)) if fitting else (),
        hall=_hall(lines, settings.get("hall_of_fame") or 0),
        game=_game_here(settings.get("game", "")),
        champion=f"{RUNS}/{path.name}/{CHAMPION}" if (path / CHAMPION).is_file() else "",
        version=f"{len(log.events)}-{int(running)}",
    )


def _game_here(named: str) -> str:
    """The name of a run's game on this page: the run names a user's game by its folder."""
    return next((name for name in game_names() if named in (name, origin_of_game(name), path_of_game(name))), "")


def _state(log: Log, path: Path) -> tuple[bool, str]:
    """Whether a process runs the run, and that in words."""
    last = log.events[-1]
    try:
        running = process_of(path) is not None
        if running:
            return True, "the run-off is played, and then it is over" if last["event"] == "end" else "running"
    except NotImplementedError:
        pass
    if last["event"] == "end":
        return False, f"stopped: {last['interrupted']}" if last["interrupted"] else "over"
    if (path / LOCK).exists():
        return False, "stopped: no process runs it"
    quiet = time.time() - (path / run_log.NAME).stat().st_mtime
    return False, "running" if quiet < QUIET else f"stopped, it seems: no line for {_duration(quiet)}"


def _waits(last: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """What the first generation waits for, by the last line of the log."""
    if last["event"] == "compile":
        return f"First its rules are compiled, which takes about {_duration(last['seconds'])}, and happens once."
    players = settings.get("population")
    who = f"{players} players" if isinstance(players, int) else "The players"
    return f"{who} of the first generation play: the figures come when its last game is over."


def _series(lines: Sequence[Mapping[str, Any]]) -> tuple[Series, ...]:
    """The win rates of the best player, with their intervals, and of the population."""
    generations = [line["generation"] for line in lines]
    band = [(line["best_95"][0], line["best_95"][1]) for line in lines]
    return (
        Series("best", generations, [line["best"] for line in lines], band),
        Series("mean", generations, [line["mean"] for line in lines]),
    )


def _figures(lines: Sequence[Mapping[str, Any]], total: int, *, over: bool) -> tuple[tuple[str, str], ...]:
    """The latest generation in figures."""
    line = lines[-1]
    low, high = line["best_95"]
    found = [
        ("best, on fresh deals", f"{line['best']:.1%} ({low:.1%} to {high:.1%})"),
        ("mean of the population", f"{line['mean']:.1%}"),
        ("in training", f"{line['training']:.1%}"),
        ("spread", f"{line['metrics']['spread']:.1%}"),
        ("games a second", f"{line['games_a_second']:,.0f}"),
        ("games", f"{line['games']:,}"),
    ]
    left = total - line["generation"]
    times = [entry["time"] for entry in lines[-10:] if isinstance(entry.get("time"), int | float)]
    if not over and left > 0 and len(times) > 1:
        found.append(("time left, about", _duration(left * (times[-1] - times[0]) / (len(times) - 1))))
    return tuple(found)


def _moved(keys: Sequence[str], champions: Sequence[Sequence[Sequence[float]]]) -> tuple[Moved, ...]:
    """The rules whose weights moved most since the first generation."""
    if len(champions) < 2:
        return ()
    found = []
    for i, key in enumerate(keys):
        early, late = ([champion[half][i] for champion in champions] for half in (0, 1))
        if len(set(early)) > 1 or len(set(late)) > 1:
            curves = spark_of([early] if early == late else [early, late])
            found.append(Moved(key, (early[0], late[0]), (early[-1], late[-1]), curves))
    found.sort(key=lambda rule: -math.dist(rule.before, rule.now))
    return tuple(found[:MOST_RULES])


def _hall(lines: Sequence[Mapping[str, Any]], size: int) -> tuple[tuple[int, str], ...]:
    """The members of the hall of fame, which follow from the champions of all generations."""
    hall, best = HallOfFame(size), {line["generation"]: f"{line['best']:.1%}" for line in lines}
    for line in lines:
        hall.consider(line["generation"], np.array(line["champion"]))
    return tuple((generation, best[generation]) for generation in hall.members)


def _duration(seconds: float) -> str:
    """Seconds in words."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def chart_of(series: Sequence[Series]) -> Chart | None:
    """The chart of win rates over generations; None where no series has two of them."""
    drawn = [one for one in series if len(one.generations) > 1]
    if not drawn:
        return None
    values = [value for one in drawn for value in (*one.rates, *(end for ends in one.band for end in ends))]
    low, high = max(0.0, int(min(values) * 10) / 10), min(1.0, (int(max(values) * 10) + 1) / 10)
    generations = sorted({generation for one in drawn for generation in one.generations})
    first, last = generations[0], generations[-1]

    def x(generation: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (generation - first) / (last - first), 1)

    def y(value: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * (value - low) / (high - low), 1)

    def curve(one: Series) -> Curve:
        def points(values: Sequence[float]) -> list[str]:
            return [f"{x(one.generations[i])},{y(values[i])}" for i in _kept(len(values), MOST_POINTS)]

        lower, upper = ([ends[k] for ends in one.band] for k in (0, 1))
        band = [*points(upper), *reversed(points(lower))] if one.band else []
        return Curve(" ".join(points(one.rates)), " ".join(band))

    steps = round((high - low) * 10)
    marks = [low + k * (1 if steps <= 5 else 2) / 10 for k in range(steps + 1)]
    up = tuple((y(mark), f"{mark:.0%}") for mark in marks if mark <= high + 1e-9)
    across = tuple((x(generation), str(generation)) for generation in sorted({first, (first + last) // 2, last}))
    shown = [generations[i] for i in _kept(len(generations), MOST_VALUES)]
    ends = [x(first), *(x((one + other) / 2) for one, other in pairwise(shown)), x(last)]

    def values_of(place: int, generation: int) -> Values:
        points = [
            y(one.rates[one.generations.index(generation)]) if generation in one.generations else None for one in drawn
        ]
        lines = [line for one in drawn if (line := one.said_of(generation))]
        left = ends[place]
        return Values(generation, x(generation), left, round(ends[place + 1] - left, 1), tuple(lines), tuple(points))

    return Chart(tuple(map(curve, drawn)), across, up, tuple(values_of(*one) for one in enumerate(shown)))


def spark_of(curves: Sequence[Sequence[float]]) -> tuple[str, ...]:
    """The points of small curves on one scale, which has 0 on it, each from left to right."""
    values = [value for curve in curves for value in curve]
    low, high = min(0.0, *values), max(0.0, *values)
    reach = high - low or 1.0

    def points(curve: Sequence[float]) -> str:
        last = max(len(curve) - 1, 1)
        return " ".join(
            f"{1 + (SPARK_WIDTH - 2) * i / last:.1f},{2 + (SPARK_HEIGHT - 4) * (high - curve[i]) / reach:.1f}"
            for i in _kept(len(curve), MOST_POINTS)
        )

    return tuple(map(points, curves))


def _kept(count: int, most: int) -> list[int]:
    """The numbers of the points that are shown, about `most` of so many: the last one always."""
    step = max(1, count // most)
    return [*range(0, count - 1, step), count - 1]
