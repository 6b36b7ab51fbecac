"""Cards and moves as small ints, and the points of an expedition.

A card is 10 * suit + rank; rank 0 is an investment, rank r is the number r + 1. Moves are numbered so that the lowest
number is the natural choice among equals: plays before discards, in the order of the hand, and the deck before the
piles.

    0..59     play that card          60..119   discard that card
    120       draw from the deck      121..126  take the top card of that suit's pile
"""

import numpy as np

from rulebots.game.bits import count_of
from rulebots.kernel import kernel

#: Suits in the order of the hand. The sixth is only in the later edition (option `suits: 6`).
SUITS = ("Deserts", "Oceans", "Mountains", "Jungles", "Volcanoes", "Caves")
LETTERS = "DOMJVC"
MAX_SUITS = 6
#: Different cards: each suit has one kind of investment (three copies) and the numbers 2..10.
KINDS = 10 * MAX_SUITS
INVESTMENTS = 3
#: Cards of a suit, investments counted apart.
SUIT_SIZE = 12
LOW = 2
HIGH = 10
NO_CARD = -1
#: Kinds of moves, and the phases of a turn: PLAY, in which a card may also be discarded, and DRAW.
PLAY, DISCARD, DRAW = range(3)
#: The first move of each kind, and how many moves there are.
FROM_DECK = 2 * KINDS
FROM_PILE = FROM_DECK + 1
MOVE_COUNT = FROM_PILE + MAX_SUITS
#: What an expedition costs, how many cards earn the bonus, and the bonus.
COST = 20
BONUS_CARDS = 8
BONUS = 20

# A set of numbers of one suit is an int whose bit v says whether the number v is in it: see rulebots/game/bits.py.
#: The sum of the numbers in a set, int32[2048]. It fits into a first-level cache with room to spare.
SUM = np.array([sum(v for v in range(HIGH + 1) if s >> v & 1) for s in range(1 << (HIGH + 1))], np.int32)
ALL_NUMBERS = (1 << (HIGH + 1)) - (1 << LOW)


@kernel
def suit_of(card: int) -> int:
    """0..5, an index into SUITS; 0 for NO_CARD."""
    # If the compiler sees that an index cannot be negative, it leaves tests out.
    return max(card, 0) // 10


@kernel
def value_of(card: int) -> int:
    """2..10, or 0 for an investment and for NO_CARD."""
    rank = max(card, 0) % 10
    return rank + (rank > 0)


@kernel
def number_bit(card: int) -> int:
    """The card as a set of numbers of its suit; the empty set for an investment."""
    return (1 << value_of(card)) & ALL_NUMBERS


@kernel
def sum_of(numbers: int) -> int:
    """The sum of the numbers in a set."""
    return SUM[numbers & ALL_NUMBERS]


def numbers_in(numbers: int) -> list[int]:
    """The numbers in a set, low ones first."""
    return [v for v in range(LOW, HIGH + 1) if numbers >> v & 1]


@kernel
def playable(top: int, value: int) -> bool:
    """Whether a card of this value may follow `top`: numbers rise, and investments come before them."""
    return (value > top) | ((value == 0) & (top == 0))


@kernel
def expedition_points(numbers: int, investments: int) -> int:
    """Points of an expedition with these numbers and that many investments, not both empty."""
    bonus = BONUS * (count_of(numbers) + investments >= BONUS_CARDS)
    return (sum_of(numbers) - COST) * (1 + investments) + bonus


def card_text(card: int) -> str:
    """`InvD`, `2D` .. `10D`."""
    return f"{value_of(card) or 'Inv'}{LETTERS[suit_of(card)]}"
