"""Two players' weights as a picture: a dumbbell a rule, early and late side by side."""

from __future__ import annotations

from typing import Any

import numpy as np

from evolve.analysis.comparison import Comparison
from rulebots.output import figures as drawing
from rulebots.rules import EARLY, LATE

#: Inches: a rule's row, what stands above and below the rows, and a panel.
ROW, FRAME, PANEL, LETTER = 0.21, 1.5, 3.6, 0.075


def draw(comparison: Comparison, ending: str) -> bytes:
    """The picture as a `png` or `svg` file: the same bytes for the same players.

    Raises:
        UsageError: matplotlib is not installed.
    """
    rules = comparison.rules
    halves = {"one weight": EARLY} if comparison.flat else {"early in a game": EARLY, "late in a game": LATE}
    labels = LETTER * max((len(rule.key) for rule in rules), default=0)
    known = np.array([pair for rule in rules for pair in (rule.first, rule.second) if pair is not None], np.float64)
    with drawing.styled():
        figure = drawing.new_figure(labels + PANEL * len(halves) + 0.4, FRAME + ROW * len(rules))
        panels = figure.subplots(1, len(halves), sharex=True, sharey=True, squeeze=False)[0]
        for axes, (title, half) in zip(panels, halves.items(), strict=True):
            axes.set_xscale("asinh", linear_width=drawing.small_weight(known))
            _panel(axes, comparison, half)
            axes.set_title(title)
        marks = drawing.weight_ticks(known)
        panels[0].set_xticks(marks, [f"{mark:g}" for mark in marks])
        panels[0].minorticks_off()
        panels[0].set_yticks(range(len(rules)), [rule.key for rule in rules], fontsize=8)
        panels[0].set_ylim(len(rules) - 0.4, -0.6)
        figure.suptitle(f"Weights of {comparison.game}, largest differences first", fontsize=11)
        handles, names = panels[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=2)
        return drawing.file_of(figure, ending)


def _panel(axes: Any, comparison: Comparison, half: int) -> None:
    """The weights of one half of the game; an open ring is a rule that only the other player has."""
    rules, rows = comparison.rules, range(len(comparison.rules))
    first = [(rule.first or (0.0, 0.0))[half] for rule in rules]
    second = [(rule.second or (0.0, 0.0))[half] for rule in rules]
    axes.axvline(0, color=drawing.FAINT, lw=0.8, zorder=1)
    axes.hlines(rows, first, second, color=drawing.GRID, lw=2.2, zorder=2)
    sides = zip(comparison.names, (first, second), (drawing.FIRST, drawing.SECOND), (1, 0), strict=True)
    for name, weights, colour, other in sides:
        faces = ["white" if rule.only == other else colour for rule in rules]
        axes.scatter(weights, rows, s=24, c=faces, edgecolors=colour, linewidths=1.2, zorder=3)
        axes.scatter([], [], s=24, c=colour, label=name)
    axes.tick_params(left=False)
    axes.spines["left"].set_visible(False)
    axes.set_xlabel("weight (small ones drawn larger)")
