"""A game with secret moves: one hides a coin in one of three fists, the other guesses; then the other way round.

Neither sees what a right guess is worth, which is dealt.
"""

from __future__ import annotations

import numpy as np

from rulebots.game import Game, GameText, Kind
from rulebots.game.random_numbers import next_luck
from rulebots.kernel import kernel


@kernel
def setup(state, deal, options):
    state.prize = deal[0]
    state.fist = -1


@kernel
def moves(state, out):
    for i in range(3):
        out[i] = i
    return 3


@kernel
def play(state, move):
    if state.fist < 0:
        state.fist = move
        state.mover = 1 - state.mover
    else:
        state.right = 1 if move == state.fist else 0
        if state.right:
            state.won[state.mover] += state.prize
        state.fist = -1
        state.guesses += 1


@kernel
def over(state):
    return state.guesses == 2


@kernel
def points(state, seat):
    return state.won[seat]


@kernel
def observe(state, view):
    view.guessing = 1 if state.fist >= 0 else 0
    view.guesses = state.guesses
    view.right = state.right


@kernel
def redeal_but_the_fist(state, luck):
    luck = next_luck(luck)
    state.prize = 1 + luck % 3
    for seat in range(2):
        if state.won[seat] > 0:
            state.won[seat] = state.prize
    return luck


@kernel
def redeal(state, luck):
    luck = redeal_but_the_fist(state, luck)
    if state.fist >= 0:
        luck = next_luck(luck)
        state.fist = luck % 3
    return luck


fists = Game(
    name="fists",
    title="Fists",
    state=np.dtype(
        [
            ("mover", np.int32),
            ("prize", np.int32),
            ("fist", np.int32),
            ("guesses", np.int32),
            ("right", np.int32),
            ("won", np.int32, (2,)),
        ]
    ),
    view=np.dtype([("luck", np.int64), ("guessing", np.int32), ("guesses", np.int32), ("right", np.int32)]),
    move_count=3,
    ply_cap=4,
    kinds=(Kind("fist", {"fist": 1.0}),),
    setup=setup,
    moves=moves,
    play=play,
    over=over,
    points=points,
    observe=observe,
    draw_deals=lambda rng, count, options: rng.integers(1, 4, (count, 1)),
    hidden=True,
    redeal=redeal,
    text=GameText(
        show=lambda state, seat: f"{state.guesses} guesses",
    ),
)
