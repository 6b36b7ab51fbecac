"""Boards of rows and columns, for games of stones.

`board` has what a law and its rules need, `text` writes and reads positions.
"""

from rulebots.grid.board import (
    EMPTY,
    LETTERS,
    MINE,
    THEIRS,
    WALL,
    cells_of,
    draw_board,
    empty_points,
    line_through,
    longest_line,
    makes_line,
    place_of,
    point_of,
    read_point,
    turn_stones,
    wall_in,
    width_of,
    write_point,
)
from rulebots.grid.text import read_grid, write_grid

__all__ = [
    "EMPTY",
    "LETTERS",
    "MINE",
    "THEIRS",
    "WALL",
    "cells_of",
    "draw_board",
    "empty_points",
    "line_through",
    "longest_line",
    "makes_line",
    "place_of",
    "point_of",
    "read_grid",
    "read_point",
    "turn_stones",
    "wall_in",
    "width_of",
    "write_grid",
    "write_point",
]
