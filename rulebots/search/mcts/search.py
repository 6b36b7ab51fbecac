"""Monte Carlo tree search over any game in which nothing is hidden.

`Search` keeps one tree (tree.py) for the course of a game. A simulation selects a leaf, expands it
(simulation.py, selection.py), evaluates it (evaluators.py) and backpropagates the value (backpropagation.py).
"""

import asyncio
import functools
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.errors import MOST_SEED, demand
from rulebots.game import Bools, Floats, Game, Ints, State
from rulebots.game.position import Position
from rulebots.game.random_numbers import apart, next_luck, rng_of
from rulebots.kernel import runnable
from rulebots.packages import package_of
from rulebots.players import RulePlayer
from rulebots.search import alone, check_open, check_root
from rulebots.search.mcts.backpropagation import HALF, HIGH, LOW, ORIGIN, first_scale, has_return_per_seat, rescale
from rulebots.search.mcts.evaluators import BatchEvaluator, EvaluatorFunction, RolloutEvaluator
from rulebots.search.mcts.root_solver import RootSolver
from rulebots.search.mcts.selection import (
    Ranking,
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
#: Simulations of a search without a limit of simulations.
UNLIMITED = 1 << 40
#: The longest line of best moves in a result, and the moves whose answers it has.
MOST_LINE = 256
MOST_ANSWERS = 4


@dataclass(frozen=True, eq=False)
class MctsResult:
    """The move that a search chose, and its findings about all legal moves, best first.

    Values are the mover's mean or proven outcomes, from -1 (lost) to 1 (won); nan for a move without simulations. Where
    points count, and in cooperative games, they are mean points. Unless two seats play for the win, nothing is proven
    but the end of the game itself.
    """

    move: int
    #: int64[n]: the legal moves, best first.
    moves: Ints
    #: int64[n]: simulations of each move, including those kept from earlier searches.
    visits: Ints
    #: float64[n]: the value of each move.
    values: Floats
    #: float[n]: the prior probability of each move: its share before the first simulation.
    priors: npt.NDArray[np.floating]
    #: bool[n]: whether that value is proven.
    proven: Bools
    #: int64[n]: where it is proven, the plies to the outcome, this move included; else 0.
    distances: Ints
    #: float64[n]: the probability of each move to be chosen, by the temperature; without one, 1 for the best.
    probabilities: Floats
    #: The value of the position.
    value: float
    #: The principal variation: the best moves of all seats, as far as the tree was searched.
    line: tuple[int, ...]
    simulations: int
    seconds: float
    #: Nodes in the tree, and those of them kept from earlier searches.
    nodes: int
    kept: int
    #: The best answer to each of the first moves, as far as the tree was searched; -1 where it has none.
    answers: tuple[int, ...] = ()

    @property
    def effort(self) -> tuple[str, ...]:
        """The work of the search, in words."""
        work = f"{self.simulations:,} simulations" if self.simulations else "worked out to the end"
        return work, f"expects {self.value:+z.2f}"


def result_of(
    order: Ranking,
    temperature: float,
    rng: np.random.Generator,
    line: tuple[int, ...],
    **rest: Any,
) -> MctsResult:
    """The result of a search from the root's children in their order; `rest` are its other fields."""
    probabilities = move_probabilities(order.visits, order.signs, temperature)
    chosen = int(rng.choice(len(order.moves), p=probabilities)) if temperature else 0
    best = int(order.moves[0])
    return MctsResult(
        move=int(order.moves[chosen]),
        moves=order.moves,
        visits=order.visits,
        values=np.where((order.visits > 0) | order.proven, order.values, np.nan),
        priors=order.priors,
        proven=order.proven,
        distances=order.distances,
        probabilities=probabilities,
        line=line if not line or line[0] == best else (best,),
        **rest,
    )


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
        check_open(game)
        contradictions = [
            (evaluator and (rollout or prior), "an evaluator gives values and priors: leave out 'rollout' and 'prior'"),
            (
                settings.select == "uct" and (prior or evaluator),
                "UCT does not use priors: leave out 'select', or what gives priors (prior=none)",
            ),
            (settings.threads > 1, "a Search has one thread: for more, take a ParallelSearch or an MctsPlayer"),
            (
                settings.paranoid and game.together(game.most_seats),
                f"nobody at {game.title} plays against the searcher: leave out 'paranoid'",
            ),
            *(
                (player.game is not game, f"'{player.name}' plays {player.game.name}, not {game.name}")
                for player in (rollout, prior)
                if player is not None
            ),
        ]
        for wrong, message in contradictions:
            demand(not wrong, f"mcts: {message}")
        self.game = game
        self.settings = settings
        select = settings.select or ("puct" if prior or evaluator or settings.noise else "uct")
        self._c = DEFAULT_C[select] if settings.c is None else settings.c
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
        """Begin an empty tree for a table of `seats` seats, unless the tree is of such a table."""
        if seats == self._seats:
            return
        self._seats = seats
        per_seat = has_return_per_seat(self.game, seats)
        returns = (seats,) if per_seat else ()
        self._evaluator = self._make_evaluator(per_seat=per_seat)
        self._tree = new_tree(1, *returns)
        self._workspace = new_workspace(self.game, self.settings.batch or self._evaluator.default_batch, *returns)
        self._follow_line = _compiled_line(per_seat=per_seat)
        self._chosen: int | None = None

    @property
    def scale(self) -> tuple[float, float]:
        """The middle and half the spread of the returns so far."""
        scale = self._workspace.scale
        rescale(scale)
        return float(self._origin + (scale[LOW] + scale[HIGH]) / 2), float(scale[HALF])

    @property
    def _origin(self) -> float:
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
        also ends once the root is proven. The position is not changed. `iterations` and `seconds` replace both limits
        of the settings, and `temperature` their temperature, for this call.

        Raises:
            UsageError: a position of another game or one that is over, a number out of range, the search is running in
                another thread, or a Python evaluator returned something wrong. Its exceptions pass through.
        """
        began = time.perf_counter()
        settings = self.settings
        if iterations is not None or seconds is not None:
            settings = replace(settings, iterations=iterations, seconds=seconds)
        if temperature is not None:
            settings = replace(settings, temperature=temperature)
        with alone(self._busy):
            try:
                self._stopped.clear()
                return self._search(position, settings, seed, began)
            except BaseException:
                self._chosen = None  # the tree may be in the middle of a simulation: never go on from it
                raise

    async def run_async(self, position: Position, seed: int = 1, **limits: Any) -> MctsResult:
        """`run` in a thread of its own, for asynchronous programs; cancelling it stops the search.

        Raises:
            UsageError: as `run` does.
        """
        try:
            return await asyncio.to_thread(self.run, position, seed, **limits)
        except asyncio.CancelledError:
            self.stop()
            raise

    def follow(self, move: int) -> None:
        """Name the likely next move: the following search looks for its position below that move first."""
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
        # Even a search that is stopped at once simulates a batch: that finds the root's moves.
        while done < most and tree.proven[ROOT] == UNPROVEN and not (done and self._stopped.is_set()):
            before = time.perf_counter()
            if done and before >= deadline:
                break
            slice_ = min(slice_, root_solver.next - done)
            count, luck = self._evaluator.simulate(tree, workspace, most - done, slice_, self._c, luck)
            done += count
            if done >= root_solver.next:
                root_solver.vet_best(done)
            now = time.perf_counter()
            pace = min(SLICE_SECONDS, deadline - now) / max(now - before, 1e-7)
            slice_ = int(slice_ * min(max(pace, 0.1), 4.0)) or 1
        while root_solver.vet_best(done) and not self._stopped.is_set() and time.perf_counter() < end:
            pass  # vet the move that is best now
        return self._result(settings, seed, done, began, kept)

    def _move_root_to(self, state: State, settings: SearchSettings) -> int:
        """Make the position the root of a tree with enough capacity; returns the number of nodes kept."""
        tree = self._tree
        root = self._workspace.root
        node = None
        former = int(self._workspace.searcher[0])
        self._workspace.searcher[0] = state.mover if settings.paranoid and tree.value_sum.ndim > 1 else -1
        if settings.reuse and self._chosen is not None and former == self._workspace.searcher[0]:
            node = find_node(self.game, tree, root[0], state, self._chosen)
        root[0] = state
        if node is None:
            clear_from(tree, ROOT)
            tree.size[0] = 1
            self._workspace.epoch[0] += 1
            self._workspace.scale[:] = first_scale(self.game, self._seats)
            if package_of(self.game).forced_wins is not None:
                self._workspace = self._workspace._replace(solver=solver_of(self.game).workspace())
        else:
            keep_subtree(tree, node)
            if tree.first_child[ROOT] == NO_CHILDREN:  # proven by the table, which does not name the move
                tree.proven[ROOT] = UNPROVEN
                tree.distance[ROOT] = 0
        kept = int(tree.size[0])
        # Each simulation expands one node at most, and the root may be expanded before the first.
        expansions = UNLIMITED if settings.iterations is None else settings.iterations + 1
        self._tree = with_capacity(tree, min(self.settings.nodes, kept + expansions * self.game.move_count))
        return kept if node is not None else 0

    def _add_noise(self, rng: np.random.Generator) -> None:
        tree = self._tree
        weight = self.settings.noise
        children = slice(tree.first_child[ROOT], tree.first_child[ROOT] + tree.child_count[ROOT])
        noise = rng.dirichlet(np.full(tree.child_count[ROOT], self.settings.alpha))
        tree.prior[children] = (1.0 - weight) * tree.prior[children] + weight * noise

    def _result(self, settings: SearchSettings, seed: int, simulations: int, began: float, kept: int) -> MctsResult:
        tree = self._tree
        order = ranking(tree, ROOT)
        value = float(mean_kernel(per_seat=tree.value_sum.ndim > 1)(tree, ROOT, ROOT))
        if origin := self._origin:
            order = order._replace(values=order.values + origin)
            value += origin
        if self._keeps_to_guide and not (settings.noise or settings.temperature):
            order = without_luck(order, *self.scale)
        result = result_of(
            order,
            settings.temperature,
            rng_of(seed, simulations & MOST_SEED),
            line=self._best_line(ROOT),
            answers=tuple(self._answer(move) for move in order.moves[:MOST_ANSWERS].tolist()),
            value=value,
            simulations=simulations,
            seconds=time.perf_counter() - began,
            nodes=int(tree.size[0]),
            kept=kept,
        )
        self._chosen = result.move
        return result

    def _best_line(self, node: int) -> tuple[int, ...]:
        """The best moves from a node on."""
        return tuple(self._line[: self._follow_line(self._tree, node, self._line)].tolist())

    def _answer(self, move: int) -> int:
        """The best answer to a move; -1 where none was searched."""
        tree = self._tree
        first = int(tree.first_child[ROOT])
        moves = tree.move[first : first + tree.child_count[ROOT]]
        return next(iter(self._best_line(first + int(np.argmax(moves == move)))), -1)


@functools.cache
def _compiled_line(*, per_seat: bool) -> Callable[..., int]:
    return runnable(line_kernel(per_seat=per_seat), new_tree(1, *[2] * per_seat), ROOT, np.zeros(1, np.int64))
