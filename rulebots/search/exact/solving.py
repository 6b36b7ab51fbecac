"""Exact values: what a game's first position is worth when both sides play their best.

A game's package may have a module `solver.py` with `solve(options) -> Solution` that knows the game
better; every other game is searched to its end by alpha-beta, whose table then compares whole positions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.position import Position
from rulebots.search.minimax.search import Limits, Minimax

#: Memory of the transposition table of the general search.
MEGABYTES = 512


@dataclass(frozen=True)
class Solution:
    """`value` is the first player's margin of points under best play, `line` one way to get there, move by move."""

    value: int
    line: tuple[str, ...]
    nodes: int
    seconds: float


def solve(game: Game, options: Mapping[str, int] | None = None) -> Solution:
    """The exact value of a game with these options, however long it takes.

    Raises:
        UsageError: the game hides something or depends on chance, or a wrong option.
    """
    values = game.option_values(options)
    if game.hidden or game.draw_deals(np.random.default_rng(1), 1, values).size:
        raise UsageError(f"{game.title} depends on chance or hides something: it has no exact value")
    if game.solver is not None:
        solution: Solution = game.solver.solve(values)
        return solution
    return solve_by_search(game, options)


def solve_by_search(game: Game, options: Mapping[str, int] | None = None) -> Solution:
    """The same by alpha-beta over the game's law, for any game."""
    state = Position(game, options).state
    search = Minimax(game, megabytes=MEGABYTES, verify_positions=True)
    found = search.best(state, Limits(depth=search.most_depth))
    if not found.exact:
        raise UsageError(f"{game.title}: the search met a line of more than {search.most_depth} moves")
    return Solution(int(found.value), tuple(game.write(move) for move in found.line), found.nodes, found.seconds)
