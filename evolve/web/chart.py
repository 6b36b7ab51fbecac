"""Curves of a run as shapes of SVG, with nothing but numbers in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT, EDGE = 640.0, 240.0, 34.0
#: The most points of a curve: more are not seen.
MOST_POINTS = 320


@dataclass(frozen=True)
class Curve:
    """A curve: what it is called, its look, its points as SVG writes them, and where its name stands."""

    name: str
    look: str
    points: str
    end: tuple[float, float]


@dataclass(frozen=True)
class Chart:
    """Curves over generations with marks of both axes, each a place and a label; `band` is an area around the first."""

    curves: tuple[Curve, ...]
    band: str
    across: tuple[tuple[float, str], ...]
    up: tuple[tuple[float, str], ...]
    width: float = WIDTH
    height: float = HEIGHT
    edge: float = EDGE


def chart_of(
    generations: Sequence[int],
    curves: Sequence[tuple[str, Sequence[float]]],
    band: Sequence[tuple[float, float]],
) -> Chart | None:
    """The chart of win rates, 0..1, over generations; None for fewer than two generations.

    `band` is the interval around the first curve, generation by generation.
    """
    if len(generations) < 2:
        return None
    step = max(1, len(generations) // MOST_POINTS)
    kept = [*range(0, len(generations) - 1, step), len(generations) - 1]
    values = [value for _, line in curves for value in line] + [end for ends in band for end in ends]
    low, high = max(0.0, int(min(values) * 10) / 10), min(1.0, (int(max(values) * 10) + 1) / 10)
    first, last = generations[0], generations[-1]

    def x(i: int) -> float:
        return round(EDGE + (WIDTH - 2 * EDGE) * (generations[i] - first) / (last - first), 1)

    def y(value: float) -> float:
        return round(HEIGHT - EDGE - (HEIGHT - EDGE - 10) * (value - low) / (high - low), 1)

    drawn = tuple(
        Curve(name, f"seat-{k}", " ".join(f"{x(i)},{y(line[i])}" for i in kept), (x(kept[-1]), y(line[kept[-1]])))
        for k, (name, line) in enumerate(curves)
    )
    there = [f"{x(i)},{y(band[i][1])}" for i in kept]
    back = [f"{x(i)},{y(band[i][0])}" for i in reversed(kept)]
    steps = round((high - low) * 10)
    marks = [low + k * (1 if steps <= 5 else 2) / 10 for k in range(steps + 1)]
    up = tuple((y(mark), f"{mark:.0%}") for mark in marks if mark <= high + 1e-9)
    middle = len(generations) // 2
    across = tuple((x(i), str(generations[i])) for i in (0, middle, len(generations) - 1))
    return Chart(drawn, " ".join(there + back), across, up)
