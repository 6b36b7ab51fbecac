"""The law of circle elimination, after the Ruby program of that name, and its text.

A move is the number of a line (see lines.py), in text `row,col` or `row1,col1,row2,col2`.
"""

import re
from typing import Any

import numpy as np

from rulebots.errors import PositionError, UsageError
from rulebots.game import Game, GameText, Kind, Moves, Option, State, View
from rulebots.games.circles.lines import (
    BOARD,
    CELLS,
    CELLS_OF,
    ENDS,
    FIRST,
    FIRST_WORD,
    LENGTH,
    LINE_BETWEEN,
    MASK,
    MAX_SIZE,
    WITHIN,
    Cell,
    cell_number,
)
from rulebots.kernel import kernel

LIVE = "○"
DEAD = "●"

STATE = np.dtype(
    [
        ("mover", np.int32),
        ("rows", np.int32),
        ("eliminate", np.int32),  # the most stones of one move
        ("last_wins", np.int32),  # 1: the player who takes the last stone wins; 0: loses
        ("stones", np.int64, (2,)),  # the live ones, one bit per cell
    ],
    align=True,
)

VIEW = np.dtype(
    [
        ("luck", np.int64),
        ("rows", np.int32),
        ("eliminate", np.int32),
        ("last_wins", np.int32),
        ("stones", np.int64, (2,)),
    ],
    align=True,
)


@kernel
def setup(state: State, deal: Any, options: Any) -> None:
    """Set up a full triangle."""
    # `options.size` would be NumPy's own: the number of elements.
    state.rows = options["size"]
    state.eliminate = options.eliminate
    state.last_wins = options.last_wins
    state.stones[0] = BOARD[state.rows, 0]
    state.stones[1] = BOARD[state.rows, 1]


@kernel
def moves(state: State, out: Moves) -> int:
    """Every line of live stones that is not too long, shorter ones first."""
    # Written without branches: a processor cannot predict which lines are whole.
    first = state.stones[0]
    second = state.stones[1]
    n = 0
    for length in range(1, min(state.eliminate, state.rows) + 1):
        for line in range(FIRST[length], FIRST[length] + WITHIN[length, state.rows]):
            out[n] = line
            n += ((first & MASK[line, 0]) == MASK[line, 0]) & ((second & MASK[line, 1]) == MASK[line, 1])
    return n


@kernel
def play(state: State, move: int) -> None:
    """Take the stones of a line."""
    state.stones[0] &= ~MASK[move, 0]
    state.stones[1] &= ~MASK[move, 1]
    state.mover = 1 - state.mover


@kernel
def over(state: State) -> bool:
    """Whether no stone is left."""
    return (state.stones[0] | state.stones[1]) == 0


@kernel
def points(state: State, seat: int) -> int:
    """1 for the winner once no stone is left: the seat that took the last one is not the mover."""
    return 1 if over(state) and (seat != state.mover) == (state.last_wins == 1) else 0


@kernel
def observe(state: State, view: View) -> None:
    """Everything: nothing is hidden, and both seats have the same moves."""
    view.rows = state.rows
    view.eliminate = state.eliminate
    view.last_wins = state.last_wins
    view.stones[0] = state.stones[0]
    view.stones[1] = state.stones[1]


def show(state: State, seat: int | None) -> str:
    """The triangle with the numbers of its rows and columns, as the Ruby program draws it."""
    size = int(state.rows)
    gutter = len(str(size)) + 2
    rule = "-" * (gutter + size)
    rows = (
        f"{row:>{gutter - 1}} " + "".join(LIVE if is_live(state, (row, col)) else DEAD for col in range(row + 1))
        for row in range(size)
    )
    return "\n".join([rule, *rows, " " * gutter + "".join(str(col % 10) for col in range(size)), rule])


def is_live(state: State, cell: Cell) -> bool:
    """Whether the stone of a cell is still there."""
    word, bit = divmod(cell_number(*cell), FIRST_WORD)
    return bool(int(state.stones[word]) >> bit & 1)


