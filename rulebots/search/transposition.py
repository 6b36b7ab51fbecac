"""A transposition table of fixed memory: what is known of positions that were searched before.

`table` is int64[2 * buckets, 2 + words]: a row holds the key, the entry, and, where a value has to be
certain, all words of the position itself. Without them two positions with one 63-bit key are taken
for one: at a billion look-ups that happens about once in ten billion searches. A bucket is two rows:
the first keeps the deeper search, the second the latest.

An entry is `value << 28 | move << 12 | depth << 2 | bound`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.kernel import kernel

#: What an entry's value says of the position's: nothing, that or more, that or less, exactly that.
NONE, AT_LEAST, AT_MOST, EXACT = 0, 1, 2, 3
#: The depth of a search that met no horizon: it holds for any depth.
SETTLED = 1023
#: Move numbers that an entry has room for.
MOST_MOVES = 1 << 16
#: No entry: its bound is NONE.
MISSING = 0
_MASK = 0x7FFFFFFFFFFFFFFF
_ROW_BYTES = 16


def new_table(megabytes: float, words: int = 0) -> npt.NDArray[np.int64]:
    """An empty table of at most that size; `words` of the position are kept in each row to be compared.

    With less than a bucket's memory it has no rows, and nothing is remembered.
    """
    buckets = int(megabytes * 2**20) // (2 * (_ROW_BYTES + 8 * words))
    return np.zeros((2 << (buckets.bit_length() - 1) if buckets else 0, 2 + words), np.int64)


@kernel
def key_of(words: Any, row: int) -> int:
    """63 bits mixed from all words of a position: multiply and shift, word by word."""
    key = 0x2545F4914F6CDD1D
    for w in range(words.shape[1]):
        key = ((key ^ int(words[row, w])) * 0x1E3779B97F4A7C15) & _MASK
        key ^= key >> 31
    key = (key * 0x3F58476D1CE4E5B9) & _MASK
    return key ^ (key >> 29)


@kernel
def look_up(table: Any, key: int, words: Any, row: int) -> int:
    """The entry of the position words[row] with that key, or MISSING."""
    slot = (key << 1) & (table.shape[0] - 1)
    for s in range(slot, slot + 2):
        if table[s, 0] == key:
            same = True
            for w in range(2, table.shape[1]):
                same = same and table[s, w] == words[row, w - 2]
            if same:
                return int(table[s, 1])
    return MISSING


@kernel
def keep(table: Any, key: int, words: Any, row: int, entry: int) -> None:
    """Remember an entry: beside a deeper one of another position, else in place of the shallower."""
    slot = (key << 1) & (table.shape[0] - 1)
    if table[slot, 0] != key and depth_of(int(table[slot, 1])) > depth_of(entry):
        slot += 1
    table[slot, 0], table[slot, 1] = key, entry
    for w in range(2, table.shape[1]):
        table[slot, w] = words[row, w - 2]


@kernel
def entry_of(value: int, move: int, depth: int, bound: int) -> int:
    """What is known of a position, in one word."""
    return (value << 28) | (move << 12) | (depth << 2) | bound


@kernel
def value_of(entry: int) -> int:
    """The value, or its bound, from the mover's side."""
    return entry >> 28


@kernel
def move_of(entry: int) -> int:
    """The best move found."""
    return (entry >> 12) & 0xFFFF


@kernel
def depth_of(entry: int) -> int:
    """Plies that were searched below the position, or SETTLED."""
    return (entry >> 2) & 0x3FF


@kernel
def bound_of(entry: int) -> int:
    """NONE, AT_LEAST, AT_MOST or EXACT."""
    return entry & 3
