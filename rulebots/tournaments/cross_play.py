"""Games for all together: a table of who scores how much with whom, instead of ratings."""

from __future__ import annotations

import copy
import csv
import io
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.output.notebook import data_frame, html_table
from rulebots.play.deals import Deals, DealStream, courses_of
from rulebots.play.match import game_of, play_games
from rulebots.play.sides import Terms
from rulebots.play.tables import one_among
from rulebots.players import Player, PlayerFault, name_of, named_apart
from rulebots.ratings import distinct, margin_interval


@dataclass(frozen=True)
class Partners:
    """What two players scored as one team, by number; the same number twice is a team of copies.

    `guest` sat in each seat in turn among copies of `host`. `points`, float64[deals], are the means of deals, `total`
    is the sum of all games. A deal that was played like an earlier one has the number of that one in `deals`, int64.
    `perfect` counts the games with the most points that the game can bring, `plies` is the mean length of a game.
    `faults` are those of host and guest.
    """

    host: int
    guest: int
    points: npt.NDArray[np.float64]
    deals: npt.NDArray[np.int64]
    total: int
    games: int
    stalled: int
    perfect: int
    plies: float
    faults: tuple[Sequence[PlayerFault], Sequence[PlayerFault]]

    @property
    def mean(self) -> float:
        """The mean points of a game."""
        return self.total / self.games

    @property
    def points_95(self) -> tuple[float, float]:
        """A 95 % interval of the mean over deals; infinite where too few of them were different."""
        found = distinct(self.deals)
        return (-math.inf, math.inf) if found.too_few else margin_interval(self.points, found.effective)


#: Called after each two; False, and nothing else, ends it.
PartnersWatch = Callable[[int, int, Partners], object]


@dataclass(frozen=True, repr=False)
class CrossPlay:
    """Who scores how much with whom; all arrays are in the order of `names`.

    At two seats every two play together once, from both seats; at more, each is the guest of each.
    """

    game: Game
    names: tuple[str, ...]
    seats: int
    partners: tuple[Partners, ...]

    def __repr__(self) -> str:
        best = self.names[self.ranking[0]]
        return f"<CrossPlay of {self.game.name}: {len(self.names)} players, {best} scores most with itself>"

    def _repr_html_(self) -> str:
        rows = [(row["rank"], row["player"], *(f"{row[name]:.2f}" for name in self._columns)) for row in self.rows()]
        return html_table(("", "player", *self._columns), rows, f"{self.game.title}, points, best with itself first")

    def to_pandas(self) -> Any:
        """The lines of `rows()` without the table, as a `pandas.DataFrame`. Raises UsageError: pandas is missing."""
        return data_frame([{name: cell for name, cell in row.items() if name != "with"} for row in self.rows()])

    @property
    def _columns(self) -> tuple[str, ...]:
        return ("points",) if self.seats == 1 else ("points", "with_others")

    @property
    def points(self) -> npt.NDArray[np.float64]:
        """Mean points with copies of the row's player and one of the column's: float64[players, players]; NaN unplayed.

        At two seats the table is symmetrical.
        """
        table = np.full((len(self.names), len(self.names)), np.nan)
        for p in self.partners:
            table[p.host, p.guest] = p.mean
            if self.seats == 2:
                table[p.guest, p.host] = p.mean
        return table

    @property
    def ranking(self) -> list[int]:
        """The players' numbers, the most points with copies of itself first; equals in the order of `names`."""
        own = np.nan_to_num(self.points.diagonal(), nan=-np.inf)
        return [int(player) for player in np.argsort(-own.round(9), kind="stable")]

    def rows(self) -> list[dict[str, Any]]:
        """A line for each player in plain data, the most points with copies of itself first; `with` is its line.

        `points` and its interval are with copies of itself, `perfect` the share of these games with the most points
        that the game can bring, None where it does not say. `with_others` is the mean of all teams with one other
        player, as host and as guest. `faults` counts the games that the team lost by its fault.
        """
        own = {p.host: p for p in self.partners if p.host == p.guest}
        table, most = self.points, self.game.most_points
        lines = []
        for rank, i in enumerate(self.ranking, 1):
            others = np.concatenate([np.delete(table[i], i), np.delete(table[:, i], i)])
            among = [p for p in self.partners if i in (p.host, p.guest)]
            faults = [
                f for p in among for who, of in zip((p.host, p.guest), p.faults, strict=True) if who == i for f in of
            ]
            mine = own.get(i)
            lines.append(
                {
                    "rank": rank,
                    "player": self.names[i],
                    "points": math.nan if mine is None else mine.mean,
                    "points_95": (-math.inf, math.inf) if mine is None else mine.points_95,
                    "perfect": None if mine is None or most is None else mine.perfect / mine.games,
                    "with_others": None if np.isnan(others).all() else float(np.nanmean(others)),
                    "games": sum(p.games for p in among),
                    "stalled": sum(p.stalled for p in among),
                    "faults": len(faults),
                    "first_fault": str(faults[0]) if faults else None,
                    "with": {self.names[j]: float(table[i, j]) for j in self.ranking if not math.isnan(table[i, j])},
                }
            )
        return lines

    def pairs(self) -> list[dict[str, Any]]:
        """Each two, in plain numbers."""
        return [
            {
                "host": self.names[p.host],
                "guest": self.names[p.guest],
                "points": p.mean,
                "points_95": p.points_95,
                "games": p.games,
                "stalled": p.stalled,
                "distinct_deals": len(np.unique(p.deals)),
            }
            for p in self.partners
        ]

    def as_csv(self) -> str:
        """The lines of `rows()`; the ends of an interval that is not known are empty."""
        rows, text = self.rows(), io.StringIO()
        names = [row["player"] for row in rows]
        writer = csv.writer(text, lineterminator="\n")
        columns = (
            "rank",
            "player",
            "points",
            "points_low",
            "points_high",
            "perfect",
            "with_others",
            "games",
            "stalled",
        )
        writer.writerow([*columns, *(f"with {name}" for name in names)])
        for row in rows:
            figures = (row["points"], *row["points_95"], row["perfect"], row["with_others"])
            shown = ("" if number is None or not math.isfinite(number) else f"{number:.6f}" for number in figures)
            cells = (f"{row['with'][name]:.6f}" if name in row["with"] else "" for name in names)
            writer.writerow([row["rank"], row["player"], *shown, row["games"], row["stalled"], *cells])
        return text.getvalue()


