"""Schedules of whole generations, and the tally of what each player scored in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from evolve.deals import Schedule
from evolve.evaluation.population_pairing import tables_of
from rulebots.game import Game
from rulebots.play.results import Games, places_of, shares_of
from rulebots.play.tables import sides_of_deal
from rulebots.tournaments.pairing import Pair, round_robin

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
#: In a team: the player whose team it is, or a copy of it.
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
    """Every pair plays every deal from both sides (see `both_seats`)."""
    return both_seats(round_robin(players), deals, seats)


def against(players: int, opponents: int, deals: int, seats: int = 2) -> Schedule:
    """Each of the first `players` meets each of the `opponents` after them, in each seat of every deal.

    At more than two seats it is alone among copies of the opponent.
    """
    pairs = [(player, players + opponent) for player in range(players) for opponent in range(opponents)]
    return both_seats(pairs, deals) if seats == 2 else _of_pairs(pairs, deals, np.eye(seats, dtype=np.bool_))


def both_seats(pairs: Sequence[Pair], deals: int, seats: int = 2) -> Schedule:
    """Each pair plays every deal twice, seats changed; at more seats one alone among copies of the other, in turn."""
    if seats > 2:
        return _of_pairs(pairs, deals, sides_of_deal(seats))
    once = np.array(pairs, np.int64).reshape(-1, 2)
    return _of_tables(np.concatenate([once, once[:, ::-1]]), deals)


def companions(deals: int, seats: int, partners: int, share: float) -> Ints:
    """Who sits where on each deal in a game for all together, int64[deals, seats]: ITSELF, or a partner by its number.

    On a share of the deals that is each partner in turn: the player alone in each seat among copies of the partner, and
    the partner alone among copies of the player. On the others the player's copies are everywhere.
    """
    deal, arrangements = np.arange(deals), sides_of_deal(seats)
    turn = np.floor(deal * share).astype(np.int64)
    mixed = (np.floor((deal + 1) * share) > turn) & (partners > 0)
    own = arrangements[turn % len(arrangements)] | ~mixed[:, None]
    return np.where(own, ITSELF, (turn // len(arrangements) % max(partners, 1))[:, None])


def teams(players: int, company: Ints, first_partner: int) -> Schedule:
    """Each player plays every deal in the company that `companions` gives it; the partners come after all others."""
    deals, seats = company.shape
    by_deal = np.where(company == ITSELF, np.arange(players)[:, None, None], first_partner + company)
    schedule = np.empty((deals, players, 1 + seats), np.int64)
    schedule[:, :, 0] = np.arange(deals)[:, None]
    schedule[:, :, 1:] = by_deal.swapaxes(0, 1)
    return schedule.reshape(-1, 1 + seats)


def at_tables(players: int, deals: int, seats: int, rounds: int, rng: np.random.Generator) -> Schedule:
    """A population at tables of more than two: each table plays its deals with every player in every seat.

    There are at least as many players as seats. Each sits at one table a round; where the players cannot be divided
    into tables, some sit once more. Next comes who has sat least often and, of those, who has met the others of the
    table least often.
    """
    sat, met, tables = np.zeros(players, np.int64), np.zeros((players, players), np.int64), list[list[int]]()
    for _ in range(tables_of(players, seats, rounds)):
        table = list[int]()
        for _ in range(seats):
            order = np.lexsort((rng.random(players), met[table].sum(axis=0), sat))
            table.append(next(player for player in order.tolist() if player not in table))
        sat[table] += 1
        met[np.ix_(table, table)] += 1
        tables.append(table)
    turns = (np.arange(seats)[:, None] + np.arange(seats)) % seats
    return _of_tables(np.array(tables, np.int64).reshape(-1, seats)[:, turns].reshape(-1, seats), deals)


def _of_pairs(pairs: Sequence[Pair], deals: int, sides: npt.NDArray[np.bool_]) -> Schedule:
    """The tables of pairs: the first of each where `sides`, bool[games, seats], is true, the second elsewhere."""
    both = np.array(pairs, np.int64).reshape(-1, 2)
    return _of_tables(np.where(sides, both[:, :1, None], both[:, 1:, None]).reshape(-1, sides.shape[1]), deals)


def _of_tables(tables: npt.NDArray[np.int64], deals: int) -> Schedule:
    """Each table, int64[tables, seats], plays every deal."""
    schedule = np.empty((deals, len(tables), 1 + tables.shape[1]), np.int64)
    schedule[:, :, 0] = np.arange(deals)[:, None]
    schedule[:, :, 1:] = tables
    return schedule.reshape(-1, 1 + tables.shape[1])


def tally(schedule: Schedule, games: Games, count: int, margin_cap: float = np.inf, game: Game | None = None) -> Tally:
    """Add up the results of a schedule for each of its first `count` players, seat by seat.

    The game says what counts; without it wins do. At a table of more than two a win is the share of the first place, or
    the share of the others that a player is ahead of where places count, and the margin is that to the others' mean.
    """
    seats, going = games.points.shape[1], ~games.stalled
    players = max(count, int(schedule[:, 1:].max(initial=-1)) + 1)  # the last ones may rest

    def total(by_seat: npt.NDArray[Any]) -> Floats:
        result = np.zeros(players)
        for seat in range(seats):
            np.add.at(result, schedule[:, 1 + seat], by_seat[:, seat])
        return result[:count]

    others = (games.points.sum(axis=1, keepdims=True) - games.points) / max(1, seats - 1)
    margin = np.where(going[:, None], games.points - others, 0).astype(np.float64)
    won: npt.NDArray[Any] = shares_of(games)
    even = np.zeros_like(margin)
    if seats == 2:
        won, even = margin > 0, going[:, None] & (margin == 0)
    elif game is not None and game.counts == "places":
        won = np.where(going[:, None], (seats - places_of(games.points)) / (seats - 1), 0)
    return Tally(
        games=total(np.ones_like(margin)),
        wins=total(won),
        draws=total(even),
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
