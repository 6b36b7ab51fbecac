"""The law of Nim. Move m takes m + 1 counters."""

import numpy as np

from rulebots.errors import UsageError
from rulebots.game import Game, GameText, Kind, Option
from rulebots.kernel import kernel

MOST_TAKEN = 3
SMALLEST_HEAP = 10

# Everything that the referee knows. `mover` has to be there: the seat, 0 or 1, whose decision it is.
STATE = np.dtype([("mover", np.int32), ("heap", np.int32), ("winner", np.int32)], align=True)
# Everything that the mover may know. `luck` has to be there: a fresh random state at every decision.
VIEW = np.dtype([("luck", np.int64), ("heap", np.int32)], align=True)


@kernel
def setup(state, deal, options):
    """Fill a state of zeros; `deal` is one row of `draw_deals`."""
    state.heap = deal[0]


@kernel
def moves(state, out):
    """Write the legal moves into `out` and return how many there are."""
    n = min(MOST_TAKEN, state.heap)
    for move in range(n):
        out[move] = move
    return n


@kernel
def play(state, move):
    """Make a legal move, and say whose decision is next."""
    state.heap -= move + 1
    state.winner = state.mover
    state.mover = 1 - state.mover


@kernel
def over(state):
    """Whether the game has ended."""
    return state.heap == 0


@kernel
def points(state, seat):
    """A seat's points, a whole number; more points win."""
    return (state.heap == 0) & (state.winner == seat)


@kernel
def observe(state, view):
    """Write what the mover may know into a record of zeros."""
    view.heap = state.heap


@kernel
def kind(move):
    """An index into the game's kinds of moves."""
    return 0


@kernel
def item(view, move):
    """What the rules look at, a whole number: here the counters that the move leaves."""
    return view.heap - move - 1


def draw_deals(rng, count, options):
    """Everything that chance decides: int64[count, length]. Deal k must not depend on `count`."""
    return rng.integers(SMALLEST_HEAP, options.largest + 1, (count, 1))


def show(state, seat):
    """The position for people, as that seat may see it; seat None sees all."""
    return f"{state.heap} counters: {'|' * int(state.heap)}"


def write(move):
    """A move as text."""
    return str(move + 1)


def read(text, state):
    """The move that a text means; it may be illegal."""
    word = text.strip()
    if word not in ("1", "2", "3"):
        raise UsageError(f"expected how many counters to take, 1, 2 or 3, not {word!r}")
    return int(word) - 1


game = Game(
    name="nim",
    title="Nim",
    state=STATE,
    view=VIEW,
    move_count=MOST_TAKEN,  # moves are 0 .. move_count - 1
    ply_cap=100,  # a game that is not over by then counts as stalled
    kinds=(Kind("take", {"take": 1.0}),),  # each kind of move, and how it mixes the groups of rules
    setup=setup,
    moves=moves,
    play=play,
    over=over,
    points=points,
    observe=observe,
    kind=kind,
    item=item,
    text=GameText(
        show=show,
        write=write,
        read=read,
    ),
    draw_deals=draw_deals,
    hidden=False,  # whether anything is hidden from a player
    options={"largest": Option(30, SMALLEST_HEAP, 60, "counters in the largest heap")},
)
