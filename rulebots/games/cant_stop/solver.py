"""Exact play on small boards: how likely the mover wins from every position, if both sides play their best.

Alone it is how many turns a player still needs, if it plays its best.

What a turn climbs is never lost again. So the two positions that differ in nothing but whose turn it is depend on each
other, by a bust, and otherwise only on positions with more columns closed or more spaces climbed. These pairs are
solved from the last to the first: a turn is worked out backwards from the runners that have climbed furthest, with the
value of a bust taken from the other position of the pair, until both values stand still. J. Glenn, H. Fang and
C. Kruskal ("A retrograde approximation algorithm for one-player Can't Stop", 2006) order positions in that way for one
player, and find the fixed point by Newton's method; repetition is simpler, and takes some ten rounds. Alone, a position
depends on itself in the same way.
"""

import functools
import itertools
import math
from typing import Any

import numpy as np

from rulebots.errors import demand
from rulebots.game import CHANCE
from rulebots.game.dtypes import records
from rulebots.game.position import Position
from rulebots.games.cant_stop.game import game
from rulebots.games.cant_stop.moves import (
    COLUMNS,
    HIGH,
    LOW,
    NO_COLUMN,
    ORDERS,
    PAIRED,
    ROLLS_WITH,
    RUNNERS,
    WAYS,
    columns_of,
    length_of,
)
from rulebots.kernel import kernel, runnable

#: Values that change by less stand still.
TOLERANCE = 1e-13
#: The most ways in which one side can have climbed, on a board that is solved, alone and for two; these take some
#: seconds.
MOST_HEIGHTS = {1: 5000, 2: 400}


@kernel
def solve_pairs(pairs: Any, board: Any, heights: Any, win: Any, rolling: Any, deciding: Any) -> None:
    """Fill `win`, float64[mine, theirs]: how likely I win if I begin a turn, both sides' heights given by number.

    `pairs`, int64[pairs, 2], holds both sides' heights, each pair of positions after those that can follow it. Alone,
    theirs are 0, and `win` is the expected turns that I still need, times -1. `board` and `heights` are those of
    `CantStopTablebase`; the others are as `work_out` has them.
    """
    for pair in range(pairs.shape[0]):
        one = pairs[pair, 0]
        other = pairs[pair, 1]
        change = 1.0
        while change > TOLERANCE:
            change = begin_turn(one, other, board, heights, win, rolling, deciding)
            if board.seats == 2:
                change = max(change, begin_turn(other, one, board, heights, win, rolling, deciding))


@kernel
def begin_turn(one: int, other: int, board: Any, heights: Any, win: Any, rolling: Any, deciding: Any) -> float:
    """Work out `win` of a side that begins a turn; returns by how much it has changed."""
    work_out(one, other, board, heights, win, rolling, deciding)
    value = rolling[one] - (board.seats == 1)
    change = abs(win[one, other] - value)
    win[one, other] = value
    return change


@kernel
def after_turn(other: int, number: int, board: Any, win: Any) -> float:
    """What a turn is worth that has ended with the heights `number` against `other`."""
    return win[number, 0] if board.seats == 1 else 1.0 - win[other, number]


@kernel
def work_out(one: int, other: int, board: Any, heights: Any, win: Any, rolling: Any, deciding: Any) -> None:
    """Work out a turn of the side with the heights `one` against `other`.

    For every number of heights that the runners can reach, `rolling`, float64[numbers], says how likely the side wins
    if it rolls, and `deciding`, float64[numbers], if it stops or rolls, whatever is better. Alone, `other` is 0, and
    they are the turns that it will then still need, times -1.
    """
    for number in range(heights.shape[0] - 1, one - 1, -1):
        placed = won = 0
        theirs = other
        possible = True
        for column in range(board.columns):
            before = heights[one, column]
            now = heights[number, column]
            top = board.length[column]
            won += now == top
            if now != before:
                placed += 1
                possible &= now > before and heights[other, column] != top
                if now == top:
                    theirs -= heights[other, column] * board.step[column]
        if not possible or placed > RUNNERS:
            continue
        if won >= board.needed:
            deciding[number] = board.seats - 1.0
            continue
        rolling[number] = value_of_roll(one, other, number, placed, board, heights, win, deciding)
        deciding[number] = max(rolling[number], after_turn(theirs, number, board, win))


