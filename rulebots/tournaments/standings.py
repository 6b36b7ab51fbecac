"""The results of a tournament: meetings, ratings, the cross table."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.game import Game
from rulebots.output.notebook import data_frame, html_table
from rulebots.play.results import Games, MatchResult, deal_courses, deal_scores, match_result
from rulebots.players import PlayerFault
from rulebots.ratings import Ratings, bradley_terry


@dataclass(frozen=True)
class Meeting:
    """A match of a tournament, by the numbers of its players; `deals` int64 are the numbers of its deals.

    A deal that was played like an earlier one of the match has the number of that one.
    `scores` float64[deals] are the first player's, with a stalled game scored as a draw: on one
    scale for all players, a loss for both is the same as half a win for both. `faults` are those of the first and of
    the second player, in the order of the games.
    """

    first: int
    second: int
    result: MatchResult
    scores: npt.NDArray[np.float64]
    deals: npt.NDArray[np.int64]
    faults: tuple[Sequence[PlayerFault], Sequence[PlayerFault]] = ((), ())


def meeting_of(first: int, second: int, games: Games, first_deal: int) -> Meeting:
    """The meeting that played these games, `mirrored`, on the deals from that one on."""
    _, where, same = np.unique(deal_courses(games), return_index=True, return_inverse=True)
    scores = deal_scores(games, stalled=0.5)
    # The first player has seat 0 in every other game.
    lost = [(fault.seat ^ game & 1, fault) for game, fault in enumerate(games.faults) if fault is not None]
    faults = tuple(fault for who, fault in lost if who == 0), tuple(fault for who, fault in lost if who == 1)
    return Meeting(first, second, match_result(games), scores, first_deal + where[same], faults)


@dataclass(frozen=True, repr=False)
class Tournament:
    """Meetings of players and their Bradley-Terry ratings; all arrays are in the order of `names`."""

    game: Game
    names: tuple[str, ...]
    meetings: tuple[Meeting, ...]
    ratings: Ratings

    def __repr__(self) -> str:
        best = self.names[self.ranking[0]]
        return (
            f"<Tournament of {self.game.name}: {len(self.names)} players, {len(self.meetings)} meetings, {best} first>"
        )

    def _repr_html_(self) -> str:
        rows = [
            (row["rank"], row["player"], f"{row['elo']:+.0f}", _ends(row["elo_95"]), f"{100 * row['win_rate']:.1f} %")
            for row in self.rows()
        ]
        return html_table(("", "player", "Elo", "95 %", "win rate"), rows, f"{self.game.title}, best first")

    def to_pandas(self) -> Any:
        """The lines of `rows()` without the cross table, as a `pandas.DataFrame`: a line for each player, best first.

        Raises:
            UsageError: pandas is not installed.
        """
        return data_frame([{name: cell for name, cell in row.items() if name != "against"} for row in self.rows()])

    @property
    def ranking(self) -> list[int]:
        """The players' numbers, best rating first; equals in the order of `names`."""
        return [int(player) for player in np.argsort(-self.ratings.elo.round(6), kind="stable")]

    @property
    def wins(self) -> npt.NDArray[np.float64]:
        """Games that the row's player won of the column's, a draw as half: float64[players, players]."""
        return self._table(lambda r: r.wins + r.draws / 2, lambda r: r.losses + r.draws / 2)

    @property
    def games(self) -> npt.NDArray[np.float64]:
        """Games that two players played with each other: float64[players, players]."""
        return self._table(lambda r: r.games, lambda r: r.games)

    @property
    def stalled(self) -> npt.NDArray[np.float64]:
        """Games that stalled, in the same layout."""
        return self._table(lambda r: r.stalled, lambda r: r.stalled)

    @property
    def faults(self) -> list[list[PlayerFault]]:
        """The faults of each player, in the order of the meetings."""
        found = list[list[PlayerFault]]([] for _ in self.names)
        for m in self.meetings:
            for player, faults in zip((m.first, m.second), m.faults, strict=True):
                found[player] += faults
        return found

    @property
    def distinct_deals(self) -> npt.NDArray[np.float64]:
        """Deals of two players that were not played alike, in the same layout."""
        return self._table(lambda r: r.distinct_deals, lambda r: r.distinct_deals)

    @property
    def cross_table(self) -> npt.NDArray[np.float64]:
        """The win rate of the row's player against the column's; NaN where they have not met."""
        games = self.games
        return np.divide(self.wins, games, out=np.full_like(games, np.nan), where=games > 0)

    def rows(self) -> list[dict[str, Any]]:
        """A line for each player, best first, in plain data; `against` is its line of the cross table.

        `distinct_deals` is the sum over its meetings. `elo_95` is infinite where that is too little, or where the
        pairings do not relate all players. `faults` counts the games that it lost by fault, `first_fault` says what the
        first one was.
        """
        ratings, wins, games, stalled, cross = self.ratings, self.wins, self.games, self.stalled, self.cross_table
        different, faults = self.distinct_deals, self.faults
        return [
            {
                "rank": rank,
                "player": self.names[i],
                "elo": float(ratings.elo[i]),
                "elo_95": (float(ratings.low[i]), float(ratings.high[i])),
                "win_rate": float(wins[i].sum() / games[i].sum()) if games[i].any() else float("nan"),
                "games": int(games[i].sum()),
                "stalled": int(stalled[i].sum()),
                "faults": len(faults[i]),
                "first_fault": str(faults[i][0]) if faults[i] else None,
                "distinct_deals": int(different[i].sum()),
                "against": {self.names[j]: float(cross[i, j]) for j in self.ranking if games[i, j]},
            }
            for rank, i in enumerate(self.ranking, 1)
        ]

    def pairs(self) -> list[dict[str, Any]]:
        """Each meeting, in plain numbers."""
        return [
            {"first": self.names[m.first], "second": self.names[m.second], **m.result.summary()} for m in self.meetings
        ]

    def _table(self, of_first: Any, of_second: Any) -> npt.NDArray[np.float64]:
        table = np.zeros((len(self.names), len(self.names)))
        for m in self.meetings:
            table[m.first, m.second] += of_first(m.result)
            table[m.second, m.first] += of_second(m.result)
        return table


def tournament_of(game: Game, names: Sequence[str], meetings: Sequence[Meeting]) -> Tournament:
    """These meetings with the ratings that they give."""
    pairs = np.concatenate([np.full((len(m.deals), 2), (m.first, m.second)) for m in meetings])
    scores, deals = (np.concatenate([getattr(m, part) for m in meetings]) for part in ("scores", "deals"))
    return Tournament(game, tuple(names), tuple(meetings), bradley_terry(len(names), pairs, scores, deals))


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


def _ends(interval: tuple[float, float]) -> str:
    """The ends of an interval in whole points; nothing where it is without end."""
    low, high = interval
    return f"{low:+.0f} to {high:+.0f}" if math.isfinite(low + high) else ""
