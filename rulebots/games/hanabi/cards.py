"""Cards and moves as small ints; sets of colours and of ranks have one bit for each.

A card is 5 * colour + rank, rank 0 for a 1. Moves are

    0..4      discard the card at that place of the hand, the oldest first
    5..9      play that card
    10..29    hint a colour: 10 + 5 * (k - 1) + colour to the seat that is k further
    30..49    hint a rank: 30 + 5 * (k - 1) + rank

These are OpenSpiel's moves in the same order; it leaves no gaps where there are fewer seats or cards (see
`move_numbers` in game.py).
"""

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
#: Kinds of moves, and what `last_kind` says: there HINT is a hint of a colour.
PLAY, DISCARD, HINT, HINT_RANK = range(4)
NONE = -1
#: The first move of each kind.
DISCARDS = 0
PLAYS = MOST_CARDS
COLOUR_HINTS = 2 * MOST_CARDS
RANK_HINTS = COLOUR_HINTS + (MOST_SEATS - 1) * COLOURS
MOVE_COUNT = RANK_HINTS + (MOST_SEATS - 1) * RANKS


@kernel
def colour_of(card: int) -> int:
    """0..4, an index into COLOUR_NAMES; 0 for NO_CARD."""
    return max(card, 0) // RANKS


@kernel
def rank_of(card: int) -> int:
    """0..4, one less than the number on the card; 0 for NO_CARD."""
    return max(card, 0) % RANKS


@kernel
def parts_of_hint(move: int) -> tuple[int, int, bool]:
    """How many seats further the receiver of a hint sits, the colour or rank, and whether it is a rank."""
    by_rank = move >= RANK_HINTS
    number = move - RANK_HINTS if by_rank else move - COLOUR_HINTS
    return number // COLOURS + 1, number % COLOURS, by_rank


def card_text(card: int) -> str:
    """`R1` .. `B5`."""
    return f"{LETTERS[colour_of(card)]}{rank_of(card) + 1}"
