"""The results of games, and what they say of the players of a match.

`Games` are the match loop's output, `Contests` say which players competed in them for what, `MatchResult` has the
figures. All three are the same for a match of two players, a table of several and teams of copies.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Self, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from rulebots.game import Bools, Floats, Game, Ints
from rulebots.game.courses import courses_of
from rulebots.play.deals import sides_of_deal
from rulebots.play.loop import room_for_moves
from rulebots.ratings import (
    FEWEST_DEALS,
    QUARTERS,
    Distinct,
    distinct,
    elo,
    likelihood_of_superiority,
    margin_interval,
    pentanomial,
    win_rate_interval,
)

#: A dataclass of arrays, such as `Games`.
R = TypeVar("R")
Interval: TypeAlias = tuple[float, float]
#: Intervals that exclude nothing, of a share and of any number.
ANY_SHARE = (0.0, 1.0)
ANY_NUMBER = (-math.inf, math.inf)


@dataclass(frozen=True)
class Games:
    """Results of many games: `points` int64[games, seats], `plies` int64[games], `stalled` bool[games].

    `behaviour` is a record array with a field of float64[games, seats] for each statistic of the game.
    `courses`, int64[games], are equal for games of equal deals and equal moves (see deals.py). `openings`,
    int64[games], counts the random moves that each game began with. `moves`, int[games, ply cap], holds
    each game's moves in its first `plies` columns; it has no columns if moves were not kept. `faults`,
    object[games], is the `PlayerFault` that ended a game, or None; such a game is lost, by a point if not by more.
    """

    points: Ints
    plies: Ints
    stalled: Bools
    behaviour: npt.NDArray[np.void]
    courses: Ints
    openings: Ints
    moves: npt.NDArray[np.signedinteger[Any]]
    faults: npt.NDArray[np.object_]

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, some: slice | Ints) -> "Games":
        """Some of the games, as an index of NumPy takes them."""
        return Games(*(getattr(self, f.name)[some] for f in fields(Games)))


def no_games(game: Game, count: int, kept_plies: int = 0, seats: int = 2) -> Games:
    """Empty results for `count` games at tables of `seats`, with room for the first `kept_plies` moves of each."""
    statistics = np.dtype([(name, np.float64, (seats,)) for name in game.behaviour])
    return Games(
        points=np.zeros((count, seats), np.int64),
        plies=np.zeros(count, np.int64),
        stalled=np.zeros(count, np.bool_),
        behaviour=np.zeros(count, statistics),
        courses=np.zeros(count, np.int64),
        openings=np.zeros(count, np.int64),
        moves=room_for_moves(game, count, kept_plies),
        faults=np.full(count, None, np.object_),
    )


def joined(parts: Sequence[R]) -> R:
    """The results of several parts of a schedule as one; either all of them kept their moves, or none."""
    kind: Any = type(parts[0])
    return kind(*(np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(kind)))


@dataclass(frozen=True)
class Contests:
    """What the players of a schedule competed in: each game or, where teams of copies play together, each deal.

    `players`, int[contests, seats], says which player sat where, `points`, int64[contests, seats], what each seat
    had; of a deal for teams, each team has one seat. `behaviour` has float64[contests, seats] for each statistic.
    The contests of a deal stand together. `courses`, int64[deals], are equal for deals whose games were the same,
    `different` says what the deals amount to. `counts` and `most_points` are the game's.
    """

    games: Games
    courses: Ints
    different: Distinct
    together: bool
    players: npt.NDArray[np.signedinteger[Any]]
    points: npt.NDArray[Any]
    stalled: Bools
    behaviour: Mapping[str, npt.NDArray[Any]]
    counts: str = "wins"
    most_points: int | None = None

    def scores(self, *, stalled: float = 0.0) -> Floats:
        """The first player's score in each contest, float64[contests]; `stalled` where the game stalled.

        It is the part of the win that its seats have. Where places or points count, it is the share of the others'
        seats that its own are ahead of, on average, a tie counting half.
        """
        own = self.players == 0
        if self.counts == "wins":
            scores = np.einsum("gs,gs->g", first_shares(self.points), own)
        else:
            better = (np.sign(self.points[:, :, None] - self.points[:, None, :]) + 1) / 2
            across = own[:, :, None] & ~own[:, None, :]
            scores = (better * across).sum(axis=(1, 2)) / across.sum(axis=(1, 2))
        return np.where(self.stalled, stalled, scores)

    def by_deal(self, values: Floats) -> Floats:
        """The mean of each deal, float64[deals], of float64[contests] or of as many values for every deal."""
        return np.asarray(values.reshape(len(self.courses), -1).mean(axis=1))

    def of_player(self, by_seat: npt.NDArray[Any], player: int) -> Floats:
        """The mean of a player's seats in each contest, float64[contests]."""
        own = self.players == player
        return np.asarray(np.einsum("gs,gs->g", by_seat, own) / own.sum(axis=1))

    def alone(self, by_seat: npt.NDArray[Any], player: int) -> Floats:
        """The mean over the contests of each deal in which a player has a single seat, float64[deals]."""
        return self.by_deal(self.of_player(by_seat, player)[self.single(player)])

    def single(self, player: int) -> Bools:
        """Whether a player has a single seat, bool[contests]."""
        return np.asarray((self.players == player).sum(axis=1) == 1)

    @property
    def silent(self) -> bool:
        """Whether they do not tell who wins: too few of the deals are different, or every contest stalled."""
        return self.different.too_few or bool(self.stalled.all())

    def interval(self, scores: Floats, contests: int) -> Interval:
        """A 95 % interval for the mean score of deals, float64[deals], each the mean of that many contests."""
        return ANY_SHARE if self.silent else win_rate_interval(scores, self.different.effective, contests)

    def between(self, first: int, second: int) -> Self:
        """The contests of two players who have a seat each: the one with more points beats the other."""

        def of_two(by_seat: npt.NDArray[Any]) -> Floats:
            return np.stack([self.of_player(by_seat, player) for player in (first, second)], axis=1)

        points = of_two(self.points)
        behaviour = {name: of_two(by_seat) for name, by_seat in self.behaviour.items()}
        return replace(
            self, players=np.broadcast_to([0, 1], points.shape), points=points, behaviour=behaviour, counts="wins"
        )


