"""The lines of a ladder's table, as the page shows them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rulebots.tournaments.standings import Tournament


@dataclass(frozen=True)
class Line:
    """A line of a ladder's table: `cells` are the win rates against the players in the order of the table.

    A cell has the numbers of both players, None where a player stands against itself.
    """

    rank: int
    name: str
    elo: str
    around: str
    rate: str
    cells: tuple[tuple[str, tuple[int, int] | None], ...]
    remark: str


def lines_of(tournament: Tournament | None) -> list[Line]:
    """The table of a ladder, best first; nothing before there are results."""
    if tournament is None:
        return []
    cross, ranking = tournament.cross_table, tournament.ranking
    lines = []
    for row, player in zip(tournament.rows(), ranking, strict=True):
        low, high = row["elo_95"]
        pairs = [None if other == player else (min(player, other), max(player, other)) for other in ranking]
        cells = tuple((_percent(cross[player, other]), pair) for other, pair in zip(ranking, pairs, strict=True))
        remark = f"lost {row['faults']:,} by fault: {row['first_fault']}" if row["faults"] else ""
        around = f"{low:+.0f} to {high:+.0f}" if math.isfinite(low + high) else "too few different deals"
        rate = _percent(row["win_rate"])
        lines.append(Line(row["rank"], row["player"], f"{row['elo']:+.0f}", around, rate, cells, remark))
    return lines


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f} %"
