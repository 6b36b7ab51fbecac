"""The law of gomoku: X and O take turns to put a stone on an empty point; five in a row win.

A move is a point of the walled board of `rulebots.grid`, whatever the size. Seat 0 is X and begins. Six and more
in a row win as well, unless the option `exactly` is on. A full board without a five is a draw. The winner has 1 point.

A search plays hundreds of random moves to evaluate one position, and looking through the board for empty points would
cost more than everything else. So the state lists them; a move replaces its own point by the last one in the list.
The order of `moves` is therefore not rising.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rulebots.game import Game, Kind, Option, State
from rulebots.games.gomoku import text
from rulebots.games.gomoku.points import CELLS, FIVE, LARGEST, SMALLEST, WIDTH
from rulebots.grid import empty_points, longest_line, makes_line, turn_stones, wall_in
from rulebots.kernel import kernel

STATE = np.dtype(
    [
        ("mover", np.int32),
        ("winner", np.int32),  # 0 for none yet, else the winner's seat + 1, like its stones
        ("side", np.int32),  # rows and columns
        ("exactly", np.int32),
        ("left", np.int32),  # empty points
        ("last", np.int32),  # the last move, 0 before the first
        ("board", np.int8, CELLS),  # EMPTY, WALL, or the owner's seat + 1
        ("free", np.int16, LARGEST * LARGEST),  # the empty points: `left` of them
        ("index", np.int16, CELLS),  # the place of an empty point in `free`
    ],
    align=True,
)
VIEW = np.dtype(
    [
        ("luck", np.int64),
        ("side", np.int64),
        ("exactly", np.int64),
        ("left", np.int64),
        ("last", np.int64),
        ("board", np.int8, CELLS),  # EMPTY, WALL, MINE, THEIRS
    ],
    align=True,
)


@kernel
def setup(state: Any, deal: Any, options: Any) -> None:
    """An empty board."""
    size = options["size"]  # `options.size` would be NumPy's own: the number of elements
    state.side = size
    state.exactly = options.exactly
    wall_in(state.board, size, size, WIDTH)
    state.left = empty_points(state.board, size, size, WIDTH, state.free)
    for i in range(state.left):
        state.index[state.free[i]] = i


@kernel
def moves(state: Any, out: Any) -> int:
    """Every empty point."""
    n = int(state.left)  # a plain int: callers compute with numbers that an int32 cannot hold
    free = state.free
    for i in range(n):
        out[i] = free[i]
    return n


@kernel
def play(state: Any, move: int) -> None:
    """Put a stone there; only a line through it can have won."""
    state.board[move] = state.mover + 1
    state.last = move
    state.left -= 1
    taken, moved = state.index[move], state.free[state.left]
    state.free[taken], state.index[moved] = moved, taken
    if makes_line(state.board, move, WIDTH, FIVE, state.exactly):
        state.winner = state.mover + 1
    state.mover = 1 - state.mover


@kernel
def over(state: Any) -> bool:
    """Whether a player has won, or the board is full."""
    return (state.winner != 0) | (state.left == 0)


@kernel
def points(state: Any, seat: int) -> int:
    """1 for the winner."""
    return 1 if state.winner == seat + 1 else 0


@kernel
def longest(state: Any, seat: int) -> int:
    """The seat's longest line of stones."""
    return longest_line(state.board, state.side, state.side, WIDTH, seat + 1)


@kernel
def observe(state: Any, view: Any) -> None:
    """The board, with the mover's own stones as MINE."""
    view.side, view.exactly, view.left, view.last = state.side, state.exactly, state.left, state.last
    turn_stones(state.board, state.mover, view.board)


def show(state: State, seat: int | None) -> str:
    """The board, the last move in brackets, and who is to move or has won; everyone sees everything."""
    return text.show(state)


game = Game(
    name="gomoku",
    title="Gomoku",
    state=STATE,
    view=VIEW,
    move_count=CELLS,
    ply_cap=LARGEST * LARGEST,
    kinds=(Kind("put", {"attack": 1.0, "defence": 1.0, "place": 1.0}),),
    setup=setup,
    moves=moves,
    play=play,
    over=over,
    points=points,
    observe=observe,
    show=show,
    write=text.write,
    read=text.read,
    write_position=text.write_position,
    read_position=text.read_position,
    refusal=text.refusal,
    hidden=False,
    options={
        "size": Option(15, SMALLEST, LARGEST, "rows and columns"),
        "exactly": Option(0, 0, 1, "1: six or more in a row do not win"),
    },
    opening_plies=4,
    position_fields=("mover", "winner", "side", "exactly", "board"),
    behaviour={"longest line": longest},
)
