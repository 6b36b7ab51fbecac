"""The search that plays: forced wins first, then alpha-beta within the limits.

search = ThreatSearch(make_player("champion", game))
result = search.best(position, Limits(seconds=1))
result.move, result.value, result.win
"""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.games.gomoku.game import game
from rulebots.games.gomoku.rules import patterns
from rulebots.games.gomoku.threats.alphabeta import (
    ALPHA,
    BEST,
    BETA,
    DEPTH,
    DONE,
    FIVE_VALUE,
    HELD,
    INFINITY,
    LAST,
    MOST_PLY,
    MOVE,
    PLY,
    ROOT_WIDTH,
    SEAT,
    WINNING,
    new_frames,
    search,
)
from rulebots.games.gomoku.threats.board import THREAT, THREATENS_FIVE, new_board, set_up
from rulebots.games.gomoku.threats.defence import defences
from rulebots.games.gomoku.threats.fours import new_fours
from rulebots.games.gomoku.threats.solver import ForcedWin, ThreatSolver
from rulebots.games.gomoku.threats.values import UNITS, Values, values_of
from rulebots.kernel import runnable
from rulebots.players import RulePlayer
from rulebots.search.minimax.limits import Budget, Limits
from rulebots.search.root import check_root

#: Of the positions that a decision visits, or of its seconds, the share that goes to the proof of a forced win.
SOLVING = 0.15
#: So many times as many positions go to what holds against a forced win of the other side.
DEFENDING = 4
#: Positions a second that the solver is sure to visit.
PACE = 200_000
#: Nodes of a slice of the first ply, where the limits allow none.
FIRST_SLICE = 256
#: The deepest search.
MOST_DEPTH = MOST_PLY // 2
#: Sizes of the transposition table, in megabytes: the usual one, the least and the most.
TABLE_MEGABYTES, LEAST_MEGABYTES, MOST_MEGABYTES = 32.0, 1.0, 4096.0


@dataclass(frozen=True)
class ThreatResult:
    """The best move found.

    `value` is how much more the other side leaves its best moves than the mover, in the guide's scores; `plies` is set
    instead where the search sees the end: in how many plies the mover wins, or loses if negative. `win` is a proved
    win. `depth` counts the plies of the last complete iteration.
    """

    move: int
    value: float | None
    plies: int | None
    depth: int
    nodes: int
    seconds: float
    win: ForcedWin | None = None

    @property
    def effort(self) -> tuple[str, ...]:
        """What the search did, in words."""
        found = () if self.win is None else (f"a forced win in {len(self.win.line)} plies",)
        return (f"{self.nodes:,} positions, {self.depth} plies deep", *found)


class ThreatSearch:
    """A search that keeps its tables from call to call: use one for each game that is played.

    Raises:
        UsageError: the guide is a player of other rules than `patterns`, or a table out of range.
    """

    def __init__(self, guide: RulePlayer, megabytes: float = TABLE_MEGABYTES) -> None:
        check_search(guide, megabytes)
        self._guide = guide
        self._set_up, self._search = _compiled_search()
        self._solver = ThreatSolver()
        self._stopped = threading.Event()
        self._board, self._fours, self._work = new_board(), new_fours(), new_frames(megabytes)

    def best(self, position: Position, limits: Limits, watch: Callable[[int, int], None] | None = None) -> ThreatResult:
        """The best move of a position, as far as the limits allow to search; the position is not changed.

        `watch` is called now and then with the depth of the last complete iteration and the nodes so far; what it
        raises ends the search.

        Raises:
            UsageError: a position of another game, or one that is over.
        """
        check_root(game, position)
        began = time.perf_counter()
        self._stopped.clear()
        budget = Budget(limits, began, self._stopped)
        solving = _solving(limits)
        if (win := self._solver.win(position, nodes=solving)) is not None:
            seconds = time.perf_counter() - began
            return ThreatResult(win.line[0], None, len(win.line), 0, win.nodes, seconds, win)
        board, work = self._board, self._work
        values = values_of(self._guide, position.state)
        threat = self._solver.threat(position, nodes=solving)
        self._set_up(board, position.state)
        frames, control = work.frames, work.control
        control[HELD] = threat is not None
        if threat is not None:
            candidates = self._candidates(position, values)
            work.held[:] = defences(
                self._solver, position, threat, candidates, DEFENDING * solving, lambda: not budget.next_slice()
            )
        work.killers[:] = 0
        work.history[:] //= 8
        control[[SEAT, LAST]] = position.mover, position.state.last
        most = min(limits.depth or MOST_DEPTH, MOST_DEPTH, int(position.state.left))
        move, value, searched = 0, 0, 0
        for depth in range(1, most + 1):
            frames[0, [DEPTH, ALPHA, BETA, BEST, MOVE]] = depth, -INFINITY, INFINITY, -INFINITY, 0
            control[[PLY, DONE]] = 0
            # One ply is always searched to its end, so that there is a move.
            while not control[DONE] and (nodes := budget.next_slice() or FIRST_SLICE * (depth == 1)):
                budget.spend(self._search(board, self._fours, work, values, nodes))
                if watch is not None:
                    watch(searched, budget.nodes)
            if frames[0, BEST] > -INFINITY:
                move, value = int(frames[0, MOVE]), int(frames[0, BEST])
            searched = depth if control[DONE] else searched
            if not control[DONE] or abs(value) >= WINNING:
                break
        if abs(value) >= WINNING:
            said, plies = None, (FIVE_VALUE - value if value > 0 else -(FIVE_VALUE + value))
        else:
            said, plies = value / UNITS, None
        return ThreatResult(move, said, plies, searched, budget.nodes, time.perf_counter() - began)

    def _candidates(self, position: Position, values: Values) -> list[int]:
        """The moves that may help against a threat: fours, which gain time, and the best by the rules."""
        moves, board = position.legal_moves, self._board
        mine, theirs = board.patterns[position.mover, moves], board.patterns[1 - position.mover, moves]
        scores = values.attack[mine] + values.block[theirs]
        order = np.lexsort((-scores, THREAT[mine] < THREATENS_FIVE))
        return [int(move) for move in moves[order[:ROOT_WIDTH]]]

    def stop(self) -> None:
        """End the running search, if any, at its next look at the clock; call it from any thread."""
        self._stopped.set()


def _solving(limits: Limits) -> int:
    """The positions that the solver may visit for an answer, a share of the limits."""
    if limits.nodes is not None:
        return max(int(SOLVING * limits.nodes), 1)
    return 1 << 20 if limits.seconds is None else max(int(SOLVING * limits.seconds * PACE), 100)


def check_search(guide: RulePlayer, megabytes: float) -> None:
    """Raise UsageError for a guide of other rules, or a table out of range."""
    values_of(guide, Position(game).state)
    if not LEAST_MEGABYTES <= megabytes <= MOST_MEGABYTES:
        what = f"expected {LEAST_MEGABYTES:g} to {MOST_MEGABYTES:g} megabytes as 'table', not {megabytes:g}"
        raise UsageError(f"threats: {what}")


@functools.cache
def _compiled_search() -> tuple[Callable[..., None], Callable[..., int]]:
    """`set_up` and the search, compiled or loaded from the cache once per process."""
    board, state = new_board(), Position(game).state
    values = values_of(RulePlayer(patterns, patterns.hand_tuned()), state)
    return runnable(set_up, board, state), runnable(search, board, new_fours(), new_frames(0.001), values, 0)
