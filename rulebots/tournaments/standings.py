"""The results of a tournament: meetings, ratings, the cross table."""

from __future__ import annotations

import csv
import io
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.game import Game
from rulebots.output.notebook import data_frame, html_table
from rulebots.play.deals import ordered
from rulebots.play.results import Games, MatchResult, contests_of, result_of, table_figures
from rulebots.players import PlayerFault
from rulebots.ratings import Ratings, bradley_terry
from rulebots.tournaments.pairing import Table

Floats = npt.NDArray[np.float64]
#: The ends of an interval, as columns name them.
ENDS = ((0, "low"), (1, "high"))


@dataclass(frozen=True)
class Meeting:
    """What two players of a table had of each other, by their numbers; `table` are all players who sat there.

    Who has more points in a game wins it. `deals`, int64, are the numbers of the deals; a deal that was played like an
    earlier one of the table has the number of that one. `scores`, float64[deals], are the first player's, with a
    stalled game scored as a draw: on one scale for all players, a loss for both is the same as half a win for both.
    `faults` are those of the first and of the second player, in the order of the games; at a table of more than two
    the faults of each player stand in one of its meetings.
    """

    first: int
    second: int
    table: Table
    result: MatchResult
    scores: Floats
    deals: npt.NDArray[np.int64]
    faults: tuple[Sequence[PlayerFault], Sequence[PlayerFault]] = ((), ())


