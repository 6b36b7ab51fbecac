"""Cards as small ints: card = 5 * colour + rank, rank 0 for a 1; sets of colours and of ranks have one bit for each."""

from __future__ import annotations

import numpy as np

from rulebots.kernel import kernel

COLOURS = 5
RANKS = 5
#: In OpenSpiel's order.
COLOUR_NAMES = ("red", "yellow", "green", "white", "blue")
LETTERS = "RYGWB"
KINDS = COLOURS * RANKS
#: How many of a card there are, by its rank.
COPIES = np.array([3, 2, 2, 2, 1], np.int32)
PACK = int(COPIES.sum()) * COLOURS
ALL = (1 << COLOURS) - 1
NO_CARD = -1
MOST_SEATS = 5
MOST_CARDS = 5
TOKENS = 8
LIVES = 3
POINTS = 25


@kernel
def colour_of(card: int) -> int:
    """0..4, an index into COLOUR_NAMES; 0 for NO_CARD."""
    return max(card, 0) // RANKS


@kernel
def rank_of(card: int) -> int:
    """0..4, one less than the number on the card; 0 for NO_CARD."""
    return max(card, 0) % RANKS


def card_text(card: int) -> str:
    """`R1` .. `B5`."""
    return f"{LETTERS[colour_of(card)]}{rank_of(card) + 1}"
