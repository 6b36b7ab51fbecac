"""A tournament as a picture: ratings, or points, with their intervals, and the cross table as a heat map."""

from typing import Any

import numpy as np

from rulebots.output import figures as drawing
from rulebots.output.figures import picture_format
from rulebots.tournaments.cross_play import CrossPlay
from rulebots.tournaments.tournament import Tournament

__all__ = ["picture", "picture_format"]

#: In inches: a player's row, the head, the ratings, a cell of the cross table.
ROW = 0.36
HEAD = 1.3
LEFT = 5.2
CELL = 0.62
#: A cell whose figure is this far from the middle of the scale, as a share of it, is dark, and its figure white.
DARK = 0.32


def picture(tournament: Tournament | CrossPlay, ending: str, title: str = "") -> bytes:
    """The picture as a file of that format, the same bytes for the same tournament.

    Raises:
        UsageError: matplotlib is not installed.
    """
    names = [tournament.names[i] for i in tournament.ranking]
    count = len(names)
    longest = 0.075 * max(len(name) for name in names)
    cells = CELL * max(3, count)
    with drawing.styled():
        figure = drawing.new_figure(LEFT + 2 * longest + cells, HEAD + longest / 2 + max(4, count) * ROW)
        left, right = figure.subplots(1, 2, width_ratios=[LEFT, longest + cells])
        figure.suptitle(title)
        _ratings(left, tournament, names)
        _cross_table(right, tournament, names)
        return drawing.picture_bytes(figure, ending)


def _ratings(axes: Any, tournament: Tournament | CrossPlay, names: list[str]) -> None:
    if isinstance(tournament, CrossPlay):
        key = "points"
        form = ".2f"
        what = "points with copies of itself"
    else:
        key = "elo"
        form = "+.0f"
        what = "Elo, mean of the players 0"
        axes.axvline(0, color=drawing.FAINT, lw=0.8, zorder=0)
    rows = [(line[key], *line[f"{key}_95"]) for line in tournament.rows()]
    drawing.dots(axes, names, rows, f"{what}; 95 % intervals")
    for place, (rating, *_) in enumerate(rows):
        axes.annotate(
            f"{rating:{form}}", (rating, place), (0, 5), textcoords="offset points", ha="center", fontsize=7.5
        )


def _cross_table(axes: Any, tournament: Tournament | CrossPlay, names: list[str]) -> None:
    order = np.ix_(tournament.ranking, tournament.ranking)
    if isinstance(tournament, CrossPlay):
        figures = tournament.points[order]
        low = float(np.nanmin(figures))
        high = float(np.nanmax(figures))
        label = "points with the row's copies"
    else:
        figures = 100 * tournament.cross_table[order]
        low = 0.0
        high = 100.0
        label = "the row's share ahead in %" if tournament.seats > 2 else "the row's win rate in %"
    axes.pcolormesh(np.ma.masked_invalid(figures), cmap="RdBu", vmin=low, vmax=high, edgecolors="white")
    for (row, column), figure in np.ndenumerate(figures):
        if np.isfinite(figure):
            colour = "white" if abs(figure - (low + high) / 2) > DARK * (high - low) else "black"
            axes.text(column + 0.5, row + 0.5, f"{figure:.1f}", ha="center", va="center", color=colour, fontsize=7.5)
    middles = np.arange(len(names)) + 0.5
    axes.set_xticks(middles, names, rotation=35, ha="left", rotation_mode="anchor")
    axes.xaxis.tick_top()
    axes.set_yticks(middles, names)
    axes.invert_yaxis()
    axes.set_facecolor(drawing.GRID)
    axes.grid(visible=False)
    axes.set_xlabel(label)
