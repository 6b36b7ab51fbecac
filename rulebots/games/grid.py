"""Square boards surrounded by a wall, and lines of stones on them, for games of k in a row.

A board is int8[cells], row after row, `width` cells a row: the largest size and one cell of wall, which ends one row
and begins the next. There is a row of wall above the board and another below it, so that a walk along a line needs
no test for the edge. A point is an index into that array.
"""

from __future__ import annotations

from typing import Any

from rulebots.kernel import kernel

EMPTY, WALL = 0, 3  # the stones between them are 1 and 2


def cells_of(largest: int) -> int:
    """How many cells a board of at most `largest` rows and columns has, walls included."""
    return (largest + 2) * (largest + 1) + 1


def point_of(row: int, column: int, width: int) -> int:
    """The point of a row and a column, both counted from 0."""
    return (row + 1) * width + column + 1


def place_of(point: int, width: int) -> tuple[int, int]:
    """The row and the column of a point, both counted from 0."""
    return point // width - 1, point % width - 1


@kernel
def wall_in(board: Any, size: int, width: int) -> None:
    """Turn a board of zeros into one of `size` rows and columns: everything else becomes wall."""
    for cell in range(board.shape[0]):
        row, column = cell // width - 1, cell % width - 1
        if row < 0 or row >= size or column < 0 or column >= size:
            board[cell] = WALL


@kernel
def empty_points(board: Any, size: int, width: int, out: Any) -> int:
    """Write the empty points into `out` in rising order, and return how many there are."""
    n = 0
    for row in range(1, size + 1):
        for point in range(row * width + 1, row * width + 1 + size):
            if board[point] == EMPTY:
                out[n] = point
                n += 1
    return n


@kernel
def longest_line(board: Any, size: int, width: int, stone: int) -> int:
    """The number of these stones in their longest line."""
    longest = 0
    for row in range(1, size + 1):
        for point in range(row * width + 1, row * width + 1 + size):
            if board[point] == stone:
                for step in (1, width - 1, width, width + 1):
                    # Each line is walked once, from its first stone.
                    if board[point - step] != stone:
                        beyond = point + step
                        while board[beyond] == stone:
                            beyond += step
                        longest = max(longest, (beyond - point) // step)
    return longest


@kernel
def makes_line(board: Any, point: int, width: int, wanted: int, exactly: int) -> bool:
    """Whether the stone on `point` is part of a line of `wanted` stones, or of more unless `exactly`."""
    stone = board[point]
    for step in (1, width - 1, width, width + 1):
        beyond, before = point + step, point - step
        while board[beyond] == stone:
            beyond += step
        while board[before] == stone:
            before -= step
        excess = beyond - before - (wanted + 1) * step
        if excess == 0 or (excess > 0 and exactly == 0):
            return True
    return False
