"""Monte Carlo tree search over any game in which nothing is hidden.

`Search` keeps one tree, whose arrays tree.py describes. A simulation selects a leaf (selection.py),
has it valued (valuers.py) and backs the value up (simulation.py).
"""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable

import numpy as np

from rulebots.errors import UsageError
from rulebots.game import Game, State
from rulebots.kernel import runnable
from rulebots.players import RulePlayer
from rulebots.position import law_of
from rulebots.random_numbers import luck_of, rng_of
from rulebots.search.mcts.evaluators import Asked, Evaluator, Playouts, Valuer
from rulebots.search.mcts.result import SearchResult, best_line, drawn, means, ranked
from rulebots.search.mcts.reuse import node_of
from rulebots.search.mcts.settings import USUAL_C, SearchSettings
from rulebots.search.mcts.simulation import new_desk
from rulebots.search.mcts.tree import ROOT, UNPROVEN, forget, keep_below, new_tree, with_room

#: Seconds between two looks at the clock and at `stop`.
PAUSE = 0.002
#: Simulations before the first of them.
FIRST_LOOK = 8
#: Simulations when there is no budget but time or `stop`.
NO_END = 1 << 40


class Search:
    """A search tree that goes along with one game.

    Leaves are valued by random playouts; by playouts in the manner of the player `rollout`; or by
    `evaluator`. Priors are even, from the scores of the player `prior`, or the evaluator's.

    Raises:
        UsageError: the game hides something, or settings that contradict the rest.
    """

    def __init__(
        self,
        game: Game,
        settings: SearchSettings,
        rollout: RulePlayer | None = None,
        prior: RulePlayer | None = None,
        evaluator: Evaluator | None = None,
    ) -> None:
        if game.hidden:
            raise UsageError(f"a tree search reads the position, but {game.title} hides cards: choose another player")
        for player in (rollout, prior):
            if player is not None and player.game is not game:
                raise UsageError(f"mcts: '{player.name}' plays {player.game.name}, not {game.name}")
        if evaluator is not None and (rollout or prior):
            raise UsageError("mcts: an evaluator gives values and priors: leave out 'rollout' and 'prior'")
        if settings.select == "uct" and (prior or evaluator):
            raise UsageError("mcts: UCT does not look at priors: leave out 'select', or what gives priors (prior=none)")
        self.game, self.settings = game, settings
        select = settings.select or ("puct" if prior or evaluator or settings.noise else "uct")
        self._c = USUAL_C[select] if settings.c is None else settings.c
        self._valuer: Valuer = (
            Playouts(game, settings, select, rollout, prior)
            if evaluator is None
            else Asked(game, settings, select, evaluator)
        )
        self._tree = new_tree(1)
        self._desk = new_desk(game, settings.batch or self._valuer.usual_batch, solve=settings.solve)
        self._stopped, self._busy = threading.Event(), threading.Lock()
        #: The move chosen last, once there is one: the game went on with it from the root.
        self._chosen: int | None = None
        self._law = law_of(game)
        self._keep_below, self._forget = _moving_on()

    def run(self, state: State, seed: int = 1) -> SearchResult:
        """Search a position until the budget of the settings ends; the same seed gives the same result.

        With a budget of seconds the number of simulations, and so the result, is the machine's. The
        search ends early once the outcome is proven. `state` is not changed.

        Raises:
            UsageError: the game is over, or the search is busy in another thread; and what a Python
                evaluator raises or returns amiss.
        """
        if not self._busy.acquire(blocking=False):
            raise UsageError("this search is busy in another thread: give each thread its own")
        try:
            self._stopped.clear()
            return self._search(state, seed, time.perf_counter())
        except BaseException:
            self._chosen = None  # the tree may be in the middle of a simulation: never go on from it
            raise
        finally:
            self._busy.release()

    def stop(self) -> None:
        """End the search that is running, within milliseconds; from any thread. Nothing happens when none is."""
        self._stopped.set()

    def _search(self, state: State, seed: int, began: float) -> SearchResult:
        desk, settings, rng = self._desk, self.settings, rng_of(seed)
        if self._law.over(state):
            raise UsageError("the game is over: there is nothing to search")
        kept = self._go_on_to(state)
        tree = self._tree
        luck = int(luck_of(rng, (1,))[0])
        self._valuer.open(tree, desk, luck)
        if settings.noise:
            self._add_noise(rng)
        most, deadline = settings.iterations or NO_END, began + (settings.seconds or np.inf)
        done, look = 0, FIRST_LOOK
        while done < most and tree.proven[ROOT] == UNPROVEN and not self._stopped.is_set():
            before = time.perf_counter()
            if done and before >= deadline:
                break
            made, luck = self._valuer.simulate(tree, desk, most - done, look, self._c, luck)
            done += made
            now = time.perf_counter()
            look = int(look * min(max(min(PAUSE, deadline - now) / max(now - before, 1e-7), 0.1), 4.0)) or 1
        return self._result(rng, done, time.perf_counter() - began, kept)

    def _go_on_to(self, state: State) -> int:
        """Make the position the root of a tree that has room, and return how many nodes of the old one stay."""
        tree, root = self._tree, self._desk.root
        node = None
        if self.settings.reuse and self._chosen is not None:
            node = node_of(self.game, tree, root[0], self._chosen, state)
        root[0] = state
        if node is None:
            self._forget(tree, ROOT)
            tree.used[0] = 1
        else:
            self._keep_below(tree, node, np.zeros(tree.used[0], np.int32))
        kept = int(tree.used[0])
        # Each simulation, and the opening of the root, gives children to one node at most.
        simulations = NO_END if self.settings.iterations is None else self.settings.iterations + 1
        self._tree = with_room(tree, min(self.settings.nodes, kept + simulations * self.game.move_count))
        return kept if node is not None else 0

    def _add_noise(self, rng: np.random.Generator) -> None:
        """Mix Dirichlet noise into the priors of the root's children."""
        tree, weight = self._tree, self.settings.noise
        children = slice(tree.first[ROOT], tree.first[ROOT] + tree.children[ROOT])
        noise = rng.dirichlet(np.full(tree.children[ROOT], self.settings.alpha))
        tree.prior[children] = (1.0 - weight) * tree.prior[children] + weight * noise

    def _result(self, rng: np.random.Generator, simulations: int, seconds: float, kept: int) -> SearchResult:
        tree = self._tree
        children = ranked(tree, ROOT)
        chosen = drawn(tree, ROOT, children, self.settings.temperature, rng)
        self._chosen = int(tree.move[chosen])
        root, proven = np.array([ROOT]), tree.proven[children] != UNPROVEN
        return SearchResult(
            move=self._chosen,
            moves=tree.move[children].astype(np.int64),
            visits=tree.visits[children].astype(np.int64),
            values=np.where((tree.visits[children] > 0) | proven, means(tree, ROOT, children), np.nan),
            proven=proven,
            value=float(means(tree, ROOT, root)[0]),
            line=best_line(tree),
            simulations=simulations,
            seconds=seconds,
            nodes=int(tree.used[0]),
            kept=kept,
        )


@functools.cache
def _moving_on() -> tuple[Callable[..., None], Callable[..., None]]:
    """`keep_below` and `forget`, compiled once a process or loaded from the cache."""
    tree = new_tree(1)
    return runnable(keep_below, tree, 1, np.zeros(1, np.int32)), runnable(forget, tree, 1)