def write(move: int) -> str:
    """Both ends of the line that a move takes, or the one stone."""
    head, tail = ENDS[move]
    ends = (head,) if head == tail else (head, tail)
    return ",".join(f"{row},{col}" for row, col in ends)


def read(text: str, state: State) -> int:
    """The move that a text means; the ends may come in either order, and blanks do not matter.

    Raises:
        UsageError: the text is not a move, or the move is illegal; the message says why.
    """
    word = "".join(text.split())
    if not re.fullmatch(r"[0-9]{1,9},[0-9]{1,9}(,[0-9]{1,9},[0-9]{1,9})?", word):
        raise UsageError(
            f"expected one stone as 'row,col' or the ends of a line as 'row1,col1,row2,col2', not {text.strip()!r}"
        )
    numbers = [int(number) for number in word.split(",")]
    one = (numbers[0], numbers[1])
    other = (numbers[-2], numbers[-1])
    for row, col in (one, other):
        if not 0 <= col <= row < state.rows:
            raise UsageError(f"there is no stone {row},{col}: rows are 0 to {state.rows - 1}, row r has columns 0 to r")
    line = LINE_BETWEEN.get((min(one, other), max(one, other)))
    if line is None:
        raise UsageError(f"{word} is not a line: its ends must share a row, a column or a diagonal (down and right)")
    if LENGTH[line] > state.eliminate:
        raise UsageError(f"{word} takes {LENGTH[line]} stones; a move takes at most {state.eliminate}")
    for row, col in CELLS_OF[line]:
        if not is_live(state, (row, col)):
            raise UsageError(f"{word} takes {row},{col}, which is gone already")
    return line


def write_position(state: State) -> str:
    """The rows from the top, `o` for a live stone and `.` for one that is gone, then the seat to move: `o/.o 1`."""
    size = int(state.rows)
    rows = ("".join("o" if is_live(state, (row, col)) else "." for col in range(row + 1)) for row in range(size))
    return f"{'/'.join(rows)} {int(state.mover)}"


def read_position(text: str, state: State) -> None:
    """Turn the full triangle into the position of a text. Raises PositionError for what is not one of this size."""
    size = int(state.rows)
    match = re.fullmatch(r"\s*(\S+)\s+([01])\s*", text)
    if match is None:
        raise PositionError(text, 0, "expected the rows and the seat to move, such as 'o/.o/ooo 0'")
    rows = match[1].split("/")
    here = match.start(1)
    if len(rows) != size:
        raise PositionError(text, here, f"expected {size} rows with '/' between them, not {len(rows)}")
    for row, cells in enumerate(rows):
        if len(cells) != row + 1:
            raise PositionError(text, here, f"expected {row + 1} stones in row {row}, not {len(cells)}")
        for col, stone in enumerate(cells):
            if stone not in "o.":
                raise PositionError(text, here + col, f"expected 'o', a stone, or '.', none, not '{stone}'")
            word, bit = divmod(cell_number(row, col), FIRST_WORD)
            if stone == ".":
                state.stones[word] &= ~(1 << bit)
        here += len(cells) + 1
    state.mover = int(match[2])


game = Game(
    name="circles",
    title="Circles",
    state=STATE,
    view=VIEW,
    move_count=len(ENDS),
    ply_cap=CELLS,
    kinds=(Kind("take", {"take": 1.0}),),
    setup=setup,
    moves=moves,
    play=play,
    over=over,
    points=points,
    observe=observe,
    text=GameText(
        show=show,
        write=write,
        read=read,
        write_position=write_position,
        read_position=read_position,
    ),
    hidden=False,
    options={
        "size": Option(6, 2, MAX_SIZE, "rows of the triangle", flag="-s"),
        "eliminate": Option(3, 1, MAX_SIZE, "the most stones that one move takes", flag="-e"),
        "last_wins": Option(
            1, 0, 1, "1: the player who takes the last stone wins; 0: loses", off="last_loses", flag="-l"
        ),
    },
    opening_plies=3,
)
