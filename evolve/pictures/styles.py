"""A map of styles as a picture: the win rate of each cell's player over two statistics of its play."""

from __future__ import annotations

import numpy as np

from evolve.analysis.styles import StyleMap
from rulebots.output import figures as drawing

#: Inches of a cell, and around the map.
CELL, AROUND = 0.55, 2.2
#: Beyond so many cells a side there is no room for figures.
MOST_FIGURES = 15


def picture(found: StyleMap, ending: str) -> bytes:
    """The picture as a file of that format, the same bytes for the same map.

    Raises:
        UsageError: matplotlib is not installed.
    """
    size = AROUND + CELL * min(found.cells, MOST_FIGURES)
    game = found.rules.game
    with drawing.styled():
        figure = drawing.new_figure(size + 1, size)
        axes = figure.subplots()
        (low, high), (low_2, high_2) = found.limits
        rates = 100 * found.win_rates.T
        shown = axes.imshow(
            np.ma.masked_invalid(rates),
            origin="lower",
            extent=(low, high, low_2, high_2),
            aspect="auto",
            cmap="viridis",
        )
        if found.cells <= MOST_FIGURES:
            for (row, column), rate in np.ndenumerate(rates):
                if np.isfinite(rate):
                    x = low + (column + 0.5) * (high - low) / found.cells
                    y = low_2 + (row + 0.5) * (high_2 - low_2) / found.cells
                    dark = rate < np.nanmean(rates)
                    colour = "white" if dark else "black"
                    axes.text(x, y, f"{rate:.0f}", ha="center", va="center", color=colour, fontsize=7.5)
        axes.grid(visible=False)
        axes.set(xlabel=f"{found.by[0]} a game", ylabel=f"{found.by[1]} a game")
        axes.set_title(f"{game.title}: the strongest player of each style against {found.opponent}")
        figure.colorbar(shown, ax=axes, label="win rate in %")
        return drawing.file_of(figure, ending)
