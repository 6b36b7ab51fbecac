"""A table of the exact values of all positions with few stones.

A position's index is its rank: with p_j the stones in the first j + 1 pits of the ring, the sum of C(p_j + j, j + 1)
over all pits. This numbers the positions with fewer stones first (the combinatorial number system; Knuth, The Art of
Computer Programming 4A, 7.2.1.3). A move that brings nothing into a store moves stones up on one's own side and makes
the rank smaller. So in rising order of ranks all values that a position needs are known, provided that each position
is evaluated with either player to move.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.games.kalah.packed import GAIN, OVER, SAME, WORD, make
from rulebots.kernel import kernel

UNKNOWN = -128
#: Positions between two checks for Ctrl-C.
SLICE = 1 << 20


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
