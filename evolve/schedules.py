"""What a run plays: deals by identity, and schedules of games on them.

Which players of a population meet, `--schedule` says. The games that n players have among themselves in a generation,
with d deals a pair:

    round-robin  n * (n - 1) * d    everyone meets everyone
    swiss        n * rounds * d     in each round players meet that have done about as well so far
    gauntlet     0                  only opponents and the hall of fame show how strong each one is

At tables of more than two seats the players are drawn at random, as often as the rounds say.
"""

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from rulebots.errors import check_known
from rulebots.files.ranges import check_numbers, number
from rulebots.game import Bools, Game, Ints
from rulebots.play.deals import Deals, draw_deals, scheduled, sides_of_deal
from rulebots.players.specs import settings_of
from rulebots.tournaments.pairing import Pair, Table, swiss_tables, take_table

#: int64[games, 1 + seats]: the deal, and the player in each seat.
Schedule: TypeAlias = Ints
#: Tables of a round, one after the other: int64[tables, seats] where they are many.
Tables: TypeAlias = Sequence[Table] | Ints

# What deals are for: part of their identity, so that no deal is ever used for two purposes.
TRAINING, SPARRING, WATCHING, RUNOFF, HELD_OUT, BASELINES, VERDICT, LESSONS, STYLES = range(1, 10)
SEATING, POLISHING, SIZING, IDLING, MEASURING = range(11, 16)
#: In the company of a team: the player itself, or a copy of it.
ITSELF = -1


@dataclass(frozen=True)
class DealSource:
    """`count` deals of an identity such as (seed, purpose, generation): a few numbers that any process can draw from.

    `options` are those of the game, by name. With `opening_plies` None, games begin with as many random
    moves as suit the game.
    """

    count: int
    identity: tuple[int, ...]
    options: tuple[tuple[str, int], ...] = ()
    opening_plies: int | None = None

    def draw(self, game: Game) -> Deals:
        """The deals. Raises UsageError for a wrong option or number of plies."""
        return draw_deals(
            game, self.count, *self.identity, options=dict(self.options), opening_plies=self.opening_plies
        )


@dataclass(frozen=True)
class RoundRobin:
    """Everyone meets everyone, in one round."""

    def rounds_of(self, players: int) -> int:
        """The number of rounds."""
        return 1

    def pairs_a_round(self, players: int) -> int:
        """The number of pairs in each of them."""
        return players * (players - 1) // 2

    def next_round(self, scores: Sequence[float], rounds: Sequence[Sequence[Table]]) -> Tables:
        """The pairs of the next round, given the scores of all players so far and the pairs of the rounds before."""
        return np.column_stack(np.triu_indices(len(scores), 1))


@dataclass(frozen=True)
class Swiss(RoundRobin):
    """Rounds between neighbours in the standings; at most as many as it takes to meet everyone."""

    rounds: int = number(9, 1, 1000, "how often everyone meets another")

    def rounds_of(self, players: int) -> int:
        """The number of rounds."""
        return min(self.rounds, players - 1 + players % 2)

    def pairs_a_round(self, players: int) -> int:
        """Everyone meets one other player; of an odd number of players one rests."""
        return players // 2

    def next_round(self, scores: Sequence[float], rounds: Sequence[Sequence[Table]]) -> Tables:
        """See `swiss_tables`."""
        return swiss_tables(2, scores, rounds)


@dataclass(frozen=True)
class OpponentsOnly(RoundRobin):
    """No two players of the population meet: each runs the gauntlet of the opponents."""

    def rounds_of(self, players: int) -> int:
        """None."""
        return 0


PAIRINGS: Mapping[str, type[RoundRobin]] = {"round-robin": RoundRobin, "swiss": Swiss, "gauntlet": OpponentsOnly}


def pairing_of(spec: str) -> RoundRobin:
    """`swiss` or `swiss:rounds=12` as a pairing. Raises UsageError for an unknown name or setting."""
    name = spec.partition(":")[0]
    check_known("schedule", name, PAIRINGS)
    pairing = settings_of(spec, PAIRINGS[name])
    check_numbers(pairing)
    return pairing


