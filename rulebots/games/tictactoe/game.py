"""The law of n x n tic-tac-toe, and its text: X and O take turns to put a stone on an empty point; k in a row win.

A move is a point of the walled board of `rulebots.game.grid`, whatever the size. Seat 0 is X and begins. A full board
without a line is a draw. The winner has 1 point.
"""

import re
from functools import partial
from typing import Any

import numpy as np

from rulebots.errors import demand
from rulebots.game import Game, GameText, Kind, Option, State
from rulebots.game.grid import (
    EMPTY,
    WALL,
    cells_of,
    draw_board,
    empty_points,
    longest_line,
    makes_line,
    read_grid,
    read_point,
    standing,
    turn_stones,
    wall_in,
    width_of,
    winner_points,
    won_or_full,
    write_grid,
    write_point,
)
from rulebots.kernel import kernel

SMALLEST = 3
LARGEST = 10
WIDTH = width_of(LARGEST)
CELLS = cells_of(LARGEST, LARGEST)

STATE = np.dtype(
    [
        ("mover", np.int32),
        ("winner", np.int32),  # 0 for none yet, else the winner's seat + 1, like its stones
        ("side", np.int32),
        ("win", np.int32),
        ("left", np.int32),  # empty points
        ("last", np.int32),  # the last move, 0 before the first
        ("board", np.int8, CELLS),  # EMPTY, WALL, or the owner's seat + 1
    ],
    align=True,
)
VIEW = np.dtype(
    [
        ("luck", np.int64),
        ("side", np.int64),
        ("win", np.int64),
        ("left", np.int64),
        ("board", np.int8, CELLS),  # EMPTY, WALL, MINE, THEIRS
    ],
    align=True,
)


@kernel
def setup(state: Any, deal: Any, options: Any) -> None:
    """An empty board."""
    size = options["size"]  # `options.size` would be NumPy's own: the number of elements
    state.side = size
    state.win = options["win"] if options["win"] > 0 else size
    state.left = size * size
    wall_in(state.board, size, size, WIDTH)


@kernel
def moves(state: Any, out: Any) -> int:
    """Every empty point."""
    return empty_points(state.board, state.side, state.side, WIDTH, out)


@kernel
def play(state: Any, move: int) -> None:
    """Put a stone there; only a line through it can have won."""
    state.board[move] = state.mover + 1
    state.last = move
    state.left -= 1
    if makes_line(state.board, move, WIDTH, state.win, 0):
        state.winner = state.mover + 1
    state.mover = 1 - state.mover


@kernel
def longest(state: Any, seat: int) -> int:
    """The seat's longest line of stones."""
    return longest_line(state.board, state.side, state.side, WIDTH, seat + 1)


@kernel
def corners(state: Any, seat: int) -> int:
    """The corners of the board that hold a stone of the seat."""
    side = state.side
    count = 0
    for row in range(1, side + 1, side - 1):
        for column in range(1, side + 1, side - 1):
            count += state.board[row * WIDTH + column] == seat + 1
    return count


@kernel
def observe(state: Any, view: Any) -> None:
    """The board, with the mover's own stones as MINE."""
    view.side = state.side
    view.win = state.win
    view.left = state.left
    turn_stones(state.board, state.mover, view.board)


def check(options: Any) -> None:
    """Refuse lines that nobody could lose, or that do not fit on the board."""
    size = int(options["size"])
    win = int(options["win"])
    demand(
        not win or SMALLEST <= win <= size,
        f"option 'win' of tictactoe: expected {SMALLEST} to {size} on a board of size {size}, "
        f"or 0 for {size}, not {win}",
    )


def show(state: State, seat: int | None) -> str:
    """The board: row 1 at the bottom, column a at the left, the last move in brackets."""
    board = draw_board(state.board, int(state.side), int(state.side), WIDTH, int(state.last))
    return f"{board}\n{standing(state, goal(state))}"


def goal(state: State) -> str:
    """What wins."""
    return f"{state.win} in a row win"


def write(move: int) -> str:
    """The point's name: `c2` is the third point of the second row from below."""
    return write_point(move, WIDTH)


def task(state: State) -> str:
    """What a turn is."""
    return "put a stone on a free square"


def read(text: str, state: State) -> int:
    """The move that a text means: `c2`, `C2`, `1,2` or `1 2`. The point may be taken. Raises UsageError."""
    return read_point(text, int(state.side), int(state.side), WIDTH)


def read_position(text: str, state: State) -> None:
    """Turn an empty board into the position of a text. Raises PositionError.

    Where the last move is a row and a column, as in older records, row 0 comes first, as it did there.
    """
    if former := re.fullmatch(r"\s*(\S+)(\s+\S+\s+[0-9]+,[0-9]+\s*)", text):
        text = "/".join(reversed(former[1].split("/"))) + former[2]
    read_grid(text, state, WIDTH, int(state.win), 0)
    state.left = int((state.board == EMPTY).sum())


def refusal(state: State, move: int) -> str:
    """Why a move is not legal: its point is taken, or off a smaller board."""
    point = write(move)
    return f"{point} is not on this board" if state.board[move] == WALL else f"there is a stone on {point} already"


game = Game(
    name="tictactoe",
    title="Tic-tac-toe",
    state=STATE,
    view=VIEW,
    move_count=CELLS,
    ply_cap=LARGEST * LARGEST,
    kinds=(Kind("put", {"put": 1.0}),),
    setup=setup,
    moves=moves,
    play=play,
    over=won_or_full,
    points=winner_points,
    observe=observe,
    text=GameText(
        show=show,
        write=write,
        read=read,
        task=task,
        write_position=partial(write_grid, width=WIDTH),
        read_position=read_position,
        refusal=refusal,
    ),
    hidden=False,
    options={
        "size": Option(3, SMALLEST, LARGEST, "rows and columns"),
        "win": Option(0, 0, LARGEST, "stones in a row that win; 0: as many as a row has"),
    },
    check=check,
    opening_plies=2,
    position_fields=("mover", "winner", "side", "win", "board"),
    behaviour={"longest line": longest, "corners": corners},
)
