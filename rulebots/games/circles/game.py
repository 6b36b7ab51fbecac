"""The law of circle elimination, after the Ruby program of that name. A move is the number of a line (see lines.py)."""

from __future__ import annotations

from typing import Any

import numpy as np

from rulebots.game import Game, GameText, Kind, Moves, Option, State, View
from rulebots.games.circles.lines import BOARD, CELLS, ENDS, FIRST, MASK, MAX_SIZE, WITHIN
from rulebots.games.circles.text import read, read_position, show, write, write_position
from rulebots.kernel import kernel

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
