"""Minimax: alpha-beta with a transposition table and iterative deepening, for games in which nothing is hidden.

    search = Minimax(load_game("kalah"))
    result = search.best(position, Limits(depth=8))
    result.move, result.value, result.line

The search deepens ply by ply. Each iteration begins with the best line of the one before, so a search
that is stopped has at least the move of the last complete iteration. An iteration is one principal variation search
with the full window (`pvs`), or several with null windows (`mtdf`: Plaat, Schaeffer, Pijls and de Bruin, Best-First
Fixed-Depth Minimax Algorithms, Artificial Intelligence 87, 1996). A pass of MTD(f) asks whether the value is at least a
guess, and its answer is the next guess; the transposition table saves a pass from repeating the work of the one before.
"""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from rulebots.errors import demand
from rulebots.game import Floats, Game, Ints
from rulebots.game.compiled import law_of
from rulebots.game.dtypes import records
from rulebots.game.position import Position
from rulebots.kernel import Kernel, runnable
from rulebots.play.trial_games import try_styles
from rulebots.players import RulePlayer, Style, compiled_for, style_of
from rulebots.players.specs import check_numbers, optional_number
from rulebots.rules import RuleSet, Weights
from rulebots.search import check_open, check_root
from rulebots.search.minimax.alphabeta import (
    ALPHA,
    BEST,
    BETA,
    COUNT,
    DEPTH,
    DONE,
    FRAME_COLUMNS,
    HORIZON,
    INFINITY,
    KEY,
    LENGTH,
    MOVE,
    PLY,
    search_kernel,
)
from rulebots.search.minimax.evaluation import (
    LUCK,
    SEARCHER,
    UNITS_PER_POINT,
    guided_kernels,
    history_order,
    points_evaluation,
)
from rulebots.search.transposition import (
    MOST_MOVES,
    UNLIMITED_DEPTH,
    PositionWords,
    key_of,
    new_table,
    position_words,
    records_in_words,
)

TABLE_MEGABYTES = 16.0
#: How an iteration finds its value: principal variation search, or MTD(f).
DRIVERS = ("pvs", "mtdf")
#: The random state that rollouts at the horizon begin with, so that the same search gives the same result.
FIRST_LUCK = 0x9E3779B9
#: Chance decisions in a row that the search follows at the horizon.
MOST_CHANCE = 16
#: The deepest search that an entry of the transposition table has room for.
MOST_DEPTH = UNLIMITED_DEPTH - 1
#: Seconds between two looks at the clock. The first slice of a search is one node, because an evaluation by rollouts
#: may take milliseconds; slices double until they take this long.
SLICE_SECONDS = 0.002
#: Nodes of a slice of a search without a time limit: Ctrl-C waits for its end.
LONG_SLICE = 1 << 20


@dataclass(frozen=True)
class MinimaxResult:
    """The best move of a search, and its value for the mover.

    `value` is in points, expected ones where chance is in play: the lead of the mover over the best of the others,
    or its own points where points count and in cooperative games. `line` is the principal variation, the best moves of
    all sides up to a chance decision (MTD(f) finds only the first of them); `depth` counts the plies of the last
    complete iteration; `exact` tells whether every line was searched to the end of the game.
    """

    move: int
    value: float
    depth: int
    nodes: int
    seconds: float
    line: tuple[int, ...]
    exact: bool

    @property
    def effort(self) -> tuple[str, ...]:
        """The work of the search, in words."""
        return (f"{self.nodes:,} positions, {self.depth} plies deep",)


