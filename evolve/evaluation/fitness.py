"""Schedules of whole generations, and the tally of what each player scored in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from evolve.deals import Schedule
from evolve.schedules import tables_of
from rulebots.game import Game
from rulebots.play.deals import scheduled, sides_of_deal
from rulebots.play.results import Games, first_shares, places_of
from rulebots.tournaments.pairing import Pair, Table, round_robin

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
#: In the company of a team: the player itself, or a copy of it.
ITSELF = -1


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


def all_pairs(players: int, deals: int, seats: int = 2) -> Schedule:
    """Every pair plays every deal from all sides (see `of_pairs`)."""
    return of_pairs(round_robin(players), deals, sides_of_deal(seats))


def against(players: int, opponents: int, deals: int, seats: int = 2) -> Schedule:
    """Each of the first `players` is alone in each seat of every deal, among copies of each of the next `opponents`."""
    pairs = [(player, players + opponent) for player in range(players) for opponent in range(opponents)]
    return of_pairs(pairs, deals, np.eye(seats, dtype=np.bool_))


def of_pairs(pairs: Sequence[Pair], deals: int, sides: npt.NDArray[np.bool_]) -> Schedule:
    """The games of each pair on every deal: its first player has the seats of `sides`, bool[games, seats]."""
    both = np.array(pairs, np.int64).reshape(-1, 2)
    return scheduled(deals, np.where(sides, both[:, :1, None], both[:, 1:, None]).reshape(-1, sides.shape[1]))


def in_every_seat(tables: Sequence[Table], deals: int, seats: int) -> Schedule:
    """Each table plays every deal in every rotation of its players."""
    turns = (np.arange(seats)[:, None] + np.arange(seats)) % seats
    return scheduled(deals, np.array(tables, np.int64).reshape(-1, seats)[:, turns].reshape(-1, seats))


def draw_tables(players: int, seats: int, rounds: int, rng: np.random.Generator) -> list[Table]:
    """Tables of a population: everyone sits at one table a round.

    There are at least as many players as seats. Where the players cannot be divided into tables, some sit once more.
    Next comes who has sat least often and, of those, who has met the others of the table least often.
    """
    sat, met = np.zeros(players, np.int64), np.zeros((players, players), np.int64)
    tables = list[Table]()
    for _ in range(tables_of(players, seats, rounds)):
        table = list[int]()
        for _ in range(seats):
            order = np.lexsort((rng.random(players), met[table].sum(axis=0), sat))
            table.append(next(player for player in order.tolist() if player not in table))
        sat[table] += 1
        met[np.ix_(table, table)] += 1
        tables.append(tuple(table))
    return tables


def companions(deals: int, seats: int, partners: int, share: float) -> Ints:
    """Who sits where on each deal of a cooperative game, int64[deals, seats]: ITSELF, or a partner by its number.

    On a share of the deals that is each partner in turn: the player alone in each seat among copies of the partner, and
    the partner alone among copies of the player. On the others the player's copies are everywhere.
    """
    deal = np.arange(deals)
    arrangements = sides_of_deal(seats)
    turn = np.floor(deal * share).astype(np.int64)
    mixed = (np.floor((deal + 1) * share) > turn) & (partners > 0)
    own = arrangements[turn % len(arrangements)] | ~mixed[:, None]
    return np.where(own, ITSELF, (turn // len(arrangements) % max(partners, 1))[:, None])


def teams(players: int, company: Ints, first_partner: int) -> Schedule:
    """Each player plays every deal in the company that `companions` gives it; the partners come after all others."""
    by_deal = np.where(company == ITSELF, np.arange(players)[:, None, None], first_partner + company)
    return scheduled(len(company), by_deal.swapaxes(0, 1))


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
