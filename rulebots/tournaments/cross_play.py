"""Cross-play in cooperative games: a table of the points of every two players, instead of ratings."""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from rulebots.errors import demand
from rulebots.game import Floats, Game, Ints
from rulebots.game.courses import courses_of
from rulebots.output.notebook import data_frame, html_table
from rulebots.play.deals import Deals, one_among
from rulebots.play.loop import Terms
from rulebots.play.match import MatchSettings, play_games, with_result
from rulebots.players import Player, PlayerFault, name_of, named_apart
from rulebots.ratings import distinct, margin_interval
from rulebots.tournaments.tournament import Tournament, begin, csv_text, faults_of, play_tournament


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
    points: Floats
    deals: Ints
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
        different = distinct(self.deals)
        return (-math.inf, math.inf) if different.too_few else margin_interval(self.points, different.effective)


#: Called after each two players; False, and nothing else, ends it.
PartnersWatch = Callable[[int, int, Partners], object]


@dataclass(frozen=True, repr=False)
class CrossPlay:
    """The points of every two players together; all arrays are in the order of `names`.

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
        columns = ("points",) if self.seats == 1 else ("points", "with_others")
        rows = [(row["rank"], row["player"], *(f"{row[name]:.2f}" for name in columns)) for row in self.rows()]
        return html_table(("", "player", *columns), rows, f"{self.game.title}, points, best with itself first")

    def to_pandas(self) -> Any:
        """The lines of `rows()` without the table, as a `pandas.DataFrame`. Raises UsageError: pandas is missing."""
        return data_frame([{name: cell for name, cell in row.items() if name != "with"} for row in self.rows()])

    @property
    def points(self) -> Floats:
        """Mean points with copies of the row's player and one of the column's: float64[players, players]; NaN unplayed.

        At two seats the table is symmetrical.
        """
        table = np.full((len(self.names), len(self.names)), np.nan)
        for p in self.partners:
            table[p.host, p.guest] = p.mean
        return np.where(np.isnan(table), table.T, table) if self.seats == 2 else table

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
        table = self.points
        ranking = self.ranking
        rows = []
        for rank, i in enumerate(ranking, 1):
            teams = [p for p in self.partners if i in (p.host, p.guest)]
            own = next((p for p in teams if p.host == p.guest), None)
            others = np.concatenate([np.delete(table[i], i), np.delete(table[:, i], i)])
            faults = [
                fault for p in teams for k, who in enumerate((p.host, p.guest)) if who == i for fault in p.faults[k]
            ]
            rows.append(
                {
                    "rank": rank,
                    "player": self.names[i],
                    "points": float(table[i, i]),
                    "points_95": own.points_95 if own else (-math.inf, math.inf),
                    "perfect": own.perfect / own.games if own and self.game.most_points is not None else None,
                    "with_others": None if np.isnan(others).all() else float(np.nanmean(others)),
                    "games": sum(p.games for p in teams),
                    "stalled": sum(p.stalled for p in teams),
                    "faults": len(faults),
                    "first_fault": str(faults[0]) if faults else None,
                    "with": {self.names[j]: float(table[i, j]) for j in ranking if not math.isnan(table[i, j])},
                }
            )
        return rows

    def pairs(self) -> list[dict[str, Any]]:
        """Each two players, in plain numbers."""
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
        """The lines of `rows()`; what is not known is empty."""
        return csv_text(
            self.rows(),
            {
                "rank": "",
                "player": "",
                **dict.fromkeys(("points", "points_low", "points_high", "perfect", "with_others"), ".6f"),
                "games": "",
                "stalled": "",
            },
            "with",
        )


def cross_play(
    players: Sequence[Player],
    *,
    deals: int = 1000,
    seed: int = 1,
    watch: PartnersWatch | None = None,
    **settings: Unpack[MatchSettings],
) -> CrossPlay:
    """Let players of a cooperative game play with copies of themselves, and each with each of the others.

    All play the same deals. Of two different players, one sits in each seat of a deal in turn, among copies of the
    other. At one seat each plays alone. A fault loses the team's game, by a point; the tournament goes on. `settings`
    are those of `play_tournament`.

    Raises:
        UsageError: fewer than two players, players of different games, a game against each other, a wrong option.
        PlayInterrupted: on Ctrl-C.
    """
    stream, terms = begin(players, seed, settings)
    game = stream.game
    drawn = stream.take(deals)
    seats = drawn.seats
    demand(game.together(seats), f"{game.title} with {seats} seats is played against each other: use play_tournament")
    numbers = range(len(players))
    teams = list(itertools.product(numbers, repeat=2))
    if seats == 1:
        teams = [(player, player) for player in numbers]
    elif seats == 2:
        teams = list(itertools.combinations_with_replacement(numbers, 2))
    played = list[Partners]()
    names = tuple(named_apart([name_of(player) for player in players]))
    with with_result(lambda: CrossPlay(game, names, seats, tuple(played)) if played else None):
        for host, guest in teams:
            team = players[host], players[guest]
            played.append(_partners(team, (host, guest), drawn, settings.get("jobs", 1), terms))
            if watch and watch(len(played), len(teams), played[-1]) is False:
                break
    return CrossPlay(game, names, seats, tuple(played))


def _partners(team: tuple[Player, Player], numbers: tuple[int, int], deals: Deals, jobs: int, terms: Terms) -> Partners:
    """The games of copies of the host, with the guest among them in each seat."""
    host, guest = numbers
    schedule = one_among(len(deals), seats=deals.seats)
    if host == guest:
        schedule = schedule[:: deals.seats] * ([1] + [0] * deals.seats)  # once a deal, copies of the host alone
    games = play_games(team, deals, schedule, jobs, terms=terms)
    points = games.points[:, 0]
    courses = courses_of(games.courses.reshape(len(deals), -1))
    _, earliest, copy_of = np.unique(courses, return_index=True, return_inverse=True)
    of_host, *of_guest = faults_of(games, schedule)
    most = deals.game.most_points
    return Partners(
        host=host,
        guest=guest,
        points=points.reshape(len(deals), -1).mean(axis=1),
        deals=earliest[copy_of],
        total=int(points.sum()),
        games=len(points),
        stalled=int(games.stalled.sum()),
        perfect=0 if most is None else int((points == most).sum()),
        plies=float(games.plies.mean()),
        faults=(of_host, of_guest[0] if of_guest else []),
    )


def play_settings(
    players: Sequence[Player],
    settings: Mapping[str, Any],
    jobs: int = 1,
    *,
    move_seconds: float | None = None,
    watch: Callable[[int, int, Any], object] | None = None,
) -> Tournament | CrossPlay:
    """The tournament of a ladder's settings: `play_tournament`, or for a cooperative game `cross_play`.

    Raises:
        UsageError: what these raise, and a system other than a round robin in a cooperative game.
    """
    stream, _ = begin(players, settings["seed"], {"options": settings["options"]})
    terms: MatchSettings = {"jobs": jobs, "move_seconds": move_seconds}
    seats = stream.game.seats_with(stream.options)
    if not stream.game.together(seats):
        return play_tournament(players, **settings, **terms, watch=watch)
    demand(
        settings["system"] == "round-robin",
        f"{stream.game.title} is played {'alone' if seats == 1 else 'together'}: nobody meets opponents; "
        f"leave out --{settings['system']}, and all play the same deals",
    )
    shared = {name: value for name, value in settings.items() if name not in ("system", "rounds")}
    return cross_play(players, **shared, **terms, watch=watch)