class Minimax:
    """A search that keeps its transposition table from call to call: use one for each game that is played.

    `guide` provides the rules and weights that evaluate positions and order moves; without it, points and the
    history heuristic do. `megabytes` is the size of the table (0: no table). `driver` is one of DRIVERS. With
    `verify_positions`, the table compares whole positions, not only keys of 63 bits.

    Raises:
        UsageError: the game hides something, or has too many moves; no such driver, or MTD(f) without a table.
    """

    def __init__(
        self,
        game: Game,
        guide: RulePlayer | None = None,
        megabytes: float = TABLE_MEGABYTES,
        driver: str = DRIVERS[0],
        *,
        verify_positions: bool = False,
    ) -> None:
        check_driver(driver, megabytes)
        check_open(game)
        demand(
            game.move_count <= MOST_MOVES,
            f"minimax: expected a game of at most {MOST_MOVES} moves, not {game.move_count}",
        )
        self.game = game
        self.driver = driver
        self.most_depth = min(MOST_DEPTH, game.ply_cap)
        self._guide = guide.rules if guide else None
        #: The seats and the searcher of the values in the table; the searcher is -1 where seats are paired.
        self._table_of: tuple[int, int] | None = None
        self._sit(game.seats_with({}), 0)
        self._law = law_of(game)
        rules, weights = (guide.rules, guide.weights) if guide else (None, None)
        self._arrays = _new_arrays(game, rules, weights, self.most_depth, megabytes, verify_positions=verify_positions)
        self._stopped = threading.Event()

    def _sit(self, seats: int, mover: int) -> tuple[int, int]:
        """Take the kernel for a table of `seats` seats; returns the seats and the searcher of its values."""
        paired = seats == 2 and not self.game.together(seats)
        self._search = _compiled_search(self.game, self._guide, paired=paired)
        return seats, -1 if paired else mover

    def best(
        self, position: Position, limits: Limits, watch: Callable[[int, int], None] | None = None
    ) -> MinimaxResult:
        """The best move of a position, as far as the limits allow to search; the position is not changed.

        If the search is stopped within an iteration, the result is the best of the moves that the iteration has
        searched, the first of which is the best of the iteration before; with MTD(f) it is that of the iteration
        before. `watch` is called now and then with the depth of the last complete iteration and the nodes so far; what
        it raises ends the search.

        Raises:
            UsageError: a position of another game, or one that is over.
        """
        check_root(self.game, position)
        began = time.perf_counter()
        self._stopped.clear()
        arrays = self._arrays
        budget = Budget(limits, began, self._stopped)
        control = arrays.control
        arrays.states[0] = position.state
        table_of = self._sit(position.seats, position.mover)
        if self._table_of not in (None, table_of):
            arrays.table[:] = 0
        self._table_of = table_of
        control[[LUCK, SEARCHER]] = FIRST_LUCK, table_of[1]
        root = arrays.moves[0]
        n = self._law.moves(arrays.states[0], root)
        result = MinimaxResult(int(root[0]), 0.0, 0, 0, 0.0, (), exact=False)
        guess = 0
        for depth in range(1, min(limits.depth or self.most_depth, self.most_depth) + 1):
            look = functools.partial(self._pass, n, depth, budget, watch)
            best = mtdf(guess, look) if self.driver == "mtdf" else look(-INFINITY, INFINITY)
            if best is not None:
                guess = best.value
                complete = bool(control[DONE])
                value = guess / UNITS_PER_POINT
                searched = depth if complete else result.depth
                result = MinimaxResult(best.move, value, searched, 0, 0.0, best.line, complete and not best.horizon)
                place = root[:n].tolist().index(best.move)
                root[: place + 1] = np.roll(root[: place + 1], 1)
            if not control[DONE] or result.exact:
                break
        return replace(result, nodes=budget.nodes, seconds=time.perf_counter() - began)

    def _pass(
        self, n: int, depth: int, budget: Budget, watch: Callable[[int, int], None] | None, low: int, high: int
    ) -> Pass | None:
        """Search the root's n moves to a depth with a window.

        None if it was stopped before it had searched a move, or anywhere with a null window.
        """
        arrays = self._arrays
        control = arrays.control
        root = arrays.frames[0]
        root[:] = 0
        root[[COUNT, DEPTH, ALPHA, BETA, BEST]] = n, depth, low, high, -INFINITY
        root[MOVE] = arrays.moves[0, 0]
        root[KEY] = key_of(arrays.words, 0, arrays.position) if len(arrays.table) else 0
        control[[PLY, DONE]] = 0
        while not control[DONE] and (nodes := budget.next_slice()):
            budget.spend(self._search(arrays, nodes))
            if watch is not None:
                watch(depth - 1, budget.nodes)
        if root[BEST] == -INFINITY or (high - low == 1 and not control[DONE]):
            return None
        # A null window gives no line.
        line = tuple(arrays.lines[0, : root[LENGTH]].tolist()) or (int(root[MOVE]),)
        return Pass(int(root[BEST]), line[0], line, bool(root[HORIZON]))

    def stop(self) -> None:
        """End the running search, if any, at its next look at the clock; call it from any thread."""
        self._stopped.set()


def check_driver(driver: str, megabytes: float) -> None:
    """Raise UsageError unless there is such a driver, and MTD(f) has a table."""
    demand(driver in DRIVERS, f"minimax: driver: expected {' or '.join(DRIVERS)}, not '{driver}'")
    demand(
        driver != "mtdf" or megabytes,
        "minimax: driver: mtdf repeats its search from a table: leave table=0 out, or take pvs",
    )


class SearchArrays(NamedTuple):
    """The arrays of the search kernel; `plies` is the greatest depth."""

    #: State records[plies + 1]: the positions on the path from the root.
    states: Any
    #: int64[plies + 1, words]: the memory of `states`.
    words: Ints
    #: int64[2, position words]: which words of a state are the position, see transposition.py.
    position: PositionWords
    #: int64[plies + 1, FRAME_COLUMNS]: see alphabeta.py.
    frames: Ints
    #: float64[plies + 1, 2]: see alphabeta.py.
    means: Floats
    #: int64[plies + 1, move_count]: the moves of each position, the best ones first.
    moves: Ints
    #: int64[plies + 1, plies + 1]: the best line from each position.
    lines: Ints
    #: int64[4]: see alphabeta.py.
    control: Ints
    #: The transposition table: see transposition.py.
    table: Ints
    #: int64[seats, move_count]: for each seat and move, the sum of depth ** 2 over its cutoffs.
    history: Ints
    #: View records[2], the second one blank.
    views: Any
    #: int64[move_count]: scratch, the moves of a position at the horizon.
    scratch: Ints
    #: float64[2, rules]: early and late weights.
    weights: Weights
    #: float64[rules]: scratch, the weights at this stage of the game.
    blended: Floats
    #: float64[move_count]: scratch, the scores of moves.
    scores: Floats


