"""A tournament as comma-separated values."""

from __future__ import annotations

import csv
import io
import math

from rulebots.tournaments.standings import Tournament


def as_csv(tournament: Tournament) -> str:
    """A line for each player, best first: its rating, then its win rate against each of the others.

    The ends of an interval that is not known are empty.
    """
    rows = tournament.rows()
    names = [row["player"] for row in rows]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    columns = ("rank", "player", "elo", "elo_low", "elo_high", "win_rate", "games", "stalled", "distinct_deals")
    writer.writerow([*columns, *(f"against {name}" for name in names)])
    for row in rows:
        known = math.isfinite(row["elo_95"][0])
        rating = (f"{row['elo']:.2f}", *(f"{end:.2f}" if known else "" for end in row["elo_95"]))
        against = (f"{row['against'][name]:.6f}" if name in row["against"] else "" for name in names)
        counts = (row["games"], row["stalled"], row["distinct_deals"])
        writer.writerow([row["rank"], row["player"], *rating, f"{row['win_rate']:.6f}", *counts, *against])
    return text.getvalue()