@kernel
def value_of_roll(
    one: int, other: int, number: int, placed: int, board: Any, heights: Any, win: Any, deciding: Any
) -> float:
    """How likely a side wins that rolls, with `placed` runners on the heights `number`."""
    total = orders = 0.0
    for roll in range(ROLLS_WITH[board.sides]):
        best = -np.inf
        for way in range(WAYS[roll]):
            low = PAIRED[roll, way, 0]
            high = PAIRED[roll, way, 1]
            first = room(one, other, number, placed, low, board, heights)
            second = room(one, other, number, placed, high, board, heights)
            if low == high:
                if first > 0:
                    best = max(best, deciding[number + min(first, 2) * board.step[low]])
                continue
            new = int(heights[number, low] == heights[one, low]) + int(heights[number, high] == heights[one, high])
            together = first > 0 and second > 0 and placed + new <= RUNNERS
            if together:
                best = max(best, deciding[number + board.step[low] + board.step[high]])
            if not (together and board.both):
                if first > 0:
                    best = max(best, deciding[number + board.step[low]])
                if second > 0:
                    best = max(best, deciding[number + board.step[high]])
        total += ORDERS[roll] * (best if best > -np.inf else after_turn(other, one, board, win))
        orders += ORDERS[roll]
    return total / orders


@kernel
def room(one: int, other: int, number: int, placed: int, column: int, board: Any, heights: Any) -> int:
    """How many spaces a runner could climb in a column."""
    top = board.length[column]
    if heights[one, column] == top or heights[other, column] == top:
        return 0
    if heights[number, column] == heights[one, column] and placed == RUNNERS:
        return 0
    return top - heights[number, column]


#: The options by which one table of values differs from another.
DECISIVE = ("sides", "shortest", "needed", "both", "seats")
BOARD = np.dtype(
    [
        ("seats", np.int64),
        ("sides", np.int64),
        ("needed", np.int64),
        ("both", np.int64),
        ("columns", np.int64),
        ("length", np.int64, (COLUMNS,)),
        ("step", np.int64, (COLUMNS,)),  # by how much a space more in a column raises the number of heights
    ],
    align=True,
)


