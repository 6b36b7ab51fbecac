"""Tic-tac-toe for people: the board in text, and moves as `row,column`, both counted from 0."""

from __future__ import annotations

import re

from rulebots.errors import UsageError
from rulebots.game import State
from rulebots.games.tictactoe.points import WIDTH
from rulebots.grid import EMPTY, place_of, point_of
from rulebots.grid.text import STONES, read_grid, write_grid

_PLACE = re.compile(r"([0-9]{1,2})(?:\s*,\s*|\s+)([0-9]{1,2})")


def show(state: State) -> str:
    """The board: row 0 on top, column 0 at the left, the last move in brackets."""
    size = int(state.side)
    lines = ["  " + "".join(f" {column} " for column in range(size)).rstrip()]
    for row in range(size):
        here = [point_of(row, column, WIDTH) for column in range(size)]
        cells = [f"({STONES[state.board[p]]})" if p == state.last else f" {STONES[state.board[p]]} " for p in here]
        lines.append(f"{row} {''.join(cells)}".rstrip())
    return "\n".join([*lines, standing(state)])


def standing(state: State) -> str:
    """Who is to move, and what for, or who has won."""
    if state.winner:
        return f"{STONES[state.winner]} has won"
    goal = f"{state.win} in a row win"
    return f"{STONES[state.mover + 1]} to move, {goal}" if state.left else "a draw"


def write(move: int) -> str:
    """The move as a player would type it: `1,2` is the third point of the second row."""
    row, column = place_of(move, WIDTH)
    return f"{row},{column}"


def read(text: str, state: State) -> int:
    """The move that a text means: `1,2` or `1 2`. The point may be taken.

    Raises:
        UsageError: the text is not a point of this board.
    """
    size = int(state.side)
    place = _PLACE.fullmatch(text.strip())
    if place is None or max(int(place[1]), int(place[2])) >= size:
        raise UsageError(
            f"expected row,column, each from 0 to {size - 1}, such as '0,{size - 1}', not {text.strip()!r}"
        )
    return point_of(int(place[1]), int(place[2]), WIDTH)


def write_position(state: State) -> str:
    """The board in text, row 0 first: `3/1X1/3 O 1,1` (see rulebots/grid/text.py)."""
    return write_grid(state, WIDTH, write(int(state.last)) if state.last else "", bottom_first=False)


def read_position(text: str, state: State) -> None:
    """Turn an empty board into the position of a text. Raises PositionError."""
    read_grid(text, state, WIDTH, read, int(state.win), 0, bottom_first=False)
    state.left = int((state.board == EMPTY).sum())


def refusal(state: State, move: int) -> str:
    """Why a move is not legal: its point is taken."""
    return f"there is a stone on {write(move)} already"
