"""Solving: the exact value of a game's first position under best play.

A game's package may have a module `solver.py` with a faster `solve(options) -> Solution`; it is given `watch` and
`anyway` as `solve` has them, if it takes them. Any other game is searched
to its end by alpha-beta, with a transposition table that compares whole positions. With chance in play, the value is
the expected one, and comes from a table of all positions.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.registry import parts_of
from rulebots.search.exact.progress import Outlook, Progress, Watch, check_hope
from rulebots.search.exact.tablebase import best_line, tablebase_finder
from rulebots.search.minimax.limits import Limits
from rulebots.search.minimax.search import Minimax

#: Size of the transposition table.
MEGABYTES = 512


@dataclass(frozen=True)
class Solution:
    """`value` is the margin of points of seat 0, the first player, under best play; `line` is one line of it, as texts.

    With chance in play, `value` is the expected margin, a float, and `line` ends at the first chance decision. `nodes`
    counts the positions searched.
    """

    value: float
    line: tuple[str, ...]
    nodes: int
    seconds: float


def solve(
    game: Game, options: Mapping[str, int] | None = None, watch: Watch | None = None, *, anyway: bool = True
) -> Solution:
    """The exact value of a game with these options, however long it takes.

    `watch` is told now and then how far it has come. Without `anyway`, a search that grows hopelessly is given up.

    Raises:
        UsageError: the game hides something or deals by chance, a wrong option, or a hopeless search; with chance in
            play also, more positions than a table holds, or play that can return to a position.
    """
    values = game.option_values(options)
    if game.hidden or game.deal(np.random.default_rng(1), 1, values).size:
        raise UsageError(f"{game.title} is dealt by chance or hides something: it has no exact value")
    solver = parts_of(game).solver
    if solver is not None:
        takes = inspect.signature(solver.solve).parameters
        given = {name: value for name, value in (("watch", watch), ("anyway", anyway)) if name in takes}
        solution: Solution = solver.solve(values, **given)
        return solution
    return solve_position(Position(game, options), watch, anyway=anyway)


def solve_by_search(game: Game, options: Mapping[str, int] | None = None) -> Solution:
    """The exact value of any game without chance, by alpha-beta.

    Raises:
        UsageError: a wrong option, or the game may last longer than the search can look ahead.
    """
    return _searched(Position(game, options))


def solve_position(position: Position, watch: Watch | None = None, *, anyway: bool = True) -> Solution:
    """The exact value of a position: by a table with chance in play, by alpha-beta without.

    `watch` and `anyway` are as for `solve`, and for alpha-beta only.

    Raises:
        UsageError: the game hides something; without chance, it is over, may last longer than the search can look
            ahead, or the search is hopeless; with chance, more positions than a table holds, or play that can return
            to a position.
    """
    if not position.game.chance:
        return _searched(position, watch, anyway=anyway)
    began = time.perf_counter()
    base = tablebase_finder(position.game)(position)
    value = base.value(position) * (-1 if position.mover == 1 else 1)
    line = tuple(position.write(move) for move in best_line(base, position))
    return Solution(value, line, base.positions, time.perf_counter() - began)


def _searched(position: Position, watch: Watch | None = None, *, anyway: bool = True) -> Solution:
    game = position.game
    search = Minimax(game, megabytes=MEGABYTES, verify_positions=True)
    began, outlook = time.perf_counter(), Outlook(position)

    def look(depth: int, nodes: int) -> None:
        expected = outlook.after(depth, nodes)
        progress = Progress(nodes, time.perf_counter() - began, depth, None, expected)
        if not anyway:
            check_hope(progress, game.title)
        if watch is not None:
            watch(progress)

    result = search.best(position, Limits(depth=search.most_depth), look)
    if not result.exact:
        raise UsageError(f"{game.title}: the search met a line of more than {search.most_depth} moves")
    value = int(result.value) if position.mover == 0 else -int(result.value)
    return Solution(value, tuple(position.write(move) for move in result.line), result.nodes, result.seconds)
