"""The results of games as the match loop leaves them, and a match seen from one side."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.game import Game
from rulebots.play.deals import courses_of
from rulebots.play.loop import room_for_moves
from rulebots.ratings import (
    FEWEST_DEALS,
    distinct,
    elo,
    likelihood_of_superiority,
    margin_interval,
    pentanomial,
    win_rate_interval,
)


@dataclass(frozen=True)
class Games:
    """Results of many games: `points` int64[games, 2] by seat, `plies` int64[games], `stalled` bool[games].

    `behaviour` is a record array with a field of float64[games, 2], by seat, for each statistic of the game.
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


def no_games(game: Game, count: int, kept_plies: int = 0) -> Games:
    """Room for the results of `count` games, and for the first `kept_plies` moves of each."""
    statistics = np.dtype([(name, np.float64, (2,)) for name in game.behaviour])
    return Games(
        points=np.zeros((count, 2), np.int64),
        plies=np.zeros(count, np.int64),
        stalled=np.zeros(count, np.bool_),
        behaviour=np.zeros(count, statistics),
        courses=np.zeros(count, np.int64),
        openings=np.zeros(count, np.int64),
        moves=room_for_moves(game, count, kept_plies),
        faults=np.full(count, None, np.object_),
    )


def joined(parts: Sequence[Games]) -> Games:
    """The results of several parts of a schedule as one; all of them kept their moves, or none."""
    return Games(*(np.concatenate([getattr(part, f.name) for part in parts]) for f in dataclasses.fields(Games)))


@dataclass(frozen=True, repr=False)
class MatchResult:
    """A match from the first player's side. In every score a draw counts half; a stalled game is not won.

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

    @property
    def deals(self) -> int:
        """The deals played, each from both seats."""
        return self.games // 2

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
        return dataclasses.asdict(self) | unknown


def match_result(games: Games) -> MatchResult:
    """Sum up the games of a `mirrored` schedule, from its first player's side."""
    points = by_player(games.points)
    margin, going = points[:, 0] - points[:, 1], ~games.stalled
    wins, draws, losses = (int((going & result).sum()) for result in (margin > 0, margin == 0, margin < 0))
    scores = deal_scores(games, stalled=0.0)
    found, win_rate = distinct(deal_courses(games)), float(scores.mean())
    low, high, superiority, margin_95 = 0.0, 1.0, 0.5, (-math.inf, math.inf)
    if not found.too_few:
        low, high = win_rate_interval(scores, found.effective)
        superiority = likelihood_of_superiority(scores, found.effective)
        margin_95 = margin_interval(margin.reshape(-1, 2).mean(axis=1), found.effective)
    statistics: Any = games.behaviour.dtype.names or ()
    means = {name: by_player(games.behaviour[name]).mean(axis=0) for name in statistics}
    return MatchResult(
        wins=wins,
        draws=draws,
        losses=losses,
        stalled=int(games.stalled.sum()),
        games=len(margin),
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
    )


def deal_scores(games: Games, stalled: float) -> npt.NDArray[np.float64]:
    """The first player's mean score on each deal of a `mirrored` schedule, float64[deals].

    A win scores 1, a draw 1/2, a loss 0, and a stalled game `stalled`.
    """
    points = by_player(games.points)
    scores = np.where(games.stalled, stalled, (np.sign(points[:, 0] - points[:, 1]) + 1) / 2)
    return scores.reshape(-1, 2).mean(axis=1)


def deal_courses(games: Games) -> npt.NDArray[np.int64]:
    """A number for each deal of a `mirrored` schedule, int64[deals]: equal for deals whose games were the same."""
    return courses_of(games.courses.reshape(-1, 2))


def by_player(by_seat: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """[games, 2] of a `mirrored` schedule with the first player in column 0, from [games, 2] by seat."""
    turned = by_seat.copy()
    turned[1::2] = by_seat[1::2, ::-1]
    return turned
