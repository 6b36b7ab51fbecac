"""Exact play: tables of all positions of a small game, and games solved from their first position.

from rulebots.search.exact import best_line, tablebase_finder

base = tablebase_finder(game)(position)
print(base.value(position), best_line(base, position))

`rulebots.search.exact.accuracy` measures how often a player keeps a win, or judges its move in one position.
"""

from rulebots.search.exact.solving import Solution, SolvingProgress, solve, solve_by_search, solve_position
from rulebots.search.exact.tablebase import (
    PerfectPlayer,
    Tablebase,
    best_line,
    best_moves,
    tablebase_finder,
    value_of_move,
)

__all__ = [
    "PerfectPlayer",
    "Solution",
    "SolvingProgress",
    "Tablebase",
    "best_line",
    "best_moves",
    "solve",
    "solve_by_search",
    "solve_position",
    "tablebase_finder",
    "value_of_move",
]
