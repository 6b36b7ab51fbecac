"""Who meets whom: systems for tournaments, and for the populations that `evolve` breeds.

The pairs that n players make:

    round-robin  n * (n - 1) / 2            everyone meets everyone
    gauntlet     n - 1                      the first player meets everyone else
    swiss        rounds * (n / 2)           in each round players meet who have scored about as much so far

At a table of more seats as many players meet at once (`Tables`): so drawn that every two meet equally often, or nearly.
"""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from rulebots.errors import UsageError
from rulebots.files.ranges import number
from rulebots.game.random_numbers import rng_of

#: The systems by name.
SYSTEMS = ("round-robin", "swiss", "gauntlet")
#: Two players by number, the smaller one first.
Pair: TypeAlias = tuple[int, int]
Pairs: TypeAlias = list[Pair]
#: Players by number who meet at one table, the smallest first; two of them are a pair.
Table: TypeAlias = tuple[int, ...]

#: Pairs to try in a round of the Swiss system before rematches that could be avoided are accepted.
MOST_TRIES = 100_000
#: How many ways of drawing tables are tried, of up to so many players; of more, the first is as good.
DRAWS, FEW_PLAYERS = 30, 64


class Pairing(ABC):
    """A system, round by round."""

    def rounds_of(self, players: int) -> int:
        """The number of rounds with this number of players, one if a system does not say otherwise."""
        return 1

    @abstractmethod
    def pairs_a_round(self, players: int) -> int:
        """The number of pairs in each of them."""

    @abstractmethod
    def next_round(self, scores: Sequence[float], rounds: Sequence[Pairs]) -> Pairs:
        """The pairs of the next round.

        `scores` are those of all players so far, `rounds` the pairs of the rounds before.
        """


@dataclass(frozen=True)
class RoundRobin(Pairing):
    """All pairs in one round."""

    def pairs_a_round(self, players: int) -> int:
        """All."""
        return players * (players - 1) // 2

    def next_round(self, scores: Sequence[float], rounds: Sequence[Pairs]) -> Pairs:
        """All."""
        return round_robin(len(scores))


@dataclass(frozen=True)
class Gauntlet(Pairing):
    """The first player against each of the others, in one round."""

    def pairs_a_round(self, players: int) -> int:
        """One with each other player."""
        return players - 1

    def next_round(self, scores: Sequence[float], rounds: Sequence[Pairs]) -> Pairs:
        """The first player with each other one."""
        return [(0, other) for other in range(1, len(scores))]


@dataclass(frozen=True)
class Swiss(Pairing):
    """Rounds between neighbours in the standings."""

    rounds: int = number(9, 1, 1000, "how often everyone meets another")

    def rounds_of(self, players: int) -> int:
        """As many as are wanted, but not more than a round robin takes: then everyone has met everyone."""
        return min(self.rounds, players - 1 + players % 2)

    def pairs_a_round(self, players: int) -> int:
        """Everyone meets one other player; of an odd number of players one rests."""
        return players // 2

    def next_round(self, scores: Sequence[float], rounds: Sequence[Pairs]) -> Pairs:
        """See `swiss_round`."""
        return swiss_round(scores, rounds)


def round_robin(players: int) -> Pairs:
    """Everyone with everyone."""
    return list(itertools.combinations(range(players), 2))


def resting(players: int, tables: Sequence[Table]) -> set[int]:
    """The players that are at none of these tables."""
    return set(range(players)) - set(itertools.chain.from_iterable(tables))


def swiss_round(scores: Sequence[float], rounds: Sequence[Pairs]) -> Pairs:
    """The next round of the Swiss system: neighbours in the standings meet, the best first.

    `scores` are those of all players so far; on a tie the lower number stands first. Players who have met in one
    of the `rounds` before do not meet again; where that is impossible, as few as possible do. Of an odd number
    of players the last one in the standings rests that has not rested before.
    """
    order = sorted(range(len(scores)), key=lambda player: (-scores[player], player))
    if len(order) % 2:
        rested = set().union(*(resting(len(scores), pairs) for pairs in rounds))
        order.remove(next((player for player in reversed(order) if player not in rested), order[-1]))
    met, found = set(itertools.chain.from_iterable(rounds)), []
    # While more than 2 * (rounds + 1) players are left, each has met fewer than half of the others, so that they can be
    # paired without a rematch whatever the pairs above them (Dirac's theorem, 1952): no choice has to be taken back.
    while len(order) > 2 * (len(rounds) + 1):
        found.append(_take_nearest(order, met))
    return [*found, *_with_fewest_rematches(order, met)]


