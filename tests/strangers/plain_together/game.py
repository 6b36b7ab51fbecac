"""The law of New game: take counters in turn, and all score where fours are left.

This is an example. Replace it by your game, function by function.
"""

import numpy as np

from rulebots.errors import UsageError
from rulebots.game import Game, GameText, Kind, Option
from rulebots.game.seats import seat_after
from rulebots.kernel import kernel

SEATS = 4  # the most that play
MOST_TAKEN, FOUR = 3, 4

# Everything that the referee knows. `mover` is the seat, from 0 on, that decides next.
STATE = np.dtype(
    [
        ("mover", np.int32),
        ("seats", np.int32),  # how many play
        ("heap", np.int32),
        ("score", np.int32),  # of all together
        ("taken", np.int32, SEATS),  # by seat, how many it took last; 0 for none yet
    ],
    align=True,
)
# What the mover may know. `luck` is a random state, fresh at every decision.
# Arrays by seat go by place: the mover's own first, then that of the next seat.
VIEW = np.dtype(
    [
        ("luck", np.int64),
        ("seats", np.int32),
        ("heap", np.int32),
        ("taken", np.int32, SEATS),
    ],
    align=True,
)


@kernel
def setup(state, deal, options):
    """Fill a state of zeros."""
    state.seats = options.seats
    state.heap = options.heap


@kernel
def moves(state, out):
    """Write the legal moves into `out`; return how many. Move m takes m + 1.

    No seat takes as many as it took the last time.
    """
    n = 0
    for move in range(MOST_TAKEN):
        if move + 1 != state.taken[state.mover]:
            out[n] = move
            n += 1
    return n


@kernel
def play(state, move):
    """Make a legal move, and say who decides next."""
    state.heap -= move + 1
    state.taken[state.mover] = move + 1
    state.score += state.heap % FOUR == 0
    state.mover = seat_after(state.mover, 1, state.seats)


@kernel
def over(state):
    """Whether the game has ended."""
    return state.heap < FOUR


@kernel
def points(state, seat):
    """A seat's points, a whole number: the same for all, as they play together."""
    return state.score


@kernel
def observe(state, view):
    """Write what the mover may know into every field."""
    view.heap = state.heap
    view.seats = state.seats
    for place in range(state.seats):
        view.taken[place] = state.taken[seat_after(state.mover, place, state.seats)]


def show(state, seat):
    """The position for people."""
    return f"{state.heap} counters, score {state.score}, taken {state.taken.tolist()}"


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
    seats=(1, SEATS),  # the option `seats` says how many play
    aim="together",  # all seats have the same points
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
    options={"heap": Option(21, FOUR, 60, "counters at the beginning")},
    # Other defaults of `evolve run` for this game.
)
