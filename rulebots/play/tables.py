"""Schedules in which the players of a match have every seat of every deal equally often.

A schedule is int64[games, 1 + seats]: the deal, and the player in each seat. The games of a deal stand together, and
the deal with all of them is the unit of every figure.
"""

from __future__ import annotations

import functools
import itertools

import numpy as np
import numpy.typing as npt

#: Up to this many players every order is played; with more, every rotation.
MOST_ORDERED = 4
#: Steps between the orders of consecutive deals in the list of all orders: prime, so that every order has its turn.
STRIDE = 53


@functools.cache
def sides_of_deal(seats: int, *, together: bool = False) -> npt.NDArray[np.bool_]:
    """Where the first of two players sits in each game of a deal, bool[games, seats]; the second has the other seats.

    Each player sits alone in each seat in turn, among copies of the other. Together: copies of the first player, then
    copies of the second.
    """
    if together:
        sides = np.repeat([[True], [False]], seats, axis=1)
    else:
        alone = np.eye(seats, dtype=np.bool_)
        # At two seats both players sit alone in every game, so the second half repeats the first.
        sides = np.array(list(dict.fromkeys(map(tuple, [*alone, *~alone]))))
    sides.setflags(write=False)
    return sides


def mirrored(
    deals: int, first: int = 0, second: int = 1, *, seats: int = 2, together: bool = False
) -> npt.NDArray[np.int64]:
    """The schedule in which two players play each deal from both sides (see `sides_of_deal`)."""
    return scheduled(deals, np.where(sides_of_deal(seats, together=together), first, second))


def ordered(deals: int, players: int) -> npt.NDArray[np.int64]:
    """The schedule in which as many players as there are seats play each deal in every order.

    With more than `MOST_ORDERED` players it is every rotation of one order, so that each is in each seat once a deal.
    The order changes from deal to deal: after all of them, (players - 1)! deals, each has followed each equally often.
    """
    orders = np.array(list(itertools.permutations(range(players))))
    if players <= MOST_ORDERED:
        return scheduled(deals, orders)
    cycles = orders[orders[:, 0] == 0]  # of the rotations of an order, the one that begins with player 0
    turns = (np.arange(players)[:, None] + np.arange(players)) % players
    return scheduled(deals, cycles[np.arange(deals) * STRIDE % len(cycles)][:, turns])


def one_among(deals: int, *, seats: int) -> npt.NDArray[np.int64]:
    """The schedule in which player 1 is alone in each seat in turn, among copies of player 0."""
    return scheduled(deals, np.eye(seats, dtype=np.int64))


def scheduled(deals: int, tables: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The schedule of tables, int64[games, seats] for every deal or int64[deals, games, seats]."""
    games, seats = tables.shape[-2:]
    schedule = np.empty((deals, games, 1 + seats), np.int64)
    schedule[:, :, 0] = np.arange(deals)[:, None]
    schedule[:, :, 1:] = tables
    return schedule.reshape(-1, 1 + seats)
