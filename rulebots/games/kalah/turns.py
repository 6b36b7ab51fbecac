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
def nothing(rings: Any, next_pit: Any, row: int, pits: int, first: int, alone: int, enough: int) -> int:
    """The search ends here."""
    return 0


def turn_search(then: Kernel[..., int]) -> Kernel[..., int]:
    """A kernel: the margin that the best turn brings, less what `then` says that the next one takes back.

    The turn is that of the side whose cells begin at `first`. At `enough` or more the search stops:
    alpha-beta, Knuth and Moore, Artificial Intelligence 6(4), 1975. Without a legal move it is 0.
    """

    @kernel
    def search(rings: Any, next_pit: Any, row: int, pits: int, first: int, alone: int, enough: int) -> int:
        mine, theirs = first + pits, 2 * pits + 1 - first
        other = pits + 1 - first
        base, best = row, -NO_BOUND
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
            if here == 0 or there == 0:
                value += here - there
            elif last == mine:
                if after < ROWS - 1:
                    next_pit[after] = 0
                    row = after
                    continue
            elif after < ROWS - 1:
                value -= then(rings, next_pit, after, pits, other, alone, value - best)
            best = max(best, value)
        return best if best > -NO_BOUND else 0

    return search


#: What the best turn brings.
best_turn = turn_search(nothing)
#: Likewise, less what the opponent's best turn takes back.
best_exchange = turn_search(best_turn)
#: And again with one's own best turn after that.
best_plan = turn_search(best_exchange)
