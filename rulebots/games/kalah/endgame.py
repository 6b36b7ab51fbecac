"""Kalah in one word, and a table of the exact values of all positions with few stones.

A word holds the pits of both sides as bit fields in 60 bits, the mover's first, without the stores. Stones that are won
already do not change what is best, so the solver leaves them out: a position's value is what the mover will still win
in excess of the opponent. A move is then an addition: `sowing(pits)` holds what each pit with each number of stones
adds. Tests compare this with the law in game.py.

In the table, a position's index is its rank: with p_j the stones in the first j + 1 pits of the ring, the sum of
C(p_j + j, j + 1) over all pits. This numbers the positions with fewer stones first (the combinatorial number system;
Knuth, The Art of Computer Programming 4A, 7.2.1.3). A move that brings nothing into a store moves stones up on one's
own side and makes the rank smaller. So in rising order of ranks all values that a position needs are known, provided
that each position is evaluated with either player to move.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

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
UNKNOWN = -128
#: Positions between two checks for Ctrl-C.
SLICE = 1 << 20


def bits_of(pits: int) -> int:
    """Bits per pit: 5 for six pits a side."""
    return WORD_BITS // (2 * pits)


def sowing(pits: int) -> npt.NDArray[np.int64]:
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


def ranks(pits: int, stones: int) -> npt.NDArray[np.int64]:
    """int64[2 * pits, stones + 1]: what a pit adds to the rank, by the stones in it and in the pits before it."""
    return np.array([[math.comb(p + j, j + 1) for p in range(stones + 1)] for j in range(2 * pits)], np.int64)


def positions(pits: int, stones: int) -> int:
    """The number of positions with at most that many stones."""
    return math.comb(stones + 2 * pits, 2 * pits)


@kernel
def rank_of(word: int, bits: int, binomials: Any) -> int:
    """The rank of a position with no more stones than `binomials` covers."""
    rank, before, most = 0, 0, (1 << bits) - 1
    for j in range(binomials.shape[0]):
        before += word & most
        rank += binomials[j, before]
        word >>= bits
    return rank


@kernel
def fill(values: Any, board: Any, pits: int, empty_capture: int, sown: Any, binomials: Any, count: int) -> bool:
    """Compute values[rank], int8 from the mover's side, of the next `count` positions; returns whether these were all.

    `board`, int64[2 * pits], is the first of these positions by rank, and afterwards the one that follows them. All
    have at least one stone, and no more than `binomials` covers.
    """
    cells, bits = 2 * pits, 60 // (2 * pits)
    most, half = (1 << bits) - 1, bits * pits
    child, total = np.zeros(6, np.int64), 0
    for c in range(cells):
        total += board[c]
    for _ in range(count):
        word = 0
        for c in range(cells):
            word |= board[c] << bits * c
        for turned in range(2):
            if turned:
                word = (word >> half) | ((word & ((1 << half) - 1)) << half)
            rank = rank_of(word, bits, binomials)
            if values[rank] == UNKNOWN:
                own = 0
                for c in range(pits):
                    own += (word >> bits * c) & most
                other, best = total - own, -total
                if own > 0 and other > 0:
                    for pit in range(pits):
                        if (word >> bits * pit) & most:
                            make(word, pit, own, other, pits, empty_capture, sown, child)
                            value = child[GAIN]
                            if not child[OVER]:
                                later = values[rank_of(child[WORD], bits, binomials)]
                                value += later if child[SAME] else -later
                            best = max(best, value)
                else:
                    best = own - other
                values[rank] = best
        # The next position by rank.
        j = 0
        while j < cells - 1 and board[j + 1] == 0:
            j += 1
        first = board[0]
        board[0] = 0
        if j < cells - 1:
            board[j] = first + 1
            board[j + 1] -= 1
        elif total < binomials.shape[1] - 1:
            total += 1
            board[cells - 1] = total
        else:
            return True
    return False


def endgames(pits: int, stones: int, empty_capture: int, sown: npt.NDArray[np.int64]) -> npt.NDArray[np.int8]:
    """int8[positions(pits, stones)]: the mover's margin under best play, by rank. `stones` is at least 1."""
    values = np.full(positions(pits, stones), UNKNOWN, np.int8)
    values[0] = 0
    board = np.zeros(2 * pits, np.int64)
    board[-1] = 1
    binomials = ranks(pits, stones)
    while not fill.compiled(values, board, pits, empty_capture, sown, binomials, SLICE):
        pass
    return values
