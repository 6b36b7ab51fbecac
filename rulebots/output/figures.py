"""One look for every picture: colours, lines, scales, and the file at the end.

Matplotlib comes with the extra `plot`; `styled` says so where it is missing.
"""

import contextlib
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.errors import demand, optional_module

#: Points of the labels beside curves.
LABEL_SIZE = 8.5
#: First, second and third curve or player; what matters less; a warning; and the lines behind everything. The colours
#: are those of Okabe and Ito (https://jfly.uni-koeln.de/color/), which stay apart for the colour-blind.
FIRST = "#0072b2"
SECOND = "#d55e00"
THIRD = "#009e73"
FAINT = "#595959"
WARNING = "#cc79a7"
GRID = "#e5e7eb"
#: From blue over white to red: what is negative, nothing, positive.
SIGNED = "RdBu_r"
#: The most rules in a picture, which has to fit on a screen.
MOST_RULES = 32
_STYLE = {
    "font.size": 9.5,
    "axes.titlesize": 10.5,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": FAINT,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "legend.frameon": False,
    "figure.constrained_layout.use": True,
    "svg.hashsalt": "rulebots",
    "svg.fonttype": "none",
}


def picture_format(path: Path | None) -> str:
    """The format of a new picture, checked before its content is computed; "" without one.

    Raises:
        UsageError: it is not the name of a picture, or matplotlib is not installed.
    """
    if path is None:
        return ""
    ending = path.suffix.lower().removeprefix(".")
    demand(ending in ("png", "svg"), f"'{path}': expected the name of a picture, FILE.png or FILE.svg")
    need_matplotlib()
    return ending


def need_matplotlib() -> None:
    """Raise UsageError if pictures cannot be drawn; the message says what to install."""
    optional_module("matplotlib", "plot", "a picture")


@contextlib.contextmanager
def styled() -> Iterator[None]:
    """A block in which figures have this look. Raises UsageError where matplotlib is not installed."""
    need_matplotlib()
    import matplotlib as mpl

    with mpl.rc_context(_STYLE):
        yield


def new_figure(width: float, height: float) -> Any:
    """An empty figure of this size in inches, inside `styled()`."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height))
    FigureCanvasAgg(figure)
    return figure


def count_generations(axes: Any, what: str = "generation") -> None:
    """Name the x axis, and mark it at whole generations only."""
    from matplotlib.ticker import MaxNLocator

    axes.set_xlabel(what)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))


def picture_bytes(figure: Any, ending: str) -> bytes:
    """The figure as a file of that format, inside `styled()`: the same bytes for the same figure."""
    stream = io.BytesIO()
    figure.savefig(stream, format=ending, dpi=130, metadata={"Date": None} if ending == "svg" else None)
    return stream.getvalue()


def label_ends(axes: Any, x: float, ends: Sequence[tuple[float, str, str]]) -> None:
    """Write each curve's label beside its end: (y, label, colour) each, at x; labels are moved apart where they meet.

    The limits of the y axis have to be final.
    """
    low, high = axes.get_ylim()
    height = axes.get_figure().get_figheight() * axes.get_position().height * 72
    rising = sorted(ends, key=lambda end: end[0])
    places = spaced([y for y, _, _ in rising], 1.35 * LABEL_SIZE * (high - low) / height, low, high)
    for (y, label, colour), place in zip(rising, places, strict=True):
        axes.annotate(
            label, (x, y), (10, (place - y) * height / (high - low)), textcoords="offset points",
            va="center", color=colour, fontsize=LABEL_SIZE, annotation_clip=False,
        )  # fmt: skip


def spaced(heights: Sequence[float], apart: float, low: float, high: float) -> list[float]:
    """Places near the rising heights, at least `apart` from each other, between low and high."""
    steps = apart * np.arange(len(heights))
    places = np.maximum.accumulate(np.array(heights) - steps) + steps
    return np.maximum(np.minimum(places, high - steps[::-1]), low + steps).tolist()


def dots(axes: Any, names: Sequence[str], figures: Sequence[Sequence[float | None]], label: str) -> None:
    """A row for each name, the first on top: a dot at its figure, and a line over the ends of its interval.

    `figures` are (mean, low, high), where unknown numbers are None or not finite; `label` says what they count.
    """
    table = np.array(figures, np.float64).reshape(-1, 3)  # None becomes NaN
    rows = np.arange(len(names))
    known = np.isfinite(table).all(axis=1)
    axes.hlines(rows[known], table[known, 1], table[known, 2], color=FAINT, lw=1.6)
    axes.plot(table[:, 0], rows, "o", color=FIRST, ms=5)
    axes.set_yticks(rows, names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(label)


def percent_limits(lowest: float, highest: float) -> tuple[float, float]:
    """The limits of an axis of percentages with a little room: multiples of 5, at least 10 apart."""
    low = max(0.0, 5 * np.floor((lowest - 1) / 5))
    high = min(100.0, 5 * np.ceil((highest + 1) / 5))
    while high - low < 10:
        low = max(0.0, low - 5)
        high = min(100.0, high + 5)
    # A curve at the very end of the scale is drawn whole.
    return -1.0 if low == 0 else float(low), 101.0 if high == 100 else float(high)


def linear_weight(weights: npt.NDArray[np.float64]) -> float:
    """The size up to which a scale of weights is linear: a third of the median of those not 0."""
    sizes = np.abs(weights[weights != 0])
    return float(np.median(sizes)) / 3 if len(sizes) else 1.0


def weight_ticks(weights: npt.NDArray[np.float64]) -> list[float]:
    """Ticks of a scale of weights: 0, and on both sides powers of ten that do not crowd around it."""
    largest = float(np.abs(weights).max(initial=0.0))
    least = linear_weight(weights)
    if largest == 0:
        return [0.0]
    decades = [10.0**k for k in range(int(np.ceil(np.log10(least))), int(np.floor(np.log10(largest))) + 1)]
    marks = decades or [float(f"{largest:.1g}")]
    return [*(-mark for mark in reversed(marks)), 0.0, *marks]
