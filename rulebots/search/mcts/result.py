"""What a search found, as a small object."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rulebots.search.mcts.tree import DRAWN, LOST, ROOT, UNPROVEN, WON, Tree


@dataclass(frozen=True, eq=False)
class SearchResult:
    """A decision and what it stands on; arrays have an entry for each legal move.

    Values are the mover's expected outcome, from -1 (lost) to 1 (won), nan where nothing came through.
    """

    move: int
    #: int64[n]: the legal moves, the most promising one first.
    moves: npt.NDArray[np.int64]
    #: int64[n]: simulations that went through each, those kept from earlier searches included.
    visits: npt.NDArray[np.int64]
    #: float64[n]: mean outcome after each, or the proven one.
    values: npt.NDArray[np.float64]
    #: bool[n]: whether the outcome after each is proven.
    proven: npt.NDArray[np.bool_]
    #: Mean outcome of all simulations from here, or the proven one.
    value: float
    #: The moves that both sides are expected to make, the best one first.
    line: tuple[int, ...]
    simulations: int
    seconds: float
    #: Nodes in the tree, and how many there were of an earlier search when this one began.
    nodes: int
    kept: int

    @property
    def simulations_per_second(self) -> float:
        """How many simulations a second took."""
        return self.simulations / self.seconds if self.seconds > 0 else 0.0


def ranked(tree: Tree, node: int) -> npt.NDArray[np.int64]:
    """The children of a node, int64[n], best first.

    Proven wins come first and proven losses last; between them decide visits, then means, then the lower move number.
    """
    children = np.arange(tree.first[node], tree.first[node] + tree.children[node], dtype=np.int64)
    order = (tree.move[children], -means(tree, node, children), -tree.visits[children], -standing(tree, node, children))
    return children[np.lexsort(order)]


def drawn(tree: Tree, node: int, children: npt.NDArray[np.int64], temperature: float, rng: np.random.Generator) -> int:
    """One of the ranked children: the first, or by `temperature` another, with chance visits ** (1 / temperature).

    Only children of the first one's standing are drawn: never a proven loss where there is anything else.
    """
    ranks = standing(tree, node, children)
    among = children[ranks == ranks[0]]
    visits = tree.visits[among] / max(tree.visits[among].max(), 1)
    if not temperature or not visits.any():
        return int(children[0])
    shares = visits ** (1.0 / temperature)
    return int(rng.choice(among, p=shares / shares.sum()))


def standing(tree: Tree, node: int, children: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """For the mover of the node, int64[n]: 1 a proven win, -1 a proven loss, 0 anything else."""
    won, lost = (WON, LOST) if tree.mover[node] == 0 else (LOST, WON)
    proven = tree.proven[children]
    return (proven == won).astype(np.int64) - (proven == lost)


def means(tree: Tree, node: int, nodes: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Mean or proven outcome of some nodes, float64[n], for the mover of `node`; -1 where none is visited."""
    side = 1.0 - 2.0 * tree.mover[node]
    proven, visits = tree.proven[nodes], tree.visits[nodes]
    mean = np.where(proven == UNPROVEN, tree.total[nodes] / np.maximum(visits, 1), proven - float(DRAWN))
    return np.where((visits > 0) | (proven != UNPROVEN), side * mean, -1.0)


def best_line(tree: Tree) -> tuple[int, ...]:
    """The best move, the best answer, and so on, as far as simulations went."""
    line, node = [], ROOT
    while tree.first[node] > 0:
        node = int(ranked(tree, node)[0])
        if tree.visits[node] == 0 and tree.proven[node] == UNPROVEN:
            break
        line.append(int(tree.move[node]))
    return tuple(line)
