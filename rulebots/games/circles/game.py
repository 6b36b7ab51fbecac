"""The law of circle elimination, after the Ruby program of that name, and its text.

A move is the number of a line, in text `row,col` or `row1,col1,row2,col2`: 1 or more adjacent cells of a row, a column
or a diagonal (down-right). Lines are numbered by length first, then by their lowest row. Cell (row, col), 0 <= col <=
row, has the number row * (row + 1) / 2 + col, so that a smaller board is the beginning of every larger one. A set of
cells is two int64 words of bits, rows 0 to 9 in the first and the others in the second: a board of up to ten rows is
one word.
"""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from rulebots.errors import PositionError, UsageError, demand, demand_at
from rulebots.game import Game, GameText, Kind, Moves, Option, State, View
from rulebots.game.text import in_words
from rulebots.kernel import kernel

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


LIVE = "○"
DEAD = "●"
#: What the marks mean, below the board.
LEGEND = f"{LIVE} in play, {DEAD} taken"

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
    return "\n".join([rule, *rows, " " * gutter + "".join(str(col % 10) for col in range(size)), rule, LEGEND])


def is_live(state: State, cell: Cell) -> bool:
    """Whether the stone of a cell is still there."""
    word, bit = divmod(cell_number(*cell), FIRST_WORD)
    return bool(int(state.stones[word]) >> bit & 1)


def write(move: int) -> str:
    """Both ends of the line that a move takes, or the one stone."""
    return ",".join(f"{row},{col}" for row, col in dict.fromkeys(ENDS[move]))


def task(state: State) -> str:
    """How a line of stones is chosen."""
    return "take a line of stones by both its ends, or one stone by choosing it twice"


def sentence(state: State, move: int) -> str:
    """How many stones a move takes, and from where to where."""
    head, tail = (f"{row},{col}" for row, col in ENDS[move])
    return f"take(s) {LENGTH[move]} stones, {head} to {tail}" if LENGTH[move] > 1 else f"take(s) the stone on {head}"


def grounds(state: State, move: int) -> str:
    """The sizes of the groups that a move leaves: no line joins them again."""
    group = {
        cell: frozenset([cell])
        for [cell] in CELLS_OF[: FIRST[2]]
        if is_live(state, cell) and cell not in CELLS_OF[move]
    }
    for one, other in CELLS_OF[FIRST[2] : FIRST[3]]:
        if one in group and other in group:
            joined = group[one] | group[other]
            group.update(dict.fromkeys(joined, joined))
    sizes = [str(len(one)) for one in sorted({*group.values()}, key=len, reverse=True)]
    return f"It leaves {'groups' if sizes[1:] else 'a group'} of {in_words(sizes)}." * bool(sizes)


def read(text: str, state: State) -> int:
    """The move that a text means; the ends may come in either order, and blanks do not matter.

    Raises:
        UsageError: the text is not a move, or the move is illegal; the message says why.
    """
    word = "".join(text.split())
    demand(
        re.fullmatch(r"[0-9]{1,9},[0-9]{1,9}(,[0-9]{1,9},[0-9]{1,9})?", word),
        f"expected one stone as 'row,col' or the ends of a line as 'row1,col1,row2,col2', not {text.strip()!r}",
    )
    numbers = [int(number) for number in word.split(",")]
    one = (numbers[0], numbers[1])
    other = (numbers[-2], numbers[-1])
    for row, col in (one, other):
        demand(
            0 <= col <= row < state.rows,
            f"there is no stone {row},{col}: rows are 0 to {state.rows - 1}, row r has columns 0 to r",
        )
    line = LINE_BETWEEN.get((min(one, other), max(one, other)))
    if line is None:
        raise UsageError(f"{word} is not a line: its ends must share a row, a column or a diagonal (down and right)")
    demand(
        LENGTH[line] <= state.eliminate, f"{word} takes {LENGTH[line]} stones; a move takes at most {state.eliminate}"
    )
    for row, col in CELLS_OF[line]:
        demand(is_live(state, (row, col)), f"{word} takes {row},{col}, which is gone already")
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
    demand_at(len(rows) == size, text, here, f"expected {size} rows with '/' between them, not {len(rows)}")
    for row, cells in enumerate(rows):
        demand_at(len(cells) == row + 1, text, here, f"expected {row + 1} stones in row {row}, not {len(cells)}")
        for col, stone in enumerate(cells):
            demand_at(stone in "o.", text, here + col, f"expected 'o', a stone, or '.', none, not '{stone}'")
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
        sentence=sentence,
        task=task,
        grounds=grounds,
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
