"""Monte Carlo tree search over any game in which nothing is hidden.

`Search` keeps one tree (tree.py) for the course of a game. A simulation selects a leaf, expands it
(simulation.py, selection.py), evaluates it (evaluators.py) and backpropagates the value (backpropagation.py).
"""

from __future__ import annotations

import functools
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.dtypes import records
from rulebots.errors import UsageError
from rulebots.game import Game, State
from rulebots.kernel import runnable
from rulebots.law import law_of
from rulebots.players import RulePlayer
from rulebots.position import Position
from rulebots.random_numbers import luck_of, rng_of
from rulebots.search.mcts.evaluators import BatchEvaluator, EvaluatorFunction, LeafEvaluator, RolloutEvaluator
from rulebots.search.mcts.selection import mean_values, principal_variation, ranked_children, sample_child
from rulebots.search.mcts.settings import DEFAULT_C, SearchSettings
from rulebots.search.mcts.simulation import new_workspace
from rulebots.search.mcts.tree import ROOT, UNPROVEN, Tree, clear_from, keep_subtree, new_tree, with_capacity
from rulebots.search.root import check_root

#: Seconds between two looks at the clock and at `stop`.
SLICE_SECONDS = 0.002
#: Simulations before the first of them.
FIRST_SLICE = 8
#: Simulations of a search that no number of simulations limits.
UNLIMITED = 1 << 40
#: Moves replayed at most to find a position in the tree: some milliseconds.
MOST_REPLAYS = 1000


@dataclass(frozen=True, eq=False)
class MctsResult:
    """The move that a search chose, and what it found out about all legal moves, best first.

    Values are the mover's mean or proven outcomes, from -1 (lost) to 1 (won); nan for a move without simulations.
    """

    move: int
    #: int64[n]: the legal moves, best first.
    moves: npt.NDArray[np.int64]
    #: int64[n]: simulations of each move, including those kept from earlier searches.
    visits: npt.NDArray[np.int64]
    #: float64[n]: the value of each move.
    values: npt.NDArray[np.float64]
    #: bool[n]: whether that value is proven.
    proven: npt.NDArray[np.bool_]
    #: The value of the position.
    value: float
    #: The principal variation: the best moves of both sides, as far as the tree was searched.
    line: tuple[int, ...]
    simulations: int
    seconds: float
    #: Nodes in the tree, and how many of them were kept from earlier searches.
    nodes: int
    kept: int

    @property
    def simulations_per_second(self) -> float:
        """Simulations per second of this search."""
        return self.simulations / self.seconds if self.seconds > 0 else 0.0

    @property
    def effort(self) -> tuple[str, ...]:
        """What the search did, in words."""
        return f"{self.simulations:,} simulations", f"expects {self.value:+z.2f}"


