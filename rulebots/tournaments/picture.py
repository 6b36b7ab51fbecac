"""A tournament as a picture: ratings, or points, with their intervals, and the cross table as a heat map."""

from __future__ import annotations

from typing import Any

import numpy as np

from rulebots.output import figures as drawing
from rulebots.output.figures import picture_format
from rulebots.tournaments.cross_play import CrossPlay
from rulebots.tournaments.standings import Tournament

__all__ = ["picture", "picture_format"]

#: Inches.
ROW, HEAD, LEFT, CELL = 0.36, 1.3, 5.2, 0.62
#: A cell whose rate is this far from one half is dark, and its figure white.
DARK = 0.32


def picture(tournament: Tournament | CrossPlay, ending: str, title: str = "") -> bytes:
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


def _ratings(axes: Any, tournament: Tournament | CrossPlay, names: list[str]) -> None:
    """A point with its interval for each player, best on top."""
    rows, together = np.arange(len(names)), isinstance(tournament, CrossPlay)
    if isinstance(tournament, CrossPlay):
        lines = tournament.rows()
        elo, ends = np.array([row["points"] for row in lines]), np.array([row["points_95"] for row in lines]).T
    else:
        ratings, ranking = tournament.ratings, tournament.ranking
        elo, ends = ratings.elo[ranking], np.array([ratings.low[ranking], ratings.high[ranking]])
    reach = np.array([elo - ends[0], ends[1] - elo])
    known = np.isfinite(reach).all(axis=0)
    axes.errorbar(elo[known], rows[known], xerr=reach[:, known], fmt="none", ecolor=drawing.FAINT, capsize=3, lw=1.4)
    axes.plot(elo, rows, "o", color=drawing.FIRST, ms=5)
    for row, rating in enumerate(elo):
        figure = f"{rating:.2f}" if together else f"{rating:+.0f}"
        axes.annotate(figure, (rating, row), (0, 5), textcoords="offset points", ha="center", fontsize=7.5)
    if not together:
        axes.axvline(0, color=drawing.FAINT, lw=0.8, zorder=0)
    axes.grid(axis="y", visible=False)
    axes.set_yticks(rows, names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.margins(x=0.08)
    what = "points with copies of itself" if together else "Elo, mean of the players 0"
    axes.set_xlabel(f"{what}; 95 % intervals")
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)


def _cross_table(axes: Any, tournament: Tournament | CrossPlay, names: list[str]) -> None:
    """Win rates of the rows' players against the columns', best first."""
    order = np.ix_(tournament.ranking, tournament.ranking)
    factor, label, low, high = 100.0, "the row's win rate in %", 0.0, 1.0
    if isinstance(tournament, CrossPlay):
        rates, factor, label = tournament.points[order], 1.0, "points with the row's copies"
        low, high = float(np.nanmin(rates)), float(np.nanmax(rates))
    else:
        rates = tournament.cross_table[order]
        label = "the row's share ahead in %" if tournament.seats > 2 else label
    axes.imshow(np.ma.masked_invalid(rates), cmap="RdBu", vmin=low, vmax=high, aspect="auto")
    for (row, column), rate in np.ndenumerate(rates):
        if np.isfinite(rate):
            colour = "white" if abs(rate - (low + high) / 2) > DARK * (high - low) else "black"
            axes.text(column, row, f"{factor * rate:.1f}", ha="center", va="center", color=colour, fontsize=7.5)
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
    axes.set_xlabel(label)
