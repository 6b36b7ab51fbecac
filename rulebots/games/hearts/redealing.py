"""Redealing Hearts: the cards hidden from the mover, and a deal that the game may have begun with."""

import math
from typing import Any

import numpy as np

from rulebots.game import UNKNOWN, State
from rulebots.game.bits import count_of
from rulebots.game.random_numbers import below, next_luck, shuffle
from rulebots.games.hearts.cards import ALL, CARDS, CLUBS, PASSED, RANKS, SEATS, SUITS
from rulebots.kernel import kernel

NOBODY = -1
#: float64[53]: n!; and ways to choose, float64[14, 14].
FACTORIAL = np.array([math.factorial(n) for n in range(CARDS + 1)], np.float64)
CHOOSE = np.array([[math.comb(n, k) for k in range(RANKS + 1)] for n in range(RANKS + 1)], np.float64)


@kernel
def redeal(state: State, luck: int) -> int:
    """Deal the others the cards that the mover has not seen, as many as they hold; returns the next random state.

    Cards that the mover passed stay with their receiver until they are played, and the two of clubs stays with the
    opener. Nobody gets a suit that it has shown to lack. All such deals are equally likely: the number of cards of each
    suit in each hand is drawn by the number of deals with these numbers, then the cards themselves. Two rare inferences
    are left out: a penalty card on the first trick means that its player has no other cards, and a lead of hearts under
    the option `hearts_for_queen` that its player has no spade but the queen.
    """
    me = state.mover
    known = np.zeros((SEATS, SUITS), np.int32)
    room = np.zeros(SEATS, np.int64)
    receiver = (me + state.direction) % SEATS
    for seat in range(SEATS):
        if seat == me:
            continue
        if not state.passing and state.direction > 0 and seat == receiver:
            for suit in range(SUITS):
                known[seat, suit] = state.passed[me, suit] & state.hand[seat, suit]
        if not state.passing and seat == state.opener:
            known[seat, CLUBS] |= state.hand[seat, CLUBS] & 1
        for suit in range(SUITS):
            unseen = state.hand[seat, suit] & ~known[seat, suit]
            if state.passing:  # as far as the mover knows, others still hold what they have chosen to pass
                unseen |= state.passed[seat, suit]
                state.passed[seat, suit] = 0
            state.hand[seat, suit] = known[seat, suit]
            room[seat] += count_of(unseen)
    pool = np.zeros((SUITS, RANKS + 1), np.int64)  # the cards that may be anywhere, by suit; one place to spare
    size = np.zeros(SUITS, np.int64)
    for suit in range(SUITS):
        unseen = ALL & ~(state.hand[me, suit] | state.played[suit])
        if state.passing:
            unseen &= ~state.passed[me, suit]
        for seat in range(SEATS):
            unseen &= ~known[seat, suit]
        for rank in range(RANKS):
            pool[suit, size[suit]] = rank
            size[suit] += unseen >> rank & 1
        luck = shuffle(pool[suit], size[suit], luck)
    luck = _deal(state, me, room, pool, size, luck)
    return _pass_again(state, me, luck)


@kernel
def _deal(state: State, me: int, room: np.ndarray, pool: np.ndarray, size: np.ndarray, luck: int) -> int:
    """Deal the pool into the room of the others.

    A suit that two of them lack goes to the third. A suit that one of them lacks is split between the other two. The
    cards of all other suits go to any of the three.
    """
    pair = np.zeros((SUITS, 2), np.int64)  # the two seats between which a suit is split
    pair[:] = NOBODY
    free = 0
    for suit in range(SUITS):
        able = 0
        for step in range(1, SEATS):
            seat = (me + step) % SEATS
            if state.void[seat, suit] == 0:
                pair[suit, able % 2] = seat
                able += 1
        if able == SEATS - 1:
            free += size[suit]
        elif able == 1:
            _give(state, room, pool, suit, 0, size[suit], pair[suit, 0])
            size[suit] = 0
        if able != 2:
            pair[suit, 0] = NOBODY
    counts = np.zeros(SUITS, np.int64)
    luck = _draw_counts(room, size, pair, counts, free, luck)
    for suit in range(SUITS):
        if pair[suit, 0] != NOBODY:
            _give(state, room, pool, suit, 0, counts[suit], pair[suit, 0])
            _give(state, room, pool, suit, counts[suit], size[suit], pair[suit, 1])
            size[suit] = 0
    # The rest goes to all three, card by card: each to a seat with a chance that is its room's share.
    for suit in range(SUITS):
        for i in range(size[suit]):
            luck = next_luck(luck)
            draw = below(luck, free)
            free -= 1
            for step in range(1, SEATS):
                seat = (me + step) % SEATS
                draw -= room[seat]
                if draw < 0:
                    _give(state, room, pool, suit, i, i + 1, seat)
                    break
    return luck


