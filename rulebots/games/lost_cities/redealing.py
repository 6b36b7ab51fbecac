"""Redealing Lost Cities: the cards hidden from the mover, and a deal that the game may have begun with.

`redeal` makes a determinization; `undeal` takes the moves of a game back one by one.
"""

from typing import Any

import numpy as np

from rulebots.game import State
from rulebots.game.random_numbers import below, next_luck, shuffle
from rulebots.games.lost_cities.cards import FROM_DECK, FROM_PILE, KINDS, MAX_SUITS, SUIT_SIZE, number_bit, suit_of
from rulebots.kernel import kernel


@kernel
def redeal(state: State, luck: int) -> int:
    """Shuffle the deck and the opponent's unknown cards together, all orders equally likely.

    The cards that the opponent was seen to take from a pile stay in its hand. Returns the next random state.
    """
    opp = 1 - state.mover
    left = state.deck_left
    size = state.hand_size[opp]
    copies = np.zeros(KINDS, np.int32)  # of each card that is not known
    unknown = np.zeros(state.hand.shape[1], np.int32)  # where in the opponent's hand
    for i in range(left):
        copies[state.deck[i]] += 1
    n = 0
    former = -1
    alike = 0
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
    # Sorted before the shuffle, so that their former places do not matter.
    pool = np.zeros(MAX_SUITS * SUIT_SIZE, np.int32)
    count = 0
    for card in range(KINDS):
        for _ in range(copies[card]):
            pool[count] = card
            count += 1
    luck = shuffle(pool, count, luck)
    for i in range(left):
        state.deck[i] = pool[i]
    # Places that the law no longer reads would reveal what the opponent drew.
    for i in range(left, state.deck.shape[0]):
        state.deck[i] = 0
    for i in range(size, state.hand.shape[1]):
        state.hand[opp, i] = 0
    for i in range(n):
        state.hand[opp, unknown[i]] = pool[left + i]
    _sort(state.hand[opp], size)
    return luck


@kernel
def _sort(cards: Any, count: int) -> None:
    """Sort the first `count` cards."""
    for i in range(1, count):
        card = cards[i]
        j = i
        while j > 0 and cards[j - 1] > card:
            cards[j] = cards[j - 1]
            j -= 1
        cards[j] = card


@kernel
def undeal(state: State, seats: Any, moves: Any, options: Any, deal: Any, luck: int) -> int:
    """Write a deal from which these moves lead to this state; returns the next random state.

    Backwards, a card that was laid returns to its hand, and a draw from the deck takes back one of the cards that were
    in that hand and did not come from a pile, all equally likely.
    """
    plies = moves.shape[0]
    draws = 0
    from_pile = np.zeros(plies, np.int64)  # the card that a ply took from a pile
    spent = np.zeros(plies, np.int64)  # 1: the ply laid a card that had come from a pile
    hands = np.zeros((2, KINDS), np.int64)
    fetched = np.zeros((2, KINDS), np.int64)
    pile = np.zeros((MAX_SUITS, SUIT_SIZE), np.int64)
    height = np.zeros(MAX_SUITS, np.int64)
    for ply in range(plies):
        move = moves[ply]
        seat = seats[ply]
        card = move % KINDS
        if move < FROM_DECK:
            spent[ply] = fetched[seat, card] > 0
            fetched[seat, card] -= spent[ply]
            if move >= KINDS:
                pile[card // 10, height[card // 10]] = card
                height[card // 10] += 1
        elif move == FROM_DECK:
            draws += 1
        else:
            suit = move - FROM_PILE
            height[suit] -= 1
            from_pile[ply] = pile[suit, height[suit]]
            fetched[seat, from_pile[ply]] += 1
    for seat in range(2):
        for i in range(state.hand_size[seat]):
            hands[seat, state.hand[seat, i]] += 1
    next_drawn = 2 * options.hand_size + draws
    for i in range(state.deck_left):
        deal[next_drawn + i] = state.deck[state.deck_left - 1 - i]
    for ply in range(plies - 1, -1, -1):
        move = moves[ply]
        seat = seats[ply]
        if move < FROM_DECK:
            hands[seat, move % KINDS] += 1
            fetched[seat, move % KINDS] += spent[ply]
        elif move > FROM_DECK:
            hands[seat, from_pile[ply]] -= 1
            fetched[seat, from_pile[ply]] -= 1
        else:
            luck = next_luck(luck)
            card = _one_of(hands[seat], fetched[seat], luck)
            hands[seat, card] -= 1
            next_drawn -= 1
            deal[next_drawn] = card
    i = 0
    for seat in range(2):
        for card in range(KINDS):
            for _ in range(hands[seat, card]):
                deal[i] = card
                i += 1
    return luck


@kernel
def _one_of(hands: Any, fetched: Any, luck: int) -> int:
    """A card of a hand that did not come from a pile, all equally likely."""
    count = 0
    for card in range(KINDS):
        count += hands[card] - fetched[card]
    left = below(luck, count)
    for card in range(KINDS):
        left -= hands[card] - fetched[card]
        if left < 0:
            return card
    return 0
