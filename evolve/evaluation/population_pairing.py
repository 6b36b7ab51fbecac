"""Who meets whom in a population: the systems of rulebots/tournaments/pairing.py, as `--schedule` names them.

The games that n players have among themselves in a generation, with d deals a pair:

    round-robin  n * (n - 1) * d    everyone meets everyone
    swiss        n * rounds * d     in each round players meet who have done about as well so far
    gauntlet     0                  only opponents and the hall of fame show how strong each one is
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulebots.errors import UsageError, unknown
from rulebots.files.ranges import check_numbers
from rulebots.players.specs import settings_of
from rulebots.tournaments.pairing import Pairing, RoundRobin, Swiss


@dataclass(frozen=True)
class OpponentsOnly(RoundRobin):
    """No two players of the population meet: each runs the gauntlet of the opponents."""

    def rounds_of(self, players: int) -> int:
        """None."""
        return 0


PAIRINGS: Mapping[str, type[Pairing]] = {"round-robin": RoundRobin, "swiss": Swiss, "gauntlet": OpponentsOnly}


def pairing_of(spec: str) -> Pairing:
    """`swiss` or `swiss:rounds=12` as a pairing. Raises UsageError for an unknown name or setting."""
    name = spec.partition(":")[0]
    if name not in PAIRINGS:
        raise UsageError(unknown("schedule", name, PAIRINGS))
    found = settings_of(spec, PAIRINGS[name])
    check_numbers(found)
    return found


def tables_of(players: int, seats: int, rounds: int) -> int:
    """How many tables of more than two let everyone of a population sit at least once a round."""
    return -(-rounds * players // seats)
