"""The tables of a tournament: which players meet, by system and number of seats.

    round-robin  every two players meet equally often, or nearly
    gauntlet     the first player meets everyone else
    swiss        in each round players meet that have scored about as much so far

With two seats a table is a pair of players.
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from rulebots.errors import demand, is_whole
from rulebots.game.random_numbers import rng_of

#: The systems by name.
SYSTEMS = ("round-robin", "swiss", "gauntlet")
#: Two players by number, the smaller one first.
Pair: TypeAlias = tuple[int, int]
#: Players by number who meet at one table, the smallest first.
Table: TypeAlias = tuple[int, ...]

#: Tables to try in a round of the Swiss system before rematches that could be avoided are accepted.
MOST_TRIES = 100_000
#: Random draws of tables to choose from, for up to that many players; of more, the first is as good.
DRAWS = 30
FEW_PLAYERS = 64


@dataclass(frozen=True)
class Tables:
    """The tables of a tournament, round by round.

    A round robin is one draw of tables. A gauntlet has the first player at every table, and each of the others at
    equally many. In each of the Swiss `rounds` neighbours in the standings sit at a table.

    Raises:
        UsageError: fewer players than seats, or a wrong number of rounds.
    """

    system: str
    seats: int
    players: int
    rounds: int | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        demand(
            self.players >= self.seats,
            f"a table of {self.seats} needs at least {self.seats} players, not {self.players}: "
            "name more of them, or one of them twice",
        )
        if self.system != "swiss":
            return
        # Enough rounds for a single winner, and no more than it takes to meet everyone.
        low = next(n for n in itertools.count(1) if self.seats**n >= self.players)
        high = max(low, math.ceil((self.players - 1) / (self.seats - 1)) + (self.players % self.seats > 0))
        rounds: Any = self.rounds
        demand(
            is_whole(rounds) and low <= rounds <= high,
            f"swiss: {self.players} players need {low} to {high} rounds, not {self.rounds}",
        )

    @property
    def turns(self) -> int:
        """The number of rounds."""
        return (self.rounds or 1) if self.system == "swiss" else 1

    def next_round(self, scores: Sequence[float], rounds: Sequence[Sequence[Table]]) -> Sequence[Table]:
        """The tables of the next round; `scores` are those so far, `rounds` the tables of the rounds before."""
        if self.system == "swiss":
            return swiss_tables(self.seats, scores, rounds)
        if self.system == "round-robin":
            return table_robin(self.players, self.seats, self.seed)
        others = self.players - 1
        if others == self.seats - 1:
            return [tuple(range(self.players))]
        tables = _shifted(_even_blocks(others, self.seats - 1, 1), others)
        return [(0, *(1 + other for other in table)) for table in tables]


def resting(players: int, tables: Sequence[Table]) -> set[int]:
    """The players that are at none of these tables."""
    return set(range(players)) - set(itertools.chain.from_iterable(tables))


def table_robin(players: int, seats: int, seed: int = 1) -> Sequence[Table]:
    """Tables at which every two players meet equally often, or nearly (see `uneven`), and everyone sits equally often.

    They are rotations of a few tables around a circle of the players (R. C. Bose, Ann. Eugen. 9, 1939); where these are
    not even, and all possible tables are not many, it is all of them. The seed shuffles the circle.
    """
    pairs = math.comb(players, 2)
    possible = math.comb(players, seats)
    blocks = [] if possible <= pairs else _even_blocks(players, seats, players // 2)
    tables = _shifted(blocks, players)
    if not blocks or (uneven(tables) and possible <= 2 * pairs):
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


def swiss_tables(seats: int, scores: Sequence[float], rounds: Sequence[Sequence[Table]]) -> Sequence[Table]:
    """The next Swiss round: neighbours in the standings, the best first, that have met least so far.

    `scores` are those of all players so far; on a tie the lower number stands first. Players that are left over rest:
    those that have rested least and, of these, the last in the standings. As few players as possible meet again.
    """
    order = sorted(range(len(scores)), key=lambda player: (-scores[player], player))
    rests = Counter(player for tables in rounds for player in resting(len(scores), tables))
    for _ in range(len(order) % seats):
        order.remove(min(reversed(order), key=lambda player: rests[player]))
    met = Counter(pair for tables in rounds for table in tables for pair in itertools.permutations(table, 2))
    tables = list[Table]()
    # With more players than this, the rest can always be seated without a rematch (Hajnal and Szemeredi, 1970), so no
    # choice has to be taken back.
    while len(order) > seats * (len(rounds) * (seats - 1) + 1):
        tables.append(tuple(sorted(take_table(order, met, seats))))
    tries = itertools.count()
    known = [set[int]() for _ in scores]
    for one, other in met:
        known[one].add(other)
    for rematches in range(len(order) * (seats - 1) // 2 + 1):
        seated = _seated(order, known, seats, rematches, tries)
        if seated is not None:
            return tables + seated
    return tables + [tuple(sorted(take_table(order, met, seats))) for _ in range(len(order) // seats)]


def take_table(order: list[int], met: Counter[Pair], seats: int, begun: Iterable[int] = ()) -> Table:
    """Take the first players out of `order` for a table, or for one that has `begun`, that it has met least.

    `met` counts the meetings of two players in both orders.
    """
    table = list(begun)

    def meetings(player: int) -> int:
        return sum(met[player, other] for other in table)

    while len(table) < seats:
        stranger = next((player for player in order if not meetings(player)), None)
        table.append(min(order, key=meetings) if stranger is None else stranger)
        order.remove(table[-1])
    return tuple(table)


def _seated(
    order: list[int], known: Sequence[set[int]], seats: int, rematches: int, tries: Iterator[int]
) -> list[Table] | None:
    """Tables of all players, nearest first, with at most `rematches`; None where there are none, or `tries` end.

    `known` are those that each player has met.
    """
    if not order:
        return []
    first, *others = order
    for company in itertools.combinations(others, seats - 1):
        if next(tries) > MOST_TRIES:
            return None
        left = rematches - len(known[first].intersection(company))
        if seats > 2:
            left -= sum(other in known[one] for one, other in itertools.combinations(company, 2))
        if left >= 0:
            waiting = others.copy()
            for player in company:
                waiting.remove(player)
            rest = _seated(waiting, known, seats, left, tries)
            if rest is not None:
                return [tuple(sorted((first, *company))), *rest]
    return None


def _shifted(blocks: Sequence[Table], players: int) -> list[Table]:
    """Each block moved around a circle of the players, step by step."""
    return [tuple(sorted((i + step) % players for i in block)) for block in blocks for step in range(players)]


def _even_blocks(players: int, seats: int, most: int) -> list[Table]:
    """Up to `most` blocks of places on a circle of the players, whose rotations let every two meet most evenly.

    How often two meet depends on how far apart they are. Each block grows by the place that keeps the counts of all
    distances most even, in several draws; of equally even ones the fewest blocks. None where no draw lets all meet.
    """
    fewest = (players, 0)
    best = list[Table]()
    rng = rng_of(players, seats)
    places = np.arange(players)
    for draw in range(DRAWS if players <= FEW_PLAYERS else 1):
        met = np.zeros(players, np.int64)
        blocks = list[Table]()
        while len(blocks) < most:
            block = [0]
            while len(block) < seats:
                order = rng.permutation(players) if draw else places
                after = np.tile(met, (players, 1))
                for place in block:
                    after[places, (places - place) % players] += 1
                    after[places, (place - places) % players] += 1
                costs = (after[:, 1:] ** 2).sum(axis=1)
                costs[block] = np.iinfo(np.int64).max
                block.append(int(order[costs[order].argmin()]))
                met = after[block[-1]]
            blocks = [*blocks, tuple(block)]
            if len(set(_shifted(blocks, players))) < players * len(blocks):
                break  # a table is there twice
            low = int(met[1:].min())
            high = int(met[1:].max())
            if (low or most == 1) and (high - low, len(blocks)) < fewest:
                fewest = (high - low, len(blocks))
                best = blocks
    return best
