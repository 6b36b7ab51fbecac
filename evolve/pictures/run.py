"""Pictures of a run from its log: strength, speed and spread, and the champion's weights over time."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from evolve.settings import HAND_TUNED
from evolve.storage import log as run_log
from evolve.storage.folder import PICTURES
from rulebots.errors import UsageError
from rulebots.files import OutputError, replace
from rulebots.ratings.intervals import Z

Floats = npt.NDArray[np.float64]

HELD_OUT, TRAINING, MEAN = "#1f4e9c", "#d1760f", "#6b7280"
#: Columns of a heat map: of a longer run every n-th generation is shown.
MOST_COLUMNS = 300


@dataclass(frozen=True)
class Course:
    """A run from its log: the fields of its `begin` line, its generations, at least one, and a warning or ""."""

    about: dict[str, Any]
    generations: Sequence[dict[str, Any]]
    warning: str = ""

    @property
    def title(self) -> str:
        """One line that says which run this is."""
        settings = self.about["settings"]
        return f"{self.about['game']}, rules '{self.about['rules']}', {settings['strategy']}, seed {settings['seed']}"

    def series(self, *names: str) -> Floats:
        """A field of each generation, float64[generations]; for a nested field, the names on the way to it."""
        return np.array([_inner(line, names) for line in self.generations], np.float64)


def course_of(folder: Path) -> Course:
    """The run in a folder. Raises UsageError where there is no log, or no generation in it yet."""
    log = run_log.read(folder)
    generations = run_log.generations(log)
    if not log.events:
        raise UsageError(f"{folder}: expected the folder of a run, with a log; there is none")
    if not generations:
        raise UsageError(f"{folder}: the first generation is not over yet")
    about = next((event for event in log.events if event["event"] == "begin"), None)
    if about is None:  # the line was damaged: what it said is not needed to draw the rest
        keys = [f"rule {number}" for number in range(1, len(generations[0]["champion"][0]) + 1)]
        settings = {"strategy": "its strategy", "seed": "unknown", "opponents": []}
        hand_tuned = "the hand-tuned player"
        about = {"game": folder.name, "rules": "unknown", "keys": keys, "hand_tuned": hand_tuned, "settings": settings}
    return Course(about, generations, log.warning(folder))


def plot_run(folder: str | Path) -> list[Path]:
    """Draw the run in a folder into its `pictures`, as PNG: strength, speed and spread, weights. Gives the files.

    Raises:
        UsageError: as `course_of` does. OutputError: a picture cannot be written.
    """
    folder = Path(folder)
    drawn, place = draw_all(course_of(folder)), folder / PICTURES
    try:
        place.mkdir(exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot write to '{place}': {error.strerror or error}") from None
    for name, picture in drawn.items():
        replace(place / f"{name}.png", picture)
    return [place / f"{name}.png" for name in drawn]


def draw_all(course: Course) -> dict[str, bytes]:
    """Every picture as a PNG, by its name without ending."""
    with mpl.rc_context(
        {
            "axes.spines.top": False,
            "axes.spines.right": False,
            "font.size": 10,
            "axes.grid": True,
            "grid.alpha": 0.25,
            "axes.axisbelow": True,
            "figure.constrained_layout.use": True,
        }
    ):
        pictures = {"strength": strength(course), "course": speed_and_spread(course), "weights": weights(course)}
        return {name: _png(figure) for name, figure in pictures.items()}


def strength(course: Course) -> Figure:
    """Win rates of each generation on fresh deals and in training, with their 95 % intervals."""
    figure = Figure(figsize=(9, 5))
    axes = figure.subplots()
    x, best, mean, training = (course.series(name) for name in ("generation", "best", "mean", "training"))
    low, high = 100 * np.array([line["best_95"] for line in course.generations]).T
    half = 100 * Z * np.sqrt(training * (1 - training) / course.series("training_games"))
    axes.fill_between(x, 100 * training - half, 100 * training + half, color=TRAINING, alpha=0.13, linewidth=0)
    axes.plot(x, 100 * training, color=TRAINING, linewidth=1.2, label="best, in its training games")
    axes.fill_between(x, low, high, color=HELD_OUT, alpha=0.2, linewidth=0)
    axes.plot(x, 100 * best, color=HELD_OUT, linewidth=1.8, label="best, on fresh deals")
    axes.plot(x, 100 * mean, color=MEAN, linewidth=1.2, linestyle="--", label="whole population, on fresh deals")
    axes.axhline(50, color="black", linewidth=0.6, alpha=0.5)
    hand_tuned = course.about["hand_tuned"]
    axes.set(xlabel="generation", ylabel=f"win rate against {hand_tuned} (%)", title=course.title)
    named = [hand_tuned if name == HAND_TUNED else name for name in course.about["settings"]["opponents"]]
    against = ", ".join(named) or "its own population"
    axes.set_ylim(*_room(low, high, 100 * mean, 100 * training))
    axes.legend(frameon=False, loc="lower right", title=f"bands: 95 %; training is against {against}", title_fontsize=8)
    return figure


def speed_and_spread(course: Course) -> Figure:
    """Games a second, the spread of the population, and the win rates against the baseline players."""
    figure = Figure(figsize=(9, 7))
    speed, spread, baselines = figure.subplots(3, 1, sharex=True)
    x = course.series("generation")
    speed.plot(x, course.series("games_a_second"), color=HELD_OUT, linewidth=1.2)
    speed.set(ylabel="games a second", title=course.title)
    speed.set_ylim(bottom=0)
    speed.yaxis.set_major_formatter("{x:,.0f}")
    spread.plot(x, 100 * course.series("metrics", "spread"), color=TRAINING, linewidth=1.5)
    spread.set(ylabel="spread of weights\n(% of their size)")
    spread.set_ylim(bottom=0)
    for name in course.generations[0]["metrics"]["baselines"]:
        baselines.plot(x, 100 * course.series("metrics", "baselines", name), linewidth=1.2, label=f"against {name}")
    baselines.set(xlabel="generation", ylabel="best against\nbaseline players (%)")
    baselines.set_ylim(-3, 103)
    baselines.legend(frameon=False, loc="lower right")
    warned = [line["generation"] for line in course.generations if line["warnings"]]
    if warned:
        baselines.text(
            0.0, -0.32, "red: a collapse warning", color="#b91c1c", fontsize=9, transform=baselines.transAxes
        )
    for axes in (speed, spread, baselines):
        for generation in warned:
            axes.axvspan(generation - 0.5, generation + 0.5, color="#b91c1c", alpha=0.12, linewidth=0)
    return figure


def weights(course: Course) -> Figure:
    """The champion's weights over time, early beside late, on one scale: red is positive, blue negative."""
    keys = course.about["keys"]
    fitting = [line for line in course.generations if len(line["champion"][0]) == len(keys)]
    shown = fitting[:: max(1, -(-len(fitting) // MOST_COLUMNS))]
    matrix = np.array([line["champion"] for line in shown])  # [generations, early or late, rules]
    figure = Figure(figsize=(10, max(3.5, 1.6 + 0.17 * len(keys))))
    both = figure.subplots(1, 2, sharey=True)
    scale = float(np.quantile(np.abs(matrix), 0.98)) or 1.0
    first, last = shown[0]["generation"], shown[-1]["generation"]
    extent = (first - 0.5, last + 0.5, len(keys) - 0.5, -0.5)
    for half, (axes, word) in enumerate(zip(both, ("early", "late"), strict=True)):
        image = axes.imshow(
            matrix[:, half].T, aspect="auto", cmap="RdBu_r", vmin=-scale, vmax=scale, extent=extent,
            interpolation="nearest",
        )  # fmt: skip
        axes.set(title=word, xlabel="generation")
        axes.grid(visible=False)
    both[0].set_yticks(range(len(keys)), keys, fontsize=7)
    figure.colorbar(image, ax=both, label="weight", shrink=min(1.0, 20 / len(keys)), aspect=15)
    figure.suptitle(f"the champion's weights: {course.title}")
    return figure


def _png(figure: Figure) -> bytes:
    FigureCanvasAgg(figure)
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=130)
    return stream.getvalue()


def _room(*series: Floats) -> tuple[float, float]:
    """The ends of an axis of percentages around some series: multiples of ten."""
    low, high = min(float(s.min()) for s in series), max(float(s.max()) for s in series)
    return max(0.0, 10 * np.floor(low / 10)), min(100.0, 10 * np.ceil(high / 10))


def _inner(line: dict[str, Any], names: Sequence[str]) -> float:
    value: Any = line
    for name in names:
        value = value[name]
    return float(value)
