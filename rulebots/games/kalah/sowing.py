"""Sowing and capturing on a ring of cells, shared by the law, the players and the rules.

A ring is an array of ints in the order of sowing: `pits` pits of one side, its store, `pits` pits of the other side,
its store. The pit opposite cell c is cell 2 * pits - c.
"""

from __future__ import annotations

from typing import Any

from rulebots.kernel import kernel

#: The place of a last stone in one of the opponent's pits.
ABROAD = -1


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
