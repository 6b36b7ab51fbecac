"""Games played once more, move by move: what there was to choose from, what was chosen, and who was ahead."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.game import CHANCE, Game
from rulebots.game.dtypes import records
from rulebots.kernel import Kernel, kernel, runnable
from rulebots.play.deals import Deals
from rulebots.play.loop import room_for_moves
from rulebots.play.results import Games

Ints = npt.NDArray[np.int64]
#: The moves of a game with more of them are not told apart, only their kinds.
MOST_MOVES = 2048
#: A position is kept at each tenth of a game but the last.
MARKS = 9


@dataclass(frozen=True)
class Trace:
    """What happened in games; random openings and outcomes of chance are nobody's choice, and do not count.

    `choices` int64[games, plies] is the number of legal moves at each decision, 0 at other plies, and `leads`
    int64[games, plies] by how many points seat 0 is ahead after each ply. `offered` and `taken`, int64[games, 2,
    moves], count by seat the decisions between at least two moves in which a move was legal, and those in which it was
    chosen; the moves are none where a game has more than MOST_MOVES. `kinds_offered` and `kinds_taken`, int64[games, 2,
    kinds], count in the same way the decisions between at least two kinds of moves. `states` are records[games, MARKS]
    of the positions at each tenth of a game, after `at`, int64[games, MARKS], plies.
    """

    choices: Ints
    leads: Ints
    offered: Ints
    taken: Ints
    kinds_offered: Ints
    kinds_taken: Ints
    states: npt.NDArray[np.void]
    at: Ints


def trace(deals: Deals, games: Games) -> Trace:
    """Replay the games of a schedule that plays deal after deal once; they must have kept their moves."""
    game, count = deals.game, len(games.plies)
    plies, moves = int(games.plies.max(initial=0)), game.move_count if game.move_count <= MOST_MOVES else 0
    going = games.plies - games.openings
    at = games.openings[:, None] + going[:, None] * np.arange(1, MARKS + 1) // (MARKS + 1)
    table = np.zeros((count, plies), np.int64)
    by_move, by_kind = np.zeros((count, 2, moves), np.int64), np.zeros((count, 2, len(game.kinds)), np.int64)
    states = records(game.state, count * MARKS)
    found = (table, table.copy(), by_move, by_move.copy(), by_kind, by_kind.copy(), states)
    scratch = records(game.state, 2), np.zeros(game.move_count, np.int64), np.zeros(len(game.kinds), np.int64)
    course = (deals.cards, deals.options, games.moves, games.openings, games.plies, at)
    _compiled_trace(game)(*course, *found, *scratch)
    return Trace(*found[:-1], states.reshape(count, MARKS), at)


@functools.cache
def trace_kernel(game: Game) -> Kernel[..., None]:
    """A kernel that replays games and writes what `Trace` holds; `states` has a row for each game and mark in turn."""
    setup, moves_of, play, points, kind_of = game.setup, game.moves, game.play, game.points, game.kind
    kinds = len(game.kinds)

    @kernel
    def follow(
        cards: Any, options: Any, chosen: Any, openings: Any, plies: Any, at: Any,
        choices: Any, leads: Any, offered: Any, taken: Any, kinds_offered: Any, kinds_taken: Any, kept: Any,
        states: Any, moves: Any, present: Any,
    ) -> None:  # fmt: skip
        for g in range(plies.shape[0]):
            states[0], mark = states[1], 0
            setup(states[0], cards[g], options)
            for ply in range(plies[g]):
                while mark < at.shape[1] and at[g, mark] == ply:
                    kept[g * at.shape[1] + mark] = states[0]
                    mark += 1
                move, mover = int(chosen[g, ply]), states[0].mover
                if ply >= openings[g] and mover != CHANCE:
                    n = moves_of(states[0], moves)
                    choices[g, ply] = n
                    for k in range(kinds):
                        present[k] = 0
                    for i in range(n):
                        present[kind_of(moves[i])] = 1
                        if n > 1 and offered.shape[2] > 0:
                            offered[g, mover, moves[i]] += 1
                    if n > 1 and offered.shape[2] > 0:
                        taken[g, mover, move] += 1
                    several = 0
                    for k in range(kinds):
                        several += present[k]
                    if several > 1:
                        for k in range(kinds):
                            kinds_offered[g, mover, k] += present[k]
                        kinds_taken[g, mover, kind_of(move)] += 1
                play(states[0], move)
                leads[g, ply] = points(states[0], 0) - points(states[0], 1)

    follow.title = f"{game.title}, its games move by move"
    return follow


@functools.cache
def _compiled_trace(game: Game) -> Callable[..., None]:
    """`trace_kernel(game)`, compiled."""
    none, table, cube = np.zeros(0, np.int64), np.zeros((0, 0), np.int64), np.zeros((0, 2, 0), np.int64)
    course = (np.zeros((1, 1), np.int64), game.option_values(), room_for_moves(game, 0, 0), none, none, table)
    found = (table, table, cube, cube, cube, cube, records(game.state, 0))
    return runnable(trace_kernel(game), *course, *found, records(game.state, 2), none, none)
