"""A tournament: its games, and its results as meetings, ratings and a cross table."""

import csv
import io
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from rulebots.errors import UsageError, demand
from rulebots.game import Bools, Floats, Game, Ints
from rulebots.output.notebook import data_frame, html_table
from rulebots.play.deals import Deals, DealStream, ordered
from rulebots.play.loop import Terms
from rulebots.play.match import MatchSettings, game_of, play_games, with_result
from rulebots.play.results import Games, MatchResult, contests_of, result_of, table_figures
from rulebots.players import Player, PlayerFault, name_of, named_apart
from rulebots.ratings import Ratings, bradley_terry
from rulebots.tournaments.pairing import SYSTEMS, Table, Tables, resting

#: The ends of an interval, as columns name them.
ENDS = ("low", "high")


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
    deals: Ints
    faults: tuple[Sequence[PlayerFault], Sequence[PlayerFault]] = ((), ())


#: Called after each meeting, of a table after its last; False, and nothing else, ends the tournament.
MeetingWatch = Callable[[int, int, Meeting], object]


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
        rows = []
        for row in self.rows():
            interval = "{:+.0f} to {:+.0f}".format(*row["elo_95"]) if math.isfinite(row["elo_95"][0]) else ""
            rows.append((row["rank"], row["player"], f"{row['elo']:+.0f}", interval, f"{100 * row['win_rate']:.1f} %"))
        return html_table(("", "player", "Elo", "95 %", "win rate"), rows, f"{self.game.title}, best first")

    def to_pandas(self) -> Any:
        """The lines of `rows()` without the cross table, as a `pandas.DataFrame`: a line for each player, best first.

        Raises:
            UsageError: pandas is not installed.
        """
        return data_frame([{name: cell for name, cell in row.items() if name != "against"} for row in self.rows()])

    @property
    def seats(self) -> int:
        """The number of seats at a table."""
        return len(self.meetings[0].table)

    @property
    def games_a_deal(self) -> int:
        """How often each deal is played at a table."""
        return len(ordered(1, self.seats))

    @property
    def unrated(self) -> Bools:
        """Whether all games of a player stalled, bool[players]: its rating then says nothing about it."""
        stalled = self._sums("stalled").sum(axis=1)
        return np.asarray((stalled > 0) & (stalled == self._sums("games").sum(axis=1)))

    @property
    def ranking(self) -> list[int]:
        """The players' numbers, best rating first, the `unrated` last; equals in the order of `names`."""
        return [int(player) for player in np.lexsort((-self.ratings.elo.round(6), self.unrated))]

    @property
    def wins(self) -> Floats:
        """Games in which the row's player was ahead of the column's, a draw as half: float64[players, players]."""
        return self._sums("wins", "losses") + self._sums("draws") / 2

    @property
    def cross_table(self) -> Floats:
        """The win rate of the row's player against the column's; NaN where they have not met."""
        games = self._sums("games")
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

        `distinct_deals` is the sum over its meetings. `elo_95` is infinite where that is too little, where the
        pairings do not relate all players, or where every game of the player stalled. `faults` counts the games that it
        lost by fault, `first_fault` describes the first one.

        At tables of more than two, `win_rate` is the share of the others at its tables that it was ahead of, a tie
        counting half, `share` its share of the tables won, `place` its mean place, `points` the mean of its points.
        """
        others = self.seats - 1
        games = self._sums("games")
        stalled = self._sums("stalled").sum(axis=1) // others
        different = self._sums("distinct_deals").sum(axis=1) // others
        won = self.wins.sum(axis=1)
        cross = self.cross_table
        ranking = self.ranking
        faults = self.faults
        low = np.where(self.unrated, -math.inf, self.ratings.low)
        high = np.where(self.unrated, math.inf, self.ratings.high)
        tables = self._tables() if self.seats > 2 else ()
        return [
            {
                "rank": rank,
                "player": self.names[i],
                "elo": float(self.ratings.elo[i]),
                "elo_95": (float(low[i]), float(high[i])),
                "win_rate": float(won[i] / games[i].sum()) if games[i].any() else math.nan,
                **(_at_tables(tables[i]) if tables else {}),
                "games": int(games[i].sum()) // others,
                "stalled": int(stalled[i]),
                "faults": len(faults[i]),
                "first_fault": str(faults[i][0]) if faults[i] else None,
                "distinct_deals": int(different[i]),
                "against": {self.names[j]: float(cross[i, j]) for j in ranking if games[i, j]},
            }
            for rank, i in enumerate(ranking, 1)
        ]

    def pairs(self) -> list[dict[str, Any]]:
        """Each meeting, in plain numbers."""
        return [
            {"first": self.names[m.first], "second": self.names[m.second], **m.result.summary()} for m in self.meetings
        ]

    def as_csv(self) -> str:
        """A line for each player, best first: its rating, then its win rate against each of the others."""
        rows = self.rows()
        columns = {"rank": "", "player": "", **dict.fromkeys(("elo", "elo_low", "elo_high"), ".2f"), "win_rate": ".6f"}
        columns |= {name: ".6f" for name in ("share", "place", "points") if name in rows[0]}
        return csv_text(rows, columns | dict.fromkeys(("games", "stalled", "distinct_deals"), ""), "against")

    def _tables(self) -> list[list[tuple[float, float, float]]]:
        """The share, the place and the points of each player at each of its tables."""
        tables: list[list[tuple[float, float, float]]] = [[] for _ in self.names]
        for m in self.meetings:
            if (of := m.result.table) is not None:
                for player, own in zip(
                    (m.first, m.second), zip(of.shares, of.places, of.points, strict=True), strict=True
                ):
                    tables[player].append(own)
        return tables

    def _sums(self, name: str, of_second: str = "") -> Floats:
        """A count of the first players' results, and one of the second ones', by default the same, for every two.

        They are summed over the meetings: float64[players, players].
        """
        sums = np.zeros((len(self.names), len(self.names)))
        for m in self.meetings:
            sums[m.first, m.second] += getattr(m.result, name)
            sums[m.second, m.first] += getattr(m.result, of_second or name)
        return sums


def play_tournament(
    players: Sequence[Player],
    system: str = "round-robin",
    *,
    rounds: int | None = None,
    deals: int = 1000,
    seed: int = 1,
    watch: MeetingWatch | None = None,
    **settings: Unpack[MatchSettings],
) -> Tournament:
    """Let players of one game meet, `deals` mirrored deals each time.

    "round-robin" is everybody with everybody, "gauntlet" the first player with everybody else, all on the
    deals that `play_match` plays with that seed; "swiss" is `rounds` rounds of neighbours in the standings,
    each on further deals. `watch(meetings played, meetings in all, meeting)` is called after each meeting; if it
    returns False, the tournament ends there, with the meetings so far. Players of the same name are numbered.

    With more than two seats, as many players meet at a table (see `Tables`), and each deal is played in every order of
    them that `ordered` has; `watch` is called after each table. All that `Tournament` says is about every two of them.

    `settings` are `options` of the game, `opening_plies` that begin each game, `jobs` and `move_seconds`, the time that
    a player asked in Python has for a move. A fault (an illegal answer, an error, a late move) loses the game, by a
    point if not by more; the tournament goes on.

    Raises:
        UsageError: fewer than two players, players of different games, an unknown system, a wrong number
            of rounds, a wrong option or seed.
        PlayInterrupted: on Ctrl-C.
    """
    demand(system in SYSTEMS, f"expected one of {', '.join(SYSTEMS)}, not '{system}'")
    stream, terms = begin(players, seed, settings)
    game = stream.game
    seats = game.seats_with(stream.options)
    demand(
        not game.together(seats),
        f"{game.title} is played {'alone' if seats == 1 else 'together'}: use rulebots.tournaments.cross_play",
    )
    tables = Tables(system, seats, len(players), rounds, seed)
    names = named_apart([name_of(player) for player in players])
    scores = [0.0] * len(players)
    meetings = list[Meeting]()
    played = list[Sequence[Table]]()
    done = 0

    def so_far() -> Tournament | None:
        return tournament_of(game, names, meetings) if meetings else None

    for turn in range(tables.turns):
        drawn = stream.take(deals)
        played.append(tables.next_round(scores, played))
        for table in played[-1]:
            with with_result(so_far):
                games = games_at(players, table, drawn, settings.get("jobs", 1), terms=terms)
            met = meetings_of(table, games, turn * deals)
            meetings += met
            for meeting in met:
                scores[meeting.first] += meeting.result.wins + meeting.result.draws / 2
                scores[meeting.second] += meeting.result.losses + meeting.result.draws / 2
            done += 1
            if watch and watch(done, tables.turns * len(played[-1]), met[-1]) is False:
                return tournament_of(game, names, meetings)
        for player in resting(len(players), played[-1]):
            scores[player] += len(ordered(1, seats)) * (seats - 1) * deals
    return tournament_of(game, names, meetings)


def _at_tables(tables: Sequence[tuple[float, float, float]]) -> dict[str, float]:
    """The means of a player over its tables; NaN where it sat at none."""
    means = np.mean(tables, axis=0).tolist() if tables else [math.nan] * 3
    return dict(zip(("share", "place", "points"), means, strict=True))


def begin(players: Sequence[Player], seed: int, settings: MatchSettings) -> tuple[DealStream, Terms]:
    """The deals of a tournament, and its terms: a fault loses the game.

    Raises:
        UsageError: fewer than two players, players of different games, a wrong option, seed or limit of time.
    """
    if not isinstance(players, Sequence) or len(players) < 2:
        count = len(players) if isinstance(players, Sequence) else repr(players)
        raise UsageError(f"a tournament needs at least 2 players, not {count}")
    stream = DealStream(
        game_of(players), seed, options=settings.get("options"), opening_plies=settings.get("opening_plies")
    )
    return stream, Terms(settings.get("move_seconds"), faults_lose=True)


def games_at(
    players: Sequence[Player], table: Table, deals: Deals, jobs: int = 1, *, terms: Terms, keep_moves: bool = False
) -> Games:
    """The games of a table on these deals, `ordered`. A player may have several seats."""
    seated = [players[player] for player in table]
    return play_games(seated, deals, ordered(len(deals), len(table)), jobs, keep_moves=keep_moves, terms=terms)


def meetings_of(table: Table, games: Games, first_deal: int) -> list[Meeting]:
    """The meetings of every two players of a table, from its games, as `games_at` plays them, from that deal on."""
    seats = len(table)
    schedule = ordered(len(games) // len(ordered(1, seats)), seats)
    contests = contests_of(games, None, schedule)
    faults = faults_of(games, schedule)
    _, earliest, copy_of = np.unique(contests.courses, return_index=True, return_inverse=True)
    pairs = {(i, j): contests.between(i, j) for i, j in itertools.combinations(range(seats), 2)}
    return [
        Meeting(
            first=table[i],
            second=table[j],
            table=table,
            result=result_of(pair, table_figures(contests, (i, j)) if seats > 2 else None),
            scores=pair.by_deal(pair.scores(stalled=0.5)),
            deals=first_deal + earliest[copy_of],
            faults=(faults[0] if (i, j) == (0, 1) else (), faults[j] if i == 0 else ()),
        )
        for (i, j), pair in pairs.items()
    ]


def faults_of(games: Games, schedule: Ints) -> list[list[PlayerFault]]:
    """The faults of each player of a schedule, in the order of the games."""
    faults: list[list[PlayerFault]] = [[] for _ in range(schedule[:, 1:].max() + 1)]
    for game, fault in enumerate(games.faults):
        if fault is not None:
            faults[schedule[game, 1 + fault.seat]].append(fault)
    return faults


def tournament_of(game: Game, names: Sequence[str], meetings: Sequence[Meeting]) -> Tournament:
    """These meetings with the ratings that they give; a meeting in which every game stalled says nothing."""
    rated = [m for m in meetings if m.result.stalled < m.result.games]
    pairs = np.concatenate(
        [np.empty((0, 2), np.int64), *(np.full((len(m.deals), 2), (m.first, m.second)) for m in rated)]
    )
    scores = np.concatenate([np.empty(0), *(m.scores for m in rated)])
    deals = np.concatenate([np.empty(0, np.int64), *(m.deals for m in rated)])
    return Tournament(game, tuple(names), tuple(meetings), bradley_terry(len(names), pairs, scores, deals))


def csv_text(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str], others: str) -> str:
    """The `columns` of the players' rows, each with its format, then the figures by name that a row has as `others`.

    The ends of an interval `NAME_95` are `NAME_low` and `NAME_high`. What is not known is empty.
    """
    names = [row["player"] for row in rows]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*columns, *(f"{others} {name}" for name in names)])
    for row in rows:
        ends = {f"{key[:-3]}_{end}": row[key][i] for key in row if key[-3:] == "_95" for i, end in enumerate(ENDS)}
        cells = [_cell({**row, **ends}[name], form) for name, form in columns.items()]
        writer.writerow(cells + [_cell(row[others].get(name), ".6f") for name in names])
    return text.getvalue()


def _cell(value: Any, form: str) -> str:
    is_known = value is not None and not (isinstance(value, float) and not math.isfinite(value))
    return format(value, form) if is_known else ""
