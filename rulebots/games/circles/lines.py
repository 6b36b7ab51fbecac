"""The cells and lines of the triangle, numbered so that a smaller board is the beginning of every larger one.

Cell (row, col), 0 <= col <= row, has the number row * (row + 1) / 2 + col. A set of cells is two int64 words of bits,
rows 0 to 9 in the first and the others in the second, so that a board of up to ten rows is one word. A line is 1 or
more adjacent cells of a row, a column or a diagonal (down-right). Lines are numbered by length first, then by their
lowest row.
"""

from collections.abc import Iterator

import numpy as np

MAX_SIZE = 12
CELLS = MAX_SIZE * (MAX_SIZE + 1) // 2
#: Cells of the first word: rows 0 to 9.
FIRST_WORD = 55
#: Steps (rows, columns) from a cell to the next one of a row, a column and a diagonal.
STEPS = ((0, 1), (1, 0), (1, 1))

Cell = tuple[int, int]


def cell_number(row: int, col: int) -> int:
    """The number of a cell, whatever the size of the board."""
    return row * (row + 1) // 2 + col


def _lines() -> Iterator[tuple[Cell, Cell, list[Cell]]]:
    """Every line: its head, its tail and its cells."""
    for row in range(MAX_SIZE):
        for col in range(row + 1):
            for direction, (down, right) in enumerate(STEPS):
                cells = [(row, col)]
                while cells[-1][0] < MAX_SIZE and cells[-1][1] <= cells[-1][0]:
                    if len(cells) > 1 or direction == 0:
                        yield cells[0], cells[-1], list(cells)
                    cells.append((cells[-1][0] + down, cells[-1][1] + right))


def _words(cells: list[Cell]) -> tuple[int, int]:
    bits = sum(1 << cell_number(row, col) for row, col in cells)
    return bits & ((1 << FIRST_WORD) - 1), bits >> FIRST_WORD


_ALL = sorted(_lines(), key=lambda line: (len(line[2]), line[1][0], line[0], line[1]))
#: (head, tail) of each line, by its number.
ENDS = tuple((head, tail) for head, tail, _ in _ALL)
#: The cells of each line, by its number.
CELLS_OF = tuple(cells for *_, cells in _ALL)
#: The number of the line with these ends.
LINE_BETWEEN = {ends: number for number, ends in enumerate(ENDS)}
#: int64[lines, 2]: the cells of each line.
MASK = np.array([_words(cells) for cells in CELLS_OF], np.int64)
#: int64[lines]: how many cells a line has.
LENGTH = np.array([len(cells) for cells in CELLS_OF], np.int64)
#: int64[length]: the first line of a length from 0 to MAX_SIZE + 1.
FIRST = np.searchsorted(LENGTH, np.arange(MAX_SIZE + 2)).astype(np.int64)
#: int64[length, size]: how many lines of that length a board of that size has; they follow each other.
WITHIN = np.zeros((MAX_SIZE + 1, MAX_SIZE + 1), np.int64)
for _ends, _length in zip(ENDS, LENGTH, strict=True):
    WITHIN[_length, _ends[1][0] + 1 :] += 1
#: int64[size, 2]: all cells of a board.
BOARD = np.array(
    [_words([(row, col) for row in range(size) for col in range(row + 1)]) for size in range(MAX_SIZE + 1)], np.int64
)
#: int64[direction, cell]: the next cell of a row, a column and a diagonal; NOWHERE beyond the largest board.
NOWHERE = CELLS
NEXT = np.full((len(STEPS), CELLS), NOWHERE, np.int64)
#: int64[size, axis, cell]: the mirror image of a cell across one of a board's three axes.
MIRRORED = np.full((MAX_SIZE + 1, 3, CELLS), NOWHERE, np.int64)
for _row in range(MAX_SIZE):
    for _col in range(_row + 1):
        _cell = cell_number(_row, _col)
        for _direction, (_down, _right) in enumerate(STEPS):
            _next = (_row + _down, _col + _right)
            if _next[0] < MAX_SIZE and _next[1] <= _next[0]:
                NEXT[_direction, _cell] = cell_number(*_next)
        for _size in range(_row + 1, MAX_SIZE + 1):
            _last = _size - 1
            MIRRORED[_size, 0, _cell] = cell_number(_row, _row - _col)
            MIRRORED[_size, 1, _cell] = cell_number(_last - _col, _last - _row)
            MIRRORED[_size, 2, _cell] = cell_number(_last - _row + _col, _col)
