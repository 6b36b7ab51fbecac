"""Monte Carlo tree search over any game in which nothing is hidden, in one thread or several.

`Search` keeps one tree (tree.py) for the course of a game. A simulation selects a leaf, expands it
(simulation.py, selection.py), evaluates it (evaluators.py) and backpropagates the value (backpropagation.py).

`ParallelSearch` grows a tree in each thread and adds up the visits of the root's moves: root parallelization (Chaslot,
Winands and van den Herik, Parallel Monte-Carlo Tree Search, CG 2008). The trees share nothing, so that the same seed
and number of threads give the same result, however the threads take turns.
"""

from __future__ import annotations

import asyncio
import functools
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.errors import UsageError
from rulebots.game import Game, State
from rulebots.game.position import Position
from rulebots.game.random_numbers import MOST_SEED, apart, next_luck, rng_of
from rulebots.kernel import runnable
from rulebots.packages import package_of
from rulebots.players import RulePlayer
from rulebots.search import check_root
from rulebots.search.mcts.evaluators import BatchEvaluator, EvaluatorFunction, RolloutEvaluator
from rulebots.search.mcts.returns import HALF, HIGH, LOW, ORIGIN, first_scale, has_return_per_seat, rescale
from rulebots.search.mcts.root_solver import RootSolver
from rulebots.search.mcts.selection import (
    Ranking,
    in_order,
    line_kernel,
    mean_kernel,
    move_probabilities,
    ranking,
    without_luck,
)
from rulebots.search.mcts.settings import DEFAULT_C, SearchSettings
from rulebots.search.mcts.simulation import new_workspace, solver_of
from rulebots.search.mcts.tree import (
    NO_CHILDREN,
    ROOT,
    UNPROVEN,
    clear_from,
    find_node,
    keep_subtree,
    new_tree,
    with_capacity,
)

#: Seconds between two looks at the clock and at `stop`.
SLICE_SECONDS = 0.002
#: Simulations before the first of them.
FIRST_SLICE = 8
#: Simulations of a search that no number of simulations limits.
UNLIMITED = 1 << 40
#: The longest line of best moves that a result holds.
MOST_LINE = 256


