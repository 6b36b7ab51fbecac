"""The law of gomoku, and its text: X and O take turns to put a stone on an empty point; five in a row win.

A move is a point of the walled board of `rulebots.game.grid`, whatever the size. Seat 0 is X and begins. Six and more
in a row win as well, unless the option `exactly` is on. A full board without a five is a draw. The winner has 1 point.

A search plays hundreds of random moves to evaluate one position, and looking through the board for empty points would
cost more than everything else. So the state lists them; a move replaces its own point by the last one in the list.
The order of `moves` is therefore not rising.
"""

import itertools
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


def grounds(state: State, move: int) -> str:
    """Who has the strongest stones in line with a move, and where: those of which most fives could be made, best first.

    Where nobody has two, it is of how many fives through it the mover could still make.
    """
    lines = []
    for seat, step in itertools.product((state.mover, 1 - state.mover), (1, WIDTH - 1, WIDTH, WIDTH + 1)):
        fives = [range(first, first + FIVE * step, step) for first in range(move - (FIVE - 1) * step, move + 1, step)]
        # Beyond the board there is the wall, as in its corners.
        free = [five for five in fives if {*state.board.take(five, mode="clip").tolist()} <= {EMPTY, seat + 1}]
        held = [[point for point in five if state.board[point]] for five in free]
        lines.append((sum(8 ** len(stones) for stones in held), seat, max(held, key=len, default=[]), len(free)))
    whose = max(lines, key=lambda line: line[0])[1]
    of = [most for _, seat, most, _ in sorted(lines, reverse=True) if seat == whose and len(most) > 1]
    told = ", and ".join(in_words([*map(write, most)]) for most in of[:2])
    room = sum(count for _, seat, _, count in lines if seat == state.mover)
    return (
        f"{{{whose}}} hold(s) {told} in line with it."
        if told
        else f"Lines of five through it that are open to {{{state.mover}}}: {room} of at most {4 * FIVE}."
    )


def read(text: str, state: State) -> int:
    """The move that a text means: `h8`, `H8`, `7,7` or `7 7`. The point may be taken. Raises UsageError."""
    return read_point(text, int(state.side), int(state.side), WIDTH)


def write_position(state: State) -> str:
    """The board in text, row 1 last: `15/15/.../7X7/... O h8` (see rulebots/game/grid.py)."""
    return write_grid(state, WIDTH)


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
        write_position=write_position,
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
