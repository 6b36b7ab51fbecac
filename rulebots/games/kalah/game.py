"""The law of Kalah. Move m empties the mover's pit m, counted from its left.

The board is a ring in the order of sowing: the pits of seat 0, its store, the pits of seat 1, its
store. So `p` pits a side make 2p + 2 cells, and the pit opposite cell c is cell 2p - c.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.game import Game, Kind, Moves, Option, State, View
from rulebots.games.kalah.text import read, show, write
from rulebots.kernel import kernel

MAX_PITS = 8
MAX_CELLS = 2 * MAX_PITS + 2
#: Where a last stone in a pit of the opponent's lies: neither a store nor a pit of one's own.
ABROAD = -1
#: Longer than any game: a stone that is sown comes nearer to a store, and what is in a store stays there.
PLY_CAP = 1000

STATE = np.dtype(
    [
        ("mover", np.int16),
        ("pits", np.int16),  # a side
        ("empty_capture", np.int16),  # whether a last stone in an empty pit of one's own is won alone, too
        ("left", np.int16, (2,)),  # stones in a seat's pits; 0 and 0 when the game is over
        ("board", np.int16, (MAX_CELLS,)),
    ],
    align=True,
)

# The same ring, turned so that the mover's pits come first: they lie below for people.
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
    """Every pit holds the same number of stones, the stores are empty; nothing is left to chance."""
    pits, stones = options.pits, options.stones
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
    """Sow a pit; move again after a last stone in one's own store, capture after one in one's own empty pit."""
    board, pits, mover = state.board, state.pits, state.mover
    mine, theirs = (pits + 1, 0) if mover else (0, pits + 1)
    store = mine + pits
    stones = board[mine + move]
    board[mine + move] = 0
    # Lap by lap, without a look at each cell: one's own pits and store, then the opponent's pits.
    stored = across = 0
    begin = mine + move + 1
    while True:
        end = min(begin + stones, store + 1)
        for cell in range(begin, end):
            board[cell] += 1
        stones -= end - begin
        last = end - 1
        stored += last == store
        if stones == 0:
            break
        end = min(theirs + stones, theirs + pits)
        for cell in range(theirs, end):
            board[cell] += 1
        stones -= end - theirs
        across += end - theirs
        if stones == 0:
            last = ABROAD
            break
        begin = mine
    if last != store:
        state.mover = 1 - mover
        if last != ABROAD and board[last] == 1:
            opposite = 2 * pits - last
            captured = board[opposite]
            if captured > 0 or state.empty_capture:
                board[last] = 0
                board[opposite] = 0
                board[store] += captured + 1
                stored += 1
                state.left[1 - mover] -= captured
    state.left[mover] -= stored + across
    state.left[1 - mover] += across
    if state.left[0] == 0 or state.left[1] == 0:
        sweep(state)


@kernel
def sweep(state: State) -> None:
    """What is left belongs to the side that it lies on."""
    pits = state.pits
    for seat in range(2):
        first = seat * (pits + 1)
        state.board[first + pits] += state.left[seat]
        state.left[seat] = 0
        for cell in range(first, first + pits):
            state.board[cell] = 0


@kernel
def over(state: State) -> bool:
    """The game ends when either side has no stones; then the other's are swept into its store."""
    return state.left[0] + state.left[1] == 0


@kernel
def points(state: State, seat: int) -> int:
    """The stones in a seat's store."""
    return state.board[seat * (state.pits + 1) + state.pits]


@kernel
def observe(state: State, view: View) -> None:
    """The whole position, turned so that the mover sits below."""
    pits, cells = state.pits, 2 * state.pits + 2
    view.pits = pits
    view.empty_capture = state.empty_capture
    first = pits + 1 if state.mover else 0
    for cell in range(cells - first):
        view.board[cell] = state.board[first + cell]
    for cell in range(first):
        view.board[cells - first + cell] = state.board[cell]


@kernel
def kind(move: int) -> int:
    """There is one kind of move."""
    return 0


@kernel
def item(view: View, move: int) -> int:
    """The pit that is emptied."""
    return move


def draw_deals(rng: np.random.Generator, count: int, options: Any) -> npt.NDArray[np.int64]:
    """Nothing is left to chance: int64[count, 0]."""
    return np.zeros((count, 0), np.int64)


game = Game(
    name="kalah",
    title="Kalah",
    state=STATE,
    view=VIEW,
    move_count=MAX_PITS,
    ply_cap=PLY_CAP,
    kinds=(Kind("sow", {"sow": 1.0}),),
    setup=setup,
    moves=moves,
    play=play,
    over=over,
    points=points,
    observe=observe,
    kind=kind,
    item=item,
    show=show,
    write=write,
    read=read,
    draw_deals=draw_deals,
    hidden=False,
    options={
        "pits": Option(6, 1, MAX_PITS, "pits a side"),
        "stones": Option(4, 1, 12, "stones in a pit"),
        "empty_capture": Option(1, 0, 1, "a last stone in an empty pit of one's own is won even if it captures none"),
    },
    opening_plies=4,
)
