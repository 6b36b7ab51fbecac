"""The deal that a game of Lost Cities may have begun with: its moves, taken back one by one."""

from __future__ import annotations

from typing import Any

import numpy as np

from rulebots.game import State
from rulebots.game.random_numbers import below, next_luck
from rulebots.games.lost_cities.cards import KINDS, MAX_SUITS, SUIT_SIZE
from rulebots.kernel import kernel

# As in game.py, which imports this file: the number of the draw from the deck, before those from the piles.
_FROM_DECK = 2 * KINDS


@kernel
def undeal(state: State, seats: Any, moves: Any, options: Any, deal: Any, luck: int) -> int:
    """Write a deal from which these moves lead to this state; returns the next random state.

    Backwards, a card that was laid returns to its hand, and a draw from the deck takes back one of the cards that were
    in that hand and did not come from a pile, all equally likely.
    """
    plies, size, draws = moves.shape[0], options.hand_size, 0
    taken = np.zeros(plies, np.int64)  # the card that a ply took from a pile
    spent = np.zeros(plies, np.int64)  # 1: the ply laid a card that had come from a pile
    held, fetched = np.zeros((2, KINDS), np.int64), np.zeros((2, KINDS), np.int64)
    pile, height = np.zeros((MAX_SUITS, SUIT_SIZE), np.int64), np.zeros(MAX_SUITS, np.int64)
    for ply in range(plies):
        move, seat = moves[ply], seats[ply]
        card = move % KINDS
        if move < _FROM_DECK:
            spent[ply] = fetched[seat, card] > 0
            fetched[seat, card] -= spent[ply]
            if move >= KINDS:
                pile[card // 10, height[card // 10]] = card
                height[card // 10] += 1
        elif move == _FROM_DECK:
            draws += 1
        else:
            suit = move - _FROM_DECK - 1
            height[suit] -= 1
            taken[ply] = pile[suit, height[suit]]
            fetched[seat, taken[ply]] += 1
    for seat in range(2):
        for i in range(state.hand_size[seat]):
            held[seat, state.hand[seat, i]] += 1
    next_drawn = 2 * size + draws
    for i in range(state.deck_left):
        deal[next_drawn + i] = state.deck[state.deck_left - 1 - i]
    for ply in range(plies - 1, -1, -1):
        move, seat = moves[ply], seats[ply]
        if move < _FROM_DECK:
            held[seat, move % KINDS] += 1
            fetched[seat, move % KINDS] += spent[ply]
        elif move > _FROM_DECK:
            held[seat, taken[ply]] -= 1
            fetched[seat, taken[ply]] -= 1
        else:
            luck = next_luck(luck)
            card = _one_of(held[seat], fetched[seat], luck)
            held[seat, card] -= 1
            next_drawn -= 1
            deal[next_drawn] = card
    i = 0
    for seat in range(2):
        for card in range(KINDS):
            for _ in range(held[seat, card]):
                deal[i] = card
                i += 1
    return luck


@kernel
def _one_of(held: Any, fetched: Any, luck: int) -> int:
    """A card of a hand that did not come from a pile, all equally likely."""
    count = 0
    for card in range(KINDS):
        count += held[card] - fetched[card]
    left = below(luck, count)
    for card in range(KINDS):
        left -= held[card] - fetched[card]
        if left < 0:
            return card
    return 0
