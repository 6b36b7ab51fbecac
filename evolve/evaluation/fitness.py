"""Schedules of whole generations, and the tally of what each player scored in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from evolve.deals import Schedule
from rulebots.play.results import Games
from rulebots.tournaments.pairing import Pair, round_robin

Floats = npt.NDArray[np.float64]


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
        return Tally(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(Tally)))

    def strength(self, margin: float) -> Floats:
        """The win rate, and `margin` for every point of margin a game."""
        return self.win_rate + margin * self.margin / np.maximum(self.games, 1)

    def blended(self, other: Tally, share: float) -> Tally:
        """Both tallies as one, the other's games weighted so that they are that share of all."""
        factor = share / (1.0 - share) * self.games / np.maximum(other.games, 1)
        return Tally(*(getattr(self, f.name) + factor * getattr(other, f.name) for f in fields(Tally)))

    @property
    def win_rate(self) -> Floats:
        """Wins, and half of the draws, of all games."""
        return (self.wins + self.draws / 2) / np.maximum(self.games, 1)


def nothing_yet(players: int) -> Tally:
    """The tally of no games."""
    return Tally(*(np.zeros(players) for _ in fields(Tally)))


def all_pairs(players: int, deals: int) -> Schedule:
    """Every pair plays every deal twice, seats changed."""
    return both_seats(round_robin(players), deals)


def against(players: int, opponents: int, deals: int) -> Schedule:
    """Each of the first `players` meets each of the `opponents` after them, every deal twice."""
    pairs = [(player, players + opponent) for player in range(players) for opponent in range(opponents)]
    return both_seats(pairs, deals)


def tally(schedule: Schedule, games: Games, count: int, margin_cap: float = np.inf) -> Tally:
    """Add up the results of a schedule for each of its first `count` players."""
    going = ~games.stalled
    margin = np.where(going, games.points[:, 0] - games.points[:, 1], 0).astype(np.float64)
    capped = np.clip(margin, -margin_cap, margin_cap)

    def total(first: npt.NDArray[np.generic], second: npt.NDArray[np.generic]) -> Floats:
        result = np.zeros(players)
        np.add.at(result, schedule[:, 1], first)
        np.add.at(result, schedule[:, 2], second)
        return result[:count]

    players = max(count, int(schedule[:, 1:].max(initial=-1)) + 1)  # the last ones may rest
    even = going & (margin == 0)
    return Tally(
        games=total(np.ones(len(schedule)), np.ones(len(schedule))),
        wins=total(margin > 0, margin < 0),
        draws=total(even, even),
        stalled=total(games.stalled, games.stalled),
        points=total(games.points[:, 0], games.points[:, 1]),
        margin=total(capped, -capped),
    )


def both_seats(pairs: Sequence[Pair], deals: int) -> Schedule:
    """Each pair plays every deal twice, seats changed."""
    once = np.array(pairs, np.int64).reshape(-1, 2)
    seats = np.concatenate([once, once[:, ::-1]])
    schedule = np.empty((deals, len(seats), 3), np.int64)
    schedule[:, :, 0] = np.arange(deals)[:, None]
    schedule[:, :, 1:] = seats
    return schedule.reshape(-1, 3)
