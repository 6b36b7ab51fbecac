"""The law of New game: take 1, 2 or 3 counters from a heap; the last counter wins.

This is an example. Replace it by your game, function by function.
"""

import numpy as np

from rulebots.errors import UsageError
from rulebots.game import Game, GameText, Kind, Option
from rulebots.kernel import kernel

MOST_TAKEN = 3

# Everything that the referee knows. `mover` is the seat, 0 or 1, that decides next.
STATE = np.dtype([("mover", np.int32), ("heap", np.int32)], align=True)
# What the mover may know. `luck` is a random state, fresh at every decision.
VIEW = np.dtype([("luck", np.int64), ("heap", np.int32)], align=True)


@kernel
def setup(state, deal, options):
    """Fill a state of zeros."""
    state.heap = options.heap


@kernel
def moves(state, out):
    """Write the legal moves into `out`; return how many. Move m takes m + 1."""
    n = min(MOST_TAKEN, state.heap)
    for move in range(n):
        out[move] = move
    return n


@kernel
def play(state, move):
    """Make a legal move, and say who decides next."""
    state.heap -= move + 1
    state.mover = 1 - state.mover


@kernel
def over(state):
    """Whether the game has ended."""
    return state.heap == 0


@kernel
def points(state, seat):
    """A seat's points, a whole number: 1 for who took the last counter."""
    return 1 if over(state) and seat != state.mover else 0


@kernel
def observe(state, view):
    """Write what the mover may know into every field."""
    view.heap = state.heap


def show(state, seat):
    """The position for people."""
    return f"{state.heap} counters: {'|' * int(state.heap)}"


def write(move):
    """A move as a person types it."""
    return str(move + 1)


def read(text, state):
    """The move that a text means; it may be illegal."""
    word = text.strip()
    if word not in ("1", "2", "3"):
        raise UsageError(f"expected how many to take, 1, 2 or 3, not {word!r}")
    return int(word) - 1


game = Game(
    name="new-game",
    title="New game",
    state=STATE,
    view=VIEW,
    move_count=MOST_TAKEN,  # moves are 0 to move_count - 1
    ply_cap=100,  # a game that is not over by then is stalled
    # Each kind of move, and how it mixes the groups of rules.
    kinds=(Kind("take", {"take": 1.0}),),
    setup=setup,
    moves=moves,
    play=play,
    over=over,
    points=points,
    observe=observe,
    text=GameText(
        show=show,
        write=write,
        read=read,
    ),
    hidden=False,  # whether anything is hidden from a player
    options={"heap": Option(21, 1, 60, "counters at the beginning")},
    # Other defaults of `evolve run` for this game.
)
