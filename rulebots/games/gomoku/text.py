"""Gomoku for people: the board in text, and moves as `h8`.

Columns are letters from `a` on, `i` included; rows count from 1 at the bottom, as renju players do. In numbers, `7,7`,
row and column count from 0 from the same corner: `0,0` is `a1`.
"""

from __future__ import annotations

import re

from rulebots.errors import UsageError
from rulebots.game import State
from rulebots.games.gomoku.points import FIVE, LARGEST, WIDTH
from rulebots.grid import LETTERS, draw_board, empty_points, point_of, write_point
from rulebots.grid.text import STONES, read_grid, write_grid

_NAME = re.compile(r"([a-z])\s*([1-9][0-9]?)")
_PLACE = re.compile(r"([0-9]{1,2})(?:\s*,\s*|\s+)([0-9]{1,2})")


def show(state: State) -> str:
    """The board: row 1 at the bottom, column a at the left, the last move in brackets."""
    board = draw_board(state.board, int(state.side), int(state.side), WIDTH, int(state.last))
    return f"{board}\n{standing(state)}"


def standing(state: State) -> str:
    """Who is to move, and what for, or who has won."""
    if state.winner:
        return f"{STONES[state.winner]} has won"
    goal = "exactly five in a row win" if state.exactly else "five or more in a row win"
    return f"{STONES[state.mover + 1]} to move, {goal}" if state.left else "a draw"


def write(move: int) -> str:
    """The point's name: `h8` is the eighth point of the eighth row from below."""
    return write_point(move, WIDTH)


def read(text: str, state: State) -> int:
    """The move that a text means: `h8`, `H8`, `7,7` or `7 7`. The point may be taken.

    Raises:
        UsageError: the text is not a point of this board.
    """
    size, word = int(state.side), text.strip().lower()
    row, column = LARGEST, LARGEST
    if name := _NAME.fullmatch(word):
        row, column = int(name[2]) - 1, LETTERS.index(name[1])
    elif place := _PLACE.fullmatch(word):
        row, column = int(place[1]), int(place[2])
    if max(row, column) >= size:
        raise UsageError(
            f"expected a point from a1 to {LETTERS[size - 1]}{size}, or row,column, each from 0 to {size - 1}, "
            f"not {text.strip()!r}"
        )
    return point_of(row, column, WIDTH)


def write_position(state: State) -> str:
    """The board in text, row 1 last: `15/15/.../7X7/... O h8` (see rulebots/grid/text.py)."""
    return write_grid(state, WIDTH, write(int(state.last)) if state.last else "", bottom_first=True)


def read_position(text: str, state: State) -> None:
    """Turn an empty board into the position of a text. Raises PositionError."""
    read_grid(text, state, WIDTH, read, FIVE, int(state.exactly), bottom_first=True)
    state.left = empty_points(state.board, int(state.side), int(state.side), WIDTH, state.free)
    for i in range(int(state.left)):
        state.index[state.free[i]] = i


def refusal(state: State, move: int) -> str:
    """Why a move is not legal: its point is taken."""
    return f"there is a stone on {write(move)} already"
