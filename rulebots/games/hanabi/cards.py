"""Cards and moves as small ints; sets of cards, of colours and of ranks as ints with one bit for each.

A card is 5 * colour + rank, rank 0 for a 1. Moves are

    0..4      discard the card at that place of the hand, the oldest first
    5..9      play that card
    10..29    hint a colour: 10 + 5 * (k - 1) + colour to the seat that is k further
    30..49    hint a rank: 30 + 5 * (k - 1) + rank

These are OpenSpiel's moves in the same order; it leaves no gaps where there are fewer seats or cards (see
`move_numbers` in game.py).
"""

import numpy as np

from rulebots.game import State, View
from rulebots.game.bits import COUNTED, count_of
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


@kernel
def size_of(cards: int) -> int:
    """How many cards are in a set."""
    return count_of(cards) + count_of(cards >> COUNTED)


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
    """The cards with all copies but one discarded; some may be useless or played."""
    result = 0
    for card in range(KINDS):
        result |= int(table.discards[card] + 1 == COPIES[card % RANKS]) << card
    return result
