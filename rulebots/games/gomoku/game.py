"""The law of gomoku, and its text: X and O take turns to put a stone on an empty point; five in a row win.

A move is a point of the walled board of `rulebots.game.grid`, whatever the size. Seat 0 is X and begins. Six and more
in a row win as well, unless the option `exactly` is on. A full board without a five is a draw. The winner has 1 point.

A search plays hundreds of random moves to evaluate one position, and looking through the board for empty points would
cost more than everything else. So the state lists them; a move replaces its own point by the last one in the list.
The order of `moves` is therefore not rising.
"""

import itertools
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from rulebots.game import Game, GameText, Kind, Option, State
from rulebots.game.grid import (
    EMPTY,
    WALL,
    cells_of,
    draw_board,
    empty_points,
    longest_line,
    makes_line,
    read_grid,
    read_point,
    standing,
    turn_stones,
    wall_in,
    width_of,
    winner_points,
    won_or_full,
    write_grid,
    write_point,
)
from rulebots.game.text import in_words
from rulebots.kernel import kernel

SMALLEST = 5
LARGEST = 22
WIDTH = width_of(LARGEST)
CELLS = cells_of(LARGEST, LARGEST)
#: Stones in a row that win.
FIVE = 5
#: What a stone makes of a line, by its strength (see `rows_through`).
THREATS = {5: "an open three", 6: "a four", 7: "an open four", 8: "a five", 9: "a five"}

STATE = np.dtype(
    [
        ("mover", np.int32),
        ("winner", np.int32),  # 0 for none yet, else the winner's seat + 1, like its stones
        ("side", np.int32),  # rows and columns
        ("exactly", np.int32),
        ("left", np.int32),  # empty points
        ("last", np.int32),  # the last move, 0 before the first
        ("board", np.int8, CELLS),  # EMPTY, WALL, or the owner's seat + 1
        ("free", np.int16, LARGEST * LARGEST),  # the empty points: `left` of them
        ("index", np.int16, CELLS),  # the place of an empty point in `free`
    ],
    align=True,
)
VIEW = np.dtype(
    [
        ("luck", np.int64),
        ("side", np.int64),
        ("exactly", np.int64),
        ("left", np.int64),
        ("last", np.int64),
        ("board", np.int8, CELLS),  # EMPTY, WALL, MINE, THEIRS
    ],
    align=True,
)


@kernel
def setup(state: Any, deal: Any, options: Any) -> None:
    """An empty board."""
    size = options["size"]  # `options.size` would be NumPy's own: the number of elements
    state.side = size
    state.exactly = options.exactly
    wall_in(state.board, size, size, WIDTH)
    list_free_points(state)


@kernel
def list_free_points(state: Any) -> None:
    """Fill `left`, `free` and `index` by the board."""
    state.left = empty_points(state.board, state.side, state.side, WIDTH, state.free)
    for i in range(state.left):
        state.index[state.free[i]] = i


@kernel
def moves(state: Any, out: Any) -> int:
    """Every empty point."""
    n = int(state.left)  # a plain int: callers compute with numbers that an int32 cannot hold
    free = state.free
    for i in range(n):
        out[i] = free[i]
    return n


@kernel
def play(state: Any, move: int) -> None:
    """Put a stone there; only a line through it can have won."""
    state.board[move] = state.mover + 1
    state.last = move
    state.left -= 1
    slot = state.index[move]
    last_point = state.free[state.left]
    state.free[slot] = last_point
    state.index[last_point] = slot
    if makes_line(state.board, move, WIDTH, FIVE, state.exactly):
        state.winner = state.mover + 1
    state.mover = 1 - state.mover


@kernel
def longest(state: Any, seat: int) -> int:
    """The seat's longest line of stones."""
    return longest_line(state.board, state.side, state.side, WIDTH, seat + 1)


@kernel
def observe(state: Any, view: Any) -> None:
    """The board, with the mover's own stones as MINE."""
    view.side = state.side
    view.exactly = state.exactly
    view.left = state.left
    view.last = state.last
    turn_stones(state.board, state.mover, view.board)


def show(state: State, seat: int | None) -> str:
    """The board: row 1 at the bottom, column a at the left, the last move in brackets."""
    board = draw_board(state.board, int(state.side), int(state.side), WIDTH, int(state.last))
    return f"{board}\n{standing(state, goal(state))}"


