"""Curves as shapes of SVG: how the page draws values over generations, or over the moves of a game."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

WIDTH = 400.0
HEIGHT = 240.0
#: What a chart leaves free for marks, the names of its axes, and the values of one x.
LEFT = 44.0
RIGHT = 10.0
TOP = 60.0
BOTTOM = 26.0
#: The most points of a curve: more cannot be seen.
MOST_POINTS = 320


@dataclass(frozen=True)
class Series:
    """A curve: values at rising whole numbers `xs`; `band` is the interval around each value, or nothing.

    The curve of a `seat` has its colour.
    """

    name: str
    xs: Sequence[int]
    values: Sequence[float]
    band: Sequence[tuple[float, float]] = ()
    seat: int | None = None


@dataclass(frozen=True)
class Stop:
    """An x that can be pointed at: where it is, its column, what the curves say there, and their points by number."""

    x: int
    at: float
    left: float
    width: float
    lines: list[str]
    points: dict[int, float]


@dataclass(frozen=True)
class Chart:
    """Curves over the rising `xs`, from the lowest to the highest of the `marks`, which have labels.

    `write` says a value in words; at most `most_stops` of the `xs` can be pointed at.
    Above `top` stand the values of one of them.
    """

    series: Sequence[Series]
    marks: Mapping[float, str]
    write: Callable[[float], str]
    xs: Sequence[int]
    most_stops: int
    height: float = HEIGHT
    top: float = TOP
    left, right = LEFT, WIDTH - RIGHT

    def x(self, at: float) -> float:
        """Where an x is drawn."""
        return _scaled(at, self.xs[0], self.xs[-1], LEFT, WIDTH - RIGHT)

    def y(self, value: float) -> float:
        """Where a value is drawn."""
        return _scaled(value, min(self.marks), max(self.marks), self.height - BOTTOM, self.top)

    @property
    def across(self) -> list[tuple[float, str]]:
        """The marks below: the first x, the middle one and the last."""
        return [(self.x(at), str(at)) for at in sorted({self.xs[0], (self.xs[0] + self.xs[-1]) // 2, self.xs[-1]})]

    @property
    def curves(self) -> list[tuple[str, str, int | None]]:
        """The curves as they are drawn: the points of each, those of the area around it, "" for none, and its seat."""
        return [
            (
                " ".join(self._points(one.xs, one.values)),
                " ".join(
                    self._points(one.xs, [high for _, high in one.band])
                    + self._points(one.xs, [low for low, _ in one.band])[::-1]
                ),
                one.seat,
            )
            for one in self.series
        ]

    @property
    def stops(self) -> list[Stop]:
        """The places to point at, side by side."""
        xs = [self.xs[i] for i in thinned(len(self.xs), self.most_stops)]
        edges = [LEFT, *(self.x((one + other) / 2) for one, other in pairwise(xs)), WIDTH - RIGHT]
        return [self._stop(x, left, right) for x, left, right in zip(xs, edges, edges[1:], strict=False)]

    def _points(self, xs: Sequence[int], values: Sequence[float]) -> list[str]:
        return [f"{self.x(xs[i])},{self.y(values[i])}" for i in thinned(len(values), MOST_POINTS)]

    def _stop(self, x: int, left: float, right: float) -> Stop:
        found = [(number, one, one.xs.index(x)) for number, one in enumerate(self.series) if x in one.xs]
        lines = [
            f"{one.name} {self.write(one.values[at])}"
            + (f" ({' to '.join(map(self.write, one.band[at]))})" if one.band else "")
            for _, one, at in found
        ]
        points = {number: self.y(one.values[at]) for number, one, at in found}
        return Stop(x, self.x(x), left, round(right - left, 1), lines, points)


def sparks_of(curves: Sequence[Sequence[float]], width: float, height: float) -> tuple[str, ...]:
    """The points of small curves of one length, on one scale that has 0 on it."""
    values = [value for curve in curves for value in curve]
    low, high = min(0.0, *values), max(0.0, *values)
    last = len(curves[0]) - 1
    return tuple(
        " ".join(
            f"{_scaled(i, 0, last, 1, width - 1)},{_scaled(curve[i], low, high, height - 2, 2)}"
            for i in thinned(len(curve), MOST_POINTS)
        )
        for curve in curves
    )


def thinned(count: int, most: int) -> list[int]:
    """The indices of about `most` of `count` things, evenly; the last one always."""
    return [*range(0, count - 1, max(1, count // most)), count - 1] if count else []


def _scaled(value: float, low: float, high: float, begin: float, end: float) -> float:
    """Where a value between `low` and `high` is between `begin` and `end`."""
    return round(begin + (end - begin) * (value - low) / (high - low or 1), 1)