def meetings_of(table: Table, games: Games, first_deal: int) -> list[Meeting]:
    """The meetings of every two players of a table, from its games, as `games_at` plays them, from that deal on."""
    seats = len(table)
    schedule = ordered(len(games) // len(ordered(1, seats)), seats)
    contests = contests_of(games, None, schedule)
    faults: list[list[PlayerFault]] = [[] for _ in table]
    for game, fault in enumerate(games.faults):
        if fault is not None:
            faults[schedule[game, 1 + fault.seat]].append(fault)
    _, earliest, copy_of = np.unique(contests.courses, return_index=True, return_inverse=True)
    meetings = []
    for i, j in itertools.combinations(range(seats), 2):
        pair = contests.between(i, j)
        meetings.append(
            Meeting(
                first=table[i],
                second=table[j],
                table=table,
                result=result_of(pair, table_figures(contests, (i, j)) if seats > 2 else None),
                scores=pair.by_deal(pair.scores(stalled=0.5)),
                deals=first_deal + earliest[copy_of],
                faults=(faults[0] if (i, j) == (0, 1) else (), faults[j] if i == 0 else ()),
            )
        )
    return meetings


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

    @property
    def seats(self) -> int:
        """The number of seats at a table."""
        return len(self.meetings[0].table)

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
    def wins(self) -> Floats:
        """Games in which the row's player was ahead of the column's, a draw as half: float64[players, players]."""
        return self._table(lambda r: r.wins + r.draws / 2, lambda r: r.losses + r.draws / 2)

    @property
    def games(self) -> Floats:
        """Games that two players played with each other: float64[players, players]."""
        return self._table(lambda r: r.games)

    @property
    def stalled(self) -> Floats:
        """Games that stalled, in the same layout."""
        return self._table(lambda r: r.stalled)

    @property
    def distinct_deals(self) -> Floats:
        """Deals of two players that were not played alike, in the same layout."""
        return self._table(lambda r: r.distinct_deals)

    @property
    def cross_table(self) -> Floats:
        """The win rate of the row's player against the column's; NaN where they have not met."""
        games = self.games
        return np.divide(self.wins, games, out=np.full_like(games, np.nan), where=games > 0)

    @property
    def faults(self) -> list[list[PlayerFault]]:
        """The faults of each player, in the order of the meetings."""
        by_player: list[list[PlayerFault]] = [[] for _ in self.names]
        for m in self.meetings:
            by_player[m.first] += m.faults[0]
            by_player[m.second] += m.faults[1]
        return by_player

    def rows(self) -> list[dict[str, Any]]:
        """A line for each player, best first, in plain data; `against` is its line of the cross table.

        `distinct_deals` is the sum over its meetings. `elo_95` is infinite where that is too little, or where the
        pairings do not relate all players. `faults` counts the games that it lost by fault, `first_fault` describes the
        first one.

        At tables of more than two, `win_rate` is the share of the others at its tables that it was ahead of, a tie
        counting half, `share` its share of the tables won, `place` its mean place, `points` the mean of its points.
        """
        others = self.seats - 1
        games, cross, faults = self.games, self.cross_table, self.faults
        won, stalled, different = (table.sum(axis=1) for table in (self.wins, self.stalled, self.distinct_deals))
        rows = []
        for rank, i in enumerate(self.ranking, 1):
            row: dict[str, Any] = {"rank": rank, "player": self.names[i], "elo": float(self.ratings.elo[i])}
            row["elo_95"] = (float(self.ratings.low[i]), float(self.ratings.high[i]))
            row["win_rate"] = float(won[i] / games[i].sum()) if games[i].any() else math.nan
            row |= self._at_tables(i) if self.seats > 2 else {}
            row |= {"games": int(games[i].sum()) // others, "stalled": int(stalled[i]) // others}
            row |= {"faults": len(faults[i]), "first_fault": str(faults[i][0]) if faults[i] else None}
            row["distinct_deals"] = int(different[i]) // others
            row["against"] = {self.names[j]: float(cross[i, j]) for j in self.ranking if games[i, j]}
            rows.append(row)
        return rows

    def pairs(self) -> list[dict[str, Any]]:
        """Each meeting, in plain numbers."""
        return [
            {"first": self.names[m.first], "second": self.names[m.second], **m.result.summary()} for m in self.meetings
        ]

    def _at_tables(self, player: int) -> dict[str, float]:
        """A player's means over its tables; NaN where it sat at none."""
        figures = []
        for m in self.meetings:
            if player in (m.first, m.second) and m.result.table is not None:
                k, table = int(player == m.second), m.result.table
                figures.append((table.shares[k], table.places[k], table.points[k]))
        means = np.mean(figures, axis=0).tolist() if figures else [math.nan] * 3
        return dict(zip(("share", "place", "points"), means, strict=True))

    def _table(
        self, of_first: Callable[[MatchResult], float], of_second: Callable[[MatchResult], float] | None = None
    ) -> Floats:
        """A sum over the meetings of two players, float64[players, players]; by default the same for both of them."""
        table = np.zeros((len(self.names), len(self.names)))
        for m in self.meetings:
            table[m.first, m.second] += of_first(m.result)
            table[m.second, m.first] += (of_second or of_first)(m.result)
        return table


def tournament_of(game: Game, names: Sequence[str], meetings: Sequence[Meeting]) -> Tournament:
    """These meetings with the ratings that they give."""
    pairs = np.concatenate([np.full((len(m.deals), 2), (m.first, m.second)) for m in meetings])
    scores, deals = (np.concatenate([getattr(m, part) for m in meetings]) for part in ("scores", "deals"))
    return Tournament(game, tuple(names), tuple(meetings), bradley_terry(len(names), pairs, scores, deals))


def as_csv(tournament: Tournament) -> str:
    """A line for each player, best first: its rating, then its win rate against each of the others."""
    rows = tournament.rows()
    columns = {"rank": "", "player": "", **dict.fromkeys(("elo", "elo_low", "elo_high"), ".2f"), "win_rate": ".6f"}
    columns |= {name: ".6f" for name in ("share", "place", "points") if name in rows[0]}
    return csv_text(rows, columns | dict.fromkeys(("games", "stalled", "distinct_deals"), ""), "against")


def csv_text(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str], others: str) -> str:
    """The `columns` of the players' rows, each with its format, then the figures by name that a row has as `others`.

    The ends of an interval `NAME_95` are `NAME_low` and `NAME_high`. What is not known is empty.
    """
    names = [row["player"] for row in rows]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*columns, *(f"{others} {name}" for name in names)])
    for row in rows:
        ends = {f"{key[:-3]}_{end}": row[key][i] for key in row if key[-3:] == "_95" for i, end in ENDS}
        cells = [{**row, **ends}[name] for name in columns]
        shown = [
            "" if _unknown(cell) else format(cell, form) for cell, form in zip(cells, columns.values(), strict=True)
        ]
        writer.writerow([*shown, *(f"{row[others][name]:.6f}" if name in row[others] else "" for name in names)])
    return text.getvalue()


def _unknown(cell: object) -> bool:
    return cell is None or (isinstance(cell, float) and not math.isfinite(cell))


def _ends(interval: tuple[float, float]) -> str:
    """The ends of an interval in whole points; nothing where it is infinite."""
    low, high = interval
    return f"{low:+.0f} to {high:+.0f}" if math.isfinite(low + high) else ""
