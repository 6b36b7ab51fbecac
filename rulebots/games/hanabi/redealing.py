"""Redealing Hanabi: the mover's own hand and the deck, as hints and the other hands allow."""

from typing import Any

import numpy as np

from rulebots.game import State
from rulebots.game.random_numbers import below, next_luck, shuffle
from rulebots.games.hanabi.cards import KINDS, MOST_CARDS, PACK, colour_of, rank_of
from rulebots.kernel import kernel


@kernel
def redeal(state: State, luck: int) -> int:
    """Deal the mover's hand and the deck again, all hands that hints leave possible equally likely.

    Each place draws one of the unseen cards that its hints allow, and all draw again if two have drawn the same. If
    the smallest choice of any place is k-th in order, at least s - k + 1 of its s cards are free; so one try in 120
    at least succeeds. Returns the next random state.
    """
    seat = state.mover
    size = int(state.held[seat])
    copies = np.zeros(KINDS, np.int32)
    for i in range(state.deck_left):
        copies[state.deck[i]] += 1
    for place in range(size):
        copies[state.hands[seat, place]] += 1
    # Sorted before the draw, so that their former places do not matter.
    pool = np.zeros(PACK, np.int32)
    count = 0
    for card in range(KINDS):
        for _ in range(copies[card]):
            pool[count] = card
            count += 1
    allowed = np.zeros((MOST_CARDS, PACK), np.int32)
    choices = np.zeros(MOST_CARDS, np.int32)
    for place in range(size):
        for i in range(count):
            card = pool[i]
            possible = state.colours[seat, place] >> colour_of(card) & state.ranks[seat, place] >> rank_of(card) & 1
            allowed[place, choices[place]] = i
            choices[place] += possible
    drawn = np.zeros(PACK, np.int32)
    place = 0
    while place < size:
        luck = next_luck(luck)
        i = allowed[place, below(luck, choices[place])]
        if drawn[i]:
            drawn[:] = 0
            place = 0
        else:
            drawn[i] = 1
            state.hands[seat, place] = pool[i]
            state.deck[state.number[seat, place]] = pool[i]
            place += 1
    n = 0
    for i in range(count):
        if not drawn[i]:
            state.deck[n] = pool[i]
            n += 1
    return shuffle(state.deck, n, luck)


@kernel
def undeal(state: State, seats: Any, moves: Any, options: Any, deal: Any, luck: int) -> int:
    """Write the deal: the state keeps the order in which cards were drawn. Returns the next random state.

    A redeal keeps it in step with the mover's hand, so that these moves lead from it to this state.
    """
    for i in range(PACK):
        deal[i] = state.deck[PACK - 1 - i]
    return luck
