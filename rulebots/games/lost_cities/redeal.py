"""Determinization of Lost Cities: the cards that the mover cannot know, dealt again."""

from __future__ import annotations

from typing import Any

import numpy as np

from rulebots.game import State
from rulebots.game.random_numbers import below, next_luck
from rulebots.games.lost_cities.cards import KINDS, MAX_SUITS, SUIT_SIZE, number_bit, suit_of
from rulebots.kernel import kernel


@kernel
def redeal(state: State, luck: int) -> int:
    """Shuffle the deck and the opponent's unknown cards together, all orders equally likely.

    The cards that the opponent was seen to take from a pile stay in its hand. Returns the next random state.
    """
    opp = 1 - state.mover
    left, size = state.deck_left, state.hand_size[opp]
    copies = np.zeros(KINDS, np.int32)  # of each card that is not known
    unknown = np.zeros(state.hand.shape[1], np.int32)  # where in the opponent's hand
    for i in range(left):
        copies[state.deck[i]] += 1
    n, former, alike = 0, -1, 0
    for i in range(size):
        card = state.hand[opp, i]
        suit = suit_of(card)
        alike = alike + 1 if card == former else 1
        former = card
        invested = (card % 10 == 0) & (alike <= state.known_invested[opp, suit])
        if not invested and state.known[opp, suit] & number_bit(card) == 0:
            unknown[n] = i
            copies[card] += 1
            n += 1
    # In the order of the cards before they are shuffled: where they were must not matter.
    pool = np.zeros(MAX_SUITS * SUIT_SIZE, np.int32)
    count = 0
    for card in range(KINDS):
        for _ in range(copies[card]):
            pool[count] = card
            count += 1
    for i in range(count - 1, 0, -1):
        luck = next_luck(luck)
        j = below(luck, i + 1)
        pool[i], pool[j] = pool[j], pool[i]
    for i in range(left):
        state.deck[i] = pool[i]
    _forget(state, opp)
    for i in range(n):
        state.hand[opp, unknown[i]] = pool[left + i]
    _sort(state.hand[opp], size)
    return luck


@kernel
def _forget(state: State, opp: int) -> None:
    """Wipe out what the law no longer reads, and which tells what the opponent drew."""
    for i in range(state.deck_left, state.deck.shape[0]):
        state.deck[i] = 0
    for i in range(state.hand_size[opp], state.hand.shape[1]):
        state.hand[opp, i] = 0


@kernel
def _sort(cards: Any, count: int) -> None:
    """Sort the first `count` cards."""
    for i in range(1, count):
        card, j = cards[i], i
        while j > 0 and cards[j - 1] > card:
            cards[j] = cards[j - 1]
            j -= 1
        cards[j] = card
