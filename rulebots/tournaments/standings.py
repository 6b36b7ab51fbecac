"""The results of a tournament: meetings, ratings, the cross table."""

from __future__ import annotations

import csv
import io
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.game import Game
from rulebots.output.notebook import data_frame, html_table
from rulebots.play.deals import courses_of
from rulebots.play.results import (
    Games,
    MatchResult,
    TableFigures,
    counted,
    deal_scores,
    match_result,
    places_of,
    shares_of,
    summed_up,
)
from rulebots.play.tables import ordered
from rulebots.players import PlayerFault
from rulebots.ratings import Distinct, Ratings, bradley_terry, distinct, win_rate_interval
from rulebots.tournaments.pairing import Table


@dataclass(frozen=True)
class Meeting:
    """A match of a tournament, by the numbers of its players; `deals` int64 are the numbers of its deals.

    A deal that was played like an earlier one of the match has the number of that one.
    `scores` float64[deals] are the first player's, with a stalled game scored as a draw: on one
    scale for all players, a loss for both is the same as half a win for both. `faults` are those of the first and of
    the second player, in the order of the games.

    At a table of more than two, every two players have a meeting: who has more points in a game wins it. `table` are
    all who sat there; the faults of each stand in one of its meetings.
    """

    first: int
    second: int
    result: MatchResult
    scores: npt.NDArray[np.float64]
    deals: npt.NDArray[np.int64]
    faults: tuple[Sequence[PlayerFault], Sequence[PlayerFault]] = ((), ())
    table: Table = ()


def meeting_of(first: int, second: int, games: Games, first_deal: int) -> Meeting:
    """The meeting that played these games, `mirrored`, on the deals from that one on."""
    scores = deal_scores(games, stalled=0.5)
    # The first player has seat 0 in every other game.
    lost = [(fault.seat ^ game & 1, fault) for game, fault in enumerate(games.faults) if fault is not None]
    faults = tuple(fault for who, fault in lost if who == 0), tuple(fault for who, fault in lost if who == 1)
    return Meeting(first, second, match_result(games), scores, _dealt(games, 2, first_deal)[1], faults)


