"""The law of New board: put stones on an empty board in turn; a line of them wins.

This is an example. Replace it by your game, function by function.
"""

from typing import Any

import numpy as np

from rulebots.game import Game, GameText, Kind, Moves, State, View
from rulebots.game.grid import (
    cells_of,
    draw_board,
    empty_points,
    makes_line,
    read_point,
    turn_stones,
    wall_in,
    width_of,
    write_point,
)
from rulebots.kernel import kernel

SIZE = 3  # rows and columns
IN_A_ROW = min(SIZE, 4)
WIDTH = width_of(SIZE)
CELLS = cells_of(SIZE, SIZE)

# Everything that the referee knows. `mover` is the seat, 0 or 1, that decides next.
STATE = np.dtype(
    [
        ("mover", np.int32),
        ("winner", np.int32),  # the seat + 1, 0 for none yet
        ("empty", np.int32),  # points without a stone
        ("last", np.int32),  # the last move, 0 before the first
        ("board", np.int8, CELLS),  # see rulebots/game/grid.py
    ],
    align=True,
)
# What the mover may know. `luck` is a random state, fresh at every decision.
VIEW = np.dtype(
    [
        ("luck", np.int64),
        ("empty", np.int32),
        ("board", np.int8, CELLS),  # EMPTY, WALL, MINE, THEIRS
    ],
    align=True,
)


@kernel
def setup(state: State, deal: Any, options: Any) -> None:
    """Fill a state of zeros: an empty board."""
    wall_in(state.board, SIZE, SIZE, WIDTH)
    state.empty = SIZE * SIZE


@kernel
def moves(state: State, out: Moves) -> int:
    """Write the legal moves into `out`; return how many. A move is a point."""
    return empty_points(state.board, SIZE, SIZE, WIDTH, out)


@kernel
def play(state: State, move: int) -> None:
    """Make a legal move, and say who decides next."""
    state.board[move] = state.mover + 1
    state.last = move
    state.empty -= 1
    if makes_line(state.board, move, WIDTH, IN_A_ROW, 0):
        state.winner = state.mover + 1
    state.mover = 1 - state.mover


@kernel
def over(state: State) -> bool:
    """Whether the game has ended."""
    return (state.winner != 0) | (state.empty == 0)


@kernel
def points(state: State, seat: int) -> int:
    """A seat's points, a whole number: 1 for the winner."""
    return 1 if state.winner == seat + 1 else 0


@kernel
def observe(state: State, view: View) -> None:
    """Write what the mover may know into every field."""
    view.empty = state.empty
    turn_stones(state.board, state.mover, view.board)


def show(state: State, seat: int | None) -> str:
    """The position for people."""
    return draw_board(state.board, SIZE, SIZE, WIDTH, int(state.last))


def write(move: int) -> str:
    """A move as a person types it."""
    return write_point(move, WIDTH)


def read(text: str, state: State) -> int:
    """The move that a text means; it may be illegal."""
    return read_point(text, SIZE, SIZE, WIDTH)


game = Game(
    name="new-board",
    title="New board",
    state=STATE,
    view=VIEW,
    move_count=CELLS,  # moves are 0 to move_count - 1
    ply_cap=SIZE * SIZE,  # a game that is not over by then is stalled
    # Each kind of move, and how it mixes the groups of rules.
    kinds=(Kind("put", {"put": 1.0}),),
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
    opening_plies=2,  # random moves that make games differ
)
