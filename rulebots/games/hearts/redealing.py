"""Hearts dealt again: the cards that the mover cannot know, and the deal that a game may have begun with."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rulebots.game import UNKNOWN, State
from rulebots.game.random_numbers import below, next_luck
from rulebots.games.hearts.cards import CARDS, CLUBS, RANKS, SUITS
from rulebots.kernel import kernel

SEATS, PASSED = 4, 3
#: float64[53]: n!; and ways to choose, float64[14, 14].
FACTORIAL = np.array([math.factorial(n) for n in range(CARDS + 1)], np.float64)
CHOOSE = np.array([[math.comb(n, k) for k in range(RANKS + 1)] for n in range(RANKS + 1)], np.float64)


@kernel
def redeal(state: State, luck: int) -> int:
    """Deal the others the cards that the mover has not seen, as many as they hold; returns the next random state.

    Those that it passed stay where they went until they are played, and the two of clubs stays with who leads it.
    Nobody gets a suit that it has shown to lack. All such deals are equally likely: how many cards of a suit go to whom
    is drawn by the number of deals that this leaves, and then which ones. Two things that the moves say are left out,
    for they are rare: who throws a penalty card on the first trick has no other cards, and who leads hearts under the
    option `hearts_for_queen` has no spade but the queen.
    """
    me, known = state.mover, np.zeros((SEATS, SUITS), np.int32)
    room, pool = np.zeros(SEATS, np.int64), np.zeros((SUITS, RANKS), np.int64)
    size = np.zeros(SUITS, np.int64)
    receiver = (me + state.direction) % SEATS
    for seat in range(SEATS):
        if seat == me:
            continue
        for suit in range(SUITS):
            if not state.passing and state.direction > 0 and seat == receiver:
                known[seat, suit] = state.passed[me, suit] & state.hand[seat, suit]
        if not state.passing and seat == state.opener:
            known[seat, CLUBS] |= state.hand[seat, CLUBS] & 1
        for suit in range(SUITS):
            # Those who have chosen what to pass hold it still, as far as the mover knows.
            unseen = state.hand[seat, suit] & ~known[seat, suit]
            if state.passing:
                unseen |= state.passed[seat, suit]
                state.passed[seat, suit] = 0
            state.hand[seat, suit] = known[seat, suit]
            for rank in range(RANKS):
                if unseen >> rank & 1:
                    room[seat] += 1
    _collect(state, me, known, pool, size)
    for suit in range(SUITS):
        for i in range(size[suit] - 1, 0, -1):
            luck = next_luck(luck)
            j = below(luck, i + 1)
            pool[suit, i], pool[suit, j] = pool[suit, j], pool[suit, i]
    luck = _deal(state, me, room, pool, size, luck)
    return _pass_again(state, me, luck)


@kernel
def _collect(state: State, me: int, known: np.ndarray, pool: np.ndarray, size: np.ndarray) -> None:
    """The cards that are neither the mover's, nor played, nor known to be with somebody, by suit and rank."""
    for suit in range(SUITS):
        seen = state.hand[me, suit] | state.played[suit]
        if state.passing:
            seen |= state.passed[me, suit]
        for seat in range(SEATS):
            seen |= known[seat, suit]
        for rank in range(RANKS):
            if not seen >> rank & 1:
                pool[suit, size[suit]] = rank
                size[suit] += 1


@kernel
def _deal(state: State, me: int, room: np.ndarray, pool: np.ndarray, size: np.ndarray, luck: int) -> int:
    """Deal the pool into the room of the others.

    A suit that two of them lack goes to the third. Of a suit that one lacks, some number goes to the first of the other
    two: `counts` are tried in turn, each weighed by its deals. What all may have is dealt like one suit.
    """
    first, second = np.zeros(SUITS, np.int64), np.zeros(SUITS, np.int64)
    split, counts, free = np.zeros(SUITS, np.bool_), np.zeros(SUITS, np.int64), 0
    for suit in range(SUITS):
        able, a, b = 0, -1, -1
        for step in range(1, SEATS):
            seat = (me + step) % SEATS
            if state.void[seat, suit] == 0:
                able += 1
                a, b = (seat, b) if a < 0 else (a, seat)
        if able == 3:
            free += size[suit]
        elif able == 2:
            split[suit], first[suit], second[suit] = True, a, b
        elif able == 1:
            for i in range(size[suit]):
                state.hand[a, suit] |= 1 << pool[suit, i]
            room[a] -= size[suit]
            size[suit] = 0
    total = 0.0
    for drawing in range(2):
        luck = next_luck(luck)
        target = total * (below(luck, 1 << 30) + 0.5) / (1 << 30)
        reached = 0.0
        for suit in range(SUITS):
            counts[suit] = 0
        while True:
            reached += _deals(room, size, split, first, second, counts, free)
            if drawing and reached >= target:
                break
            suit = 0
            while suit < SUITS and (not split[suit] or counts[suit] == size[suit]):
                counts[suit] = 0
                suit += 1
            if suit == SUITS:
                break
            counts[suit] += 1
        total = reached
    for suit in range(SUITS):
        if split[suit]:
            for i in range(size[suit]):
                seat = first[suit] if i < counts[suit] else second[suit]
                state.hand[seat, suit] |= 1 << pool[suit, i]
                room[seat] -= 1
    # The rest goes to all three, card by card: each to a seat with a chance that is its room's share.
    left = free
    for suit in range(SUITS):
        for i in range(size[suit]):
            if split[suit]:
                break
            luck = next_luck(luck)
            draw = below(luck, left)
            for step in range(1, SEATS):
                seat = (me + step) % SEATS
                draw -= room[seat]
                if draw < 0:
                    state.hand[seat, suit] |= 1 << pool[suit, i]
                    room[seat] -= 1
                    break
            left -= 1
    return luck