def goal(state: State) -> str:
    """What wins."""
    return "exactly five in a row win" if state.exactly else "five or more in a row win"


def write(move: int) -> str:
    """The point's name: `h8` is the eighth point of the eighth row from below."""
    return write_point(move, WIDTH)


def task(state: State) -> str:
    """What a turn is."""
    return "put a stone on a free point"


def rows_through(state: State, seat: int, point: int) -> Iterator[tuple[int, list[int], list[int]]]:
    """What a seat's stone on an empty point makes of the four lines through it.

    A row is its strength, the stones that a five there has already, and the points where the next stone would make a
    five. The strength is twice the number of the stones, and one more where both ends are free; see THREATS.
    """
    for step in (1, WIDTH - 1, WIDTH, WIDTH + 1):
        held, ends = list[list[int]](), set[int]()
        for first in range(point - (FIVE - 1) * step, point + 1, step):
            five = range(first, first + FIVE * step, step)
            # Beyond the board there is the wall, as in its corners.
            before, *inside, after = state.board.take([first - step, *five, five[-1] + step], mode="clip").tolist()
            if {*inside} <= {EMPTY, seat + 1} and not (state.exactly and seat + 1 in (before, after)):
                held.append([one for one in five if state.board[one]])
                if len(held[-1]) == FIVE - 2:
                    ends |= {*five} - {point, *held[-1]}
        # Where two fives side by side have the same stones, both ends are free.
        pairs = ((2 * len(one) + (one == other), one) for one, other in itertools.pairwise([*held, []]))
        yield (*max(pairs, default=(0, [])), sorted(ends))


def grounds(state: State, move: int) -> str:
    """The threats that a move makes, and whose stones it is in line with: of the greatest threat, made or stopped."""
    me = state.mover
    mine, theirs = ([*rows_through(state, seat, move)] for seat in (me, 1 - me))
    kinds = in_words([THREATS[strength] for strength, *_ in mine if strength in THREATS])
    made = re.sub(r"an? ([a-z ]+) and an? \1$", r"two \1s", kinds)
    ends = [write(end) for *_, ends in mine for end in ends]
    block = f": {f'only one of {in_words(ends)} can' if ends[1:] else f'{ends[0]} has to'} be blocked" if ends else ""
    rows = max(mine, theirs, key=lambda rows: max(rows)[0])
    told = [stones for strength, stones, _ in rows if strength in THREATS] or [max(rows)[1]]
    where = ", and ".join(in_words([*map(write, stones)]) for stones in told if len(stones) > 1)
    makes = f"It makes {made}{block}. " * bool(made and "a five" not in made)
    return f"{makes}{{{me if rows is mine else 1 - me}}} hold(s) {where} in line with it." * bool(where)


def read(text: str, state: State) -> int:
    """The move that a text means: `h8`, `H8`, `7,7` or `7 7`. The point may be taken. Raises UsageError."""
    return read_point(text, int(state.side), int(state.side), WIDTH)


def read_position(text: str, state: State) -> None:
    """Turn an empty board into the position of a text. Raises PositionError."""
    read_grid(text, state, WIDTH, FIVE, int(state.exactly))
    list_free_points(state)


def refusal(state: State, move: int) -> str:
    """Why a move is not legal: its point is taken, or off a smaller board."""
    point = write(move)
    return f"{point} is not on this board" if state.board[move] == WALL else f"there is a stone on {point} already"


game = Game(
    name="gomoku",
    title="Gomoku",
    state=STATE,
    view=VIEW,
    move_count=CELLS,
    ply_cap=LARGEST * LARGEST,
    kinds=(Kind("put", {"attack": 1.0, "defence": 1.0, "place": 1.0}),),
    setup=setup,
    moves=moves,
    play=play,
    over=won_or_full,
    points=winner_points,
    observe=observe,
    text=GameText(
        show=show,
        write=write,
        read=read,
        task=task,
        grounds=grounds,
        write_position=partial(write_grid, width=WIDTH),
        read_position=read_position,
        refusal=refusal,
    ),
    hidden=False,
    options={
        "size": Option(15, SMALLEST, LARGEST, "rows and columns"),
        "exactly": Option(0, 0, 1, "1: six or more in a row do not win"),
    },
    opening_plies=4,
    position_fields=("mover", "winner", "side", "exactly", "board"),
    behaviour={"longest line": longest},
)
