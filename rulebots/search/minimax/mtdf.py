"""MTD(f): the value of a position by null windows alone, each of which puts a bound on it.

Plaat, Schaeffer, Pijls and de Bruin, Best-First Fixed-Depth Minimax Algorithms, Artificial Intelligence 87, 1996.
Each pass asks whether the value is at least a guess, and its answer is the next guess; the transposition table
saves a pass from repeating the work of the one before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from rulebots.search.minimax.alphabeta import INFINITY


@dataclass(frozen=True)
class Pass:
    """What one search of the root with one window found.

    `value` is in units, at least the window's upper end if `move` proves that, at most its lower end if no move gets
    that far; `line` begins with the move; `horizon` tells whether a line met the horizon.
    """

    value: int
    move: int
    line: tuple[int, ...]
    horizon: bool


def mtdf(guess: int, search: Callable[[int, int], Pass | None]) -> Pass | None:
    """The value of a position and a move that has it; None if the search was stopped.

    The nearer `guess` is to the value, in units, the fewer passes it takes. `search(low, high)` searches the root with
    that window and returns None once it is stopped.
    """
    low, high, value, beyond = -INFINITY, INFINITY, guess, True
    best: Pass | None = None
    while low < high:
        beta = max(value, low + 1)
        found = search(beta - 1, beta)
        if found is None:
            return None
        value = found.value
        if value >= beta:
            low, best = value, found
        else:
            high, beyond = value, found.horizon
    # The last move that reached its window has the value; a pass in which all moves fail does not tell which is best.
    return best and replace(best, horizon=best.horizon or beyond)
