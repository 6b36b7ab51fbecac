"""Chorus for one to four, together: all name a number in turn, and score for each that is the one of the round."""

from __future__ import annotations

import numpy as np

from rulebots.game import Game, GameText, Kind
from rulebots.game.seats import seat_after
from rulebots.kernel import kernel
from rulebots.players import RulePlayer
from rulebots.rules import RuleSet, rule

NUMBERS, ROUNDS = 4, 3

STATE = np.dtype(
    [("mover", np.int32), ("seats", np.int32), ("ply", np.int32), ("hits", np.int32), ("songs", np.int32, (ROUNDS,))]
)
VIEW = np.dtype([("luck", np.int64), ("song", np.int32), ("ply", np.int32)])


@kernel
def setup(state, deal, options):
    state.seats = options.seats
    state.songs[:] = deal


@kernel
def moves(state, out):
    for number in range(NUMBERS):
        out[number] = number
    return NUMBERS


@kernel
def play(state, move):
    state.hits += move == state.songs[state.ply // state.seats]
    state.ply += 1
    state.mover = seat_after(state.mover, 1, state.seats)


@kernel
def over(state):
    return state.ply == ROUNDS * state.seats


@kernel
def points(state, seat):
    return state.hits - state.seats


@kernel
def observe(state, view):
    view.song, view.ply = state.songs[state.ply // state.seats], state.ply


def draw_deals(rng, count, options):
    return rng.integers(NUMBERS, size=(count, ROUNDS))


def show(state, seat):
    return f"the songs are {state.songs.tolist()}, {state.hits} hits"


game = Game(
    name="chorus",
    title="Chorus",
    state=STATE,
    view=VIEW,
    seats=(1, 4),
    aim="together",
    most_points=ROUNDS * 4 - 4,
    move_count=NUMBERS,
    ply_cap=ROUNDS * 4,
    kinds=(Kind("name", {"name": 1.0}),),
    setup=setup,
    moves=moves,
    play=play,
    over=over,
    points=points,
    observe=observe,
    draw_deals=draw_deals,
    hidden=False,
    text=GameText(
        show=show,
    ),
)


@rule("name", early=-1.0)
def apart(view, number):
    """How far the number is from the song."""
    return abs(number - view.song)


@rule("name", early=0.0)
def whim(view, number):
    """Chance."""
    return (view.luck * (number + 7) // 97) % 1009 / 1009


simple = RuleSet("simple", game, (apart, whim), meaning="name the song")


def good(name="good"):
    return RulePlayer(simple, simple.hand_tuned(), name)


def wild(name="wild"):
    return RulePlayer(simple, {"name": {"whim": 1.0}}, name)
