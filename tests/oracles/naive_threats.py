"""Forced wins at gomoku once more, slow and obvious, on the boards of naive_rows."""

from __future__ import annotations

from naive_rows import Board, Point, wins


def fives(board: Board, seat: int, size: int, exactly: bool) -> list[Point]:
    """The points where a stone of the seat wins."""
    free = [(row, column) for row in range(size) for column in range(size) if (row, column) not in board]
    return [point for point in free if wins({**board, point: seat}, point, 5, exactly)]


def wins_by_fours(board: Board, seat: int, size: int, exactly: bool) -> bool:
    """Whether the seat to move wins by stones that each threaten a five."""
    if fives(board, seat, size, exactly):
        return True
    to_stop = fives(board, 1 - seat, size, exactly)
    if len(to_stop) > 1:
        return False
    free = [(row, column) for row in range(size) for column in range(size) if (row, column) not in board]
    for point in to_stop or free:
        after = {**board, point: seat}
        threatened = fives(after, seat, size, exactly)
        if len(threatened) > 1:
            return True
        if threatened and wins_by_fours({**after, threatened[0]: 1 - seat}, seat, size, exactly):
            return True
    return False
