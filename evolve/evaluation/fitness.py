"""Schedules of whole generations, and the tally of what each player scored in them."""

from dataclasses import dataclass, field, fields, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from evolve.schedules import Schedule
from rulebots.game import Floats, Game
from rulebots.play.results import Games, worth_of


@dataclass(frozen=True)
class Tally:
    """What each player scored in its games: float64[players] each.

    `margin` is the sum of its points minus its opponents', the margin of each game capped as asked. A stalled
    game is neither a win nor a draw, and has no margin. Where points count (`in_points`), they are all of its strength.
    """

    games: Floats
    wins: Floats
    draws: Floats
    stalled: Floats
    points: Floats
    margin: Floats
    in_points: bool = field(default=False, kw_only=True)

    def __add__(self, other: Self) -> Self:
        """Both tallies together."""
        return self._plus(other, 1.0)

    def strength(self, margin: float) -> Floats:
        """The win rate, and `margin` for every point of margin a game; where points count, those of a game."""
        games = np.maximum(self.games, 1)
        return self.points / games if self.in_points else self.win_rate + margin * self.margin / games

    def blended(self, other: Self, share: float) -> Self:
        """Both tallies as one, the other's games weighted so that they are that share of all."""
        return self._plus(other, share / (1.0 - share) * self.games / np.maximum(other.games, 1))

    def _plus(self, other: Self, factor: float | Floats) -> Self:
        sums = [f.name for f in fields(Tally) if f.name != "in_points"]
        return replace(self, **{name: getattr(self, name) + factor * getattr(other, name) for name in sums})

    @classmethod
    def of_no_games(cls, players: int, *, in_points: bool = False) -> Self:
        """The tally of players who have not played yet."""
        return cls(*np.zeros((len(fields(cls)) - 1, players)), in_points=in_points)

    @property
    def win_rate(self) -> Floats:
        """Wins, and half of the draws, of all games."""
        return (self.wins + self.draws / 2) / np.maximum(self.games, 1)


def tally(schedule: Schedule, games: Games, count: int, margin_cap: float = np.inf, game: Game | None = None) -> Tally:
    """Add up the results of a schedule for each of its first `count` players, seat by seat.

    A win is the share of the first place, or the share of the others that a player is ahead of where places count, and
    the margin is that to the others' mean. The game says what counts; without it wins do.
    """
    in_points = game is not None and game.in_points(games.points.shape[1])
    seats, going = games.points.shape[1], ~games.stalled[:, None]
    players = max(count, int(schedule[:, 1:].max(initial=-1)) + 1)  # the last ones may rest

    def total(by_seat: npt.NDArray[Any]) -> Floats:
        return np.asarray(np.bincount(schedule[:, 1:].T.ravel(), by_seat.T.ravel(), players)[:count], np.float64)

    others = (games.points.sum(axis=1, keepdims=True) - games.points) / max(1, seats - 1)
    margin = np.where(going, games.points - others, 0).astype(np.float64)
    won = worth_of(games.points, None if in_points else game) * going
    # Only two players can draw; of more, each has its part of the win.
    drawn = (won == 0.5) & (seats == 2)
    return Tally(
        games=total(np.ones_like(margin)),
        wins=total(np.where(drawn, 0, won)),
        draws=total(drawn),
        stalled=total(np.repeat(games.stalled[:, None], seats, axis=1)),
        points=total(games.points),
        margin=total(np.clip(margin, -margin_cap, margin_cap)),
        in_points=in_points,
    )


def team_tally(schedule: Schedule, games: Games, count: int) -> Tally:
    """The tally of `teams`: a deal is won with more points than the others make of it, those after the first `count`.

    Without players after them, the others are all of the first. It has no margin: points are all of their strength.
    """
    deals = int(schedule[:, 0].max()) + 1
    points, stalled = (of.reshape(deals, -1) for of in (games.points[:, 0], games.stalled))
    wins, draws = np.zeros((2, count))
    for own, others in zip(points[:, :count], points[:, count:], strict=True):
        # Sorted, for there may be too many of them for a table of all pairs.
        met = np.sort(others if len(others) else own)
        fewer, no_more = met.searchsorted(own, "left"), met.searchsorted(own, "right")
        wins += fewer / len(met)
        draws += (no_more - fewer) / len(met)
    return Tally(
        games=np.full(count, float(deals)),
        wins=wins,
        draws=draws,
        stalled=stalled[:, :count].sum(axis=0, dtype=np.float64),
        points=points[:, :count].sum(axis=0, dtype=np.float64),
        margin=np.zeros(count),
        in_points=True,
    )
