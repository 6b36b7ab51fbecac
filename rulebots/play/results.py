"""The results of games as the match loop leaves them, and a match seen from one side."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.game import Game
from rulebots.play.deals import courses_of
from rulebots.play.loop import room_for_moves
from rulebots.play.tables import sides_of_deal
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


@dataclass(frozen=True)
class Games:
    """Results of many games: `points` int64[games, seats], `plies` int64[games], `stalled` bool[games].

    `behaviour` is a record array with a field of float64[games, seats] for each statistic of the game.
    `courses`, int64[games], are equal for games of equal deals and equal moves (see deals.py). `openings`,
    int64[games], counts the random moves that each game began with. `moves`, int[games, ply cap], holds
    each game's moves in its first `plies` columns; it has no columns if moves were not kept. `faults`,
    object[games], is the `PlayerFault` that ended a game, or None; such a game is lost, by a point if not by more.
    """

    points: npt.NDArray[np.int64]
    plies: npt.NDArray[np.int64]
    stalled: npt.NDArray[np.bool_]
    behaviour: npt.NDArray[np.void]
    courses: npt.NDArray[np.int64]
    openings: npt.NDArray[np.int64]
    moves: npt.NDArray[np.signedinteger[Any]]
    faults: npt.NDArray[np.object_]


def no_games(game: Game, count: int, kept_plies: int = 0, seats: int = 2) -> Games:
    """Room for the results of `count` games at so many seats, and for the first `kept_plies` moves of each."""
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


def first_games(games: Games, count: int) -> Games:
    """The results of the first games of a schedule, at most so many."""
    return Games(*(getattr(games, f.name)[:count] for f in dataclasses.fields(Games)))


def joined(parts: Sequence[Games]) -> Games:
    """The results of several parts of a schedule as one; all of them kept their moves, or none."""
    return Games(*(np.concatenate([getattr(part, f.name) for part in parts]) for f in dataclasses.fields(Games)))


@dataclass(frozen=True)
class TableFigures:
    """What a match at a table of one seat, of more than two, or for all together says besides its win rate.

    Of each pair the first is of the first player, alone among copies of the second, the second of the second player
    among copies of the first. `shares` are those of the tables that it won, each of `even` where both are equally
    strong; `share_95` is the interval of the first. `places` are mean places, 1 for the first; who tie share theirs. In
    a game for all together each plays with copies of itself: `perfect` are the shares of deals with the most points
    that the game can bring, None where it does not say. `deal_scores` are the scores that deals had, and how many.
    """

    seats: int
    games_a_deal: int
    even: float
    shares: tuple[float, float]
    share_95: tuple[float, float]
    places: tuple[float, float]
    perfect: tuple[float, float] | None
    deal_scores: tuple[tuple[float, int], ...]


@dataclass(frozen=True, repr=False)
class MatchResult:
    """A match from the first player's side. In every score a draw counts half; a stalled game is not won.

    At a table of more than two, one plays among copies of the other, in turn (see tables.py), and a side's score of a
    game is its part of the win: the win rate is one half where both are equally strong. In a game for all together, a
    deal is won by whose team scores more on it. `table` says more of both.

    Pairs are the ends of a 95 % interval over deals. `points` and `opponent_points` are means per game, `margin` is
    their difference. `elo` is the Elo difference of the win rate (infinite for 0 and 1), `superiority` the likelihood
    that the true win rate is above one half. `pentanomial` counts the deals that brought 0, 1/2, 1, 3/2 and 2 wins.
    `plies` is the mean length of a game. `behaviour` has the first and the second player's mean of each statistic that
    the game defines.

    `distinct_deals` of the deals differ in what was dealt or in a move of one of their games; intervals and
    `superiority` count the others as copies of them: the deals amount to `effective_deals` (see `Distinct`). Where
    these are too few, the intervals exclude nothing, and `superiority` is one half.
    """

    wins: int
    draws: int
    losses: int
    stalled: int
    games: int
    win_rate: float
    win_rate_95: tuple[float, float]
    points: float
    opponent_points: float
    margin: float
    margin_95: tuple[float, float]
    elo: float
    elo_95: tuple[float, float]
    superiority: float
    pentanomial: tuple[int, int, int, int, int]
    plies: float
    behaviour: dict[str, tuple[float, float]]
    distinct_deals: int
    effective_deals: float
    #: None at a table of two, each for itself.
    table: TableFigures | None = None

    @property
    def deals(self) -> int:
        """The deals played, each from all sides."""
        return self.games // (self.table.games_a_deal if self.table else 2)

    @property
    def score_counts(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
        """The scores that a deal can have, from 0 to 1, and how many deals had each: float64[n], int64[n]."""
        if self.table is None:
            return np.arange(QUARTERS) / (QUARTERS - 1), np.array(self.pentanomial)
        counts = {0.0: 0, 0.5: 0, 1.0: 0} | dict(self.table.deal_scores)
        scores = sorted(counts)
        return np.array(scores), np.array([counts[score] for score in scores])

    @property
    def together(self) -> bool:
        """Whether the two sides were teams, each of copies of one player, or of one alone."""
        return self.table is not None and self.table.games_a_deal == 2

    @property
    def too_few(self) -> bool:
        """Whether too few deals were different for an interval."""
        return self.effective_deals < FEWEST_DEALS

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
        unknown = dict.fromkeys(("win_rate_95", "margin_95", "elo_95", "superiority")) if self.too_few else {}
        found = dataclasses.asdict(self) | unknown
        table = found.pop("table")
        return found if table is None else found | {"table": table}


def match_result(games: Games, game: Game | None = None) -> MatchResult:
    """Sum up the games of a `mirrored` schedule, from its first player's side.

    The game says what counts; without it each seat plays for itself, and wins do.
    """
    seats, together = games.points.shape[1], _together(games, game)
    scores, found = deal_scores(games, 0.0, game), distinct(deal_courses(games, together=together))
    usual = seats == 2 and not together
    return summed_up(
        games,
        by_player(games.points, together=together),
        game_scores(games, 0.0, game),
        scores,
        found,
        {name: by_player(games.behaviour[name], together=together) for name in games.behaviour.dtype.names or ()},
        None if usual else _table_figures(games, game, scores, found),
    )


def change_between(old: Games, new: Games, game: Game) -> tuple[float, tuple[float, float]]:
    """How much more the new games of the same `mirrored` deals score than the old ones, with its 95 % interval."""
    change = deal_scores(new, 0.0, game) - deal_scores(old, 0.0, game)
    effective = min(match_result(games, game).effective_deals for games in (old, new))
    return float(change.mean()), margin_interval(change, effective)


def summed_up(
    games: Games,
    points: npt.NDArray[Any],
    by_game: npt.NDArray[np.float64],
    scores: npt.NDArray[np.float64],
    found: Distinct,
    behaviour: Mapping[str, npt.NDArray[np.float64]],
    table: TableFigures | None,
) -> MatchResult:
    """The result of two players' games.

    `points` and each statistic of `behaviour` are [games, 2], and `by_game`, [games], the first player's scores; for
    all together they are by deal. `scores`, [deals], are those of deals.
    """
    margin = points[:, 0] - points[:, 1]
    going = ~games.stalled if len(by_game) == len(games.stalled) else np.ones(len(by_game), np.bool_)
    wins, draws, losses = (int((going & result).sum()) for result in (by_game == 1, _drawn(by_game), by_game == 0))
    win_rate = float(scores.mean())
    low, high, superiority, margin_95 = 0.0, 1.0, 0.5, (-math.inf, math.inf)
    if not found.too_few:
        low, high = win_rate_interval(scores, found.effective)
        superiority = likelihood_of_superiority(scores, found.effective)
        margin_95 = margin_interval(margin.reshape(len(scores), -1).mean(axis=1), found.effective)
    means = {name: by_side.mean(axis=0) for name, by_side in behaviour.items()}
    return MatchResult(
        wins=wins,
        draws=draws,
        losses=losses,
        stalled=int(games.stalled.sum()),
        games=len(games.points),
        win_rate=win_rate,
        win_rate_95=(low, high),
        points=float(points[:, 0].mean()),
        opponent_points=float(points[:, 1].mean()),
        margin=float(margin.mean()),
        margin_95=margin_95,
        elo=elo(win_rate),
        elo_95=(elo(low), elo(high)),
        superiority=superiority,
        pentanomial=tuple(pentanomial(scores).tolist()),
        plies=float(games.plies.mean()),
        behaviour={name: (float(first), float(second)) for name, (first, second) in means.items()},
        distinct_deals=found.deals,
        effective_deals=found.effective,
        table=table,
    )


def _drawn(scores: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Which games neither side has won alone."""
    return np.asarray((scores > 0) & (scores < 1))


