"""The law of New game: roll as often as you dare; a 1 loses the turn's points.

This is an example. Replace it by your game, function by function.
"""

import numpy as np
from rulebots.game import CHANCE, Game, Kind
from rulebots.game.defaults import named_moves
from rulebots.kernel import kernel

GOAL = 50
# Moves 0 to 5 are the faces of the die: what chance may choose.
HOLD, ROLL = 6, 7
# Every move and every outcome has a name, by which a person types it.
NAMES = ("die:1", "die:2", "die:3", "die:4", "die:5", "die:6", "hold", "roll")
write, read = named_moves(*NAMES)

# Everything that the referee knows. `mover` is the seat that decides next, 0 or 1,
# or CHANCE.
STATE = np.dtype(
    [
        ("mover", np.int32),
        ("seat", np.int32),  # whose turn it is
        ("turn", np.int32),  # points rolled in this turn
        ("scores", np.int32, 2),  # points that are safe, by seat
    ],
    align=True,
)
# What the mover may know. `luck` is a random state, fresh at every decision.
VIEW = np.dtype(
    [
        ("luck", np.int64),
        ("turn", np.int32),
        ("mine", np.int32),
        ("theirs", np.int32),
    ],
    align=True,
)


@kernel
def moves(state, out):
    """Write the legal moves, or the outcomes, into `out`; return how many."""
    if state.mover == CHANCE:
        for face in range(6):
            out[face] = face
        return 6
    out[0], out[1] = HOLD, ROLL
    return 2


@kernel
def play(state, move):
    """Make a legal move, or an outcome, and say who decides next."""
    if move == ROLL:
        state.mover = CHANCE
        return
    if move == HOLD:
        state.scores[state.seat] += state.turn
    if move == HOLD or move == 0:  # the turn is over
        state.turn = 0
        state.seat = 1 - state.seat
    else:
        state.turn += move + 1
    state.mover = state.seat


@kernel
def over(state):
    """Whether the game has ended."""
    return max(state.scores[0], state.scores[1]) >= GOAL


@kernel
def points(state, seat):
    """A seat's points, a whole number; more points win."""
    return state.scores[seat]


@kernel
def observe(state, view):
    """Write what the mover may know into every field."""
    view.turn = state.turn
    view.mine = state.scores[state.mover]
    view.theirs = state.scores[1 - state.mover]


def show(state, seat):
    """The position for people."""
    scores = f"{state.scores[0]} to {state.scores[1]}"
    return f"{scores}; seat {state.seat} has {state.turn} in this turn"


game = Game(
    name="new-game",
    title="New game",
    state=STATE,
    view=VIEW,
    move_count=len(NAMES),  # moves and outcomes are 0 to move_count - 1
    ply_cap=2000,  # a game that is not over by then is stalled
    # Each kind of move, and how it mixes the groups of rules.
    kinds=(Kind("turn", {"turn": 1.0}),),
    moves=moves,
    play=play,
    over=over,
    points=points,
    observe=observe,
    show=show,
    write=write,
    read=read,
    hidden=False,  # whether anything is hidden from a player
    chance=True,  # `mover` may be CHANCE; the faces of a die are equally likely
    # Other defaults of `evolve run` for this game.
)
