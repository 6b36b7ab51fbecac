"""Whole turns, extra turns included: what the best one brings, and what the opponent's answer takes back.

Rings lie in the rows of `rings`, int16[rows, cells]; `next_pit`, int32[rows], says how far the search has
come in each row. A search looks at one row and overwrites those after it. What a turn brings is in
stones of margin: what comes into one's own store less what comes into the other, the sweep at the end
of the game included.
"""

from __future__ import annotations

from typing import Any

from rulebots.games.kalah.sowing import sow
from rulebots.kernel import Kernel, kernel

#: Extra turns are followed as long as there are rows; more are rare, and what they would add is left out.
ROWS = 24
#: More stones than there are.
NO_BOUND = 1000


@kernel
def stones_of(ring: Any, pits: int, first: int) -> int:
    """Stones in the pits of the side whose cells begin at `first`."""
    stones = 0
    for cell in range(first, first + pits):
        stones += ring[cell]
    return stones


@kernel
def nothing(rings: Any, next_pit: Any, row: int, pits: int, first: int, alone: int, enough: int) -> tuple[int, int]:
    """The search ends here."""
    return 0, 0


def turn_search(then: Kernel[..., tuple[int, int]]) -> Kernel[..., tuple[int, int]]:
    """A kernel: the margin that the best turn brings, less what `then` says that the next one takes back; and without.

    The turn is that of the side whose cells begin at `first`. At `enough` or more the search stops:
    alpha-beta, Knuth and Moore, Artificial Intelligence 6(4), 1975.
    """

    @kernel
    def search(rings: Any, next_pit: Any, row: int, pits: int, first: int, alone: int, enough: int) -> tuple[int, int]:
        mine, theirs = first + pits, 2 * pits + 1 - first
        other = pits + 1 - first
        base, best, won = row, -NO_BOUND, -NO_BOUND
        margin = rings[base, mine] - rings[base, theirs]
        next_pit[row] = 0
        while row >= base and best < enough:
            pit = next_pit[row]
            if pit == pits:
                row -= 1
                continue
            next_pit[row] = pit + 1
            if rings[row, first + pit] == 0:
                continue
            after = row + 1
            rings[after] = rings[row]
            last, _, _, _ = sow(rings[after], pits, first, pit, alone)
            here, there = stones_of(rings[after], pits, first), stones_of(rings[after], pits, other)
            value = rings[after, mine] - rings[after, theirs] - margin
            ended = here == 0 or there == 0
            if ended:
                value += here - there
            elif last == mine and after < ROWS - 1:
                next_pit[after] = 0
                row = after
                continue
            won = max(won, value)
            if not ended and last != mine and after < ROWS - 1:
                taken, _ = then(rings, next_pit, after, pits, other, alone, value - best)
                value -= taken
            best = max(best, value)
        return best, won

    return search


#: What the best turn brings, less what the opponent's best turn takes back.
best_exchange = turn_search(turn_search(nothing))
