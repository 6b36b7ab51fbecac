"""Who meets whom."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

Pair = tuple[int, int]


def round_robin(players: int) -> list[Pair]:
    """Everybody with everybody."""
    return list(itertools.combinations(range(players), 2))


def gauntlet(players: int) -> list[Pair]:
    """Player 0 with everybody else."""
    return [(0, other) for other in range(1, players)]


def swiss_round(scores: Sequence[float], met: set[Pair], rested: set[int]) -> tuple[list[Pair], int | None]:
    """Pairs of a round in the Swiss system, and who rests where the number of players is odd.

    `scores` are those of all players up to now. Neighbours in the standings meet who have not `met`; where
    that is impossible, as few as possible meet again. The last in the standings rests who has not `rested`.
    """
    order = sorted(range(len(scores)), key=lambda player: (-scores[player], player))
    idle = None
    if len(order) % 2:
        idle = next((player for player in reversed(order) if player not in rested), order[-1])
        order.remove(idle)
    for again in range(len(order) // 2 + 1):
        pairs = _neighbours(order, met, again)
        if pairs is not None:
            return pairs, idle
    raise AssertionError("pairs that may all meet again can always be made")


def _neighbours(order: list[int], met: set[Pair], again: int) -> list[Pair] | None:
    """Pairs of neighbours, nearest first, of whom at most `again` have met; None where there are none."""
    if not order:
        return []
    first, *others = order
    for second in others:
        pair = min(first, second), max(first, second)
        cost = int(pair in met)
        if cost <= again:
            rest = _neighbours([player for player in others if player != second], met, again - cost)
            if rest is not None:
                return [pair, *rest]
    return None
