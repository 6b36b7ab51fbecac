"""Who meets whom: systems for tournaments, and for the populations that `evolve` breeds.

The pairs that n players make:

    round-robin  n * (n - 1) / 2            everyone meets everyone
    gauntlet     n - 1                      the first player meets everyone else
    swiss        rounds * (n / 2)           in each round players meet who have scored about as much so far
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rulebots.files.ranges import number

#: The systems by name.
SYSTEMS = ("round-robin", "swiss", "gauntlet")
#: Two players by number, the smaller one first.
Pair: TypeAlias = tuple[int, int]
Pairs: TypeAlias = list[Pair]

#: Pairs to try in a round of the Swiss system before rematches that could be avoided are accepted.
MOST_TRIES = 100_000


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


def resting(players: int, pairs: Pairs) -> set[int]:
    """The players that are in none of these pairs."""
    return set(range(players)) - set(itertools.chain.from_iterable(pairs))


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
