"""Sets of cards as ints, one bit for each of the 25 cards; and what the table makes of each card."""

from __future__ import annotations

import numpy as np

from rulebots.game import State, View
from rulebots.games.hanabi.cards import COLOURS, COPIES, KINDS, RANKS
from rulebots.kernel import kernel

EVERY = (1 << KINDS) - 1
#: The five 1s; shifted by a rank, the five cards of that rank.
ONES = 0x108421
FIVES = ONES << 4
#: One colour's five cards; shifted by five for each colour.
SUIT = 0x1F
#: By a set of colours: the 1s of these colours. Times a set of ranks, it is the set of cards of both.
SPREAD = np.array([sum(1 << RANKS * c for c in range(COLOURS) if s >> c & 1) for s in range(1 << COLOURS)], np.int64)
#: How many there are of each card, in binary: its ones and its twos.
COPIES_ONES = ONES | FIVES
COPIES_TWOS = EVERY ^ FIVES
_HALF = (1 << 13) - 1
#: Bits of a half of a set.
_COUNT = np.array([cards.bit_count() for cards in range(_HALF + 1)], np.int8)


@kernel
def size_of(cards: int) -> int:
    """How many cards are in a set."""
    # Masked, so that the compiler sees that no index is negative.
    return int(_COUNT[cards & _HALF]) + int(_COUNT[cards >> 13 & _HALF])


@kernel
def copies_of(cards: int, ones: int, twos: int) -> int:
    """How many copies of these cards there are, by the ones and the twos of each card's number."""
    return size_of(cards & ones) + 2 * size_of(cards & twos)


@kernel
def cards_with(value: int, by_rank: bool) -> int:
    """The set of the cards of a rank, or of a colour."""
    return ONES << value if by_rank else SUIT << RANKS * value


@kernel
def hinted(table: State | View, row: int, place: int) -> int:
    """The set of cards that hints have left possible for a card."""
    return int(table.ranks[row, place]) * int(SPREAD[table.colours[row, place]])


@kernel
def wanted(table: State | View) -> int:
    """The set of cards that can be played now."""
    result = 0
    for colour in range(COLOURS):
        result |= (1 << int(table.fireworks[colour]) & SUIT) << RANKS * colour
    return result


@kernel
def useless(table: State | View) -> int:
    """The set of cards that can never be played again: played already, or above a card that is lost."""
    result = 0
    for colour in range(COLOURS):
        top = int(table.fireworks[colour])
        lost = RANKS
        for rank in range(RANKS - 1, top - 1, -1):
            lost = rank if table.discards[RANKS * colour + rank] == COPIES[rank] else lost
        result |= ((1 << top) - 1 | SUIT ^ ((1 << lost) - 1)) << RANKS * colour
    return result


@kernel
def last_copies(table: State | View) -> int:
    """The set of cards of which all copies but one are discarded; some may be useless or played."""
    result = 0
    for card in range(KINDS):
        result |= int(table.discards[card] + 1 == COPIES[card % RANKS]) << card
    return result
