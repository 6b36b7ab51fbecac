"""Two players' weights as a picture: a dumbbell a rule, early and late side by side."""

from __future__ import annotations

import io
from typing import Any

from evolve.analysis.comparison import Comparison
from rulebots.rules import EARLY, LATE

#: Inches: a rule's row, what stands above and below the rows, and a panel.
ROW, FRAME, PANEL, LETTER = 0.21, 1.5, 3.6, 0.075
FIRST, SECOND, LINE = "#1b5e9b", "#d9662b", "#b8bec7"


def draw(comparison: Comparison, ending: str) -> bytes:
    """The picture as a `png` or `svg` file: the same bytes for the same players."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    rules = comparison.rules
    halves = {"one weight": EARLY} if comparison.flat else {"early in a game": EARLY, "late in a game": LATE}
    labels = LETTER * max((len(rule.key) for rule in rules), default=0)
    size = (labels + PANEL * len(halves) + 0.4, FRAME + ROW * len(rules))
    with mpl.rc_context({"font.size": 8.5, "svg.hashsalt": "rulebots", "svg.fonttype": "none"}):
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
        panels = figure.subplots(1, len(halves), sharex=True, sharey=True, squeeze=False)[0]
        for axes, (title, half) in zip(panels, halves.items(), strict=True):
            _panel(axes, comparison, half)
            axes.set_title(title, fontsize=9.5)
        panels[0].set_yticks(range(len(rules)), [rule.key for rule in rules])
        panels[0].set_ylim(len(rules) - 0.4, -0.6)
        figure.suptitle(f"Weights of {comparison.game}, largest differences first", fontsize=11)
        handles, names = panels[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=2, frameon=False)
        file = io.BytesIO()
        figure.savefig(file, format=ending, dpi=150, metadata={"Date": None} if ending == "svg" else None)
    return file.getvalue()


def _panel(axes: Any, comparison: Comparison, half: int) -> None:
    """The weights of one half of the game; an open ring is a rule that only the other player has."""
    rules, rows = comparison.rules, range(len(comparison.rules))
    first = [(rule.first or (0.0, 0.0))[half] for rule in rules]
    second = [(rule.second or (0.0, 0.0))[half] for rule in rules]
    axes.axvline(0, color="#444444", lw=0.8, zorder=1)
    axes.hlines(rows, first, second, color=LINE, lw=2.2, zorder=2)
    sides = zip(comparison.names, (first, second), (FIRST, SECOND), (1, 0), strict=True)
    for name, weights, colour, other in sides:
        faces = ["white" if rule.only == other else colour for rule in rules]
        axes.scatter(weights, rows, s=24, c=faces, edgecolors=colour, linewidths=1.2, zorder=3)
        axes.scatter([], [], s=24, c=colour, label=name)
    axes.grid(axis="y", color="#eeeeee", lw=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(left=False)
    for spine in ("top", "left", "right"):
        axes.spines[spine].set_visible(False)
