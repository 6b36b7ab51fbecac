"""The numbers of a deal that a game has not read yet, such as the cards of a deck: nobody knows their order.

And of those that it has read, which ones the mover does not know: they can change places with the unread ones.
"""

from __future__ import annotations

import functools
from typing import Any

from rulebots.game import Game
from rulebots.game.random_numbers import below, next_luck
from rulebots.kernel import Kernel, kernel
from rulebots.search.rollout.replaying import BLANK, ROOT, WORK


@functools.cache
def advance_kernel(game: Game) -> Kernel[..., bool]:
    """A kernel `(state, deal, past) -> possible` that plays the past on a blank state; without any model."""
    setup, moves_of, play, over = game.setup, game.moves, game.play, game.over

    @kernel
    def advance(state: Any, deal: Any, past: Any, moves: Any) -> bool:
        setup(state, deal, past.options)
        for ply in range(past.moves.shape[0]):
            if over(state) or state.mover != past.seats[ply]:
                return False
            n, legal = moves_of(state, moves), False
            for i in range(n):
                legal |= moves[i] == past.moves[ply]
            if not legal:
                return False
            play(state, past.moves[ply])
        return True

    return advance


def numbers_read_kernel(game: Game) -> Kernel[..., int]:
    """A kernel `(deal, other, past, scratch) -> read`: how many numbers, from the first on, the game has read so far.

    By bisection: the numbers from `read` on can change places, and nobody sees it by the end of the past. `other` is
    int64[numbers] of scratch.
    """
    advance, observe = advance_kernel(game), game.observe

    @kernel
    def look_as(state: Any, seat: int, scratch: Any, row: int) -> None:
        mover = state.mover
        state.mover = seat
        scratch.seen[row] = scratch.seen[BLANK]
        observe(state, scratch.seen[row])
        state.mover = mover

    @kernel
    def numbers_read(deal: Any, other: Any, past: Any, scratch: Any, positions: Any) -> int:
        low, high, length = 0, deal.shape[0], deal.shape[0]
        while low < high:
            middle = (low + high) // 2
            for i in range(length):
                other[i] = deal[i]
            for i in range(middle, length):
                other[i] = deal[i + 1 if i + 1 < length else middle]
            positions[0] = scratch.states[BLANK]
            positions[1] = scratch.states[BLANK]
            same = advance(positions[0], deal, past, scratch.moves) & advance(positions[1], other, past, scratch.moves)
            if same:
                for seat in range(2):
                    look_as(positions[0], seat, scratch, WORK)
                    look_as(positions[1], seat, scratch, ROOT)
                    for word in range(scratch.words.shape[1]):
                        same &= scratch.words[WORK, word] == scratch.words[ROOT, word]
            if same:
                high = middle
            else:
                low = middle + 1
        return high

    numbers_read.title = f"deals of {game.title}"
    return numbers_read


@functools.cache
def swaps_kernel(game: Game) -> Kernel[..., int]:
    """A kernel `(deals, read, found, past, scratch, luck) -> luck`: where numbers can change places with unread ones.

    In each of the deals, int64[n, numbers], each of the first `read` numbers changes places with an unread one, drawn
    at random. `found`, int64[read], counts in how many deals the past was possible then, with what the mover sees.
    """
    advance, observe = advance_kernel(game), game.observe

    @kernel
    def swaps(deals: Any, read: int, found: Any, past: Any, scratch: Any, luck: int) -> int:
        state, length = scratch.states[WORK], deals.shape[1]
        for one in range(deals.shape[0]):
            deal = deals[one]
            for i in range(read):
                luck = next_luck(luck)
                j = read + below(luck, length - read)
                deal[i], deal[j] = deal[j], deal[i]
                scratch.states[WORK] = scratch.states[BLANK]
                if advance(state, deal, past, scratch.moves):
                    scratch.seen[WORK] = scratch.seen[BLANK]
                    observe(state, scratch.seen[WORK])
                    same = True
                    for word in range(scratch.words.shape[1]):
                        same &= scratch.words[WORK, word] == scratch.words[ROOT, word]
                    found[i] += same
                deal[i], deal[j] = deal[j], deal[i]
        return luck

    swaps.title = f"hidden numbers of {game.title}"
    return swaps


@kernel
def shuffle(numbers: Any, first: int, luck: int) -> int:
    """Shuffle numbers[first:], int64; returns the next random state."""
    for i in range(numbers.shape[0] - 1, first, -1):
        luck = next_luck(luck)
        j = first + below(luck, i - first + 1)
        numbers[i], numbers[j] = numbers[j], numbers[i]
    return luck
