"""Minimax: alpha-beta with a transposition table and iterative deepening, for any game in which nothing is hidden.

    search = Minimax(load_game("kalah"))
    found = search.best(state, Limits(depth=8))
    found.move, found.value, found.line

The search goes deeper ply by ply. Each depth begins with the best line of the one before, so a search
that is stopped has at least the move of the last whole depth.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from rulebots.errors import UsageError
from rulebots.game import Game, State, records
from rulebots.kernel import runnable
from rulebots.players import RulePlayer, compiled_for, style_of
from rulebots.position import law_of
from rulebots.rules import RuleSet, Weights
from rulebots.search.minimax.alphabeta import (
    ALPHA,
    BEST,
    BETA,
    COUNT,
    DEPTH,
    DONE,
    FRAME,
    INFINITE,
    KEY,
    LENGTH,
    MOVE,
    OPEN,
    searching,
)
from rulebots.search.minimax.evaluation import UNIT, by_history, guided, points_difference
from rulebots.search.transposition import MOST_MOVES, SETTLED, key_of, new_table

#: The deepest search; an entry of the table has no room for more.
MOST_DEPTH = SETTLED - 1
#: Seconds of a slice of a search that has to look at the clock. The first slice is one node, for rules that play a
#: game on to its end may take milliseconds for each; slices double until they take that long.
SLICE_SECONDS = 0.002
#: Nodes of a slice when no time is set: Ctrl-C waits for its end.
LONG_SLICE = 1 << 20
TABLE_MEGABYTES = 16


@dataclass(frozen=True)
class Limits:
    """When a search stops: at a depth in plies, after that many nodes, or that many seconds; whatever comes first."""

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.depth is None and self.nodes is None and self.seconds is None:
            raise UsageError("a search needs an end: give depth, nodes or seconds")
        if self.depth is not None and not 1 <= self.depth <= MOST_DEPTH:
            raise UsageError(f"depth: expected 1 to {MOST_DEPTH} plies, not {self.depth}")
        if self.nodes is not None and self.nodes < 1:
            raise UsageError(f"nodes: expected at least 1, not {self.nodes}")
        if self.seconds is not None and not self.seconds > 0:
            raise UsageError(f"seconds: expected more than 0, not {self.seconds}")


@dataclass(frozen=True)
class Found:
    """What a search found, from the mover's side.

    `value` is in points, `line` the best moves of both sides from here on, `depth` the plies of the
    last whole iteration, `exact` whether every line was searched to the end of the game.
    """

    move: int
    value: float
    depth: int
    nodes: int
    seconds: float
    line: tuple[int, ...]
    exact: bool


class Minimax:
    """A search that keeps its table from call to call: one for each game that is played.

    `guide` gives the rules and weights that evaluate positions and order moves; without it the
    points do. `megabytes` is the table's memory (0: no table). With `certain` the table compares
    whole positions, not keys of 63 bits only.

    Raises:
        UsageError: the game hides something.
    """

    def __init__(
        self,
        game: Game,
        guide: RulePlayer | None = None,
        megabytes: float = TABLE_MEGABYTES,
        *,
        certain: bool = False,
    ) -> None:
        if game.hidden:
            raise UsageError(f"minimax searches positions, but {game.title} hides some of what there is to know")
        if game.move_count > MOST_MOVES:
            raise UsageError(f"minimax: expected a game of at most {MOST_MOVES} moves, not {game.move_count}")
        self.game = game
        self.deepest = min(MOST_DEPTH, game.ply_cap)
        self._search = _compiled(game, guide.rules if guide else None)
        self._law = law_of(game)
        rules, weights = (guide.rules, guide.weights) if guide else (None, None)
        self._arrays = _arrays(game, self.deepest, megabytes, rules, weights, certain=certain)

    def best(self, state: State, limits: Limits) -> Found:
        """The best move of a position that is not over, as far as the limits let it look.

        `state` is not changed. Stopped within a depth, the search gives the best move of those that it
        has searched there, the first of which is the best of the depth before.
        """
        began = time.perf_counter()
        arrays, clock = self._arrays, _Clock(limits, began)
        frames, moves, lines, control = arrays.frames, arrays.moves, arrays.lines, arrays.control
        arrays.states[0] = state
        root = moves[0]
        n = self._law.moves(arrays.states[0], root)
        found = Found(int(root[0]), 0.0, 0, 0, 0.0, (), exact=False)
        for depth in range(1, min(limits.depth or self.deepest, self.deepest) + 1):
            frames[0] = 0
            frames[0, [COUNT, DEPTH, ALPHA, BETA, BEST]] = n, depth, -INFINITE, INFINITE, -INFINITE
            frames[0, [MOVE, KEY]] = root[0], key_of(arrays.words, 0) if len(arrays.table) else 0
            control[:] = 0
            while not control[DONE] and (budget := clock.slice()):
                clock.add(self._search(*arrays.all, budget))
            if frames[0, BEST] > -INFINITE:
                line = tuple(lines[0, : frames[0, LENGTH]].tolist())
                whole, exact = bool(control[DONE]), bool(control[DONE] and not frames[0, OPEN])
                done = depth if whole else found.depth
                found = Found(line[0], int(frames[0, BEST]) / UNIT, done, 0, 0.0, line, exact)
                place = root[:n].tolist().index(line[0])
                root[: place + 1] = np.roll(root[: place + 1], 1)
            if not control[DONE] or found.exact:
                break
        return replace(found, nodes=clock.nodes, seconds=time.perf_counter() - began)


class _Clock:
    """Gives a search its slices of nodes, so small that it stops in time."""

    def __init__(self, limits: Limits, began: float) -> None:
        self.nodes = 0
        self._most = limits.nodes
        self._end = None if limits.seconds is None else began + limits.seconds
        self._slice = LONG_SLICE if self._end is None else 1
        self._asked = began

    def slice(self) -> int:
        """How many nodes may be made before the next look at the clock; 0 for none."""
        budget = self._slice if self._most is None else min(self._slice, self._most - self.nodes)
        self._asked = time.perf_counter()
        return budget if self._end is None or self._asked < self._end else 0

    def add(self, nodes: int) -> None:
        """So many were made since."""
        self.nodes += nodes
        if self._end is not None and nodes >= self._slice:
            taken = max(time.perf_counter() - self._asked, 1e-6)
            self._slice = int(min(self._slice * 2, LONG_SLICE, max(1, nodes * SLICE_SECONDS / taken)))


@dataclass(frozen=True)
class _Arrays:
    """What the kernel works on, in its order; `words` is the memory of `states`, int64[plies, words]."""

    states: Any
    words: Any
    frames: Any
    moves: Any
    lines: Any
    control: Any
    table: Any
    history: Any
    views: Any
    scratch: Any
    weights: Any
    blended: Any
    scores: Any

    @property
    def all(self) -> tuple[Any, ...]:
        return tuple(getattr(self, field.name) for field in fields(self))


def _arrays(
    game: Game, plies: int, megabytes: float, rules: RuleSet | None, weights: Weights | None, *, certain: bool
) -> _Arrays:
    words = np.zeros((plies + 1, -(-game.state.itemsize // 8)), np.int64)
    record = np.dtype((np.record, game.state))
    if weights is None:
        weights = np.zeros((2, 0))
    return _Arrays(
        states=np.ndarray(plies + 1, record, words, strides=(words.strides[0],)),
        words=words,
        frames=np.zeros((plies + 1, FRAME), np.int64),
        moves=np.zeros((plies + 1, game.move_count), np.int64),
        lines=np.zeros((plies + 1, plies + 1), np.int64),
        control=np.zeros(2, np.int64),
        table=new_table(megabytes, words.shape[1] if certain else 0),
        history=np.zeros((2, game.move_count), np.int64),
        views=records(game.view if rules is None else rules.record, 2),
        scratch=np.zeros(game.move_count, np.int64),
        weights=weights,
        blended=np.zeros(weights.shape[1]),
        scores=np.zeros(game.move_count),
    )


@functools.cache
def _compiled(game: Game, rules: RuleSet | None) -> Callable[..., int]:
    """The search kernel for a game and a rule set, compiled, or loaded from the cache, once a process."""
    examples = (*_arrays(game, 1, 0, rules, rules.hand_tuned() if rules else None, certain=False).all, 0)
    if rules is None:
        return runnable(searching(game, points_difference(game), by_history(game)), *examples)
    return compiled_for(style_of(rules), lambda style: searching(game, *guided(style)), *examples)
