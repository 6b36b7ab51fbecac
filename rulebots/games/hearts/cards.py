"""The cards of Hearts, and the kinds of moves. Card 13 * suit + rank; rank 0 is the two, rank 12 the ace.

A set of ranks of one suit is an int whose bit r says whether rank r is in it: see rulebots/game/bits.py.
"""

CLUBS, DIAMONDS, SPADES, HEARTS = range(4)
SUITS = 4
RANKS = 13
CARDS = SUITS * RANKS
SEATS = 4
#: Cards that each seat passes.
PASSED = 3
#: What is done with a card: move 52 * kind + card.
PASS, LEAD, FOLLOW, THROW = range(4)
#: As letters and as words.
LETTERS = "CDSH"
NAMES = ("clubs", "diamonds", "spades", "hearts")
SYMBOLS = "♣♦♠♥"
RANK_TEXTS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
RANK_NAMES = (*RANK_TEXTS[:9], "jack", "queen", "king", "ace")
JACK = RANK_TEXTS.index("J")
QUEEN = RANK_TEXTS.index("Q")
#: What the queen of spades counts, and all penalties together.
QUEEN_POINTS = 13
ALL_POINTS = 26
#: The set of all ranks.
ALL = (1 << RANKS) - 1


def card_text(card: int, suits: str = LETTERS) -> str:
    """A card in short, such as `QS` or `10H`, or `Q♠` with SYMBOLS of the suits."""
    return RANK_TEXTS[card % RANKS] + suits[card // RANKS]


def card_name(card: int) -> str:
    """A card in words, such as `queen of spades`."""
    return f"{RANK_NAMES[card % RANKS]} of {NAMES[card // RANKS]}"


def ranks_in(ranks: int) -> list[int]:
    """The ranks of a set, the lowest first."""
    return [rank for rank in range(RANKS) if ranks >> rank & 1]
