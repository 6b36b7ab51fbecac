"""A transposition table of fixed size: the results of searches by position.

The table is int64[2 * buckets, 2 + words], where `buckets` is a power of two. A row holds a key of 63 bits, an
entry, and, in a table that verifies positions, all words of the position. Without these words two positions
with the same key are taken for each other: at a billion probes per search, about once in ten billion
searches. A bucket is two rows: the first keeps the deeper search, the second the latest.

An entry is `value << 28 | move << 12 | depth << 2 | bound`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.kernel import kernel

#: What the value of an entry is: nothing is known, at most the position's value, at least that, or exactly that.
NO_BOUND, LOWER_BOUND, UPPER_BOUND, EXACT = 0, 1, 2, 3
#: The depth of a search in which every line came to the end of the game: it is valid for every depth.
UNLIMITED_DEPTH = 1023
#: An entry has room for move numbers below this.
MOST_MOVES = 1 << 16
#: What a probe returns if the position is not stored; its bound is NO_BOUND.
MISS = 0
_MASK = 0x7FFFFFFFFFFFFFFF
_ROW_BYTES = 16


def new_table(megabytes: float, words: int = 0) -> npt.NDArray[np.int64]:
    """An empty table of at most that size, which verifies positions of so many words, or none if `words` is 0.

    If the size is too small for one bucket, the table has no rows: then do not probe it or store in it.
    """
    buckets = int(megabytes * 2**20) // (2 * (_ROW_BYTES + 8 * words))
    return np.zeros((2 << (buckets.bit_length() - 1) if buckets else 0, 2 + words), np.int64)


@kernel
def key_of(words: Any, row: int) -> int:
    """63 bits mixed from all words of the position words[row]: multiply and shift, word by word."""
    key = 0x2545F4914F6CDD1D
    for w in range(words.shape[1]):
        key = ((key ^ int(words[row, w])) * 0x1E3779B97F4A7C15) & _MASK
        key ^= key >> 31
    key = (key * 0x3F58476D1CE4E5B9) & _MASK
    return key ^ (key >> 29)


@kernel
def probe(table: Any, key: int, words: Any, row: int) -> int:
    """The entry of the position words[row], whose key is `key`, or MISS."""
    slot = (key << 1) & (table.shape[0] - 1)
    for s in range(slot, slot + 2):
        if table[s, 0] == key:
            same = True
            for w in range(2, table.shape[1]):
                same = same and table[s, w] == words[row, w - 2]
            if same:
                return int(table[s, 1])
    return MISS


@kernel
def store(table: Any, key: int, words: Any, row: int, entry: int) -> None:
    """Store an entry: in the first row of its bucket unless that holds a deeper search of another position."""
    slot = (key << 1) & (table.shape[0] - 1)
    if table[slot, 0] != key and depth_of(int(table[slot, 1])) > depth_of(entry):
        slot += 1
    table[slot, 0], table[slot, 1] = key, entry
    for w in range(2, table.shape[1]):
        table[slot, w] = words[row, w - 2]


@kernel
def entry_of(value: int, move: int, depth: int, bound: int) -> int:
    """An entry; `value` is from the mover's side."""
    return (value << 28) | (move << 12) | (depth << 2) | bound


@kernel
def value_of(entry: int) -> int:
    """The value, or a bound of it, from the mover's side."""
    return entry >> 28


@kernel
def move_of(entry: int) -> int:
    """The best move found."""
    return (entry >> 12) & 0xFFFF


@kernel
def depth_of(entry: int) -> int:
    """The depth of the search in plies, or UNLIMITED_DEPTH."""
    return (entry >> 2) & 0x3FF


@kernel
def bound_of(entry: int) -> int:
    """NO_BOUND, LOWER_BOUND, UPPER_BOUND or EXACT."""
    return entry & 3
