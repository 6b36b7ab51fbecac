"""Pictures of a run from its log: strength, speed and spread, and the champion's weights over time."""

import functools
import itertools
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from evolve.settings import HAND_TUNED
from evolve.storage import log as run_log
from evolve.storage.folder import PICTURES
from rulebots.errors import UsageError, demand
from rulebots.files import replace, unwritable
from rulebots.game import Floats
from rulebots.output import figures as drawing
from rulebots.output.notebook import data_frame
from rulebots.ratings.intervals import Z

#: Columns of a heat map: of a longer run every n-th generation is shown.
MOST_COLUMNS = 300


@dataclass(frozen=True)
class Course:
    """A run from its log: the fields of its `begin` line, its generations, at least one, and a warning or ""."""

    about: dict[str, Any]
    generations: Sequence[dict[str, Any]]
    warning: str = ""

    @property
    def tuned(self) -> bool:
        """Whether it is one of `evolve tune`, which has one result, no population, and no generations but percents."""
        return bool(self.about["settings"]["strategy"] == "tune")

    @property
    def title(self) -> str:
        """One line that says which run this is."""
        settings = self.about["settings"]
        how = "tuned by games" if self.tuned else f"rules '{self.about['rules']}', {settings['strategy']}"
        return f"{Path(self.about['game']).name}, {how}, seed {settings['seed']}"

    def to_pandas(self) -> Any:
        """The generations as a `pandas.DataFrame`: what was measured of each, without weights.

        Raises:
            UsageError: pandas is not installed.
        """
        return data_frame(
            [
                {name: value for name, value in line.items() if isinstance(value, int | float) or name.endswith("_95")}
                for line in self.generations
            ]
        )

    def series(self, *names: str) -> Floats:
        """A field of each generation, float64[generations]; for a nested field, the names on the way to it."""
        return np.array([functools.reduce(operator.getitem, names, line) for line in self.generations], np.float64)


def course_of(folder: Path) -> Course:
    """The run in a folder. Raises UsageError where there is no log, or no generation in it yet."""
    log = run_log.read(folder)
    generations = run_log.generations(log)
    demand(log.events, f"{folder}: expected the folder of a run, with a log; there is none")
    demand(generations, f"{folder}: the first generation is not over yet")
    if log.about is None:
        raise UsageError(
            f"{folder}: the first line of the log is damaged; "
            "`evolve resume` writes it again, of a finished run with --out FILE"
        )
    return Course(log.about, generations, log.warning(folder))


def plot_run(folder: str | Path) -> list[Path]:
    """Draw the run in a folder into its `pictures`, as PNG: strength, speed and spread, weights. Gives the files.

    Raises:
        UsageError: as `course_of` does. OutputError: a picture cannot be written.
    """
    pictures = draw_all(course_of(Path(folder)))
    place = Path(folder) / PICTURES
    try:
        place.mkdir(exist_ok=True)
    except OSError as error:
        raise unwritable(place, error) from None
    files = {place / f"{name}.png": picture for name, picture in pictures.items()}
    for file, picture in files.items():
        replace(file, picture)
    return [*files]


def draw_all(course: Course) -> dict[str, bytes]:
    """Every picture as a PNG, by its name without ending. Raises UsageError where matplotlib is not installed."""
    pictures = {"strength": strength, "course": speed_and_spread, "weights": weights}
    drawn = list(pictures)[: 1 if course.tuned else None]
    with drawing.styled():
        return {name: drawing.picture_bytes(pictures[name](course), "png") for name in drawn}


def strength(course: Course) -> Any:
    """Win rates of each generation on fresh deals and in training, with their 95 % intervals: a figure."""
    figure = drawing.new_figure(9, 5)
    axes = figure.subplots()
    x = course.series("generation")
    best, mean, training = (100 * course.series(name) for name in ("best", "mean", "training"))
    half = Z * np.sqrt(training * (100 - training) / np.maximum(course.series("training_games"), 1))
    low, high = 100 * np.array([line["best_95"] for line in course.generations]).T
    lines = [
        ("best, in training", drawing.SECOND, training, training - half, training + half),
        ("population, fresh deals", drawing.FAINT, mean, mean, mean),
        ("best, fresh deals", drawing.FIRST, best, low, high),
    ]
    if course.tuned:
        lines = [("result so far", drawing.FIRST, best, low, high)]
    for _, colour, rates, below, above in lines:
        axes.fill_between(x, below, above, color=colour, alpha=0.2, linewidth=0)
        axes.plot(x, rates, color=colour, linewidth=1.5)
    axes.axhline(50, color="black", linewidth=0.6, alpha=0.5)
    hand_tuned, settings = course.about["hand_tuned"], course.about["settings"]
    named = [hand_tuned if name == HAND_TUNED else name for name in settings["opponents"]]
    against = ", ".join([*named, *["former champions"] * bool(settings.get("hall_of_fame"))]) or "its own population"
    drawing.count_generations(axes, "% of its games" if course.tuned else "generation")
    counted = "deals with more points than" if "margin" in course.generations[-1] else "win rate against"
    axes.set(ylabel=f"{counted} {hand_tuned} (%)", title=course.title)
    everything = np.array([line[2:] for line in lines])
    axes.set_ylim(*drawing.percent_limits(float(everything.min()), float(everything.max())))
    axes.margins(x=0.01)
    drawing.label_ends(axes, x[-1], [(rates[-1], name, colour) for name, colour, rates, *_ in lines])
    trained = f"; in training against {against}" * (not course.tuned)
    figure.supxlabel(f"bands: 95 % intervals{trained}", fontsize=8, color=drawing.FAINT)
    return figure


