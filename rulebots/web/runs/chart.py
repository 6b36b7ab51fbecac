"""Curves of runs as shapes of SVG, with nothing but numbers in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT, EDGE = 640.0, 240.0, 34.0
#: The most points of a curve: more are not seen.
MOST_POINTS = 320
#: The size of a small curve without marks.
SPARK_WIDTH, SPARK_HEIGHT = 120.0, 26.0


@dataclass(frozen=True)
class Curve:
    """A curve: what it is called, its points as SVG writes them, and the area around it, "" for none."""

    name: str
    points: str
    band: str = ""


@dataclass(frozen=True)
class Chart:
    """Curves over generations with marks of both axes, each a place and a label."""

    curves: tuple[Curve, ...]
    across: tuple[tuple[float, str], ...]
    up: tuple[tuple[float, str], ...]
    width: float = WIDTH
    height: float = HEIGHT
    edge: float = EDGE


@dataclass(frozen=True)
class Series:
    """Win rates, 0..1, generation by generation; `band` is the interval around each, or nothing."""

    name: str
    generations: Sequence[int]
    rates: Sequence[float]
    band: Sequence[tuple[float, float]] = ()


def chart_of(series: Sequence[Series]) -> Chart | None:
    """The chart of win rates over generations; None where no series has two of them."""
    drawn = [one for one in series if len(one.generations) > 1]
    if not drawn:
        return None
    values = [value for one in drawn for value in (*one.rates, *(end for ends in one.band for end in ends))]
    low, high = max(0.0, int(min(values) * 10) / 10), min(1.0, (int(max(values) * 10) + 1) / 10)
    first, last = min(one.generations[0] for one in drawn), max(one.generations[-1] for one in drawn)

    def x(generation: int) -> float:
        return round(EDGE + (WIDTH - 2 * EDGE) * (generation - first) / (last - first), 1)

    def y(value: float) -> float:
        return round(HEIGHT - EDGE - (HEIGHT - EDGE - 10) * (value - low) / (high - low), 1)

    def curve(one: Series) -> Curve:
        kept = _kept(len(one.generations))
        across = [x(one.generations[i]) for i in kept]
        line = [f"{place},{y(one.rates[i])}" for place, i in zip(across, kept, strict=True)]
        if not one.band:
            return Curve(one.name, " ".join(line))
        there = [f"{place},{y(one.band[i][1])}" for place, i in zip(across, kept, strict=True)]
        back = [f"{place},{y(one.band[i][0])}" for place, i in zip(across, kept, strict=True)]
        return Curve(one.name, " ".join(line), " ".join(there + back[::-1]))

    steps = round((high - low) * 10)
    marks = [low + k * (1 if steps <= 5 else 2) / 10 for k in range(steps + 1)]
    up = tuple((y(mark), f"{mark:.0%}") for mark in marks if mark <= high + 1e-9)
    across = tuple((x(generation), str(generation)) for generation in (first, (first + last) // 2, last))
    return Chart(tuple(map(curve, drawn)), across, up)


def spark_of(curves: Sequence[Sequence[float]]) -> tuple[str, ...]:
    """The points of small curves on one scale, which has 0 on it, each from left to right."""
    values = [value for curve in curves for value in curve]
    low, high = min(0.0, *values), max(0.0, *values)
    reach = high - low or 1.0

    def points(curve: Sequence[float]) -> str:
        last = max(len(curve) - 1, 1)
        return " ".join(
            f"{1 + (SPARK_WIDTH - 2) * i / last:.1f},{2 + (SPARK_HEIGHT - 4) * (high - curve[i]) / reach:.1f}"
            for i in _kept(len(curve))
        )

    return tuple(map(points, curves))


def _kept(count: int) -> list[int]:
    """The numbers of the points of a curve that are drawn: the last one always."""
    step = max(1, count // MOST_POINTS)
    return [*range(0, count - 1, step), count - 1]
