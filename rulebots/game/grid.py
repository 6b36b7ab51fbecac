"""Boards of rows and columns surrounded by a wall, and lines of stones on them, for games of k in a row.

A board is int8[cells], row after row, `width` cells a row: the columns of the largest board and one cell of wall, which
ends one row and begins the next. There is a row of wall above the board and another below it, so that a walk along a
line needs no test for the edge. A point is an index into that array.

    WIDTH, CELLS = width_of(7), cells_of(6, 7)      # 6 rows, 7 columns
    wall_in(state.board, 6, 7, WIDTH)
    state.board[point_of(5, 3, WIDTH)] = state.mover + 1

`write_grid` and `read_grid` are positions of square boards in text: `3/1X1/O2 X a1`. Rows come from the top as the
board is shown, `/` between them; a number stands for that many empty points, X for a stone of seat 0, O for one of
seat 1. Then who is to move, X or O, and the last move, or `-` if it is not known.
"""

import re
import string
from typing import Any

from rulebots.errors import PositionError, UsageError, demand, demand_at
from rulebots.kernel import kernel

#: The stones between them are 1 and 2: the owner's seat + 1.
EMPTY = 0
WALL = 3
#: Stones in a view: the mover's own, and the other seat's.
MINE = 1
THEIRS = 2
#: The names of columns, as on a chessboard.
LETTERS = string.ascii_lowercase
#: The marks of an empty point and of both seats' stones.
STONES = ".XO"
_NAME = re.compile(r"([a-z])\s*([1-9][0-9]?)")
_PLACE = re.compile(r"([0-9]{1,2})(?:\s*,\s*|\s+)([0-9]{1,2})")
_WORDS = "rows, who is to move, and the last move, such as '3/1X1/O2 X a1'"


def width_of(columns: int) -> int:
    """How many cells a row has on a board of at most that many columns, its one cell of wall included."""
    return columns + 1


def cells_of(rows: int, columns: int) -> int:
    """How many cells a board of at most that many rows and columns has, walls included."""
    return (rows + 2) * width_of(columns) + 1


@kernel
def point_of(row: int, column: int, width: int) -> int:
    """The point of a row and a column, both counted from 0."""
    return (row + 1) * width + column + 1


@kernel
def place_of(point: int, width: int) -> tuple[int, int]:
    """The row and the column of a point, both counted from 0."""
    return point // width - 1, point % width - 1


@kernel
def wall_in(board: Any, rows: int, columns: int, width: int) -> None:
    """Turn a board of zeros into one of that many rows and columns: everything else becomes wall."""
    for cell in range(board.shape[0]):
        row = cell // width - 1
        column = cell % width - 1
        if row < 0 or row >= rows or column < 0 or column >= columns:
            board[cell] = WALL


@kernel
def empty_points(board: Any, rows: int, columns: int, width: int, out: Any) -> int:
    """Write the empty points into `out` in rising order, and return how many there are."""
    n = 0
    for row in range(1, rows + 1):
        for point in range(row * width + 1, row * width + 1 + columns):
            if board[point] == EMPTY:
                out[n] = point
                n += 1
    return n


@kernel
def turn_stones(board: Any, mover: int, seen: Any) -> None:
    """Write a board into `seen`, of the same shape, as that seat sees it: its own stones are MINE, others THEIRS."""
    mine = mover + 1
    for cell in range(board.shape[0]):
        stone = board[cell]
        if stone not in (EMPTY, WALL):
            stone = MINE if stone == mine else THEIRS
        seen[cell] = stone


@kernel
def won_or_full(state: Any) -> bool:
    """Whether a game of k in a row is over, by the fields `winner`, a seat + 1 or 0, and `left`, its empty points."""
    return (state.winner != 0) | (state.left == 0)


@kernel
def winner_points(state: Any, seat: int) -> int:
    """1 for the winner of a game of k in a row."""
    return 1 if state.winner == seat + 1 else 0


