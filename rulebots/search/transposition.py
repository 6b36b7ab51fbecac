"""A transposition table of fixed size: the results of searches by position.

A position is the fields of its state that the game names (`Game.position_fields`), by default all. In the memory of a
record they are words under a mask: `PositionWords`, int64[2, words], holds the places of those words and their masks.

The table is int64[2 * buckets, 2 + words], where `buckets` is a power of two. A row holds a key of 63 bits, an entry,
and, in a table that verifies positions, all words of the position. Without these words a search confuses positions
that share a key: at a billion probes per search, about once in ten billion searches. A bucket is two rows: the first
keeps the deeper search, the second the latest.

An entry is `value << 28 | move << 12 | depth << 2 | bound`.
"""

import functools
from typing import Any, TypeAlias

import numpy as np

from rulebots.game import Game, Ints
from rulebots.kernel import kernel

#: What an entry's value says of the position's: nothing, a lower bound, an upper bound, or the value itself.
NO_BOUND = 0
LOWER_BOUND = 1
UPPER_BOUND = 2
EXACT = 3
#: The depth of a search in which every line came to the end of the game: it is valid for every depth.
UNLIMITED_DEPTH = 1023
#: An entry has room for move numbers below this.
MOST_MOVES = 1 << 16
#: What a probe returns if the position is not stored; its bound is NO_BOUND.
MISS = 0
_MASK = 0x7FFFFFFFFFFFFFFF
_ROW_BYTES = 16
#: The rows of `PositionWords`.
PLACE, BITS = range(2)

PositionWords: TypeAlias = Ints


@functools.cache
def position_words(game: Game) -> PositionWords:
    """The words of a state's memory that hold the position, and the bits of each: int64[2, words], read-only.

    The gaps between the fields of an aligned record, which may hold anything, take no part.
    """
    bits = np.zeros(-(-game.state.itemsize // 8) * 8, np.uint8)
    fields = dict(game.state.fields or {})
    for name in game.position_fields or fields:
        kind, offset = fields[name][:2]
        bits[offset : offset + kind.itemsize] = 0xFF
    masks = bits.view(np.int64)
    position = np.stack([np.flatnonzero(masks), masks[masks != 0]])
    position.setflags(write=False)
    return position


def records_in_words(dtype: np.dtype[Any], count: int) -> tuple[Any, Ints]:
    """`count` zeroed records, and their memory: int64[count, words]."""
    words = np.zeros((count, -(-dtype.itemsize // 8)), np.int64)
    return np.ndarray(count, np.dtype((np.record, dtype)), words, strides=(words.strides[0],)), words


def new_table(megabytes: float, words: int = 0) -> Ints:
    """An empty table of at most that size, which verifies positions of `words` words; 0: it verifies none.

    A size too small for one bucket gives a table without rows: do not probe it or store in it.
    """
    buckets = int(megabytes * 2**20) // (2 * (_ROW_BYTES + 8 * words))
    return np.zeros((2 << (buckets.bit_length() - 1) if buckets else 0, 2 + words), np.int64)


@kernel
def key_of(words: Any, row: int, position: Any) -> int:
    """63 bits mixed from the `PositionWords` of words[row]: multiply and shift, word by word."""
    key = 0x2545F4914F6CDD1D
    for w in range(position.shape[1]):
        word = int(words[row, position[PLACE, w]]) & int(position[BITS, w])
        key = ((key ^ word) * 0x1E3779B97F4A7C15) & _MASK
        key ^= key >> 31
    key = (key * 0x3F58476D1CE4E5B9) & _MASK
    return key ^ (key >> 29)


@kernel
def same_position(words: Any, row: int, other: int, position: Any) -> bool:
    """Whether the records in words[row] and words[other] are the same position."""
    for w in range(position.shape[1]):
        place = position[PLACE, w]
        if (words[row, place] ^ words[other, place]) & position[BITS, w]:
            return False
    return True


@kernel
def probe(table: Any, key: int, words: Any, row: int, position: Any) -> int:
    """The entry of the position words[row], whose key is `key`, or MISS."""
    slot = (key << 1) & (table.shape[0] - 1)
    for s in range(slot, slot + 2):
        if table[s, 0] == key:
            same = True
            for w in range(2, table.shape[1]):
                same = same and table[s, w] == words[row, position[PLACE, w - 2]] & position[BITS, w - 2]
            if same:
                return int(table[s, 1])
    return MISS


@kernel
def store(table: Any, key: int, words: Any, row: int, position: Any, entry: int) -> None:
    """Store an entry: in the first row of its bucket unless that holds a deeper search of another position."""
    slot = (key << 1) & (table.shape[0] - 1)
    if table[slot, 0] != key and depth_of(int(table[slot, 1])) > depth_of(entry):
        slot += 1
    table[slot, 0] = key
    table[slot, 1] = entry
    for w in range(2, table.shape[1]):
        table[slot, w] = words[row, position[PLACE, w - 2]] & position[BITS, w - 2]


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