@dataclass(frozen=True, eq=False)
class MctsResult:
    """The move that a search chose, and what it found out about all legal moves, best first.

    Values are the mover's mean or proven outcomes, from -1 (lost) to 1 (won); nan for a move without simulations. Where
    points count, or are those of all together, they are mean points. At a table of more than two, or of one, nothing is
    proven but what ends the game at once.
    """

    move: int
    #: int64[n]: the legal moves, best first.
    moves: npt.NDArray[np.int64]
    #: int64[n]: simulations of each move, including those kept from earlier searches.
    visits: npt.NDArray[np.int64]
    #: float64[n]: the value of each move.
    values: npt.NDArray[np.float64]
    #: float[n]: the prior probability of each move: what the search expected of it before the first simulation.
    priors: npt.NDArray[np.floating]
    #: bool[n]: whether that value is proven.
    proven: npt.NDArray[np.bool_]
    #: int64[n]: where it is proven, in how many plies, this move included, the outcome is proven to come; else 0.
    distances: npt.NDArray[np.int64]
    #: float64[n]: how likely each move was to be chosen, by the temperature: 1 for one of them without.
    probabilities: npt.NDArray[np.float64]
    #: The value of the position.
    value: float
    #: The principal variation: the best moves of all seats, as far as the tree was searched.
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
        if settings.threads > 1:
            raise UsageError("mcts: a Search has one thread: for more, take a ParallelSearch or an MctsPlayer")
        self.game = game
        self.settings = settings
        select = settings.select or ("puct" if prior or evaluator or settings.noise else "uct")
        self._c = DEFAULT_C[select] if settings.c is None else settings.c
        if settings.paranoid and game.together(game.most_seats):
            raise UsageError(f"mcts: nobody at {game.title} plays against the one who searches: leave out 'paranoid'")
        self._make_evaluator = (
            functools.partial(RolloutEvaluator, game, settings, select, rollout, prior)
            if evaluator is None
            else functools.partial(BatchEvaluator, game, settings, select, evaluator)
        )
        self._seats = 0
        self._sit(game.seats_with({}))
        self._keeps_to_guide = game.chance and prior is not None
        self._line = np.zeros(MOST_LINE, np.int64)
        self._stopped = threading.Event()
        self._busy = threading.Lock()

    def _sit(self, seats: int) -> None:
        """Begin an empty tree for a table of so many seats, unless it is the one there is."""
        if seats == self._seats:
            return
        self._seats, per_seat = seats, has_return_per_seat(self.game, seats)
        returns = (seats,) if per_seat else ()
        self._evaluator = self._make_evaluator(per_seat=per_seat)
        self._tree = new_tree(1, *returns)
        self._workspace = new_workspace(self.game, self.settings.batch or self._evaluator.default_batch, *returns)
        self._keep_subtree, self._clear_from, self._follow_line = _compiled_tree_kernels(per_seat=per_seat)
        self._chosen: int | None = None

    @property
    def scale(self) -> tuple[float, float]:
        """The middle and half the spread of the returns so far."""
        scale = self._workspace.scale
        rescale(scale)
        return float(self._origin + (scale[LOW] + scale[HIGH]) / 2), float(scale[HALF])

    @property
    def _origin(self) -> float:
        """What the tree counts returns from."""
        return float(np.nan_to_num(self._workspace.scale[ORIGIN]))

    def run(
        self,
        position: Position,
        seed: int = 1,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        temperature: float | None = None,
    ) -> MctsResult:
        """Search a position until a limit of the settings is reached; the same seed gives the same result.

        With a limit of seconds, the number of simulations and so the result depend on the machine. The search
        also ends once the root is proven. The position is not changed. `iterations` and `seconds` take the place of
        both limits of the settings, and `temperature` of theirs, in this call.

        Raises:
            UsageError: a position of another game or one that is over, a number out of range, the search is running in
                another thread, or a Python evaluator returned something wrong. What the evaluator itself raises passes
                through.
        """
        began = time.perf_counter()
        settings = self.settings
        if iterations is not None or seconds is not None:
            settings = replace(settings, iterations=iterations, seconds=seconds)
        if temperature is not None:
            settings = replace(settings, temperature=temperature)
        if not self._busy.acquire(blocking=False):
            raise UsageError("this search is busy in another thread: give each thread its own")
        try:
            self._stopped.clear()
            return self._search(position, settings, seed, began)
        except BaseException:
            self._chosen = None  # the tree may be in the middle of a simulation: never go on from it
            raise
        finally:
            self._busy.release()

    async def run_async(self, position: Position, seed: int = 1, **limits: Any) -> MctsResult:
        """`run` in a thread of its own, for programs that go on meanwhile; who cancels it stops the search.

        Raises:
            UsageError: as `run` does.
        """
        try:
            return await asyncio.to_thread(self.run, position, seed, **limits)
        except asyncio.CancelledError:
            self.stop()
            raise

    def follow(self, move: int) -> None:
        """Say which move the game most likely goes on with: the tree below it is looked through first."""
        self._chosen = move

    def stop(self) -> None:
        """End the running search, if any, within milliseconds; call it from any thread."""
        self._stopped.set()

    def _search(self, position: Position, settings: SearchSettings, seed: int, began: float) -> MctsResult:
        check_root(self.game, position)
        self._sit(position.seats)
        kept = self._move_root_to(position.state, settings)
        tree = self._tree
        workspace = self._workspace
        luck = next_luck(apart(seed))
        if settings.noise:
            self._evaluator.expand_root(tree, workspace, luck)
            self._add_noise(rng_of(seed))
        workspace.effort[0] = settings.solver
        root_solver = RootSolver(self.game, tree, workspace, settings)
        if root_solver.thorough:
            self._evaluator.expand_root(tree, workspace, luck)
            root_solver.prove_root()
        most = settings.iterations or UNLIMITED
        end = began + (settings.seconds or np.inf)
        deadline = end - (root_solver.share * settings.seconds if settings.seconds else 0.0)
        done = 0
        slice_ = FIRST_SLICE
        # Stopped before it has begun, it looks once: the root's moves are found by the first simulation.
        while done < most and tree.proven[ROOT] == UNPROVEN and not (done and self._stopped.is_set()):
            before = time.perf_counter()
            if done and before >= deadline:
                break
            slice_ = min(slice_, root_solver.next - done)
            made, luck = self._evaluator.simulate(tree, workspace, most - done, slice_, self._c, luck)
            done += made
            if done >= root_solver.next:
                root_solver.vet_best(done)
            now = time.perf_counter()
            pace = min(SLICE_SECONDS, deadline - now) / max(now - before, 1e-7)
            slice_ = int(slice_ * min(max(pace, 0.1), 4.0)) or 1
        while root_solver.vet_best(done) and not self._stopped.is_set() and time.perf_counter() < end:
            pass  # the next best move, then
        return self._result(settings, seed, done, began, kept)

    def _move_root_to(self, state: State, settings: SearchSettings) -> int:
        """Make the position the root of a tree with enough capacity; returns how many nodes were kept."""
        tree = self._tree
        root = self._workspace.root
        node = None
        former = int(self._workspace.searcher[0])
        against = settings.paranoid and tree.value_sum.ndim > 1
        self._workspace.searcher[0] = state.mover if against else -1
        if settings.reuse and self._chosen is not None and former == self._workspace.searcher[0]:
            node = find_node(self.game, tree, root[0], state, self._chosen)
        root[0] = state
        if node is None:
            self._clear_from(tree, ROOT)
            tree.size[0] = 1
            self._workspace.epoch[0] += 1
            self._workspace.scale[:] = first_scale(self.game, self._seats)
            if package_of(self.game).forced_wins is not None:
                self._workspace = self._workspace._replace(solver=solver_of(self.game).workspace())
        else:
            self._keep_subtree(tree, node, np.zeros(tree.size[0], np.int32))
            if tree.first_child[ROOT] == NO_CHILDREN:  # proven by the table alone, which does not say by which move
                tree.proven[ROOT] = UNPROVEN
                tree.distance[ROOT] = 0
        kept = int(tree.size[0])
        # Each simulation expands one node at most, and the root may be expanded before the first.
        expansions = UNLIMITED if settings.iterations is None else settings.iterations + 1
        self._tree = with_capacity(tree, min(self.settings.nodes, kept + expansions * self.game.move_count))
        return kept if node is not None else 0

    def _add_noise(self, rng: np.random.Generator) -> None:
        """Mix Dirichlet noise into the priors of the root's children."""
        tree = self._tree
        weight = self.settings.noise
        children = slice(tree.first_child[ROOT], tree.first_child[ROOT] + tree.child_count[ROOT])
        noise = rng.dirichlet(np.full(tree.child_count[ROOT], self.settings.alpha))
        tree.prior[children] = (1.0 - weight) * tree.prior[children] + weight * noise

    def _result(self, settings: SearchSettings, seed: int, simulations: int, began: float, kept: int) -> MctsResult:
        tree = self._tree
        found = ranking(self._tree, ROOT)
        value = float(mean_kernel(per_seat=tree.value_sum.ndim > 1)(tree, ROOT, ROOT))
        if origin := self._origin:
            found = found._replace(values=found.values + origin)
            value = value + origin
        if self._keeps_to_guide and not (settings.noise or settings.temperature):
            found = without_luck(found, *self.scale)
        probabilities = move_probabilities(found.visits, found.signs, settings.temperature)
        self._chosen = int(found.moves[0])
        if settings.temperature:
            self._chosen = int(rng_of(seed, simulations & MOST_SEED).choice(found.moves, p=probabilities))
        line = tuple(self._line[: self._follow_line(tree, self._line)].tolist())
        if line and line[0] != found.moves[0]:
            line = (int(found.moves[0]),)  # the guide's move, which was kept
        return MctsResult(
            move=self._chosen,
            moves=found.moves,
            visits=found.visits,
            values=np.where((found.visits > 0) | found.proven, found.values, np.nan),
            priors=found.priors,
            proven=found.proven,
            distances=found.distances,
            probabilities=probabilities,
            value=value,
            line=line,
            simulations=simulations,
            seconds=time.perf_counter() - began,
            nodes=int(tree.size[0]),
            kept=kept,
        )