def _take_nearest(order: list[int], met: set[Pair]) -> Pair:
    """Take the first player out of `order`, with the next one that it has not met, or else with the next one."""
    first = order.pop(0)
    second = next((other for other in order if _pair(first, other) not in met), order[0])
    order.remove(second)
    return _pair(first, second)


def _with_fewest_rematches(order: list[int], met: set[Pair]) -> Pairs:
    """Pairs of all players of `order`, an even number, nearest first, with as few rematches as possible."""
    tries = itertools.count()
    for allowed in range(len(order) // 2 + 1):
        for pairs in _search(order, met, allowed):
            if pairs is not None:
                return pairs
            if next(tries) > MOST_TRIES:
                left = list(order)
                return [_take_nearest(left, met) for _ in range(len(order) // 2)]
    raise AssertionError("pairs that may all be rematches always exist")


def _search(order: list[int], met: set[Pair], allowed: int) -> Iterator[Pairs | None]:
    """Depth-first search for pairs with at most `allowed` rematches: yields None for each try, then the pairs."""
    if not order:
        yield []
        return
    found, levels = list[Pair](), [_choices(order, met, allowed)]
    while levels:
        choice = next(levels[-1], None)
        yield None
        if choice is None:
            levels.pop()
            found = found[:-1]
            continue
        pair, rest, left = choice
        found = [*found, pair]
        if not rest:
            yield found
            return
        levels.append(_choices(rest, met, left))


def _choices(order: list[int], met: set[Pair], allowed: int) -> Iterator[tuple[Pair, list[int], int]]:
    """Pairs of the first player, nearest first; with each the other players, and the rematches still allowed."""
    first, *others = order
    for i, second in enumerate(others):
        pair = _pair(first, second)
        left = allowed - (pair in met)
        if left >= 0:
            yield pair, [*others[:i], *others[i + 1 :]], left


def _pair(first: int, second: int) -> Pair:
    return min(first, second), max(first, second)


@dataclass(frozen=True)
class Tables:
    """A system at tables of `seats`, more than two, round by round as `Pairing` has it.

    A round robin is one draw of tables at which every two players meet. A gauntlet has the first player at every table,
    and each of the others at as many. In each of the Swiss `rounds` neighbours in the standings sit at a table.

    Raises:
        UsageError: fewer players than seats, or a wrong number of rounds.
    """

    system: str
    seats: int
    players: int
    rounds: int | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        if self.players < self.seats:
            few = f"a table of {self.seats} needs at least {self.seats} players, not {self.players}"
            raise UsageError(f"{few}: name more of them, or one of them twice")
        low = next(n for n in itertools.count(1) if self.seats**n >= self.players)
        high = max(low, math.ceil((self.players - 1) / (self.seats - 1)) + (self.players % self.seats > 0))
        if self.system == "swiss":
            check_rounds(self.rounds, self.players, low, high)

    @property
    def turns(self) -> int:
        """The number of rounds."""
        return (self.rounds or 1) if self.system == "swiss" else 1

    def next_round(self, scores: Sequence[float], rounds: Sequence[Sequence[Table]]) -> list[Table]:
        """The tables of the next round; `scores` are those so far, `rounds` the tables of the rounds before."""
        if self.system == "swiss":
            return swiss_tables(self.seats, scores, rounds)
        if self.system == "gauntlet":
            others = self.players - 1
            few = others == self.seats - 1
            tables = [tuple(range(others))] if few else _shifted(_even_blocks(others, self.seats - 1, 1), others)
            return [(0, *(1 + other for other in table)) for table in tables]
        return table_robin(self.players, self.seats, self.seed)


def check_rounds(rounds: object, players: int, low: int, high: int) -> int:
    """A number of Swiss rounds. Raises UsageError for one out of this range."""
    if not isinstance(rounds, int) or isinstance(rounds, bool) or not low <= rounds <= high:
        raise UsageError(f"swiss: {players} players need {low} to {high} rounds, not {rounds}")
    return rounds


def table_robin(players: int, seats: int, seed: int = 1) -> list[Table]:
    """Tables at which every two players meet equally often, or nearly (see `uneven`), and everyone sits equally often.

    They are rotations of a few tables around a circle of the players (R. C. Bose, Ann. Eugen. 9, 1939); where these are
    not even, and all possible tables are not many, it is all of them. The seed says who is where on the circle.
    """
    everyone, pairs = math.comb(players, seats), players * (players - 1) // 2
    blocks = [] if everyone <= pairs else _even_blocks(players, seats, players // 2)
    tables = _shifted(blocks, players)
    if not blocks or (uneven(tables) and everyone <= 2 * pairs):
        return list(itertools.combinations(range(players), seats))
    circle = rng_of(seed, players, seats).permutation(players).tolist()
    return [tuple(sorted(circle[i] for i in table)) for table in tables]


def uneven(tables: Iterable[Sequence[object]]) -> str:
    """In one line how far these tables are from every two players meeting equally often; "" where they do."""
    met = Counter(pair for table in tables for pair in itertools.combinations(table, 2))
    everyone = {player for pair in met for player in pair}
    low = 0 if len(met) < math.comb(len(everyone), 2) else min(met.values(), default=0)
    high = max(met.values(), default=0)
    return f"Not every two players met equally often: at {low} to {high} tables." if low < high else ""


def swiss_tables(seats: int, scores: Sequence[float], rounds: Sequence[Sequence[Table]]) -> list[Table]:
    """The next Swiss round at tables: neighbours in the standings, the best first, who have met least so far.

    Where players are left over, those rest who have rested least, of these the last in the standings.
    """
    order = sorted(range(len(scores)), key=lambda player: (-scores[player], player))
    rests = Counter(player for tables in rounds for player in resting(len(scores), tables))
    met = Counter(pair for tables in rounds for table in tables for pair in itertools.permutations(table, 2))
    for player in sorted(order, key=lambda player: (rests[player], -order.index(player)))[: len(order) % seats]:
        order.remove(player)
    found = []
    while order:
        table = [order.pop(0)]
        while len(table) < seats:
            table.append(min(order, key=lambda player: sum(met[player, other] for other in table)))
            order.remove(table[-1])
        found.append(tuple(sorted(table)))
    return found


def _shifted(blocks: Sequence[Table], players: int) -> list[Table]:
    """Each block moved around a circle of the players, step by step."""
    return [tuple(sorted((i + step) % players for i in block)) for block in blocks for step in range(players)]


def _even_blocks(players: int, seats: int, most: int) -> list[Table]:
    """Up to `most` blocks of places on a circle of the players, whose rotations let every two meet most evenly.

    How often two meet depends on how far apart they are. Each block grows by the place that keeps the counts of all
    distances most even, in several draws; of equally even ones the fewest blocks. None where no draw lets all meet.
    """
    best, found = (players, 0), list[Table]()
    rng, places = rng_of(players, seats), np.arange(players)
    for draw in range(DRAWS if players <= FEW_PLAYERS else 1):
        met, blocks = np.zeros(players, np.int64), list[Table]()
        while len(blocks) < most:
            block, counts = [0], met
            while len(block) < seats:
                order = rng.permutation(players) if draw else places
                after = np.tile(counts, (players, 1))
                for place in block:
                    after[places, (places - place) % players] += 1
                    after[places, (place - places) % players] += 1
                costs = (after[:, 1:] ** 2).sum(axis=1)
                costs[block] = np.iinfo(np.int64).max
                chosen = int(order[costs[order].argmin()])
                counts, block = after[chosen], [*block, chosen]
            met, blocks = counts, [*blocks, tuple(block)]
            if len(set(_shifted(blocks, players))) < players * len(blocks):
                break  # a table is there twice
            low, high = int(met[1:].min()), int(met[1:].max())
            if (low or most == 1) and (high - low, len(blocks)) < best:
                best, found = (high - low, len(blocks)), blocks
    return found
