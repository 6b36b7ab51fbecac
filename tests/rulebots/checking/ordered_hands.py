"""A sound game: each seat holds two cards of six in the order dealt, and sees which ones, not in which order."""

from __future__ import annotations

import numpy as np

from rulebots.game import Game, GameText, Kind
from rulebots.game.random_numbers import next_luck
from rulebots.kernel import kernel


@kernel
def setup(state, deal, options):
    for i in range(2):
        state.hand[0, i] = deal[i]
        state.hand[1, i] = deal[2 + i]
    state.played[:] = -1


@kernel
def moves(state, out):
    n = 0
    for card in range(6):
        for i in range(2):
            if state.hand[state.mover, i] == card:
                out[n] = card
                n += 1
    return n


@kernel
def play(state, move):
    seat = state.mover
    for i in range(2):
        if state.hand[seat, i] == move:
            state.hand[seat, i] = -1
    state.played[state.plies] = move
    state.plies += 1
    state.total[seat] += move * state.plies
    state.mover = 1 - seat


@kernel
def over(state):
    return state.plies == 4


@kernel
def points(state, seat):
    return 2 if state.total[seat] > state.total[1 - seat] else (1 if state.total[seat] == state.total[1 - seat] else 0)


@kernel
def observe(state, view):
    for card in range(6):
        view.have[card] = 0
    for i in range(2):
        if state.hand[state.mover, i] >= 0:
            view.have[state.hand[state.mover, i]] = 1
    view.played[:] = state.played
    view.total[0], view.total[1] = state.total[state.mover], state.total[1 - state.mover]


@kernel
def redeal(state, luck):
    other = 1 - state.mover
    free = np.ones(6, np.int64)
    for i in range(2):
        if state.hand[state.mover, i] >= 0:
            free[state.hand[state.mover, i]] = 0
    for i in range(4):
        if state.played[i] >= 0:
            free[state.played[i]] = 0
    n = 0
    for i in range(2):
        n += 1 if state.hand[other, i] >= 0 else 0
    state.hand[other, 0] = -1
    state.hand[other, 1] = -1
    for k in range(n):
        luck = next_luck(luck)
        rest = luck % free.sum()
        card = 0
        while free[card] == 0 or rest > 0:
            rest -= free[card]
            card += 1
        free[card] = 0
        state.hand[other, k] = card
    return luck


def draw_deals(rng, count, options):
    return rng.permuted(np.tile(np.arange(6), (count, 1)), axis=1)


ordered_hands = Game(
    name="ordered-hands",
    title="Ordered hands",
    state=np.dtype(
        [
            ("mover", np.int32),
            ("hand", np.int32, (2, 2)),
            ("played", np.int32, (4,)),
            ("plies", np.int32),
            ("total", np.int32, (2,)),
        ]
    ),
    view=np.dtype(
        [("luck", np.int64), ("have", np.int32, (6,)), ("played", np.int32, (4,)), ("total", np.int32, (2,))]
    ),
    move_count=6,
    ply_cap=4,
    kinds=(Kind("card", {"card": 1.0}),),
    setup=setup,
    moves=moves,
    play=play,
    over=over,
    points=points,
    observe=observe,
    draw_deals=draw_deals,
    hidden=True,
    redeal=redeal,
    text=GameText(
        show=lambda state, seat: f"{state.plies} played",
    ),
)