def tables_of(players: int, seats: int, rounds: int) -> int:
    """How many tables of more than two let everyone of a population sit at least once a round."""
    return -(-rounds * players // seats)


def all_pairs(players: int, deals: int, seats: int = 2) -> Schedule:
    """Every pair plays every deal from all sides (see `of_pairs`)."""
    return of_pairs(RoundRobin().next_round([0.0] * players, []), deals, sides_of_deal(seats))


def against(players: int, opponents: int, deals: int, seats: int = 2) -> Schedule:
    """Each of the first `players` is alone in each seat of every deal, among copies of each of the next `opponents`."""
    pairs = [(player, players + opponent) for player in range(players) for opponent in range(opponents)]
    return of_pairs(pairs, deals, np.eye(seats, dtype=np.bool_))


def of_pairs(pairs: Tables, deals: int, sides: Bools) -> Schedule:
    """The games of each pair on every deal: its first player has the seats of `sides`, bool[games, seats]."""
    both = np.array(pairs, np.int64).reshape(-1, 2)
    return scheduled(deals, np.where(sides, both[:, :1, None], both[:, 1:, None]).reshape(-1, sides.shape[1]))


def in_every_seat(tables: Tables, deals: int, seats: int) -> Schedule:
    """Each table plays every deal in every rotation of its players."""
    turns = (np.arange(seats)[:, None] + np.arange(seats)) % seats
    return scheduled(deals, np.array(tables, np.int64).reshape(-1, seats)[:, turns].reshape(-1, seats))


def pieces(rows: Ints, at_once: int) -> Iterator[Ints]:
    """Tables or games in slices of at most `at_once`, in order; of none an empty one."""
    yield from (rows[first : first + at_once] for first in range(0, max(1, len(rows)), at_once))


def draw_tables(players: int, seats: int, rounds: int, rng: np.random.Generator) -> list[Table]:
    """Tables of a population: everyone sits at one table a round.

    There are at least as many players as seats. Where the players cannot be divided into tables, those left over sit
    down with players of the next round, and some once more after the last. The others sit down in a random order, next
    to those that they have met least.
    """
    met = Counter[Pair]()
    waiting = list[int]()
    tables = list[Table]()
    for _ in range(tables_of(players, seats, rounds)):
        if len(waiting) >= seats:
            table = take_table(waiting, met, seats)
        else:
            order = rng.permutation(players).tolist()
            table = take_table([player for player in order if player not in waiting], met, seats, waiting)
            waiting = [player for player in order if player in waiting or player not in table]
        met.update(itertools.permutations(table, 2))
        tables.append(table)
    return tables


def companions(deals: int, seats: int, partners: int, share: float) -> Schedule:
    """The seating of each deal of a cooperative game, int64[deals, seats]: ITSELF, or a partner by its number.

    On a share of the deals that is each partner in turn: the player alone in each seat among copies of the partner, and
    the partner alone among copies of the player. On the others the player's copies are everywhere.
    """
    deal = np.arange(deals)
    arrangements = sides_of_deal(seats)
    turn = np.floor(deal * share).astype(np.int64)
    mixed = (np.floor((deal + 1) * share) > turn) & (partners > 0)
    own = arrangements[turn % len(arrangements)] | ~mixed[:, None]
    return np.where(own, ITSELF, (turn // len(arrangements) % max(partners, 1))[:, None])


def teams(players: int, company: Schedule, first_partner: int) -> Schedule:
    """Each player plays every deal in the company that `companions` gives it; the partners come after all others."""
    by_deal = np.where(company == ITSELF, np.arange(players)[:, None, None], first_partner + company)
    return scheduled(len(company), by_deal.swapaxes(0, 1))


def lesson_schedule(games: int, opponents: int, self_play: float, seats: int = 2) -> Schedule:
    """Player 0 meets each of the opponents in turn and, in a share of the games, the player after all others.

    Every game has a deal of its own. As many games in a row as there are seats are among copies of the same player,
    with player 0 in each seat.
    """
    game = np.arange(games)
    pair = game // seats
    share = self_play if opponents else 1.0
    before = np.floor(pair * share).astype(np.int64)
    whom = np.where(np.floor((pair + 1) * share) > before, opponents, (pair - before) % max(opponents, 1)) + 1
    return np.column_stack([game, np.where(np.arange(seats) == (game % seats)[:, None], 0, whom[:, None])])
