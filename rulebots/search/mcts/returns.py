"""What a finished game is worth: one number where two seats play for the win, else a return for each seat.

Two seats that play for the win have one value, the outcome for seat 0. At any other table each seat has a return of its
own, and each node is chosen by its mover's (max^n: Luckhart and Irani, An Algorithmic Solution of N-Person Games, AAAI
1986). Returns are what `worth_kernel` says: shares of the win and places are stretched to -1 to 1. Points have no range
that is known before. The tree counts them from the first return that it meets, and is scaled to them: what is added to
a mean for exploration, and what a pending simulation loses, are in units of half the spread of all returns so far.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.game import Game
from rulebots.game.seats import seats_kernel, worth_kernel
from rulebots.kernel import Kernel, kernel

#: The elements of `SearchWorkspace.scale`: half the spread of returns, as it counts for the batch in progress; the
#: return that is 0 in the tree, nan before the first; and the least and the greatest so far, counted from that.
HALF, ORIGIN, LOW, HIGH = range(4)


def has_return_per_seat(game: Game, seats: int) -> bool:
    """Whether a table of so many seats has a return for each seat: all have but two that play for the win."""
    return seats != 2 or counts_points(game, seats)


def counts_points(game: Game, seats: int) -> bool:
    """Whether returns are points, which have no range that is known before."""
    return game.together(seats) or game.counts == "points"


def first_scale(game: Game, seats: int) -> npt.NDArray[np.float64]:
    """The scale before the first return."""
    if counts_points(game, seats):
        return np.array([1.0, np.nan, 0.0, 0.0])
    return np.array([1.0, 0.0, -1.0, 1.0])


@functools.cache
def return_kernel(game: Game, *, per_seat: bool) -> Kernel[..., None]:
    """A kernel `(state, workspace, row)` that writes what a game is worth into workspace.values[row].

    A game that is not over is a draw; where points count, they count as they are.
    """
    if not per_seat:
        outcome = outcome_kernel(game)

        @kernel
        def write_outcome(state: Any, workspace: Any, row: int) -> None:
            workspace.values[row] = outcome(state)

        return write_outcome
    points = game.points
    over = game.over
    seats_of = seats_kernel(game)
    worth = worth_kernel(game)
    counted = counts_points(game, 2)
    alone = game.fewest_seats == 1

    @kernel(inlines=False)
    def write_returns(state: Any, workspace: Any, row: int) -> None:
        seats = seats_of(state)
        out = workspace.values[row]
        as_points = counted or (alone and seats == 1)
        known = as_points or over(state)
        for seat in range(seats):
            workspace.points[seat] = points(state, seat) if known else 0
        worth(workspace.points, seats, out)
        if not as_points:
            for seat in range(seats):
                out[seat] = 2.0 * out[seat] - 1.0

    return write_returns


@functools.cache
def outcome_kernel(game: Game) -> Kernel[..., int]:
    """A kernel `(state) -> int`: 1 if seat 0 has won, -1 if it has lost, 0 for a draw or a game that is not over."""
    points = game.points
    over = game.over

    @kernel(inlines=False)
    def outcome(state: Any) -> int:
        if not over(state):
            return 0
        margin = points(state, 0) - points(state, 1)
        return int(margin > 0) - int(margin < 0)

    return outcome


@kernel(inlines=False)
def settle(workspace: Any, row: int) -> None:
    """Count the returns of a row as the tree does, and note how far they spread.

    If all play against one seat, what the others have is its loss.
    """
    returns = workspace.values[row]
    scale = workspace.scale
    searcher = workspace.searcher[0]
    if np.isnan(scale[ORIGIN]):
        scale[ORIGIN] = returns[max(searcher, 0)]
    for seat in range(returns.shape[0]):
        returns[seat] -= scale[ORIGIN]
    for seat in range(returns.shape[0]):
        if searcher >= 0 and seat != searcher:
            returns[seat] = -returns[searcher]
        scale[LOW] = min(scale[LOW], returns[seat])
        scale[HIGH] = max(scale[HIGH], returns[seat])


@kernel
def rescale(scale: Any) -> None:
    """Let the returns so far decide how the next batch is scaled."""
    if scale[HIGH] > scale[LOW]:
        scale[HALF] = (scale[HIGH] - scale[LOW]) / 2.0
