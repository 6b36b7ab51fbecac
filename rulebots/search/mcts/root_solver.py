"""A game's solver of forced wins at the root of a search, and on the move that the search is going to make.

At the nodes of the tree the solver may visit few positions. Here it may visit more: it vets the best move in time to
find another one.
"""

import functools
from collections.abc import Callable

import numpy as np

from rulebots.game import Game
from rulebots.game.checks import contract_error
from rulebots.game.position import Position
from rulebots.kernel import runnable
from rulebots.packages import package_of
from rulebots.search.mcts.backpropagation import prove_by_children
from rulebots.search.mcts.selection import ranking
from rulebots.search.mcts.settings import SearchSettings
from rulebots.search.mcts.simulation import SearchWorkspace, solver_of
from rulebots.search.mcts.tree import DRAWN, MOST_DISTANCE, ROOT, UNPROVEN, Tree

#: For the root and its best move, the solver visits this many times the positions of a node; fewer in less than a
#: second.
THOROUGHNESS = 300
#: The best move is vetted after this many simulations, and whenever their number has doubled.
FIRST = 16
#: The share of a search's seconds that is kept for the move that is best in the end.
SHARE = 0.1
#: Never.
NEVER = 1 << 60


class RootSolver:
    """Proves the root of one search and its best moves; idle in a game without a solver."""

    def __init__(self, game: Game, tree: Tree, workspace: SearchWorkspace, settings: SearchSettings) -> None:
        self._game = game
        self._tree = tree
        self._workspace = workspace
        #: The positions that the solver may visit for one answer; 0: it is idle.
        self.thorough = 0
        if package_of(game).forced_wins is not None and tree.value_sum.ndim == 1:
            self.thorough = int(settings.solver * max(THOROUGHNESS * min(settings.seconds or 1.0, 1.0), 1.0))
        self.share = SHARE if self.thorough else 0.0
        #: The number of simulations at which the best move is vetted again.
        self.next = FIRST if self.thorough else NEVER
        self._vetted: set[int] = set()

    def prove_root(self) -> None:
        """Prove the root where its mover has a forced win; it has its children.

        Raises:
            CodeError: the win that the solver reports does not begin with a legal move.
        """
        tree = self._tree
        if tree.proven[ROOT] == UNPROVEN and (plies := self._plies(self._workspace.root[0])):
            self._prove(self._child_of(int(self._workspace.line[0])), int(tree.mover[ROOT]), plies - 1)

    def vet_best(self, simulations: int) -> bool:
        """Vet the best move after `simulations` simulations; True if it loses by force."""
        self.next = max(2 * simulations, FIRST) if self.thorough else NEVER
        tree = self._tree
        if not self.thorough or tree.proven[ROOT] != UNPROVEN:
            return False
        order = ranking(tree, ROOT)
        move = int(order.moves[0])
        if order.proven[0] or move in self._vetted:
            return False
        self._vetted.add(move)
        states = self._workspace.states
        spare = len(self._workspace.lengths)
        states[spare] = self._workspace.root[0]
        state = states[spare]
        self._game.play(state, move)
        winner = int(state.mover)
        plies = self._plies(state)
        if plies:
            self._prove(self._child_of(move), winner, plies)
        return plies > 0 and winner != tree.mover[ROOT]

    def _plies(self, state: object) -> int:
        workspace = self._workspace
        return int(_compiled_win(self._game)(state, workspace.solver, self.thorough, workspace.line))

    def _child_of(self, move: int) -> int:
        first = int(self._tree.first_child[ROOT])
        count = int(self._tree.child_count[ROOT])
        for child in range(first, first + count):
            if self._tree.move[child] == move:
                return child
        raise contract_error(solver_of(self._game).win, f"begins a win with the move {move}, which is not legal")

    def _prove(self, child: int, winner: int, plies: int) -> None:
        """Note that a seat wins in `plies` plies from a child of the root on, and what that proves of the root."""
        self._tree.proven[child] = DRAWN + (1 - 2 * winner)
        self._tree.distance[child] = min(plies, MOST_DISTANCE)
        prove_by_children(self._tree, ROOT)


@functools.cache
def _compiled_win(game: Game) -> Callable[..., int]:
    solver = solver_of(game)
    return runnable(solver.win, Position(game).state, solver.workspace(), 1, np.zeros(game.ply_cap, np.int64))