class Search:
    """A search tree that follows one game.

    Leaves are evaluated by random rollouts, by rollouts of the player `rollout`, or by the function `evaluator`.
    Priors are even, from the scores of the player `prior`, or from `evaluator`.

    Raises:
        UsageError: the game hides something, or arguments that contradict each other.
    """

    def __init__(
        self,
        game: Game,
        settings: SearchSettings,
        rollout: RulePlayer | None = None,
        prior: RulePlayer | None = None,
        evaluator: EvaluatorFunction | None = None,
    ) -> None:
        if game.hidden:
            raise UsageError(f"a tree search reads the position, but {game.title} hides cards: choose another player")
        for player in (rollout, prior):
            if player is not None and player.game is not game:
                raise UsageError(f"mcts: '{player.name}' plays {player.game.name}, not {game.name}")
        if evaluator is not None and (rollout or prior):
            raise UsageError("mcts: an evaluator gives values and priors: leave out 'rollout' and 'prior'")
        if settings.select == "uct" and (prior or evaluator):
            raise UsageError("mcts: UCT does not use priors: leave out 'select', or what gives priors (prior=none)")
        self.game, self.settings = game, settings
        select = settings.select or ("puct" if prior or evaluator or settings.noise else "uct")
        self._c = DEFAULT_C[select] if settings.c is None else settings.c
        self._evaluator: LeafEvaluator = (
            RolloutEvaluator(game, settings, select, rollout, prior)
            if evaluator is None
            else BatchEvaluator(game, settings, select, evaluator)
        )
        self._tree = new_tree(1)
        self._workspace = new_workspace(game, settings.batch or self._evaluator.default_batch, solve=settings.solve)
        self._stopped, self._busy = threading.Event(), threading.Lock()
        #: The move that the last search chose: the game went on with it from the root.
        self._chosen: int | None = None
        self._keep_subtree, self._clear_from = _compiled_root_moves()

    def run(self, position: Position, seed: int = 1) -> MctsResult:
        """Search a position until a limit of the settings is reached; the same seed gives the same result.

        With a limit of seconds, the number of simulations and so the result depend on the machine. The search
        also ends once the root is proven. The position is not changed.

        Raises:
            UsageError: a position of another game or one that is over, the search is running in another thread,
                or a Python evaluator returned something wrong. What the evaluator itself raises passes through.
        """
        if not self._busy.acquire(blocking=False):
            raise UsageError("this search is busy in another thread: give each thread its own")
        try:
            self._stopped.clear()
            return self._search(position, seed, time.perf_counter())
        except BaseException:
            self._chosen = None  # the tree may be in the middle of a simulation: never go on from it
            raise
        finally:
            self._busy.release()

    def stop(self) -> None:
        """End the running search, if any, within milliseconds; call it from any thread."""
        self._stopped.set()

    def _search(self, position: Position, seed: int, began: float) -> MctsResult:
        workspace, settings, rng = self._workspace, self.settings, rng_of(seed)
        check_root(self.game, position)
        kept = self._move_root_to(position.state)
        tree = self._tree
        luck = int(luck_of(rng, (1,))[0])
        self._evaluator.expand_root(tree, workspace, luck)
        if settings.noise:
            self._add_noise(rng)
        most, deadline = settings.iterations or UNLIMITED, began + (settings.seconds or np.inf)
        done, slice_ = 0, FIRST_SLICE
        while done < most and tree.proven[ROOT] == UNPROVEN and not self._stopped.is_set():
            before = time.perf_counter()
            if done and before >= deadline:
                break
            made, luck = self._evaluator.simulate(tree, workspace, most - done, slice_, self._c, luck)
            done += made
            now = time.perf_counter()
            pace = min(SLICE_SECONDS, deadline - now) / max(now - before, 1e-7)
            slice_ = int(slice_ * min(max(pace, 0.1), 4.0)) or 1
        return self._result(rng, done, time.perf_counter() - began, kept)

    def _move_root_to(self, state: State) -> int:
        """Make the position the root of a tree with enough capacity; returns how many nodes were kept."""
        tree, root = self._tree, self._workspace.root
        node = None
        if self.settings.reuse and self._chosen is not None:
            node = find_node(self.game, tree, root[0], self._chosen, state)
        root[0] = state
        if node is None:
            self._clear_from(tree, ROOT)
            tree.size[0] = 1
        else:
            self._keep_subtree(tree, node, np.zeros(tree.size[0], np.int32))
        kept = int(tree.size[0])
        # Each simulation expands one node at most, and the root may be expanded before the first.
        expansions = UNLIMITED if self.settings.iterations is None else self.settings.iterations + 1
        self._tree = with_capacity(tree, min(self.settings.nodes, kept + expansions * self.game.move_count))
        return kept if node is not None else 0

    def _add_noise(self, rng: np.random.Generator) -> None:
        """Mix Dirichlet noise into the priors of the root's children."""
        tree, weight = self._tree, self.settings.noise
        children = slice(tree.first_child[ROOT], tree.first_child[ROOT] + tree.child_count[ROOT])
        noise = rng.dirichlet(np.full(tree.child_count[ROOT], self.settings.alpha))
        tree.prior[children] = (1.0 - weight) * tree.prior[children] + weight * noise

    def _result(self, rng: np.random.Generator, simulations: int, seconds: float, kept: int) -> MctsResult:
        tree = self._tree
        children = ranked_children(tree, ROOT)
        chosen = sample_child(tree, ROOT, children, self.settings.temperature, rng)
        self._chosen = int(tree.move[chosen])
        root, proven = np.array([ROOT]), tree.proven[children] != UNPROVEN
        return MctsResult(
            move=self._chosen,
            moves=tree.move[children].astype(np.int64),
            visits=tree.visits[children].astype(np.int64),
            values=np.where((tree.visits[children] > 0) | proven, mean_values(tree, ROOT, children), np.nan),
            proven=proven,
            value=float(mean_values(tree, ROOT, root)[0]),
            line=principal_variation(tree),
            simulations=simulations,
            seconds=seconds,
            nodes=int(tree.size[0]),
            kept=kept,
        )


def find_node(game: Game, tree: Tree, root: State, move: int, wanted: State) -> int | None:
    """The node of the position `wanted` below the root's child by `move`; None if it is not found.

    `root` is the position of the root. The search goes breadth first through visited nodes, so it finds what the
    opponent answered, in one move or in several. Positions are equal if all fields of their records are.
    """
    law, occupied = law_of(game), field_bytes(game.state)
    same = np.frombuffer(wanted.tobytes(), np.uint8)[occupied]
    children = range(tree.first_child[ROOT], tree.first_child[ROOT] + tree.child_count[ROOT])
    queue = deque((child, root) for child in children if tree.move[child] == move)
    for _ in range(MOST_REPLAYS):
        if not queue:
            return None
        node, before = queue.popleft()
        position = records(game.state, 1)
        position[0] = before
        law.play(position[0], int(tree.move[node]))
        if np.array_equal(position.view(np.uint8)[occupied], same):
            return int(node)
        below = range(tree.first_child[node], tree.first_child[node] + tree.child_count[node])
        queue.extend((child, position[0]) for child in below if tree.visits[child] > 0)
    return None


@functools.cache
def field_bytes(record: np.dtype[Any]) -> npt.NDArray[np.intp]:
    """Which bytes of a record belong to its fields: the gaps between those of an aligned record may hold anything."""
    occupied = np.zeros(record.itemsize, np.bool_)
    for kind, offset, *_ in (record.fields or {}).values():
        occupied[offset : offset + kind.itemsize] = True
    return np.flatnonzero(occupied)


@functools.cache
def _compiled_root_moves() -> tuple[Callable[..., None], Callable[..., None]]:
    """`keep_subtree` and `clear_from`, compiled or loaded from the cache once per process."""
    tree = new_tree(1)
    return runnable(keep_subtree, tree, 1, np.zeros(1, np.int32)), runnable(clear_from, tree, 1)