@functools.cache
def _compiled_tree_kernels(*, per_seat: bool) -> tuple[Callable[..., Any], ...]:
    """`keep_subtree`, `clear_from` and `principal_variation`, compiled or loaded from the cache once per process."""
    tree = new_tree(1, *[2] * per_seat)
    return (
        runnable(keep_subtree, tree, 1, np.zeros(1, np.int32)),
        runnable(clear_from, tree, 1),
        runnable(line_kernel(per_seat=per_seat), tree, np.zeros(1, np.int64)),
    )


class ParallelSearch:
    """As many searches side by side as the settings have threads; the arguments are those of `Search`.

    Each makes its share of the simulations, and has all of the time.

    Raises:
        UsageError: as `Search` does.
    """

    def __init__(
        self, game: Game, settings: SearchSettings, rollout: RulePlayer | None = None, prior: RulePlayer | None = None
    ) -> None:
        self.settings = settings
        alone = replace(settings, threads=1, temperature=0.0)
        self._keeps_to_guide = game.chance and prior is not None and not (settings.noise or settings.temperature)
        self._searches = [Search(game, alone, rollout, prior) for _ in range(settings.threads)]

    def run(self, position: Position, seed: int = 1) -> MctsResult:
        """Search a position; see `Search.run`."""
        began = time.perf_counter()
        shares = _shares(self.settings)
        luck = max(seed & MOST_SEED, 1)
        with ThreadPoolExecutor(len(self._searches)) as pool:
            running = []
            for search, share in zip(self._searches, shares, strict=True):
                luck = next_luck(luck)
                limited = functools.partial(search.run, iterations=share, seconds=self.settings.seconds)
                running.append(pool.submit(limited, position, luck))
            try:
                results = [one.result() for one in running]
            except BaseException:
                self.stop()
                raise
        rng = rng_of(seed & MOST_SEED)
        scale = max((search.scale for search in self._searches), key=lambda one: one[1])
        by_outcome = not has_return_per_seat(position.game, position.seats)
        result = combined(
            results, self.settings.temperature, rng, scale, keeps_to_guide=self._keeps_to_guide, by_outcome=by_outcome
        )
        for search in self._searches:
            search.follow(result.move)
        return replace(result, seconds=time.perf_counter() - began)

    def stop(self) -> None:
        """End the running searches, if any; call it from any thread."""
        for search in self._searches:
            search.stop()