def _new_arrays(
    game: Game, rules: RuleSet | None, weights: Weights | None, plies: int, megabytes: float, *, verify_positions: bool
) -> SearchArrays:
    plies += MOST_CHANCE * game.chance
    states, words = records_in_words(game.state, plies + 1)
    if weights is None:
        weights = np.zeros((2, 0))
    return SearchArrays(
        states=states,
        words=words,
        position=position_words(game),
        frames=np.zeros((plies + 1, FRAME_COLUMNS), np.int64),
        means=np.zeros((plies + 1, 2)),
        moves=np.zeros((plies + 1, game.move_count), np.int64),
        lines=np.zeros((plies + 1, plies + 1), np.int64),
        control=np.array([0, 0, FIRST_LUCK, -1]),
        table=new_table(megabytes, position_words(game).shape[1] if verify_positions else 0),
        history=np.zeros((game.most_seats, game.move_count), np.int64),
        views=records(game.view if rules is None else rules.record, 2),
        scratch=np.zeros(game.move_count, np.int64),
        weights=weights,
        blended=np.zeros(weights.shape[1]),
        scores=np.zeros(game.move_count),
    )


@functools.cache
def _compiled_search(game: Game, rules: RuleSet | None, *, paired: bool) -> Callable[..., int]:
    try_styles(game, [style_of(rules)] if rules else [])
    weights = rules.hand_tuned() if rules else None
    examples = (_new_arrays(game, rules, weights, 1, 0, verify_positions=False), 0)
    if rules is None:
        evaluate = points_evaluation(game, paired=paired)
        return runnable(search_kernel(game, evaluate, history_order(game), paired=paired), *examples)

    def body(style: Style) -> Kernel[..., int]:
        return search_kernel(game, *guided_kernels(style, paired=paired), paired=paired)

    return compiled_for(style_of(rules), body, *examples)


@dataclass(frozen=True)
class Pass:
    """The result of one search of the root with one window.

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
    low = -INFINITY
    high = INFINITY
    value = guess
    beyond = True
    best: Pass | None = None
    while low < high:
        beta = max(value, low + 1)
        answer = search(beta - 1, beta)
        if answer is None:
            return None
        value = answer.value
        if value >= beta:
            low = value
            best = answer
        else:
            high = value
            beyond = answer.horizon
    # The last move that reached its window has the value; a pass in which all moves fail does not tell which is best.
    return best and replace(best, horizon=best.horizon or beyond)


@dataclass(frozen=True)
class Limits:
    """When a search stops: the first limit reached ends it.

    Raises:
        UsageError: no limit at all, or one out of range.
    """

    depth: int | None = optional_number(int, 1, MOST_DEPTH, "plies to look ahead")
    nodes: int | None = optional_number(int, 1, 10**12, "positions visited per decision")
    seconds: float | None = optional_number(float, 1e-6, 1e6, "seconds per decision")

    def __post_init__(self) -> None:
        check_numbers(self, "minimax")
        demand(
            (self.depth, self.nodes, self.seconds) != (None, None, None),
            "minimax: a search needs a limit: give depth, nodes or seconds",
        )


class Budget:
    """Divides a search into slices of nodes, short enough to stop within its limits, or once `stopped` is set."""

    def __init__(self, limits: Limits, began: float, stopped: threading.Event) -> None:
        self.nodes = 0
        self._stopped = stopped
        self._most_nodes = limits.nodes
        self._deadline = None if limits.seconds is None else began + limits.seconds
        self._slice = LONG_SLICE if self._deadline is None else 1
        self._slice_began = began

    def next_slice(self) -> int:
        """The number of nodes to visit before the next look at the clock; 0 to stop."""
        if self._stopped.is_set():
            return 0
        nodes = self._slice if self._most_nodes is None else max(min(self._slice, self._most_nodes - self.nodes), 0)
        self._slice_began = time.perf_counter()
        return nodes if self._deadline is None or self._slice_began < self._deadline else 0

    def spend(self, nodes: int) -> None:
        """Count the nodes visited, and adapt the length of slices to the time they took."""
        self.nodes += nodes
        if self._deadline is not None and nodes >= self._slice:
            seconds = max(time.perf_counter() - self._slice_began, 1e-6)
            self._slice = int(min(self._slice * 2, LONG_SLICE, max(1, nodes * SLICE_SECONDS / seconds)))