def contests_of(games: Games, game: Game | None = None, schedule: Ints | None = None) -> Contests:
    """The contests in games of a schedule, by default a `mirrored` one.

    The game says what counts; without it each seat plays for itself, and wins count.
    """
    seats = games.points.shape[1]
    together = seats == 1 if game is None else game.together(seats)
    behaviour = {name: games.behaviour[name] for name in games.behaviour.dtype.names or ()}
    points = np.asfortranarray(games.points)
    stalled = games.stalled
    if schedule is None:
        players = np.where(sides_of_deal(seats, together=together), 0, 1)
        deals = len(games) // len(players)
    else:
        players = schedule[:, 1:]
        deals = int(schedule[:, 0].max()) + 1
    if together:
        # A deal is one contest of two teams, and each team has the points of any of its seats.
        players = np.array([[0, 1]])
        points = points[:, 0].reshape(-1, 2)
        stalled = np.zeros(len(points), np.bool_)
        behaviour = {name: by_seat.reshape(-1, 2, seats).mean(axis=2) for name, by_seat in behaviour.items()}
    courses = courses_of(games.courses.reshape(deals, -1))
    return Contests(
        games=games,
        courses=courses,
        different=distinct(courses),
        together=together,
        players=np.asfortranarray(np.tile(players, (len(points) // len(players), 1))),
        points=points,
        stalled=stalled,
        behaviour=behaviour,
        counts="wins" if game is None else game.counts,
        most_points=None if game is None else game.most_points,
    )


@dataclass(frozen=True)
class TableFigures:
    """What each player had of a match of more than two seats, or of a cooperative game, in the order of the players.

    `shares` are parts of the first places and `places` mean places, 1 for the first, both of the games in which a
    player has a single seat: in a match of two, it is alone among copies of the other. Players who tie share both, and
    equally strong ones have `even` of the first places. `points` are means per game, `perfect` the shares of games with
    the most points that the game can bring, None where it does not say. Intervals are over deals.
    """

    seats: int
    together: bool
    even: float
    shares: tuple[float, ...]
    share_95: tuple[Interval, ...]
    places: tuple[float, ...]
    points: tuple[float, ...]
    points_95: tuple[Interval, ...]
    perfect: tuple[float, ...] | None


@dataclass(frozen=True, repr=False)
class MatchResult:
    """A match from the first player's side. In every score a draw counts half; a stalled game is not won.

    Of two players at a table of more than two, each in turn is alone among copies of the other (see deals.py). In a
    cooperative game each plays with copies of itself, and the team that scores more on a deal wins it. The win rate is
    the mean score of all contests (see `Contests.scores`): one half where two players are equally strong. `table` says
    more of such matches; it is None for two seats, each for itself. With several players at a table, all other figures
    are the first one's against the rest.

    Pairs are the ends of a 95 % interval over deals. `points` and `opponent_points` are means per game, `margin` is
    their difference, whose ends are infinite where all deals brought the same. `elo` is the Elo difference of the win
    rate (infinite for 0 and 1), `superiority` the likelihood that the true win rate is above one half. `pentanomial`
    counts the deals that brought 0, 1/2, 1, 3/2 and 2 wins. `plies` is the mean length of a game. `behaviour` has each
    player's mean of each statistic that the game defines.

    `distinct_deals` of the deals differ in what was dealt or in a move of one of their games; intervals and
    `superiority` count the others as copies of them: the deals amount to `effective_deals` (see `Distinct`). Where
    these are too few, the intervals exclude nothing, and `superiority` is one half. If every game stalled, the same is
    true of win rate and Elo, and `elo` is NaN; either way the match is `silent` on who is stronger.

    `opponent_rate` is the rest's mean score, less than 1 - `win_rate` where games stalled. `scores` and `margins`,
    float64[deals], are the first player's of deals. `in_points` says whether points count (see `Game.in_points`).
    """

    wins: int
    draws: int
    losses: int
    stalled: int
    games: int
    win_rate: float
    win_rate_95: Interval
    points: float
    opponent_points: float
    margin: float
    margin_95: Interval
    elo: float
    elo_95: Interval
    superiority: float
    pentanomial: tuple[int, ...]
    plies: float
    behaviour: dict[str, tuple[float, ...]]
    distinct_deals: int
    effective_deals: float
    table: TableFigures | None
    deals: int
    opponent_rate: float
    scores: Floats = field(compare=False)
    in_points: bool
    margins: Floats = field(compare=False)

    @property
    def together(self) -> bool:
        """Whether the two sides were teams, each of copies of one player, or of one alone."""
        return self.table is not None and self.table.together

    @property
    def score_counts(self) -> tuple[Floats, Ints]:
        """The scores that a deal can have, from 0 to 1, and how many deals had each: float64[n], int64[n]."""
        possible = np.arange(QUARTERS) / (QUARTERS - 1) if self.table is None else np.array([0.0, 0.5, 1.0])
        scores, counts = np.unique(np.concatenate([possible, self.scores.round(12)]), return_counts=True)
        return scores, counts - np.isin(scores, possible)

    @property
    def too_few(self) -> bool:
        """Whether there were too few different deals for an interval."""
        return self.effective_deals < FEWEST_DEALS

    @property
    def silent(self) -> bool:
        """Whether it does not tell who is stronger: too few different deals, or every game stalled."""
        return self.too_few or (self.stalled == self.games and not self.together)

    @property
    def level(self) -> bool:
        """Whether every deal was even, as where both play the same: no interval says anything then."""
        return self.win_rate == 0.5 and not self.margins.any()

    def __repr__(self) -> str:
        return f"<MatchResult: {self.games:,} games, win rate {self._rate}, margin {self.margin:+.2f}>"

    def _repr_html_(self) -> str:
        rows = [(name, f"{getattr(self, name):,}") for name in ("wins", "draws", "losses", "stalled", "games")]
        rows += [("win rate", self._rate), ("Elo", f"{self.elo:+.0f}"), ("margin", f"{self.margin:+.2f}")]
        cells = "".join(f"<tr><td>{name}</td><td>{value}</td></tr>" for name, value in rows)
        return f"<table><thead><tr><th>of the first player</th><th></th></tr></thead><tbody>{cells}</tbody></table>"

    @property
    def _rate(self) -> str:
        low, high = self.win_rate_95
        around = "too few different deals" if self.too_few else f"95 %: {100 * low:.1f} to {100 * high:.1f}"
        return f"{100 * self.win_rate:.1f} % ({around})"

    def summary(self) -> dict[str, Any]:
        """The result in plain numbers, for JSON; None where too few deals were different for a figure."""
        figures = asdict(self)
        for name in ("deals", "opponent_rate", "scores", "in_points", "margins"):
            del figures[name]
        if self.table is None:
            del figures["table"]
        if self.silent:
            figures |= dict.fromkeys(("win_rate_95", "elo_95", "superiority"))
        if not math.isfinite(self.margin_95[0]):
            figures["margin_95"] = None
        return figures

    def table_summary(self) -> dict[str, Any]:
        """The figures of each player at a table in plain numbers, for JSON."""
        assert self.table is not None
        names = ("games", "deals", "distinct_deals", "stalled", "plies")
        return {name: getattr(self, name) for name in names} | asdict(self.table)


def match_result(games: Games, game: Game | None = None, schedule: Ints | None = None) -> MatchResult:
    """The figures of the games of a schedule; see `contests_of`."""
    contests = contests_of(games, game, schedule)
    pair = schedule is None and games.points.shape[1] == 2 and not contests.together
    return result_of(contests, None if pair else table_figures(contests))


def result_of(contests: Contests, table: TableFigures | None) -> MatchResult:
    """The first player's figures against the others."""
    games = contests.games
    effective = contests.different.effective
    players = range(int(contests.players.max()) + 1)
    finished = ~contests.stalled
    by_contest = contests.scores()
    scores = contests.by_deal(by_contest)
    win_rate = float(scores.mean())
    of_deal = len(by_contest) // len(scores)
    win_rate_95 = contests.interval(scores, of_deal)
    own, *others = (contests.of_player(contests.points, player) for player in players)
    opponents = np.mean(others, axis=0)
    margin = own - opponents
    margins = contests.by_deal(margin)
    return MatchResult(
        wins=int((finished & (by_contest == 1)).sum()),
        draws=int(((by_contest > 0) & (by_contest < 1)).sum()),
        losses=int((finished & (by_contest == 0)).sum()),
        stalled=int(games.stalled.sum()),
        games=len(games),
        win_rate=win_rate,
        win_rate_95=win_rate_95,
        points=float(own.mean()),
        opponent_points=float(opponents.mean()),
        margin=float(margin.mean()),
        margin_95=ANY_NUMBER if contests.different.too_few else margin_interval(margins, effective),
        elo=elo(win_rate) if finished.any() else math.nan,
        elo_95=(elo(win_rate_95[0]), elo(win_rate_95[1])),
        superiority=0.5 if contests.silent else likelihood_of_superiority(scores, effective, of_deal),
        pentanomial=tuple(pentanomial(scores).tolist()),
        plies=float(games.plies.mean()),
        behaviour={
            name: tuple(float(contests.of_player(by_seat, player).mean()) for player in players)
            for name, by_seat in contests.behaviour.items()
        },
        distinct_deals=contests.different.deals,
        effective_deals=effective,
        table=table,
        deals=len(contests.courses),
        opponent_rate=float((finished - by_contest).mean()),
        scores=scores,
        in_points=contests.together or contests.counts == "points",
        margins=margins,
    )


def table_figures(contests: Contests, players: Sequence[int] = ()) -> TableFigures:
    """What these players, by default all of them, had of their tables."""
    players = players or range(int(contests.players.max()) + 1)
    seats = contests.games.points.shape[1]
    different = contests.different
    first_places = first_shares(contests.points) * ~contests.stalled[:, None]
    shares = [contests.alone(first_places, player) for player in players]
    places = [contests.alone(places_of(contests.points), player) for player in players]
    points = [contests.by_deal(contests.of_player(contests.points, player)) for player in players]
    perfect = (
        tuple((contests.points == contests.most_points).mean(axis=0).tolist())
        if contests.together and contests.most_points is not None
        else None
    )
    return TableFigures(
        seats=seats,
        together=contests.together,
        even=0.5 if contests.together else 1 / seats,
        shares=tuple(float(by_deal.mean()) for by_deal in shares),
        share_95=tuple(
            contests.interval(by_deal, contests.single(player).sum() // len(by_deal))
            for player, by_deal in zip(players, shares, strict=True)
        ),
        places=tuple(float(by_deal.mean()) for by_deal in places),
        points=tuple(float(by_deal.mean()) for by_deal in points),
        points_95=tuple(
            ANY_NUMBER if different.too_few else margin_interval(by_deal, different.effective) for by_deal in points
        ),
        perfect=perfect,
    )


def game_scores(games: Games, stalled: float, game: Game | None = None) -> Floats:
    """The first player's score in each contest of a `mirrored` schedule, float64[contests]; see `Contests`."""
    return contests_of(games, game).scores(stalled=stalled)


def shares_of(games: Games) -> Floats:
    """Each seat's share of the first place of each game, float64[games, seats]; nobody's where the game stalled."""
    return first_shares(games.points) * ~games.stalled[:, None]


def first_shares(points: Ints) -> Floats:
    """Each seat's share of the first place, float64[games, seats], by points, int64[games, seats]."""
    points = np.asfortranarray(points)  # NumPy reduces long columns five times as fast as short rows
    first = points == points.max(axis=1, keepdims=True)
    return np.asarray(first / first.sum(axis=1, keepdims=True))


def worth_of(points: Ints, game: Game | None = None) -> Floats:
    """What finished games are worth to each seat, float64[games, seats], by points, int64[games, seats].

    The game says what counts (see rulebots/game/seats.py); without it wins do.
    """
    seats = points.shape[1]
    if game is not None and game.in_points(seats):
        return points.astype(np.float64)
    if game is not None and game.counts == "places":
        return np.asarray((seats - places_of(points)) / (seats - 1))
    return first_shares(points)


def places_of(points: Ints) -> Floats:
    """Each seat's place in games with these points, int64[games, seats]: 1 for the first; seats that tie share one."""
    ahead = sum((column[:, None] > points).astype(np.float64) for column in points.T)
    level = sum((column[:, None] == points).astype(np.float64) for column in points.T)
    return np.asarray(1 + ahead + (level - 1) / 2)
