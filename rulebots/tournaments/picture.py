"""A tournament as a picture: ratings with their intervals, and the cross table as a heat map."""

from __future__ import annotations

from typing import Any

import numpy as np

from rulebots.output import figures as drawing
from rulebots.output.figures import picture_format
from rulebots.tournaments.standings import Tournament

__all__ = ["picture", "picture_format"]

#: Inches.
ROW, HEAD, LEFT, CELL = 0.36, 1.3, 5.2, 0.62
#: A cell whose rate is this far from one half is dark, and its figure white.
DARK = 0.32


def picture(tournament: Tournament, ending: str, title: str = "") -> bytes:
    """The picture as a file of that format, the same bytes for the same tournament.

    Raises:
        UsageError: matplotlib is not installed.
    """
    ranking = tournament.ranking
    names, count = [tournament.names[i] for i in ranking], len(ranking)
    longest = 0.075 * max(len(name) for name in names)
    cells = CELL * max(3, count)
    with drawing.styled():
        figure = drawing.new_figure(LEFT + 2 * longest + cells, HEAD + longest / 2 + max(4, count) * ROW)
        left, right = figure.subplots(1, 2, width_ratios=[LEFT, longest + cells])
        figure.suptitle(title)
        _ratings(left, tournament, names)
        _cross_table(right, tournament, names)
        return drawing.picture_bytes(figure, ending)


def _ratings(axes: Any, tournament: Tournament, names: list[str]) -> None:
    """A point with its interval for each player, best on top."""
    ratings, ranking = tournament.ratings, tournament.ranking
    elo, rows = ratings.elo[ranking], np.arange(len(names))
    reach = np.array([elo - ratings.low[ranking], ratings.high[ranking] - elo])
    known = np.isfinite(reach).all(axis=0)
    axes.errorbar(elo[known], rows[known], xerr=reach[:, known], fmt="none", ecolor=drawing.FAINT, capsize=3, lw=1.4)
    axes.plot(elo, rows, "o", color=drawing.FIRST, ms=5)
    for row, rating in enumerate(elo):
        axes.annotate(f"{rating:+.0f}", (rating, row), (0, 5), textcoords="offset points", ha="center", fontsize=7.5)
    axes.axvline(0, color=drawing.FAINT, lw=0.8, zorder=0)
    axes.grid(axis="y", visible=False)
    axes.set_yticks(rows, names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.margins(x=0.08)
    axes.set_xlabel("Elo, mean of the players 0; 95 % intervals")
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)


def _cross_table(axes: Any, tournament: Tournament, names: list[str]) -> None:
    """Win rates of the rows' players against the columns', best first."""
    order = np.ix_(tournament.ranking, tournament.ranking)
    rates = tournament.cross_table[order]
    axes.imshow(np.ma.masked_invalid(rates), cmap="RdBu", vmin=0, vmax=1, aspect="auto")
    for (row, column), rate in np.ndenumerate(rates):
        if np.isfinite(rate):
            colour = "white" if abs(rate - 0.5) > DARK else "black"
            axes.text(column, row, f"{100 * rate:.1f}", ha="center", va="center", color=colour, fontsize=7.5)
    places = np.arange(len(names))
    axes.set_xticks(places, names, rotation=35, ha="left", rotation_mode="anchor")
    axes.xaxis.tick_top()
    axes.set_yticks(places, names)
    axes.tick_params(length=0)
    axes.set_facecolor(drawing.GRID)
    axes.grid(visible=False)
    axes.set_xticks(places[:-1] + 0.5, minor=True)
    axes.set_yticks(places[:-1] + 0.5, minor=True)
    axes.grid(which="minor", color="white", lw=1.2)
    axes.tick_params(which="minor", length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel("the row's win rate in %")
