"""Solving: the exact value of a game's first position under best play.

A game's package may have a module `solver.py` with a faster `solve(options) -> Solution`. Any other game is searched
to its end by alpha-beta, with a transposition table that compares whole positions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.position import Position
from rulebots.search.minimax.search import Limits, Minimax

#: Size of the transposition table.
MEGABYTES = 512


@dataclass(frozen=True)
class Solution:
    """`value` is the margin of points of seat 0, the first player, under best play.

    `line` is one line of best play, as texts.
    """

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
    """The exact value of any game without chance, by alpha-beta.

    Raises:
        UsageError: a wrong option, or the game may last longer than the search can look ahead.
    """
    return solve_position(Position(game, options))


def solve_position(position: Position) -> Solution:
    """The exact value of a position of any game without chance, by alpha-beta, however long it takes.

    Raises:
        UsageError: the game hides something, is over, or may last longer than the search can look ahead.
    """
    game = position.game
    search = Minimax(game, megabytes=MEGABYTES, verify_positions=True)
    result = search.best(position, Limits(depth=search.most_depth))
    if not result.exact:
        raise UsageError(f"{game.title}: the search met a line of more than {search.most_depth} moves")
    value = int(result.value) if position.mover == 0 else -int(result.value)
    return Solution(value, tuple(position.write(move) for move in result.line), result.nodes, result.seconds)