@kernel
def longest_line(board: Any, rows: int, columns: int, width: int, stone: int) -> int:
    """The number of these stones in their longest line."""
    longest = 0
    for row in range(1, rows + 1):
        for point in range(row * width + 1, row * width + 1 + columns):
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
def line_through(board: Any, point: int, width: int, stone: int) -> int:
    """The number of these stones in the longest line through a point if one of them is put there."""
    longest = 0
    for step in (1, width - 1, width, width + 1):
        beyond = point + step
        before = point - step
        while board[beyond] == stone:
            beyond += step
        while board[before] == stone:
            before -= step
        longest = max(longest, (beyond - before) // step - 1)
    return longest


@kernel
def makes_line(board: Any, point: int, width: int, wanted: int, exactly: int) -> bool:
    """Whether the stone on `point` is part of a line of `wanted` stones, or of more unless `exactly`."""
    stone = board[point]
    for step in (1, width - 1, width, width + 1):
        beyond = point + step
        before = point - step
        while board[beyond] == stone:
            beyond += step
        while board[before] == stone:
            before -= step
        excess = beyond - before - (wanted + 1) * step
        if excess == 0 or (excess > 0 and exactly == 0):
            return True
    return False


def write_point(point: int, width: int) -> str:
    """The point's name: `h8` is the eighth point of the eighth row from below."""
    row, column = place_of(point, width)
    return f"{LETTERS[column]}{row + 1}"


def read_point(text: str, rows: int, columns: int, width: int) -> int:
    """The point that a name such as `h8` means; `7,7` and `7 7`, its row and column from 0, mean the same.

    Raises:
        UsageError: the text is not a point of a board of that many rows and columns.
    """
    word = text.strip()
    row, column = rows, columns
    if name := _NAME.fullmatch(word.lower()):
        row, column = int(name[2]) - 1, LETTERS.index(name[1])
    elif place := _PLACE.fullmatch(word):
        row, column = int(place[1]), int(place[2])
    demand(row < rows and column < columns, f"expected a point from a1 to {LETTERS[columns - 1]}{rows}, not {word!r}")
    return point_of(row, column, width)


def draw_board(board: Any, rows: int, columns: int, width: int, last: int = 0) -> str:
    """The board for people, row 1 at the bottom, columns named by letters: X is seat 0, O seat 1.

    The stone on the point `last` stands in brackets; 0 stands for none.
    """
    lines = []
    for row in reversed(range(rows)):
        here = [point_of(row, column, width) for column in range(columns)]
        cells = (f"({STONES[board[p]]})" if p == last else f" {STONES[board[p]]} " for p in here)
        lines.append(f"{row + 1:2} {''.join(cells)}".rstrip())
    lines.append("   " + "".join(f" {letter} " for letter in LETTERS[:columns]).rstrip())
    return "\n".join(lines)


def standing(state: Any, goal: str) -> str:
    """Who is to move, and what for, or who has won, in a game of k in a row."""
    if state.winner:
        return f"{STONES[state.winner]} has won"
    return f"{STONES[state.mover + 1]} to move, {goal}" if state.left else "a draw"


def write_grid(state: Any, width: int) -> str:
    """The text of a state with the fields `side`, `board`, `mover` and `last`."""
    size = int(state.side)
    rows = (
        "".join(STONES[state.board[point_of(row, column, width)]] for column in range(size))
        for row in reversed(range(size))
    )
    board = re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(rows))
    return f"{board} {STONES[state.mover + 1]} {write_point(int(state.last), width) if state.last else '-'}"


def read_grid(text: str, state: Any, width: int, wanted: int, exactly: int) -> None:
    """Turn an empty board into the position of a text: the fields `board`, `mover`, `last` and `winner`.

    `wanted` stones in a row win, more as well unless `exactly`.

    Raises:
        PositionError: not such a text, or stones that no game of these rules can leave.
    """
    words = list(re.finditer(r"\S+", text))
    demand_at(len(words) in (2, 3), text, 0, f"expected {_WORDS}")
    _read_rows(text, words[0][0], words[0].start(), state, width)
    counts = [int((state.board == stone).sum()) for stone in (1, 2)]
    demand_at(
        counts[0] - counts[1] in (0, 1),
        text,
        words[0].start(),
        f"expected as many X as O, or one more, not {counts[0]} X and {counts[1]} O",
    )
    state.mover = counts[0] - counts[1]
    demand_at(
        words[1][0] == STONES[state.mover + 1],
        text,
        words[1].start(),
        f"expected {STONES[state.mover + 1]} to move after {counts[0]} X and {counts[1]} O, not '{words[1][0]}'",
    )
    if len(words) == 3 and words[2][0] != "-":
        state.last = _last(text, words[2][0], words[2].start(), state, width)
    for stone in (int(state.mover) + 1, 2 - int(state.mover)):
        points = [p for p in range(len(state.board)) if state.board[p] == stone]
        if any(makes_line(state.board, p, width, wanted, exactly) for p in points):
            demand_at(
                stone != state.mover + 1, text, words[0].start(), f"{STONES[stone]} is to move and has won already"
            )
            state.winner = stone


def _read_rows(text: str, word: str, start: int, state: Any, width: int) -> None:
    size = int(state.side)
    here = start
    rows = word.split("/")
    demand_at(len(rows) == size, text, start, f"expected {size} rows with '/' between them, not {len(rows)}")
    for row, cells in zip(reversed(range(size)), rows, strict=True):
        column = 0
        for run in re.finditer(r"[0-9]{1,3}|.", cells):
            if run[0].isdecimal():
                column += int(run[0])
            elif run[0] in STONES[1:]:
                if column < size:
                    state.board[point_of(row, column, width)] = STONES.index(run[0])
                column += 1
            else:
                raise PositionError(text, here + run.start(), f"expected X, O or a number, not '{run[0]}'")
        demand_at(column == size, text, here, f"expected a row of {size} points, not of {column}")
        here += len(cells) + 1


def _last(text: str, word: str, start: int, state: Any, width: int) -> int:
    try:
        last = read_point(word, int(state.side), int(state.side), width)
    except UsageError as error:
        raise PositionError(text, start, str(error)) from None
    demand_at(
        state.board[last] == 2 - state.mover,
        text,
        start,
        f"expected the last move, a stone of {STONES[2 - state.mover]}",
    )
    return last
