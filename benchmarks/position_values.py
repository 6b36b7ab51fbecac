"""A player of Lost Cities that no model of the search by rollouts is like: it values positions after the move.

It has no rules. It estimates the points of each expedition at the end, from the cards laid, those in hand, and a share
of those that may yet be drawn, and what a discard gives the opponent. `python benchmarks/rollout.py --opponents
benchmarks/position_values.py:PositionValues` plays against it.
"""

from __future__ import annotations

from typing import Any

from rulebots import Player
from rulebots.game import Moves
from rulebots.game.bits import above, count_of
from rulebots.games.lost_cities.cards import (
    ALL_NUMBERS,
    BONUS,
    COST,
    FROM_DECK,
    FROM_PILE,
    KINDS,
    SUM,
    number_bit,
    suit_of,
    value_of,
)
from rulebots.games.lost_cities.game import NEVER_STARTED

#: Shares of their points for which cards count that are in hand, that may be drawn, and that the opponent may take.
IN_HAND, DRAWN, GIVEN = 0.9, 0.3, 0.8
#: The share of an expedition's points that each investment in hand adds while it can be laid.
STAKE = 0.5
#: Points that a card from the deck is worth before it is seen.
UNSEEN = 1.0


class PositionValues(Player):
    """Makes the move after which it is most points ahead, as far as it can tell."""

    def choose(self, view: Any, moves: Moves) -> int:
        """The first of the moves with the best value."""
        return max((int(move) for move in moves), key=lambda move: change(view, move))


def change(view: Any, move: int) -> float:
    """How many points a move brings the mover, against the position before it."""
    if move == FROM_DECK:
        return UNSEEN
    suit = move - FROM_PILE if move >= FROM_PILE else suit_of(move % KINDS)
    card = int(view.pile_top[suit]) if move >= FROM_PILE else move % KINDS
    top, total, invested, length = (
        int(of[suit]) for of in (view.my_top, view.my_total, view.my_invested, view.my_length)
    )
    held, stakes = int(view.held[suit]), int(view.held_invested[suit])
    before = promised(view, suit, top, total, invested, length, held, stakes)
    if move >= FROM_PILE:
        held, stakes = held | number_bit(card), stakes + (card % 10 == 0)
        return promised(view, suit, top, total, invested, length, held, stakes) - before
    held, stakes = held & ~number_bit(card), stakes - (card % 10 == 0)
    if move < KINDS:
        value = value_of(card)
        return promised(view, suit, value, total + value, invested + (value == 0), length + 1, held, stakes) - before
    gift = 0.0
    if value_of(card) > view.opp_top[suit] != NEVER_STARTED:
        gift = GIVEN * value_of(card) * (1 + int(view.opp_invested[suit]))
    return promised(view, suit, top, total, invested, length, held, stakes) - before - gift


def promised(
    view: Any, suit: int, top: int, total: int, invested: int, length: int, held: int, stakes: int
) -> float:  # fmt: skip
    """The points that one of the mover's expeditions seems to bring: numbers and investments `held` are in hand."""
    turns, hidden = int(view.deck_left) / 2.0, int(view.deck_left) + int(view.hand_size)
    # Of the cards in hand, about half are to be laid yet.
    pace, share = min(1.0, 2.0 * turns / int(view.hand_size)), DRAWN * turns / hidden
    known = int(view.shown[suit]) | int(view.known[suit]) | held
    mine, unseen = above(held, top), above(ALL_NUMBERS & ~known, top)
    cards = length + count_of(mine) + share * count_of(unseen)
    points = (total + pace * (IN_HAND * SUM[mine] + share * SUM[unseen]) - COST) * (1 + invested)
    points += BONUS * min(max((cards - 6.0) / 2.0, 0.0), 1.0)
    stakes = stakes if top <= 0 else 0
    if top == NEVER_STARTED:
        return float(max(points, 0.0) * (1.0 + STAKE * stakes))
    return float(points + STAKE * stakes * max(points, 0.0))
