"""Kalah in one word: positions and moves as the solver has them.

A word holds the pits of both sides as bit fields in 60 bits, the mover's first, without the stores. Stones that are won
already do not change what is best, so the solver leaves them out: a position's value is what the mover will still win
in excess of the opponent. A move is then an addition: `sowing(pits)` holds what each pit with each number of stones
adds. Tests compare this with the law in game.py.
"""

from typing import Any

import numpy as np

from rulebots.game import Ints
from rulebots.kernel import kernel

WORD_BITS = 60
#: The most stones in a pit that `sowing` covers.
MOST_STONES = 127
#: Columns of `sowing`: what is added to the word, stones that come into the store, stones that go to the other side,
#: and the slot of the last stone on the ring of one's pits, store and the other pits.
ADDED, STORED, ACROSS, LAST = range(4)
#: Columns of the position after a move, which `make` writes: the word from its mover's side, what the move wins,
#: whether the same side moves again, stones on its mover's and on the other side, and whether the game is over.
WORD, GAIN, SAME, OWN, OTHER, OVER = range(6)


def bits_of(pits: int) -> int:
    """Bits per pit: 5 for six pits a side."""
    return WORD_BITS // (2 * pits)


def sowing(pits: int) -> Ints:
    """int64[pits, MOST_STONES + 1, 4]: what sowing a pit does, before captures."""
    bits, ring = bits_of(pits), 2 * pits + 1
    table = np.zeros((pits, MOST_STONES + 1, 4), np.int64)
    for pit in range(pits):
        added = stored = across = 0
        for stones in range(1, MOST_STONES + 1):
            slot = (pit + stones) % ring
            if slot == pits:
                stored += 1
            else:
                added += 1 << bits * (slot - (slot > pits))
                across += slot > pits
            # Sums that overflow are never used: no pit holds that many stones.
            table[pit, stones] = added & 0x7FFFFFFFFFFFFFFF, stored, across, slot
    return table


@kernel
def make(word: int, pit: int, own: int, other: int, pits: int, empty_capture: int, sown: Any, child: Any) -> None:
    """Write the position after a move into child, int64[6]; `own` and `other` are the stones on either side."""
    bits = 60 // (2 * pits)
    most, half = (1 << bits) - 1, bits * pits
    stones = (word >> bits * pit) & most
    stored, across, last = sown[pit, stones, STORED], sown[pit, stones, ACROSS], sown[pit, stones, LAST]
    word = word - (stones << bits * pit) + sown[pit, stones, ADDED]
    gain = stored
    own -= stored + across
    other += across
    if last < pits and (word >> bits * last) & most == 1:
        opposite = 2 * pits - 1 - last
        captured = (word >> bits * opposite) & most
        if captured > 0 or empty_capture:
            word -= (1 << bits * last) + (captured << bits * opposite)
            gain += captured + 1
            own -= 1
            other -= captured
    same = last == pits
    child[GAIN], child[SAME], child[OVER] = gain, same, 0
    if own == 0 or other == 0:
        child[WORD], child[GAIN], child[OWN], child[OTHER], child[OVER] = 0, gain + own - other, 0, 0, 1
    elif same:
        child[WORD], child[OWN], child[OTHER] = word, own, other
    else:
        child[WORD] = (word >> half) | ((word & ((1 << half) - 1)) << half)
        child[OWN], child[OTHER] = other, own


@kernel
def crowded(word: int, pits: int) -> bool:
    """Whether a pit may hold more stones after the next move than its bits can count."""
    bits = 60 // (2 * pits)
    most, fullest = (1 << bits) - 1, 0
    for c in range(2 * pits):
        fullest = max(fullest, (word >> bits * c) & most)
    return fullest + fullest // (2 * pits + 1) + 1 > most
