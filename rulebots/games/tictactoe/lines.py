"""The facts of the rules of tic-tac-toe: what the lines of a board say about its empty points.

A line is `win` points in a row. It is open to a side as long as the other has no stone on it. If a side has taken all
but two of its points and these two are empty, a stone on one of them is a *threat*, and the other is its *answer*.
Threats with two different answers at once are a *fork*.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rulebots.game.grid import EMPTY, MINE, THEIRS
from rulebots.games.tictactoe.game import CELLS, WIDTH
from rulebots.kernel import kernel

#: How a stone there threatens: not at all, with one answer, or with more than one.
QUIET = 0
THREAT = 1
FORK = 2
#: (rows down, columns across) from one point of a line to the next.
DIRECTIONS = ((0, 1), (1, -1), (1, 0), (1, 1))

#: The facts of every empty point, in addition to the view: for the mover, then for the opponent.
FIELDS = [
    ("lines", np.int16, (2, CELLS)),  # lines through it that are open to the side
    ("weight", np.int16, (2, CELLS)),  # the sum of the squares of the side's stones on each of them
    ("most", np.int8, (2, CELLS)),  # the most stones that the side has on one of them
    ("threat", np.int8, (2, CELLS)),  # QUIET, THREAT or FORK
    ("answer", np.int16, (2, CELLS)),  # the answer to its first threat
    ("forks", np.int64, 2),  # points where the side could fork
]


@kernel
def study_lines(view: Any) -> None:
    """Fill FIELDS, once per decision."""
    view.lines[:] = 0
    view.weight[:] = 0
    view.most[:] = 0
    view.threat[:] = QUIET
    view.forks[:] = 0
    side = view.side
    win = view.win
    for down, across in DIRECTIONS:
        first, last = (win - 1, side) if across < 0 else (0, side - (win - 1) * across)
        for row in range(side - (win - 1) * down):
            for column in range(first, last):
                study_line(view, (row + 1) * WIDTH + column + 1, down * WIDTH + across, win)


@kernel
def study_line(view: Any, start: int, step: int, win: int) -> None:
    """What the line of `win` points from `start` on says about its empty points."""
    board = view.board
    mine = theirs = one = other = 0
    for i in range(win):
        point = start + i * step
        if board[point] == MINE:
            mine += 1
        elif board[point] == THEIRS:
            theirs += 1
        else:
            other = one
            one = point
    if mine > 0 and theirs > 0:
        return
    if theirs == 0:
        count_line(view, 0, start, step, win, mine)
    if mine == 0:
        count_line(view, 1, start, step, win, theirs)
    if mine + theirs == win - 2:
        whose = 0 if theirs == 0 else 1
        note_threat(view, whose, one, other)
        note_threat(view, whose, other, one)


@kernel
def count_line(view: Any, whose: int, start: int, step: int, win: int, stones: int) -> None:
    """For each empty point of a line that is open to a side, count that line."""
    for i in range(win):
        point = start + i * step
        if view.board[point] == EMPTY:
            view.lines[whose, point] += 1
            view.weight[whose, point] += stones * stones
            view.most[whose, point] = max(view.most[whose, point], stones)


@kernel
def note_threat(view: Any, whose: int, point: int, answer: int) -> None:
    """Note that a stone of that side on `point` threatens to take `answer`."""
    if view.threat[whose, point] == QUIET:
        view.threat[whose, point] = THREAT
        view.answer[whose, point] = answer
    elif view.threat[whose, point] == THREAT and view.answer[whose, point] != answer:
        view.threat[whose, point] = FORK
        view.forks[whose] += 1
