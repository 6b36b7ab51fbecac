"""Schedules of whole generations, and the tally of what each player scored in them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from evolve.schedules import Schedule
from rulebots.game import Game
from rulebots.play.results import Games, first_shares, places_of

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Tally:
    """What each player scored in its games: float64[players] each.

    `margin` is the sum of its points minus its opponents', the margin of each game capped as asked. A stalled
    game is neither a win nor a draw, and has no margin.
    """

    games: Floats
    wins: Floats
    draws: Floats
    stalled: Floats
    points: Floats
    margin: Floats

    def __add__(self, other: Tally) -> Tally:
        """Both tallies together."""
        return self._plus(other, 1.0)

    def strength(self, margin: float) -> Floats:
        """The win rate, and `margin` for every point of margin a game."""
        return self.win_rate + margin * self.margin / np.maximum(self.games, 1)

    def blended(self, other: Tally, share: float) -> Tally:
        """Both tallies as one, the other's games weighted so that they are that share of all."""
        factor = share / (1.0 - share) * self.games / np.maximum(other.games, 1)
        return self._plus(other, factor)

    def _plus(self, other: Tally, factor: float | Floats) -> Tally:
        return Tally(*(getattr(self, f.name) + factor * getattr(other, f.name) for f in fields(Tally)))

    @property
    def win_rate(self) -> Floats:
        """Wins, and half of the draws, of all games."""
        return (self.wins + self.draws / 2) / np.maximum(self.games, 1)


def tally(schedule: Schedule, games: Games, count: int, margin_cap: float = np.inf, game: Game | None = None) -> Tally:
    """Add up the results of a schedule for each of its first `count` players, seat by seat.

    A win is the share of the first place, or the share of the others that a player is ahead of where places count, and
    the margin is that to the others' mean. The game says what counts; without it wins do.
    """
    seats, going = games.points.shape[1], ~games.stalled[:, None]
    players = max(count, int(schedule[:, 1:].max(initial=-1)) + 1)  # the last ones may rest

    def total(by_seat: npt.NDArray[Any]) -> Floats:
        sums = np.zeros(players)
        for seat in range(seats):
            np.add.at(sums, schedule[:, 1 + seat], by_seat[:, seat])
        return sums[:count]

    others = (games.points.sum(axis=1, keepdims=True) - games.points) / max(1, seats - 1)
    margin = np.where(going, games.points - others, 0).astype(np.float64)
    won = first_shares(games.points) * going
    if game is not None and game.counts == "places":
        won = (seats - places_of(games.points)) / (seats - 1) * going
    # Only two players can draw; of more, each has its part of the win.
    drawn = (won == 0.5) & (seats == 2)
    return Tally(
        games=total(np.ones_like(margin)),
        wins=total(np.where(drawn, 0, won)),
        draws=total(drawn),
        stalled=total(np.repeat(games.stalled[:, None], seats, axis=1)),
        points=total(games.points),
        margin=total(np.clip(margin, -margin_cap, margin_cap)),
    )


def team_tally(schedule: Schedule, games: Games, count: int, margin_cap: float = np.inf) -> Tally:
    """The tally of `teams`: a deal is won with more points than the others make of it, those after the first `count`.

    Without players after them, the others are all of the first.
    """
    deals = int(schedule[:, 0].max()) + 1
    players = len(schedule) // deals
    points, stalled = (of.reshape(deals, players).T.astype(np.float64) for of in (games.points[:, 0], games.stalled))
    others = points[count:] if players > count else points
    margin = points[:count, None] - others
    return Tally(
        games=np.full(count, float(points.shape[1])),
        wins=(margin > 0).mean(axis=1).sum(axis=1),
        draws=(margin == 0).mean(axis=1).sum(axis=1),
        stalled=stalled[:count].sum(axis=1),
        points=points[:count].sum(axis=1),
        margin=np.clip(margin, -margin_cap, margin_cap).mean(axis=1).sum(axis=1),
    )
