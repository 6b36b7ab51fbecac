"""Which players of a population meet, as `--schedule` says.

The games that n players have among themselves in a generation, with d deals a pair:

    round-robin  n * (n - 1) * d    everyone meets everyone
    swiss        n * rounds * d     in each round players meet that have done about as well so far
    gauntlet     0                  only opponents and the hall of fame show how strong each one is

At tables of more than two seats the players are drawn at random, as often as the rounds say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rulebots.errors import UsageError, unknown
from rulebots.files.ranges import check_numbers, number
from rulebots.players.specs import settings_of
from rulebots.tournaments.pairing import Table, round_robin, swiss_tables


@dataclass(frozen=True)
class RoundRobin:
    """Everyone meets everyone, in one round."""

    def rounds_of(self, players: int) -> int:
        """The number of rounds."""
        return 1

    def pairs_a_round(self, players: int) -> int:
        """The number of pairs in each of them."""
        return players * (players - 1) // 2

    def next_round(self, scores: Sequence[float], rounds: Sequence[Sequence[Table]]) -> Sequence[Table]:
        """The pairs of the next round, given the scores of all players so far and the pairs of the rounds before."""
        return round_robin(len(scores))


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

    def next_round(self, scores: Sequence[float], rounds: Sequence[Sequence[Table]]) -> Sequence[Table]:
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
    if name not in PAIRINGS:
        raise UsageError(unknown("schedule", name, PAIRINGS))
    pairing = settings_of(spec, PAIRINGS[name])
    check_numbers(pairing)
    return pairing


def tables_of(players: int, seats: int, rounds: int) -> int:
    """How many tables of more than two let everyone of a population sit at least once a round."""
    return -(-rounds * players // seats)