def speed_and_spread(course: Course) -> Any:
    """Games a second, the spread of the population, and the win rates against the baseline players: a figure."""
    figure = drawing.new_figure(9, 7)
    speed, spread, baselines = figure.subplots(3, 1, sharex=True)
    x = course.series("generation")
    spreads = 100 * course.series("metrics", "spread")
    for axes, values, label in (
        (speed, course.series("games_a_second"), "games a second"),
        (spread, spreads, "spread of weights\n(% of their size)"),
    ):
        axes.plot(x, values, color=drawing.FIRST, linewidth=1.3)
        axes.set(ylabel=label)
        axes.set_ylim(bottom=0)
    speed.set_title(course.title)
    speed.yaxis.set_major_formatter("{x:,.0f}")
    met = [line["metrics"]["baselines"] for line in course.generations]
    names = [name for name in met[0] if all(name in others for others in met)]
    rates = {name: 100 * course.series("metrics", "baselines", name) for name in names}
    colours = dict(zip(names, itertools.cycle((drawing.FIRST, drawing.SECOND, drawing.THIRD, drawing.FAINT))))
    for name, series in rates.items():
        baselines.plot(x, series, linewidth=1.3, color=colours[name])
    drawing.count_generations(baselines)
    baselines.set(ylabel="best against\nbaseline players (%)")
    baselines.set_ylim(*drawing.percent_limits(min((float(r.min()) for r in rates.values()), default=100.0), 100.0))
    warnings = [line["generation"] for line in course.generations if line["warnings"]]
    for axes in (speed, spread, baselines):
        axes.margins(x=0.01)
        for generation in warnings:
            axes.axvspan(generation - 0.5, generation + 0.5, color=drawing.WARNING, alpha=0.25, linewidth=0)
    drawing.label_ends(baselines, x[-1], [(float(rates[name][-1]), name, colours[name]) for name in names])
    if warnings:
        speed.set_title("shaded: a collapse warning", loc="right", color=drawing.WARNING, fontsize=9)
    return figure


def weights(course: Course) -> Any:
    """The champion's weights over time, early beside late, on one scale, red positive, blue negative: a figure.

    Of many rules, those that ever weigh most.
    """
    from matplotlib.colors import AsinhNorm

    keys = course.about["keys"]
    sizes = [len(line["champion"][0]) for line in course.generations]
    if len(keys) not in sizes:  # the rules changed before the first generation, or the line was edited
        keys = [f"rule {number}" for number in range(1, sizes[-1] + 1)]
    fitting = [line for line in course.generations if len(line["champion"][0]) == len(keys)]
    shown = fitting[:: max(1, -(-len(fitting) // MOST_COLUMNS))]
    matrix = np.array([line["champion"] for line in shown])  # [generations, early or late, rules]
    most = np.sort(np.argsort(-np.abs(matrix).max(axis=(0, 1)), kind="stable")[: drawing.MOST_RULES])
    others = len(keys) - len(most)
    keys = [keys[rule] for rule in most]
    matrix = matrix[..., most]
    figure = drawing.new_figure(10, max(3.5, 1.6 + 0.17 * len(keys)))
    both = figure.subplots(1, 2, sharey=True)
    largest = float(np.abs(matrix).max()) or 1.0
    # Weights of one rule set span three orders of magnitude: on a linear scale most of them would look like 0.
    scale = AsinhNorm(linear_width=drawing.linear_weight(matrix), vmin=-largest, vmax=largest)
    extent = (shown[0]["generation"] - 0.5, shown[-1]["generation"] + 0.5, len(keys) - 0.5, -0.5)
    for half, (axes, word) in enumerate(zip(both, ("early", "late"), strict=True)):
        image = axes.imshow(
            matrix[:, half].T, aspect="auto", cmap=drawing.SIGNED, norm=scale, extent=extent, interpolation="nearest"
        )
        drawing.count_generations(axes)
        axes.set(title=word)
        axes.grid(visible=False)
    both[0].set_yticks(range(len(keys)), keys, fontsize=7)
    bar = figure.colorbar(image, ax=both, label="weight", shrink=min(1.0, 20 / len(keys)), aspect=15)
    marks = drawing.weight_ticks(matrix)
    bar.set_ticks(marks, labels=[f"{mark:g}" for mark in marks])
    bar.ax.minorticks_off()
    which = f"; not shown, as they weigh less: {others}" if others else ""
    figure.suptitle(f"the champion's weights: {course.title}{which}", fontsize=10.5)
    return figure
