"""A small game of two to six: each hits another one, who goes out after two hits, and the last one in has won."""

from __future__ import annotations

import numpy as np

from rulebots.game import Game, GameText, Kind
from rulebots.game.seats import seat_after
from rulebots.kernel import kernel
from rulebots.packages import GamePackage
from rulebots.players import RandomPlayer

SEATS, LIVES = 6, 2

STATE = np.dtype([("mover", np.int32), ("seats", np.int32), ("plies", np.int32), ("count", np.int32, (SEATS,))])
VIEW = np.dtype([("luck", np.int64), ("seats", np.int32), ("plies", np.int32), ("count", np.int32, (SEATS,))])


@kernel
def arm(state, deal, options):
    state.seats = options.seats
    for seat in range(state.seats):
        state.count[seat] = LIVES


@kernel
def targets(state, out):
    n = 0
    for k in range(1, state.seats):
        if state.count[seat_after(state.mover, k, state.seats)] > 0:
            out[n] = k
            n += 1
    return n


@kernel
def hit(state, move):
    state.count[seat_after(state.mover, move, state.seats)] -= 1
    state.plies += 1
    state.mover = seat_after(state.mover, 1, state.seats)
    while state.count[state.mover] == 0:
        state.mover = seat_after(state.mover, 1, state.seats)


@kernel
def one_left(state):
    n = 0
    for seat in range(state.seats):
        n += state.count[seat] > 0
    return n == 1


@kernel
def counted(state, seat):
    return state.count[seat]


@kernel
def observe(state, view):
    view.seats, view.plies = state.seats, state.plies
    for k in range(state.seats):
        view.count[k] = state.count[seat_after(state.mover, k, state.seats)]


def gone(state, seat):
    return state.count[seat] == 0


def show(state, seat):
    whose = "all" if seat is None else f"seat {seat}"
    return f"{whose} sees {state.count[: state.seats].tolist()}"


game = Game(
    name="standing",
    title="Last One Standing",
    state=STATE,
    view=VIEW,
    seats=(2, 6),
    move_count=SEATS,
    ply_cap=SEATS * LIVES,
    kinds=(Kind("hit", {"hit": 1.0}),),
    setup=arm,
    moves=targets,
    play=hit,
    over=one_left,
    points=counted,
    observe=observe,
    out=gone,
    hidden=False,
    opening_plies=0,
    text=GameText(
        show=show,
    ),
)

package = GamePackage(
    __name__, game=game, players={"anyhow": lambda: RandomPlayer(game, "anyhow")}, references=("anyhow",)
)
