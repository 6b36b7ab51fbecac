"""The cards of Hearts. Card 13 * suit + rank; rank 0 is the two, rank 12 the ace.

A set of ranks of one suit is an int whose bit r says whether rank r is in it.
"""

from __future__ import annotations

CLUBS, DIAMONDS, SPADES, HEARTS = range(4)
SUITS, RANKS = 4, 13
CARDS = SUITS * RANKS
#: As letters and as words.
LETTERS, NAMES, SYMBOLS = "CDSH", ("clubs", "diamonds", "spades", "hearts"), "♣♦♠♥"
RANK_TEXTS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
RANK_NAMES = (*RANK_TEXTS[:9], "jack", "queen", "king", "ace")
JACK, QUEEN = RANK_TEXTS.index("J"), RANK_TEXTS.index("Q")
#: What the queen of spades counts, and all penalties together.
QUEEN_POINTS, ALL_POINTS = 13, 26


def card_text(card: int) -> str:
    """A card in short, such as `QS` or `10H`."""
    return RANK_TEXTS[card % RANKS] + LETTERS[card // RANKS]


def card_name(card: int) -> str:
    """A card in words, such as `queen of spades`."""
    return f"{RANK_NAMES[card % RANKS]} of {NAMES[card // RANKS]}"


def ranks_in(ranks: int) -> list[int]:
    """The ranks of a set, the lowest first."""
    return [rank for rank in range(RANKS) if ranks >> rank & 1]
