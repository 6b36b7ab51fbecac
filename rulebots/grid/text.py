"""Positions of square boards in text, for games of k in a row: `3/1X1/O2 X 1,1`.

Rows come from the top as the board is shown, `/` between them; a number stands for so many empty points, X for a stone
of seat 0, O for one of seat 1. Then who is to move, X or O, and the last move, or `-` if it is not known.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from rulebots.errors import PositionError, UsageError
from rulebots.grid import makes_line, point_of

STONES = ".XO"
_WORDS = "rows, who is to move, and the last move, such as '3/1X1/O2 X 2,0'"


def write_grid(state: Any, width: int, last: str, *, bottom_first: bool) -> str:
    """The text of a state with the fields `side`, `board` and `mover`; `last` is the last move, "" for none."""
    size = int(state.side)
    rows = []
    for row in _rows(size, bottom_first=bottom_first):
        cells = "".join(STONES[state.board[point_of(row, column, width)]] for column in range(size))
        rows.append(re.sub(r"\.+", lambda run: str(len(run[0])), cells))
    return f"{'/'.join(rows)} {STONES[state.mover + 1]} {last or '-'}"


def read_grid(
    text: str,
    state: Any,
    width: int,
    read_move: Callable[[str, Any], int],
    wanted: int,
    exactly: int,
    *,
    bottom_first: bool,
) -> None:
    """Turn an empty board into the position of a text: the fields `board`, `mover`, `last` and `winner`.

    `wanted` stones in a row win, more as well unless `exactly`.

    Raises:
        PositionError: not such a text, or stones that no game of these rules can leave.
    """
    words = list(re.finditer(r"\S+", text))
    if len(words) not in (2, 3):
        raise PositionError(text, 0, f"expected {_WORDS}")
    _read_rows(text, words[0][0], words[0].start(), state, width, bottom_first=bottom_first)
    counts = [int((state.board == stone).sum()) for stone in (1, 2)]
    if counts[0] - counts[1] not in (0, 1):
        said = f"expected as many X as O, or one more, not {counts[0]} X and {counts[1]} O"
        raise PositionError(text, words[0].start(), said)
    state.mover = counts[0] - counts[1]
    if words[1][0] != STONES[state.mover + 1]:
        said = f"expected {STONES[state.mover + 1]} to move after {counts[0]} X and {counts[1]} O, not '{words[1][0]}'"
        raise PositionError(text, words[1].start(), said)
    if len(words) == 3 and words[2][0] != "-":
        state.last = _last(text, words[2][0], words[2].start(), state, read_move)
    for stone in (int(state.mover) + 1, 2 - int(state.mover)):
        points = [p for p in range(len(state.board)) if state.board[p] == stone]
        if any(makes_line(state.board, p, width, wanted, exactly) for p in points):
            if stone == state.mover + 1:
                raise PositionError(text, words[0].start(), f"{STONES[stone]} is to move and has won already")
            state.winner = stone


def _rows(size: int, *, bottom_first: bool) -> range:
    """The numbers of the rows as they are shown, from the top."""
    return range(size - 1, -1, -1) if bottom_first else range(size)


def _read_rows(text: str, word: str, start: int, state: Any, width: int, *, bottom_first: bool) -> None:
    size, here, rows = int(state.side), start, word.split("/")
    if len(rows) != size:
        raise PositionError(text, start, f"expected {size} rows with '/' between them, not {len(rows)}")
    for row, cells in zip(_rows(size, bottom_first=bottom_first), rows, strict=True):
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
        if column != size:
            raise PositionError(text, here, f"expected a row of {size} points, not of {column}")
        here += len(cells) + 1


def _last(text: str, word: str, start: int, state: Any, read_move: Callable[[str, Any], int]) -> int:
    try:
        last = read_move(word, state)
    except UsageError as error:
        raise PositionError(text, start, str(error)) from None
    if state.board[last] != 2 - state.mover:
        raise PositionError(text, start, f"expected the last move, a stone of {STONES[2 - state.mover]}")
    return last
