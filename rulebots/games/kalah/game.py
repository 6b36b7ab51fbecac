"""The law of Kalah. Move m empties the mover's pit m, counted from its left.

The board is a ring (see sowing.py): the pits of seat 0, its store, the pits of seat 1, its store.
"""

from typing import Any

import numpy as np

from rulebots.game import Game, GameText, Kind, Moves, Option, State, View
from rulebots.games.kalah.sowing import sow
from rulebots.games.kalah.text import read, read_position, refusal, sentence, show, task, write, write_position
from rulebots.kernel import kernel

#: The largest board of the Kalah Game Protocol's tournaments.
MAX_PITS = 12
MAX_CELLS = 2 * MAX_PITS + 2
#: Longer than any game: every stone sown comes nearer to a store, and stones in a store stay there.
PLY_CAP = 1000

STATE = np.dtype(
    [
        ("mover", np.int16),
        ("pits", np.int16),  # per side
        ("empty_capture", np.int16),  # whether a last stone in one's own empty pit is won even if it captures none
        ("left", np.int16, (2,)),  # stones in each seat's pits; 0 and 0 when the game is over
        ("board", np.int16, (MAX_CELLS,)),
    ],
    align=True,
)

# The same ring, turned so that the mover's pits come first.
VIEW = np.dtype(
    [
        ("luck", np.int64),
        ("pits", np.int32),
        ("empty_capture", np.int32),
        ("board", np.int32, (MAX_CELLS,)),
    ],
    align=True,
)


@kernel
def setup(state: State, deal: Any, options: Any) -> None:
    """The same number of stones in every pit, and empty stores."""
    pits = options.pits
    stones = options.stones
    state.pits = pits
    state.empty_capture = options.empty_capture
    for pit in range(pits):
        state.board[pit] = stones
        state.board[pits + 1 + pit] = stones
    state.left[0] = pits * stones
    state.left[1] = pits * stones


@kernel
def moves(state: State, out: Moves) -> int:
    """The mover's pits that hold stones."""
    first = state.pits + 1 if state.mover else 0
    n = 0
    for pit in range(state.pits):
        out[n] = pit
        n += state.board[first + pit] > 0
    return n


@kernel
def play(state: State, move: int) -> None:
    """Sow a pit; move again if the last stone falls into one's own store, capture if into one's own empty pit."""
    pits = state.pits
    mover = state.mover
    first = pits + 1 if mover else 0
    last, stored, across, captured = sow(state.board, pits, first, move, state.empty_capture)
    if last != first + pits:
        state.mover = 1 - mover
    state.left[mover] -= stored + across
    state.left[1 - mover] += across - captured
    if state.left[0] == 0 or state.left[1] == 0:
        sweep(state)


@kernel
def sweep(state: State) -> None:
    """Sweep what is left into the store of the side on which it lies."""
    pits = state.pits
    for seat in range(2):
        first = seat * (pits + 1)
        state.board[first + pits] += state.left[seat]
        state.left[seat] = 0
        for cell in range(first, first + pits):
            state.board[cell] = 0


@kernel
def over(state: State) -> bool:
    """Whether the game is over: it ends when either side has no stones, and the other's are swept into its store."""
    return state.left[0] + state.left[1] == 0


@kernel
def points(state: State, seat: int) -> int:
    """The stones in a seat's store."""
    return state.board[seat * (state.pits + 1) + state.pits]


@kernel
def observe(state: State, view: View) -> None:
    """The whole position, turned so that the mover's pits come first."""
    pits = state.pits
    cells = 2 * state.pits + 2
    view.pits = pits
    view.empty_capture = state.empty_capture
    first = pits + 1 if state.mover else 0
    for cell in range(cells - first):
        view.board[cell] = state.board[first + cell]
    for cell in range(first):
        view.board[cells - first + cell] = state.board[cell]


game = Game(
    name="kalah",
    title="Kalah",
    state=STATE,
    view=VIEW,
    move_count=MAX_PITS,
    ply_cap=PLY_CAP,
    kinds=(Kind("sow", {"win": 1.0, "danger": 1.0, "shape": 1.0, "end": 1.0}),),
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
        write_position=write_position,
        read_position=read_position,
        refusal=refusal,
        sentence=sentence,
        task=task,
    ),
    hidden=False,
    options={
        "pits": Option(6, 1, MAX_PITS, "pits a side"),
        "stones": Option(4, 1, 12, "stones in a pit"),
        "empty_capture": Option(1, 0, 1, "a last stone in one's own empty pit is won even if it captures none"),
    },
    opening_plies=4,
)