def _together(games: Games, game: Game | None) -> bool:
    seats = games.points.shape[1]
    return seats == 1 if game is None else game.together(seats)


def _table_figures(games: Games, game: Game | None, scores: npt.NDArray[np.float64], found: Distinct) -> TableFigures:
    seats, together = games.points.shape[1], _together(games, game)
    sides = sides_of_deal(seats, together=together)
    most = None if game is None else game.most_points
    shares, share_95, places = (0.5, 0.5), (0.0, 1.0), (1.0, 1.0)
    if not together:
        alone = np.flatnonzero(sides.sum(axis=1) == 1), np.flatnonzero(sides.sum(axis=1) == seats - 1)
        seat_of = sides[alone[0]].argmax(axis=1), (~sides[alone[1]]).argmax(axis=1)
        won, place = (
            of_seats.reshape(-1, len(sides), seats) for of_seats in (shares_of(games), places_of(games.points))
        )
        of_first, of_second = (won[:, rows, at].mean(axis=1) for rows, at in zip(alone, seat_of, strict=True))
        shares = float(of_first.mean()), float(of_second.mean())
        share_95 = (0.0, 1.0) if found.too_few else win_rate_interval(of_first, found.effective)
        first, second = (float(place[:, rows, at].mean()) for rows, at in zip(alone, seat_of, strict=True))
        places = first, second
    perfect = None
    if together and most is not None:
        reached = (games.points[:, 0] == most).reshape(-1, 2).mean(axis=0)
        perfect = float(reached[0]), float(reached[1])
    return TableFigures(
        seats=seats,
        games_a_deal=len(sides),
        even=0.5 if together else 1 / seats,
        shares=shares,
        share_95=share_95,
        places=places,
        perfect=perfect,
        deal_scores=counted(scores),
    )


