"""Deals: what chance decides, drawn in advance; and schedules, in which every player has every seat equally often.

A schedule is int64[games, 1 + seats]: the deal, and the player in each seat. The games of a deal stand together, and
the deal with all of them is the unit of every figure.
"""

import functools
import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rulebots.errors import check_whole
from rulebots.game import Bools, Game, Ints
from rulebots.game.checks import call_limited
from rulebots.game.courses import courses_of
from rulebots.game.random_numbers import CARDS, LUCK, OPENINGS, OUTCOMES, check_seed, luck_of, rng_of
from rulebots.play import MOST_DEALS

#: Opening plies of a game that deals nothing and whose author says nothing: with six moves a ply, they make a thousand
#: games different, and leave most games open.
OPENING_PLIES = 4
#: How often an opening that ends the game is drawn again before the game begins without one.
OPENING_TRIES = 100
#: Deals that show whether deals differ at all.
SAMPLE = 64


@dataclass(frozen=True)
class Deals:
    """What chance decides in a number of games, drawn in advance.

    `cards` is int64[deals, length], a row per deal as the game's `draw_deals` gives it. `luck`, int64[deals, seats],
    holds the initial random states of the seats' players. Every game begins with `opening_plies` random moves, drawn
    from the random states `openings`, int64[deals]. The outcomes of chance decisions are drawn from the random states
    `outcomes`, int64[deals], which no player sees. `options` is a record of the game's options.
    """

    game: Game
    options: Any
    cards: Ints
    luck: Ints
    openings: Ints
    outcomes: Ints
    opening_plies: int

    def __len__(self) -> int:
        return len(self.cards)

    @property
    def seats(self) -> int:
        """How many play."""
        return self.luck.shape[1]

    def mirrored(self, first: int = 0, second: int = 1) -> Ints:
        """The schedule of a match of two players on these deals (see below)."""
        return mirrored(len(self), first, second, seats=self.seats, together=self.game.together(self.seats))

    @functools.cached_property
    def named_options(self) -> dict[str, int]:
        """The options by name."""
        return self.game.named_options(self.options)

    @functools.cached_property
    def courses(self) -> Ints:
        """The course of a game of each deal before its first move: int64[deals] (see above)."""
        return courses_of(self.cards)


def opening_plies_of(game: Game, options: Any, wanted: int | None = None) -> int:
    """How many random moves each game begins with: the number `wanted`, else one that suits the game.

    `options` is a record of the game's options.

    Raises:
        UsageError: a number of plies out of range.
    """
    plies = game.opening_plies if wanted is None else wanted
    if plies is None:
        plies = min(OPENING_PLIES, game.ply_cap - 1) if always_alike(game, options) else 0
    return check_whole("opening plies", plies, 0, game.ply_cap - 1)


def always_alike(game: Game, options: Any) -> bool:
    """Whether chance decides nothing: there is none in play, and the first `SAMPLE` deals are alike."""
    return not game.chance and not np.ptp(call_limited(game.deal, rng_of(0), SAMPLE, options), axis=0).any()


class DealStream:
    """The deals of an identity such as (seed, generation), drawn in pieces; their sizes do not change the deals.

    Each game begins with `opening_plies` random moves, None for the game's default. An opening that ends the game is
    drawn again.

    Raises:
        UsageError: a seed or a number of plies out of range, or a wrong option.
    """

    def __init__(
        self, game: Game, *identity: int, options: Mapping[str, int] | None = None, opening_plies: int | None = None
    ) -> None:
        identity = tuple(map(check_seed, identity))
        self.game = game
        self.options = game.option_values(options)
        self.opening_plies = opening_plies_of(game, self.options, opening_plies)
        self._cards, self._luck, self._openings, self._outcomes = (
            rng_of(*identity, purpose) for purpose in (CARDS, LUCK, OPENINGS, OUTCOMES)
        )

    def take(self, count: int) -> Deals:
        """The next `count` deals. Raises UsageError for fewer than one, or more than MOST_DEALS."""
        check_whole("deals", count, 1, MOST_DEALS)
        return Deals(
            game=self.game,
            options=self.options,
            cards=self.game.deal(self._cards, count, self.options),
            luck=luck_of(self._luck, (count, self.game.seats_with(self.options))),
            openings=luck_of(self._openings, (count,)),
            outcomes=luck_of(self._outcomes, (count,)),
            opening_plies=self.opening_plies,
        )


def draw_deals(
    game: Game, count: int, *identity: int, options: Mapping[str, int] | None = None, opening_plies: int | None = None
) -> Deals:
    """The first `count` deals of an identity: see `DealStream`, also for what it raises."""
    return DealStream(game, *identity, options=options, opening_plies=opening_plies).take(count)


#: Up to this many players every order is played; with more, every rotation.
MOST_ORDERED = 4
#: Steps between the orders of consecutive deals in the list of all orders: prime, so that every order has its turn.
STRIDE = 53


@functools.cache
def sides_of_deal(seats: int, *, together: bool = False) -> Bools:
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


def mirrored(deals: int, first: int = 0, second: int = 1, *, seats: int = 2, together: bool = False) -> Ints:
    """The schedule in which two players play each deal from both sides (see `sides_of_deal`)."""
    return scheduled(deals, np.where(sides_of_deal(seats, together=together), first, second))


def ordered(deals: int, players: int) -> Ints:
    """The schedule in which as many players as there are seats play each deal in every order.

    With more than `MOST_ORDERED` players it is every rotation of one order, so that each is in each seat once a deal.
    The order changes from deal to deal: after all of them, (players - 1)! deals, each has followed each equally often.
    """
    if players <= MOST_ORDERED:
        return scheduled(deals, np.array(list(itertools.permutations(range(players)))))
    cycle = math.factorial(players - 1)
    orders = np.array([_order(deal * STRIDE % cycle, players) for deal in range(min(deals, cycle))], np.int64)
    turns = (np.arange(players)[:, None] + np.arange(players)) % players
    return scheduled(deals, orders.reshape(-1, players)[np.arange(deals) % cycle][:, turns])


def _order(number: int, players: int) -> list[int]:
    """An order by its number among those that begin with player 0, sorted: of the rotations of an order, one does."""
    order, others = [0], list(range(1, players))
    while others:
        index, number = divmod(number, math.factorial(len(others) - 1))
        order.append(others.pop(index))
    return order


def one_among(deals: int, *, seats: int) -> Ints:
    """The schedule in which player 1 is alone in each seat in turn, among copies of player 0."""
    return scheduled(deals, np.eye(seats, dtype=np.int64))


def scheduled(deals: int, tables: Ints) -> Ints:
    """The schedule of tables, int64[games, seats] for every deal or int64[deals, games, seats]."""
    games, seats = tables.shape[-2:]
    schedule = np.empty((deals, games, 1 + seats), np.int64)
    schedule[:, :, 0] = np.arange(deals)[:, None]
    schedule[:, :, 1:] = tables
    return schedule.reshape(-1, 1 + seats)
