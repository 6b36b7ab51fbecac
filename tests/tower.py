"""A small game that one to four play together or alone: each lays up to two stones in turn, three times."""

from __future__ import annotations

from standing import SEATS, STATE, VIEW, observe, show

from rulebots.game import Game, GameText, Kind
from rulebots.game.seats import seat_after
from rulebots.kernel import kernel
from rulebots.packages import GamePackage
from rulebots.players import RandomPlayer

ROUNDS = 3


@kernel
def gather(state, deal, options):
    state.seats = options.seats


@kernel
def heights(state, out):
    for move in range(3):
        out[move] = move
    return 3


@kernel
def build(state, move):
    state.count[state.mover] += move
    state.plies += 1
    state.mover = seat_after(state.mover, 1, state.seats)


@kernel
def built(state):
    return state.plies == ROUNDS * state.seats


@kernel
def height(state, seat):
    total = 0
    for s in range(state.seats):
        total += state.count[s]
    return total


game = Game(
    name="tower",
    title="Tower",
    state=STATE,
    view=VIEW,
    seats=(1, 4),
    aim="together",
    most_points=24,
    move_count=3,
    ply_cap=SEATS * ROUNDS,
    kinds=(Kind("lay", {"lay": 1.0}),),
    setup=gather,
    moves=heights,
    play=build,
    over=built,
    points=height,
    observe=observe,
    hidden=False,
    opening_plies=0,
    text=GameText(
        show=show,
    ),
)

package = GamePackage(
    __name__, game=game, players={"anyhow": lambda: RandomPlayer(game, "anyhow")}, references=("anyhow",)
)
