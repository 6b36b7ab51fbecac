"""A Love Letter of two hands, as a stranger writes it: without effects, but with the Princess, who must be kept."""

from __future__ import annotations

import numpy as np

from rulebots.game import Game, GameText, Kind
from rulebots.game.random_numbers import next_luck
from rulebots.kernel import kernel

#: Each card's value, and all cards.
COPIES = np.array([5, 2, 2, 2, 2, 1, 1, 1])
CARDS = np.repeat(np.arange(1, 9), COPIES)
KEEP_DRAWN, KEEP_HELD = 0, 1


@kernel
def draw(state):
    """The mover takes the next card, which leaves the deck."""
    state.drawn = state.deck[state.next]
    state.deck[state.next] = 0
    state.next += 1


@kernel
def setup(state, deal, options):
    state.deck[:] = deal
    state.aside, state.hand[0], state.hand[1], state.next = deal[0], deal[1], deal[2], 3
    state.deck[:3] = 0
    draw(state)


@kernel
def setup_without_wiping(state, deal, options):
    setup(state, deal, options)
    state.deck[:3] = deal[:3]


@kernel
def moves(state, out):
    out[0], out[1] = KEEP_DRAWN, KEEP_HELD
    return 2


@kernel
def play(state, move):
    seat, card = state.mover, state.drawn
    if move == KEEP_DRAWN:
        card = state.hand[seat]
        state.hand[seat] = state.drawn
    state.discards[seat, card - 1] += 1
    state.drawn = 0
    state.mover = 1 - seat
    if card == 8:
        state.hand[seat] = 0
    if card == 8 or state.next == 16:
        state.ended = 1
    else:
        draw(state)


@kernel
def over(state):
    return state.ended == 1


@kernel
def points(state, seat):
    return state.ended and state.hand[seat] > state.hand[1 - seat]


@kernel
def observe(state, view):
    seat = state.mover
    view.held, view.drawn, view.left = state.hand[seat], state.drawn, 16 - state.next
    view.discards[0], view.discards[1] = state.discards[seat], state.discards[1 - seat]


@kernel
def dealt_again(state, luck, with_hand):
    """All cards that nobody shows, in any order, into the deck, aside and, if asked for, the other hand."""
    seat = state.mover
    unseen = COPIES - state.discards[0] - state.discards[1]
    unseen[state.hand[seat] - 1] -= 1
    unseen[state.drawn - 1] -= 1
    if not with_hand:
        unseen[state.hand[1 - seat] - 1] -= 1
    for place in range(state.next - 2 if with_hand else state.next - 1, 16):
        luck = next_luck(luck)
        rest, card = luck % unseen.sum(), 0
        while rest >= unseen[card]:
            rest -= unseen[card]
            card += 1
        unseen[card] -= 1
        if place == state.next - 2:
            state.hand[1 - seat] = card + 1
        elif place == state.next - 1:
            state.aside = card + 1
        else:
            state.deck[place] = card + 1
    return luck


@kernel
def redeal(state, luck):
    return dealt_again(state, luck, True)


@kernel
def redeal_but_the_hand(state, luck):
    return dealt_again(state, luck, False)


def draw_deals(rng, count, options):
    return rng.permuted(np.tile(CARDS, (count, 1)), axis=1)


def told(state, move, seat):
    """Both see which card was played, but not whether it was drawn before."""
    return move if seat == state.mover else -1


love_letter = Game(
    name="love-letter",
    title="Love Letter",
    state=np.dtype(
        [
            ("mover", np.int32),
            ("hand", np.int32, (2,)),
            ("drawn", np.int32),
            ("aside", np.int32),
            ("deck", np.int32, (16,)),
            ("next", np.int32),
            ("discards", np.int32, (2, 8)),
            ("ended", np.int32),
        ]
    ),
    view=np.dtype(
        [
            ("luck", np.int64),
            ("held", np.int32),
            ("drawn", np.int32),
            ("left", np.int32),
            ("discards", np.int32, (2, 8)),
        ]
    ),
    move_count=2,
    ply_cap=13,
    kinds=(Kind("keep", {"keep": 1.0}),),
    setup=setup,
    moves=moves,
    play=play,
    over=over,
    points=points,
    observe=observe,
    draw_deals=draw_deals,
    hidden=True,
    redeal=redeal,
    told=told,
    text=GameText(
        show=lambda state, seat: "",
        write=("drawn", "held").__getitem__,
        read=("drawn", "held").index,
    ),
)
