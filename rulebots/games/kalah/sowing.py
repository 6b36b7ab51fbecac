"""Sowing and capturing on a ring of cells, shared by the law, the players and the rules, and the best whole turns.

A ring is an array of ints in the order of sowing: `pits` pits of one side, its store, `pits` pits of the other side,
its store. The pit opposite cell c is cell 2 * pits - c.

A turn is everything that a side moves before the other side does, extra turns included. What turns bring is counted as
a margin in stones: what comes into one's own store less what comes into the other, including the sweep at the end of
the game.
"""

from typing import Any

from rulebots.kernel import kernel

#: The place of a last stone in one of the opponent's pits.
ABROAD = -1
#: Extra turns are followed as long as there are rows. More are rare, and what they would add is ignored.
ROWS = 32
#: More stones than there are.
NO_BOUND = 1000
#: Columns of `plan`: the pit searched last, the side's first cell, turns left, the alpha-beta window, stones in the
#: pits of either side, and the margin so far.
PIT, FIRST, TURNS, LOW, HIGH, HERE, THERE, MARGIN = range(8)
COLUMNS = 8


@kernel
def sow(ring: Any, pits: int, first: int, pit: int, alone: int) -> tuple[int, int, int, int]:
    """Empty a pit of the side whose cells begin at `first` (0 or pits + 1), sow its stones, and capture.

    `alone` says whether a last stone in an empty pit is captured even if the opposite pit is empty.

    Returns the cell of the last stone or ABROAD (in the store: the same side moves again), and how many stones came
    from this side's pits into its store, went to the opponent's pits, and were captured there.
    """
    theirs = 0 if first else pits + 1
    store = first + pits
    stones = ring[first + pit]
    ring[first + pit] = 0
    # Half a lap at a time, without a test per cell: one's own pits and store, then the opponent's pits.
    stored = across = captured = 0
    begin = first + pit + 1
    while True:
        end = min(begin + stones, store + 1)
        for cell in range(begin, end):
            ring[cell] += 1
        stones -= end - begin
        last = end - 1
        stored += last == store
        if stones == 0:
            break
        end = min(theirs + stones, theirs + pits)
        for cell in range(theirs, end):
            ring[cell] += 1
        stones -= end - theirs
        across += end - theirs
        last = ABROAD
        if stones == 0:
            break
        begin = first
    if last not in (store, ABROAD) and ring[last] == 1:
        opposite = 2 * pits - last
        if alone or ring[opposite] > 0:
            captured = ring[opposite]
            ring[last] = 0
            ring[opposite] = 0
            ring[store] += captured + 1
            stored += 1
    return last, stored, across, captured


@kernel
def stones_of(ring: Any, pits: int, first: int) -> int:
    """Stones in the pits of the side whose cells begin at `first`."""
    stones = 0
    for cell in range(first, first + pits):
        stones += ring[cell]
    return stones


@kernel
def best_turns(rings: Any, plan: Any, pits: int, first: int, alone: int, turns: int) -> int:
    """The margin that `turns` turns of best play on the ring in row 0 bring the side that moves first.

    The cells of that side begin at `first`. `rings` is int16[ROWS, cells], `plan` int32[ROWS, COLUMNS]; the other rows
    are overwritten. Alpha-beta: Knuth and Moore, Artificial Intelligence 6(4), 1975. It is a loop because recursive
    functions cannot be cached on disk, and because one call of `sow` compiles faster than one for each level.
    """
    row = value = 0
    plan[0, PIT] = pits
    plan[0, FIRST] = first
    plan[0, TURNS] = turns
    plan[0, MARGIN] = 0
    plan[0, LOW] = -NO_BOUND
    plan[0, HIGH] = NO_BOUND
    plan[0, HERE] = stones_of(rings[0], pits, first)
    plan[0, THERE] = stones_of(rings[0], pits, pits + 1 - first)
    while True:
        # From the right, where extra turns are likelier: good moves first narrow the window.
        mover = plan[row, FIRST]
        pit = plan[row, PIT] - 1
        if pit < 0 or plan[row, LOW] >= plan[row, HIGH]:
            if row == 0:
                return plan[0, LOW]
            value = plan[row, LOW] if mover == first else plan[row, HIGH]
            row -= 1
        else:
            plan[row, PIT] = pit
            if rings[row, mover + pit] == 0:
                continue
            after = row + 1
            for cell in range(2 * pits + 2):  # faster to compile than an assignment of rows
                rings[after, cell] = rings[row, cell]
            last, stored, across, captured = sow(rings[after], pits, mover, pit, alone)
            same = mover == first
            plan[after, HERE] = plan[row, HERE] + (-stored - across if same else across - captured)
            plan[after, THERE] = plan[row, THERE] + (across - captured if same else -stored - across)
            value = plan[row, MARGIN] + (stored + captured if same else -stored - captured)
            again = last == mover + pits
            if plan[after, HERE] == 0 or plan[after, THERE] == 0:
                value += plan[after, HERE] - plan[after, THERE]
            elif after < ROWS - 1 and (again or plan[row, TURNS] > 1):
                plan[after, MARGIN] = value
                plan[after, PIT] = pits
                plan[after, FIRST] = mover if again else pits + 1 - mover
                plan[after, TURNS] = plan[row, TURNS] - (not again)
                plan[after, LOW], plan[after, HIGH] = plan[row, LOW], plan[row, HIGH]
                row = after
                continue
        if plan[row, FIRST] == first:
            plan[row, LOW] = max(plan[row, LOW], value)
        else:
            plan[row, HIGH] = min(plan[row, HIGH], value)