class CantStopTablebase:
    """The value of every position of one small board: the mover's expected margin, twice its chance to win less 1.

    Alone, it is the expected points. Then `win` has one column, of the turns that are still needed, times -1.
    `heights`, int64[numbers, columns], numbers all ways in which one side can have climbed. `win`, float64[numbers,
    numbers], says how likely the side wins that begins a turn, its own heights first, and `begins`, bool[numbers,
    numbers], which of these positions there are. They are what `positions`, `winning` and `position` count: all others
    follow from them within a turn.

    Raises:
        UsageError: the board is too large.
    """

    def __init__(self, sides: int, shortest: int, needed: int, both: int, seats: int) -> None:
        self.options = {"sides": sides, "shortest": shortest, "needed": needed, "both": both, "seats": seats}
        lengths = [length_of(sides, shortest, column) for column in range(columns_of(sides))]
        numbers = math.prod(length + 1 for length in lengths)
        demand(
            numbers <= MOST_HEIGHTS[seats],
            f"exact values of {game.title} take a small board: with sides={sides} and shortest={shortest} a side "
            f"can have climbed in {numbers:,} ways, of at most {MOST_HEIGHTS[seats]}; choose "
            + ("sides=2, or sides=3 with shortest=1" if seats == 2 else "sides=2 or sides=3"),
        )
        # In the order of `itertools.product`, in which the last column counts single spaces.
        steps = [math.prod(length + 1 for length in lengths[column + 1 :]) for column in range(len(lengths))]
        unused = (0,) * (COLUMNS - len(lengths))
        self.board = records(BOARD, 1)[0]
        for name, value in (
            ("seats", seats),
            ("sides", sides),
            ("needed", needed),
            ("both", both),
            ("columns", len(lengths)),
            ("length", (*lengths, *unused)),
            ("step", (*steps, *unused)),
        ):
            self.board[name] = value
        self.heights = np.array(list(itertools.product(*(range(length + 1) for length in lengths))), np.int64)
        on_top = self.heights == lengths
        tops = on_top.sum(axis=1)
        spaces = self.heights.sum(axis=1)
        if seats == 1:
            self.begins = (tops < needed)[:, None]
            one, other = np.nonzero(self.begins)
        else:
            # In a column that one side has won, the other has nothing.
            conflicts = on_top.astype(np.int64) @ (self.heights > 0).T
            self.begins = (conflicts + conflicts.T == 0) & (np.maximum.outer(tops, tops) < needed)
            one, other = np.nonzero(np.triu(self.begins))
        order = np.lexsort((-(spaces[one] + spaces[other]), -(tops[one] + tops[other])))
        self.win = np.full(self.begins.shape, 0.5)
        pairs = np.stack((one, other), axis=1)[order]
        arguments = (pairs, self.board, self.heights, self.win, *np.zeros((2, numbers)))
        runnable(solve_pairs, *arguments)(*arguments)

    @property
    def positions(self) -> int:
        """The number of positions in which a turn begins."""
        return int(self.begins.sum())

    @property
    def winning(self) -> int:
        """The number of them in which the side that begins the turn is more likely to win; none alone."""
        return int((self.begins & (self.win > 0.5)).sum())

    def position(self, number: int) -> Position:
        """A new position in which a turn of seat 0 begins, by its number from 0."""
        position = Position(game, self.options, compiled=True)
        for seat, heights in enumerate(self.heights[np.argwhere(self.begins)[number]][: position.seats]):
            position.state.height[seat, : len(heights)] = heights
            for column in np.flatnonzero(heights == self.board.length[: len(heights)]).tolist():
                position.state.closed |= 1 << column
                position.state.won[seat] += 1
        return position

    def value(self, position: Position) -> float:
        """The mover's expected margin of points, and seat 0's where chance is to move; alone, its expected points."""
        state = position.state
        turn = int(state.turn)
        alone = position.seats == 1
        if position.over:
            return float(position.points[turn] - (0 if alone else position.points[1 - turn]))
        other = 0 if alone else self._number(state.height[1 - turn])
        number = self._number(np.maximum(state.height[turn], state.runner))
        rolling, deciding = np.zeros((2, len(self.heights)))
        arguments = (self._number(state.height[turn]), other, self.board, self.heights, self.win, rolling, deciding)
        runnable(work_out, *arguments)(*arguments)
        if state.mover == CHANCE:
            win = rolling[number]
        elif state.roll:
            win = max(deciding[number + self._steps(move)] for move in position.legal_moves.tolist())
        else:
            win = deciding[number]
        if alone:
            return float(win - 1 - state.turns)
        return float(2 * win - 1) * (-1 if state.mover == CHANCE and turn == 1 else 1)

    def _number(self, heights: Any) -> int:
        """The number of a side's heights."""
        return int((heights * self.board.step).sum())

    def _steps(self, move: int) -> int:
        """By how much a move that advances raises the number of the mover's heights."""
        columns = [int(LOW[move]), int(HIGH[move])]
        return sum(int(self.board.step[column]) for column in columns if column != NO_COLUMN)


@functools.cache
def _tablebase(*options: int) -> CantStopTablebase:
    return CantStopTablebase(*options)


def tablebase_of(position: Position) -> CantStopTablebase:
    """The tablebase of the board that a position is on. Raises UsageError when it, or the table, is too large."""
    return _tablebase(*(int(position.state[name]) for name in DECISIVE))
