"""Boards of rows and columns, and lines of stones on them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from rulebots.errors import UsageError
from rulebots.game import grid

ROWS, COLUMNS = 3, 5
WIDTH, CELLS = grid.width_of(COLUMNS), grid.cells_of(ROWS, COLUMNS)
POINTS = [grid.point_of(row, column, WIDTH) for row in range(ROWS) for column in range(COLUMNS)]


@pytest.fixture
def board() -> np.ndarray:
    board = np.zeros(CELLS, np.int8)
    grid.wall_in(board, ROWS, COLUMNS, WIDTH)
    return board


def test_everything_but_the_points_is_wall(board) -> None:
    assert np.flatnonzero(board == grid.EMPTY).tolist() == POINTS
    out = np.zeros(CELLS, np.int64)
    n = grid.empty_points(board, ROWS, COLUMNS, WIDTH, out)
    assert out[:n].tolist() == POINTS
    assert all(0 <= point + step < CELLS for point in POINTS for step in (-WIDTH - 1, WIDTH + 1))


def test_points_have_a_place_and_a_name() -> None:
    for row, column in itertools.product(range(ROWS), range(COLUMNS)):
        point = grid.point_of(row, column, WIDTH)
        assert grid.place_of(point, WIDTH) == (row, column)
        assert grid.read_point(grid.write_point(point, WIDTH), ROWS, COLUMNS, WIDTH) == point
    assert grid.write_point(POINTS[-1], WIDTH) == "e3"
    for text in ("", "f1", "a4", "a0", "1a", "a99", "ä1"):
        with pytest.raises(UsageError, match="expected a point from a1 to e3, not"):
            grid.read_point(text, ROWS, COLUMNS, WIDTH)


def longest_by_hand(board, point: int, stone: int) -> int:
    """The longest line through a point, from rows and columns."""
    row, column = grid.place_of(point, WIDTH)
    best = 0
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        count = 1
        for sign in (1, -1):
            r, c = row + sign * down, column + sign * right
            while 0 <= r < ROWS and 0 <= c < COLUMNS and board[grid.point_of(r, c, WIDTH)] == stone:
                count, r, c = count + 1, r + sign * down, c + sign * right
        best = max(best, count)
    return best


def test_lines_on_random_boards(board) -> None:
    rng = np.random.default_rng(7)
    for _ in range(100):
        stones = board.copy()
        stones[POINTS] = rng.integers(0, 3, len(POINTS))
        for point, stone in itertools.product(POINTS, (1, 2)):
            expected = longest_by_hand(stones, point, stone)
            assert grid.line_through(stones, point, WIDTH, stone) == expected
            if stones[point] == stone:
                for wanted in (2, 3, 4):
                    assert grid.makes_line(stones, point, WIDTH, wanted, 0) == (expected >= wanted)
        for stone in (1, 2):
            lengths = [longest_by_hand(stones, point, stone) for point in POINTS if stones[point] == stone]
            assert grid.longest_line(stones, ROWS, COLUMNS, WIDTH, stone) == max(lengths, default=0)


def test_a_seat_sees_its_own_stones_as_mine(board) -> None:
    board[POINTS[:2]] = 1, 2
    for mover, seen_as in ((0, [grid.MINE, grid.THEIRS]), (1, [grid.THEIRS, grid.MINE])):
        seen = np.zeros(CELLS, np.int8)
        grid.turn_stones(board, mover, seen)
        assert seen[POINTS[:3]].tolist() == [*seen_as, grid.EMPTY]
        assert ((seen == grid.WALL) == (board == grid.WALL)).all()


def test_the_board_is_drawn_from_above(board) -> None:
    board[POINTS[0]], board[POINTS[-1]] = 1, 2
    assert grid.draw_board(board, ROWS, COLUMNS, WIDTH, POINTS[-1]) == (
        " 3  .  .  .  . (O)\n 2  .  .  .  .  .\n 1  X  .  .  .  .\n    a  b  c  d  e"
    )
