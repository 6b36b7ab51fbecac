"""Curves as shapes of SVG: how the page draws values over generations, or over the moves of a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

WIDTH = 400.0
HEIGHT = 260.0
#: What a chart leaves free for marks, the names of its axes, and the values of one x.
LEFT = 44.0
RIGHT = 10.0
TOP = 60.0
BOTTOM = 46.0
#: The most points of a curve: more cannot be seen.
MOST_POINTS = 320


@dataclass(frozen=True)
class Series:
    """A curve: values at rising whole numbers `xs`; `band` is the interval around each value, or nothing."""

    name: str
    xs: Sequence[int]
    values: Sequence[float]
    band: Sequence[tuple[float, float]] = ()

    def at(self, x: int) -> float | None:
        """Its value at x, None where it has none."""
        return self.values[self.xs.index(x)] if x in self.xs else None


@dataclass(frozen=True)
class Frame:
    """The edges between which curves are drawn, in units of the picture, and the values at them."""

    left: float
    right: float
    top: float
    bottom: float
    first: float
    last: float
    low: float
    high: float

    def x(self, at: float) -> float:
        """Where an x is drawn."""
        return round(self.left + (self.right - self.left) * (at - self.first) / (self.last - self.first or 1), 1)

    def y(self, value: float) -> float:
        """Where a value is drawn."""
        return round(self.bottom - (self.bottom - self.top) * (value - self.low) / (self.high - self.low or 1), 1)

    def points(self, xs: Sequence[float], values: Sequence[float]) -> list[str]:
        """A curve as the points of a `polyline`."""
        return [f"{self.x(xs[i])},{self.y(values[i])}" for i in thinned(len(xs), MOST_POINTS)]


@dataclass(frozen=True)
class Curve:
    """A curve: its points, and those of the area around it, "" for none."""

    name: str
    points: str
    band: str


@dataclass(frozen=True)
class Stop:
    """An x that can be pointed at: where it is, its column, what the curves say there, and their points."""

    x: int
    at: float
    left: float
    width: float
    lines: tuple[str, ...]
    points: tuple[float | None, ...]


@dataclass(frozen=True)
class Chart:
    """Curves in a frame, with marks of both axes, each a place and a label."""

    frame: Frame
    curves: tuple[Curve, ...]
    across: tuple[tuple[float, str], ...]
    up: tuple[tuple[float, str], ...]
    stops: tuple[Stop, ...]
    width: float = WIDTH
    height: float = HEIGHT


def chart_of(
    series: Sequence[Series],
    marks: Mapping[float, str],
    write: Callable[[float], str],
    xs: Sequence[int],
    most_stops: int,
) -> Chart:
    """A chart of curves over the rising `xs`, from the lowest to the highest of the `marks`, which have labels."""
    frame = Frame(LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM, xs[0], xs[-1], min(marks), max(marks))
    stops = [xs[i] for i in thinned(len(xs), most_stops)]
    edges = [frame.left, *(frame.x((one + other) / 2) for one, other in pairwise(stops)), frame.right]
    middle = (xs[0] + xs[-1]) // 2
    return Chart(
        frame,
        curves=tuple(_curve(one, frame) for one in series),
        across=tuple((frame.x(x), str(x)) for x in sorted({xs[0], middle, xs[-1]})),
        up=tuple((frame.y(mark), label) for mark, label in marks.items()),
        stops=tuple(
            _stop(series, frame, write, x, left, right) for x, (left, right) in zip(stops, pairwise(edges), strict=True)
        ),
    )


def sparks_of(curves: Sequence[Sequence[float]], width: float, height: float) -> tuple[str, ...]:
    """The points of small curves of one length, on one scale that has 0 on it."""
    values = [value for curve in curves for value in curve]
    last = len(curves[0]) - 1
    frame = Frame(1, width - 1, 2, height - 2, 0, last, min(0.0, *values), max(0.0, *values))
    return tuple(" ".join(frame.points(range(last + 1), curve)) for curve in curves)


def thinned(count: int, most: int) -> list[int]:
    """The indices of about `most` of `count` things, evenly; the last one always."""
    step = max(1, count // most)
    return [*range(0, count - 1, step), count - 1]


def _curve(series: Series, frame: Frame) -> Curve:
    lower = frame.points(series.xs, [low for low, _ in series.band]) if series.band else []
    upper = frame.points(series.xs, [high for _, high in series.band]) if series.band else []
    return Curve(series.name, " ".join(frame.points(series.xs, series.values)), " ".join([*upper, *lower[::-1]]))


def _stop(
    series: Sequence[Series], frame: Frame, write: Callable[[float], str], x: int, left: float, right: float
) -> Stop:
    lines = list[str]()
    points = list[float | None]()
    for one in series:
        value = one.at(x)
        points.append(None if value is None else frame.y(value))
        if value is not None:
            around = ""
            if one.band:
                low, high = one.band[one.xs.index(x)]
                around = f" ({write(low)} to {write(high)})"
            lines.append(f"{one.name} {write(value)}{around}")
    return Stop(x, frame.x(x), left, round(right - left, 1), tuple(lines), tuple(points))