def meetings_of(table: Table, games: Games, first_deal: int) -> list[Meeting]:
    """The meetings of every two of a table that played these games, as `games_at` does, from that deal on."""
    seats = len(table)
    if seats == 2:
        return [meeting_of(table[0], table[1], games, first_deal)]
    a_deal = len(ordered(1, seats))
    schedule = ordered(len(games.points) // a_deal, seats)[:, 1:]
    seat_of = np.argsort(schedule, axis=1)
    found, numbers = _dealt(games, a_deal, first_deal)
    points, shares, places = (
        np.take_along_axis(of_seats, seat_of, axis=1)
        for of_seats in (games.points, shares_of(games), places_of(games.points))
    )
    statistics = {
        name: np.take_along_axis(games.behaviour[name], seat_of, axis=1) for name in games.behaviour.dtype.names or ()
    }
    faults = [
        [f for g, f in enumerate(games.faults) if f is not None and schedule[g, f.seat] == k] for k in range(seats)
    ]
    meetings = []
    for i, j in itertools.combinations(range(seats), 2):
        pair = [i, j]
        won = (np.sign(points[:, i] - points[:, j]) + 1) / 2
        scores, drawn = (
            np.where(games.stalled, stalled, won).reshape(-1, a_deal).mean(axis=1) for stalled in (0.0, 0.5)
        )
        figures = _figures_of(shares[:, pair], places[:, pair], scores, found, seats, a_deal)
        by_two = {name: by_player[:, pair] for name, by_player in statistics.items()}
        result = summed_up(games, points[:, pair], won, scores, found, by_two, figures)
        told = (faults[0] if (i, j) == (0, 1) else (), faults[j] if i == 0 else ())
        meetings.append(Meeting(table[i], table[j], result, drawn, numbers, told, table))
    return meetings


def _figures_of(
    shares: npt.NDArray[Any],
    places: npt.NDArray[Any],
    scores: npt.NDArray[np.float64],
    found: Distinct,
    seats: int,
    a_deal: int,
) -> TableFigures:
    """What two players had of their table: `shares` and `places` are float64[games, 2]."""
    of_first = shares[:, 0].reshape(-1, a_deal).mean(axis=1)
    (share, other), (place, behind) = shares.mean(axis=0).tolist(), places.mean(axis=0).tolist()
    return TableFigures(
        seats=seats,
        games_a_deal=a_deal,
        even=1 / seats,
        shares=(share, other),
        share_95=(0.0, 1.0) if found.too_few else win_rate_interval(of_first, found.effective),
        places=(place, behind),
        perfect=None,
        deal_scores=counted(scores),
    )


def _dealt(games: Games, a_deal: int, first_deal: int) -> tuple[Distinct, npt.NDArray[np.int64]]:
    """What the deals of games amount to, and their numbers, int64[deals]: those played alike have that of the first."""
    courses = courses_of(games.courses.reshape(-1, a_deal))
    _, where, same = np.unique(courses, return_index=True, return_inverse=True)
    return distinct(courses), first_deal + where[same]


@dataclass(frozen=True, repr=False)
class Tournament:
    """Meetings of players and their Bradley-Terry ratings; all arrays are in the order of `names`.

    At tables of more than two, all is about pairs at the tables: `wins` counts who had more points than whom.
    """

    game: Game
    names: tuple[str, ...]
    meetings: tuple[Meeting, ...]
    ratings: Ratings

    def __repr__(self) -> str:
        best = self.names[self.ranking[0]]
        return (
            f"<Tournament of {self.game.name}: {len(self.names)} players, {len(self.meetings)} meetings, {best} first>"
        )

    @property
    def seats(self) -> int:
        """How many sit at a table."""
        return len(self.meetings[0].table) or 2

    @property
    def games_a_deal(self) -> int:
        """How often each deal is played at a table."""
        return len(ordered(1, self.seats))

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

        At tables of more than two, `win_rate` is the share of the others at its tables that it was ahead of, a tie
        counting half, `share` its share of the tables won, `place` its mean place, `points` the mean of its points.
        """
        ratings, others, at_tables = self.ratings, self.seats - 1, self._at_tables()
        wins, games, stalled, cross = self.wins, self.games, self.stalled, self.cross_table
        different, faults = self.distinct_deals, self.faults
        return [
            {
                "rank": rank,
                "player": self.names[i],
                "elo": float(ratings.elo[i]),
                "elo_95": (float(ratings.low[i]), float(ratings.high[i])),
                "win_rate": float(wins[i].sum() / games[i].sum()) if games[i].any() else float("nan"),
                **at_tables[i],
                "games": int(games[i].sum()) // others,
                "stalled": int(stalled[i].sum()) // others,
                "faults": len(faults[i]),
                "first_fault": str(faults[i][0]) if faults[i] else None,
                "distinct_deals": int(different[i].sum()) // others,
                "against": {self.names[j]: float(cross[i, j]) for j in self.ranking if games[i, j]},
            }
            for rank, i in enumerate(self.ranking, 1)
        ]

    def pairs(self) -> list[dict[str, Any]]:
        """Each meeting, in plain numbers."""
        return [
            {"first": self.names[m.first], "second": self.names[m.second], **m.result.summary()} for m in self.meetings
        ]

    def _at_tables(self) -> list[dict[str, float]]:
        """What each player had of its tables, of more than two; nothing else at two."""
        found = list[list[tuple[float, float, float]]]([] for _ in self.names)
        for m in self.meetings:
            if (figures := m.result.table) is not None:
                points = m.result.points, m.result.opponent_points
                for player, *had in zip((m.first, m.second), figures.shares, figures.places, points, strict=True):
                    found[player].append((had[0], had[1], had[2]))
        keys = ("share", "place", "points")
        nothing = dict.fromkeys(keys, math.nan) if self.seats > 2 else {}
        return [dict(zip(keys, np.mean(had, axis=0).tolist(), strict=True)) if had else nothing for had in found]

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
    more = tuple(name for name in ("share", "place", "points") if name in rows[0])
    columns = ("rank", "player", "elo", "elo_low", "elo_high", "win_rate", *more, "games", "stalled", "distinct_deals")
    writer.writerow([*columns, *(f"against {name}" for name in names)])
    for row in rows:
        known = math.isfinite(row["elo_95"][0])
        rating = (f"{row['elo']:.2f}", *(f"{end:.2f}" if known else "" for end in row["elo_95"]))
        against = (f"{row['against'][name]:.6f}" if name in row["against"] else "" for name in names)
        counts = (*(f"{row[name]:.6f}" for name in more), row["games"], row["stalled"], row["distinct_deals"])
        writer.writerow([row["rank"], row["player"], *rating, f"{row['win_rate']:.6f}", *counts, *against])
    return text.getvalue()


def _ends(interval: tuple[float, float]) -> str:
    """The ends of an interval in whole points; nothing where it is without end."""
    low, high = interval
    return f"{low:+.0f} to {high:+.0f}" if math.isfinite(low + high) else ""