@dataclass(frozen=True, repr=False)
class TableResult:
    """What several players at one table made of an `ordered` schedule: a number for each of them, in their order.

    `shares` are those of the tables that it won, `share_95` their intervals over deals, each of `even` where all are
    equally strong; `places` are mean places, 1 for the first, `points` and `points_95` are per game.
    """

    seats: int
    games: int
    deals: int
    distinct_deals: int
    stalled: int
    even: float
    shares: tuple[float, ...]
    share_95: tuple[tuple[float, float], ...]
    places: tuple[float, ...]
    points: tuple[float, ...]
    points_95: tuple[tuple[float, float], ...]
    plies: float

    def __repr__(self) -> str:
        shares = ", ".join(f"{100 * share:.1f} %" for share in self.shares)
        return f"<TableResult: {self.games:,} games at {self.seats} seats, shares {shares}>"

    def summary(self) -> dict[str, Any]:
        """The result in plain numbers, for JSON."""
        return dataclasses.asdict(self)


def table_result(games: Games, schedule: npt.NDArray[np.int64], deals: int) -> TableResult:
    """Sum up the games of an `ordered` schedule on that many deals, for each of its players."""
    seats = games.points.shape[1]
    at = np.argsort(schedule[:, 1:], axis=1)  # in which seat each player is

    def by_deal(by_seat: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """The mean of each player on each deal: float64[players, deals]."""
        return np.asarray(np.take_along_axis(by_seat, at, axis=1).reshape(deals, -1, seats).mean(axis=1).T)

    shares, places, points = by_deal(shares_of(games)), by_deal(places_of(games.points)), by_deal(games.points)
    found = distinct(courses_of(games.courses.reshape(deals, -1)))
    few, effective = found.too_few, found.effective
    return TableResult(
        seats=seats,
        games=len(schedule),
        deals=deals,
        distinct_deals=found.deals,
        stalled=int(games.stalled.sum()),
        even=1 / seats,
        shares=tuple(shares.mean(axis=1).tolist()),
        share_95=tuple((0.0, 1.0) if few else win_rate_interval(of, effective) for of in shares),
        places=tuple(places.mean(axis=1).tolist()),
        points=tuple(points.mean(axis=1).tolist()),
        points_95=tuple((-math.inf, math.inf) if few else margin_interval(of, effective) for of in points),
        plies=float(games.plies.mean()),
    )


def counted(scores: npt.NDArray[np.float64]) -> tuple[tuple[float, int], ...]:
    """The scores that deals had, float64[deals], and how many had each."""
    values, counts = np.unique(np.round(scores, 12), return_counts=True)
    return tuple(zip(values.tolist(), counts.tolist(), strict=True))


def shares_of(games: Games) -> npt.NDArray[np.float64]:
    """Each seat's share of the first place of each game, float64[games, seats]; nobody's where the game stalled."""
    return first_shares(games.points) * ~games.stalled[:, None]


def first_shares(points: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """The same of points alone, int64[games, seats]."""
    points = np.asfortranarray(points)  # NumPy reduces long columns five times as fast as short rows
    first = points == points.max(axis=1, keepdims=True)
    return np.asarray(first / first.sum(axis=1, keepdims=True))


def places_of(points: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Each seat's place in games that ended with points, int64[games, seats]: 1 for the first; who tie share theirs."""
    ahead = (points[:, None, :] > points[:, :, None]).sum(axis=2)
    level = (points[:, None, :] == points[:, :, None]).sum(axis=2)
    return np.asarray(1 + ahead + (level - 1) / 2)


def game_scores(games: Games, stalled: float, game: Game | None = None) -> npt.NDArray[np.float64]:
    """The first player's score of each game of a `mirrored` schedule, float64[games].

    A side scores its part of the win, all of it where the game is won by one of its copies alone; `stalled` if the game
    stalled. Where places or points count, it is the share of the others' copies that its own are ahead of, on average,
    a tie counting half. In a game for all together it is float64[deals]: 1 where the first player's team has more
    points on the deal, 1/2 where both have as many, and 0.
    """
    seats = games.points.shape[1]
    if _together(games, game):
        points = games.points[:, 0].reshape(-1, 2)
        return np.asarray((np.sign(points[:, 0] - points[:, 1]) + 1) / 2)
    sides = sides_of_deal(seats)
    first = np.tile(sides, (len(games.points) // len(sides), 1))
    if game is None or game.counts == "wins":
        scores = np.einsum("gs,gs->g", shares_of(games), first)
    else:
        better = (np.sign(games.points[:, :, None] - games.points[:, None, :]) + 1) / 2
        across = first[:, :, None] & ~first[:, None, :]
        scores = (better * across).sum(axis=(1, 2)) / across.sum(axis=(1, 2))
    return np.where(games.stalled, stalled, scores)


def deal_scores(games: Games, stalled: float, game: Game | None = None) -> npt.NDArray[np.float64]:
    """The first player's mean score on each deal of a `mirrored` schedule, float64[deals]; see `game_scores`.

    At a table of two a win scores 1, a draw 1/2, a loss 0, and a stalled game `stalled`.
    """
    scores = game_scores(games, stalled, game)
    if _together(games, game):
        return scores
    return np.asarray(scores.reshape(-1, len(sides_of_deal(games.points.shape[1]))).mean(axis=1))


def deal_courses(games: Games, *, together: bool = False) -> npt.NDArray[np.int64]:
    """A number for each deal of a `mirrored` schedule, int64[deals]: equal for deals whose games were the same."""
    return courses_of(games.courses.reshape(-1, len(sides_of_deal(games.points.shape[1], together=together))))


def by_player(by_seat: npt.NDArray[Any], *, together: bool = False) -> npt.NDArray[Any]:
    """Of [games, seats] of a `mirrored` schedule the mean of each player's seats, [games, 2], the first player's first.

    In a game for all together it is [deals, 2].
    """
    seats = by_seat.shape[1]
    if together:
        return np.asarray(by_seat.reshape(-1, 2, seats).mean(axis=2))
    sides = sides_of_deal(seats)
    if seats == 2:
        turned = by_seat.copy()
        turned[1::2] = by_seat[1::2, ::-1]
        return turned
    first = np.tile(sides, (len(by_seat) // len(sides), 1))
    means = [np.where(of, by_seat, 0).sum(axis=1) / of.sum(axis=1) for of in (first, ~first)]
    return np.stack(means, axis=1)