def _shares(settings: SearchSettings) -> list[int | None]:
    """The simulations of each thread."""
    if settings.iterations is None:
        return [None] * settings.threads
    share, rest = divmod(settings.iterations, settings.threads)
    return [max(1, share + (number < rest)) for number in range(settings.threads)]


def combined(
    results: Sequence[MctsResult],
    temperature: float,
    rng: np.random.Generator,
    scale: tuple[float, float] = (0.0, 1.0),
    *,
    keeps_to_guide: bool = False,
    by_outcome: bool = True,
) -> MctsResult:
    """One result for searches of the same position: visits are added up, and what one has proven holds for all.

    `keeps_to_guide` is for guided searches of games with chance; see `without_luck`, also for `scale`. With
    `by_outcome`, what is proven is a win, a draw or a loss.
    """
    by_move = [np.argsort(one.moves) for one in results]
    visits = np.stack([one.visits[order] for one, order in zip(results, by_move, strict=True)])
    values = np.stack([np.nan_to_num(one.values[order]) for one, order in zip(results, by_move, strict=True)])
    proven = np.stack([one.proven[order] for one, order in zip(results, by_move, strict=True)])
    distances = np.stack([one.distances[order] for one, order in zip(results, by_move, strict=True)])
    moves = np.sort(results[0].moves)
    total = visits.sum(axis=0)
    known = np.asarray(proven.any(axis=0))
    columns = np.arange(len(moves))
    first = proven.argmax(axis=0)
    means = (visits * values).sum(axis=0) / np.maximum(total, 1)
    value = np.where(known, values[first, columns], np.where(total > 0, means, -1.0))
    distance = distances[first, columns]
    signs = np.where(known & by_outcome, np.sign(value), 0).astype(np.int64)
    found = in_order(Ranking(moves, total, value, signs, known, distance, results[0].priors[by_move[0]]))
    if keeps_to_guide:
        found = without_luck(found, *scale)
    probabilities = move_probabilities(found.visits, found.signs, temperature)
    chosen = int(rng.choice(len(moves), p=probabilities)) if temperature else 0
    best = found.moves[0]
    simulations = sum(one.simulations for one in results)
    whole = sum(one.value * max(one.simulations, 1) for one in results) / max(simulations, len(results))
    return replace(
        results[0],
        move=int(found.moves[chosen]),
        moves=found.moves,
        visits=found.visits,
        values=np.where(found.proven | (found.visits > 0), found.values, np.nan),
        priors=found.priors,
        proven=found.proven,
        distances=found.distances,
        probabilities=probabilities,
        value=float(found.values[0]) if found.signs[0] > 0 or known.all() else whole,
        line=max((one.line for one in results if one.line and one.line[0] == best), key=len, default=(int(best),)),
        simulations=simulations,
        nodes=sum(one.nodes for one in results),
        kept=sum(one.kept for one in results),
    )