@kernel
def _give(state: State, room: np.ndarray, pool: np.ndarray, suit: int, first: int, end: int, seat: int) -> None:
    """Give a seat the cards `first` to `end` - 1 of a suit's pool."""
    for i in range(first, end):
        state.hand[seat, suit] |= 1 << pool[suit, i]
    room[seat] -= end - first


@kernel
def _draw_counts(room: np.ndarray, size: np.ndarray, pair: np.ndarray, counts: np.ndarray, free: int, luck: int) -> int:
    """Draw `counts`: how many cards of each split suit go to the first of its pair, each choice by its deals."""
    total = _deals(room, size, pair, counts, free)
    while _advance(counts, size, pair):
        total += _deals(room, size, pair, counts, free)
    luck = next_luck(next_luck(luck))
    target = total * (below(luck, 1 << 30) + 0.5) / (1 << 30)
    reached = _deals(room, size, pair, counts, free)
    while reached < target and _advance(counts, size, pair):
        reached += _deals(room, size, pair, counts, free)
    return luck


@kernel
def _advance(counts: np.ndarray, size: np.ndarray, pair: np.ndarray) -> bool:
    """Count `counts` up like an odometer; False, with all of them 0 again, after the last."""
    for suit in range(SUITS):
        if pair[suit, 0] != NOBODY and counts[suit] < size[suit]:
            counts[suit] += 1
            return True
        counts[suit] = 0
    return False


@kernel
def _deals(room: np.ndarray, size: np.ndarray, pair: np.ndarray, counts: np.ndarray, free: int) -> float:
    """In how many ways cards can be dealt with these counts of the suits that are split."""
    ways = 1.0
    left = np.zeros(SEATS, np.int64)
    for seat in range(SEATS):
        left[seat] = room[seat]
    for suit in range(SUITS):
        if pair[suit, 0] != NOBODY:
            ways *= CHOOSE[size[suit], counts[suit]]
            left[pair[suit, 0]] -= counts[suit]
            left[pair[suit, 1]] -= size[suit] - counts[suit]
    ways *= FACTORIAL[free]
    for seat in range(SEATS):
        if left[seat] < 0:
            return 0.0
        ways /= FACTORIAL[left[seat]]
    return ways


@kernel
def _pass_again(state: State, me: int, luck: int) -> int:
    """Choose what others passed: any three cards of those they had. The mover knows only what it passed and got."""
    for step in range(1, SEATS):
        seat = (me + step) % SEATS
        holder = seat if state.passing else (seat + state.direction) % SEATS
        has_passed = seat < me if state.passing else state.direction > 0
        if not has_passed or holder == me:
            continue
        left = 0
        for suit in range(SUITS):
            state.passed[seat, suit] = 0
            left += count_of(state.hand[holder, suit] | state.laid[holder, suit])
        chosen = PASSED
        for suit in range(SUITS):
            cards = state.hand[holder, suit] | state.laid[holder, suit]
            for rank in range(RANKS):
                if cards >> rank & 1:
                    luck = next_luck(luck)
                    if below(luck, left) < chosen:
                        state.passed[seat, suit] |= 1 << rank
                        chosen -= 1
                        if state.passing:
                            state.hand[holder, suit] &= ~(1 << rank)
                    left -= 1
    return luck


@kernel
def undeal(state: State, seats: Any, moves: Any, options: Any, deal: Any, luck: int) -> int:
    """Write the deal from which these moves lead to this state; returns the next random state.

    After the pack and its lots come the passes that the mover was not told of, each seat's in an order drawn at random.
    """
    hands = state.hand | state.laid
    passed = state.passed.copy()
    # Passed cards go back to the seats that passed them.
    for suit in range(SUITS):
        for seat in range(SEATS):
            if not state.passing:
                hands[(seat + state.direction) % SEATS, suit] &= ~passed[seat, suit]
        for seat in range(SEATS):
            hands[seat, suit] |= passed[seat, suit]
    for lot in range(SEATS):
        deal[lot] = CARDS + (state.direction + lot) % SEATS
    n = SEATS
    for seat in range(SEATS):
        for card in range(CARDS):
            if hands[seat, card // RANKS] >> card % RANKS & 1:
                deal[n] = card
                n += 1
    for ply in range(moves.shape[0]):
        if moves[ply] == UNKNOWN:
            luck = next_luck(luck)
            deal[n] = _take_one(passed[seats[ply]], luck)
            n += 1
    return luck


@kernel
def _take_one(hand: np.ndarray, luck: int) -> int:
    """Take a random card out of a hand."""
    size = 0
    for suit in range(SUITS):
        size += count_of(hand[suit])
    left = below(luck, size)
    for card in range(CARDS):
        if hand[card // RANKS] >> card % RANKS & 1:
            if left == 0:
                hand[card // RANKS] &= ~(1 << card % RANKS)
                return card
            left -= 1
    return 0