@kernel
def _deals(
    room: np.ndarray,
    size: np.ndarray,
    split: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    counts: np.ndarray,
    free: int,
) -> float:
    """In how many ways cards can be dealt with these counts of the suits that are split."""
    ways, left = 1.0, room.copy()
    for suit in range(SUITS):
        if split[suit]:
            ways *= CHOOSE[size[suit], counts[suit]]
            left[first[suit]] -= counts[suit]
            left[second[suit]] -= size[suit] - counts[suit]
    ways *= FACTORIAL[free]
    for seat in range(SEATS):
        if left[seat] < 0:
            return 0.0
        ways /= FACTORIAL[left[seat]]
    return ways


@kernel
def _pass_again(state: State, me: int, luck: int) -> int:
    """Choose what others passed, as the mover knows only what it passed and got: any three cards of those they had."""
    for step in range(1, SEATS):
        seat = (me + step) % SEATS
        receiver = (seat + state.direction) % SEATS
        if state.passing:
            done, source = seat < me, seat
        else:
            done, source = (state.direction > 0) & (receiver != me), receiver
        if not done:
            continue
        for suit in range(SUITS):
            state.passed[seat, suit] = 0
        chosen, left = PASSED, 0
        for suit in range(SUITS):
            had = state.hand[source, suit] | state.laid[source, suit]
            for rank in range(RANKS):
                left += had >> rank & 1
        for suit in range(SUITS):
            had = state.hand[source, suit] | state.laid[source, suit]
            for rank in range(RANKS):
                if had >> rank & 1:
                    luck = next_luck(luck)
                    if below(luck, left) < chosen:
                        state.passed[seat, suit] |= 1 << rank
                        chosen -= 1
                        if state.passing:
                            state.hand[source, suit] &= ~(1 << rank)
                    left -= 1
    return luck


@kernel
def undeal(state: State, seats: Any, moves: Any, options: Any, deal: Any, luck: int) -> int:
    """Write the deal from which these moves lead to this state; returns the next random state.

    After the pack and its lots come the passes that the mover was not told of, each seat's in an order drawn at random.
    """
    held, passed = state.hand | state.laid, state.passed.copy()
    # Passed cards go back to who passed them.
    for seat in range(SEATS):
        for suit in range(SUITS):
            if not state.passing:
                held[(seat + state.direction) % SEATS, suit] &= ~passed[seat, suit]
    for seat in range(SEATS):
        for suit in range(SUITS):
            held[seat, suit] |= passed[seat, suit]
    for lot in range(SEATS):
        deal[lot] = CARDS + (state.direction + lot) % SEATS
    n = SEATS
    for seat in range(SEATS):
        for card in range(CARDS):
            if held[seat, card // RANKS] >> card % RANKS & 1:
                deal[n] = card
                n += 1
    for ply in range(moves.shape[0]):
        if moves[ply] == UNKNOWN:
            left = 0
            for card in range(CARDS):
                left += passed[seats[ply], card // RANKS] >> card % RANKS & 1
            luck = next_luck(luck)
            chosen = below(luck, left)
            for card in range(CARDS):
                if passed[seats[ply], card // RANKS] >> card % RANKS & 1:
                    if chosen == 0:
                        passed[seats[ply], card // RANKS] &= ~(1 << card % RANKS)
                        deal[n] = card
                        n += 1
                    chosen -= 1
    return luck
