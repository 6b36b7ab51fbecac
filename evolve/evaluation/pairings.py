"""Who meets whom in a population: all pairs, or fewer where all pairs are too many.

The games that n players have among themselves in a generation, with d deals a pair:

    round-robin  n * (n - 1) * d    everyone meets everyone
    swiss        n * rounds * d     in each round those meet who did about as well so far
    gauntlet     0                  only opponents and the hall of fame say how strong one is
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rulebots.errors import UsageError, unknown
from rulebots.players.specs import settings_of
from rulebots.ranges import check_numbers, number

#: int64[pairs, 2]: numbers of players.
Pairs = npt.NDArray[np.int64]


class Pairing(ABC):
    """A way to let a population play among itself, round by round."""

    @abstractmethod
    def count(self, players: int) -> int:
        """How many rounds so many players have."""

    @abstractmethod
    def pairs_a_round(self, players: int) -> int:
        """How many pairs meet in each of them."""

    @abstractmethod
    def pairs(self, strength: npt.NDArray[np.float64], met: Pairs) -> Pairs:
        """The next round: `strength` float64[players] of the rounds so far, `met` who has met in them."""


@dataclass(frozen=True)
class RoundRobin(Pairing):
    """All pairs at once."""

    def count(self, players: int) -> int:
        """One."""
        return 1

    def pairs_a_round(self, players: int) -> int:
        """All."""
        return players * (players - 1) // 2

    def pairs(self, strength: npt.NDArray[np.float64], met: Pairs) -> Pairs:
        """All."""
        return np.array(list(itertools.combinations(range(len(strength)), 2)), np.int64).reshape(-1, 2)


@dataclass(frozen=True)
class Swiss(Pairing):
    """Neighbours in the standings that have not met yet; with an odd number the last one left sits out."""

    rounds: int = number(9, 1, 1000, "how often everyone meets another")

    def count(self, players: int) -> int:
        """As many as are wanted, while there are new pairs."""
        return min(self.rounds, players - 1)

    def pairs_a_round(self, players: int) -> int:
        """Everyone meets one."""
        return players // 2

    def pairs(self, strength: npt.NDArray[np.float64], met: Pairs) -> Pairs:
        """From the top down, each meets the next one in the standings that it has not met, or else the next one."""
        known = {frozenset(pair) for pair in met.tolist()}
        standing = np.argsort(-strength, kind="stable").tolist()
        found = []
        while len(standing) > 1:
            first = standing.pop(0)
            second = next((other for other in standing if frozenset((first, other)) not in known), standing[0])
            standing.remove(second)
            found.append((first, second))
        return np.array(found, np.int64).reshape(-1, 2)


@dataclass(frozen=True)
class Gauntlet(Pairing):
    """Nobody of the population meets another."""

    def count(self, players: int) -> int:
        """None."""
        return 0

    def pairs_a_round(self, players: int) -> int:
        """None."""
        return 0

    def pairs(self, strength: npt.NDArray[np.float64], met: Pairs) -> Pairs:
        """None."""
        return met[:0]


PAIRINGS: Mapping[str, type[Pairing]] = {"round-robin": RoundRobin, "swiss": Swiss, "gauntlet": Gauntlet}


def pairing_of(spec: str) -> Pairing:
    """`swiss` or `swiss:rounds=12` as a pairing. Raises UsageError for a name or setting that there is not."""
    name = spec.partition(":")[0]
    if name not in PAIRINGS:
        raise UsageError(unknown("schedule", name, PAIRINGS))
    found = settings_of(spec, PAIRINGS[name])
    check_numbers(found)
    return found