def cross_play(
    players: Sequence[Player],
    *,
    deals: int = 1000,
    seed: int = 1,
    options: Mapping[str, int] | None = None,
    jobs: int = 1,
    opening_plies: int | None = None,
    move_seconds: float | None = None,
    watch: PartnersWatch | None = None,
) -> CrossPlay:
    """Let players of a game for all together play with copies of themselves, and each with each of the others.

    All play the same deals. Of two different players, one sits in each seat of a deal in turn, among copies of the
    other. Alone, each plays alone. A fault loses the team's game, by a point; it goes on.

    Raises:
        UsageError: fewer than two players, players of different games, a game against each other, a wrong option.
    """
    check_players(players)
    stream = DealStream(game_of(players), seed, options=options, opening_plies=opening_plies)
    drawn, terms = stream.take(deals), Terms(move_seconds, faults_lose=True)
    game, seats, count = stream.game, drawn.seats, len(players)
    if not game.together(seats):
        raise UsageError(f"{game.title} with {seats} seats is played against each other: use play_tournament")
    kinds: dict[int, list[tuple[int, int]]] = {
        1: [(i, i) for i in range(count)],
        2: list(itertools.combinations_with_replacement(range(count), 2)),
    }
    meeting, found = kinds.get(seats, list(itertools.product(range(count), repeat=2))), list[Partners]()
    for host, guest in meeting:
        found.append(_partners(players, host, guest, drawn, jobs, terms))
        if watch and watch(len(found), len(meeting), found[-1]) is False:
            break
    return CrossPlay(game, tuple(named_apart([name_of(player) for player in players])), seats, tuple(found))


def check_players(players: object) -> None:
    """Raise UsageError for anything but two players or more."""
    if not isinstance(players, Sequence) or len(players) < 2:
        count = len(players) if isinstance(players, Sequence) else repr(players)
        raise UsageError(f"a tournament needs at least 2 players, not {count}")


def _partners(players: Sequence[Player], host: int, guest: int, deals: Deals, jobs: int, terms: Terms) -> Partners:
    """The games of copies of one player, with the other one among them in each seat."""
    team, schedule = [players[host], copy.copy(players[guest])], one_among(len(deals), seats=deals.seats)
    if host == guest:
        team, schedule = team[:1], schedule[:: deals.seats] * ([1] + [0] * deals.seats)
    games = play_games(team, deals, schedule, jobs, terms=terms)
    points = games.points[:, 0]
    _, where, same = np.unique(
        courses_of(games.courses.reshape(len(deals), -1)), return_index=True, return_inverse=True
    )
    lost = [(schedule[g, 1 + fault.seat], fault) for g, fault in enumerate(games.faults) if fault is not None]
    return Partners(
        host=host,
        guest=guest,
        points=points.reshape(len(deals), -1).mean(axis=1),
        deals=where[same],
        total=int(points.sum()),
        games=len(points),
        stalled=int(games.stalled.sum()),
        perfect=0 if deals.game.most_points is None else int((points == deals.game.most_points).sum()),
        plies=float(games.plies.mean()),
        faults=(tuple(f for who, f in lost if who == 0), tuple(f for who, f in lost if who == 1)),
    )
