"""Choosing a child: UCT and PUCT during the simulations, by rank or at random once they are done.

Within the tree a selection rule is a kernel `(tree, node, c, luck) -> (child, luck)`, where `luck` is the random state.
At a chance node nobody chooses: `sample_outcome` draws a child.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.game import CHANCE
from rulebots.kernel import Kernel, kernel
from rulebots.random_numbers import below, next_luck
from rulebots.search.mcts.tree import DRAWN, LOST, NO_CHILDREN, ROOT, UNPROVEN, WON, Tree, swap_unvisited


@kernel(inlines=False)
def uct(tree: Any, node: int, c: float, luck: int) -> tuple[int, int]:
    """The child with the largest mean + c * sqrt(ln(visits of the node) / visits of the child).

    UCB1 applied to trees: Kocsis and Szepesvari, Bandit based Monte-Carlo Planning, ECML 2006. Unvisited children come
    first, in random order. Means are the mover's, from -1 to 1. A proven outcome takes the place of the
    mean, and a proven loss is never selected.
    """
    first, end = tree.first_child[node], tree.first_child[node] + tree.child_count[node]
    while tree.visits[end - 1] == 0 and tree.proven[end - 1] not in (UNPROVEN, DRAWN):
        end -= 1  # `expand_kernel` has put the proven losses last
    if tree.visits[end - 1] == 0:
        return random_unvisited(tree, first, end, luck)
    side = 1.0 - 2.0 * tree.mover[node]
    log = math.log(tree.visits[node])
    best, chosen = -np.inf, first
    for child in range(first, end):
        visits, proven = tree.visits[child], tree.proven[child]
        mean = tree.value_sum[child] / visits if proven == UNPROVEN else float(proven - DRAWN)
        score = side * mean + c * math.sqrt(log / visits)
        if proven != UNPROVEN and side * mean < 0.0:
            score = -np.inf
        if score > best:
            best, chosen = score, child
    return chosen, luck


@kernel(inlines=False)
def random_unvisited(tree: Any, first: int, end: int, luck: int) -> tuple[int, int]:
    """One of the unvisited children, all equally likely; the visited ones lie before them."""
    low, high = first, end - 1
    while low < high:
        middle = (low + high) // 2
        if tree.visits[middle] == 0:
            high = middle
        else:
            low = middle + 1
    luck = next_luck(luck)
    other = low + below(luck, end - low)
    swap_unvisited(tree, low, other)
    return low, luck


@kernel(inlines=False)
def puct(tree: Any, node: int, c: float, luck: int) -> tuple[int, int]:
    """The child with the largest mean + c * prior * sqrt(visits of the node) / (1 + visits of the child).

    Silver et al., Mastering the game of Go without human knowledge, Nature 550, 2017. An unvisited child has the
    mean of the node. A proven outcome takes the place of the mean, and a proven loss is never
    selected. The random state is not used.
    """
    first, end = tree.first_child[node], tree.first_child[node] + tree.child_count[node]
    side = 1.0 - 2.0 * tree.mover[node]
    share = c * math.sqrt(tree.visits[node])
    unvisited = tree.value_sum[node] / max(tree.visits[node], 1)
    best, chosen = -np.inf, first
    for child in range(first, end):
        visits, proven = tree.visits[child], tree.proven[child]
        mean = unvisited
        if proven != UNPROVEN:
            mean = float(proven - DRAWN)
        elif visits > 0:
            mean = tree.value_sum[child] / visits
        score = side * mean + share * tree.prior[child] / (1.0 + visits)
        if proven != UNPROVEN and side * mean < 0.0:
            score = -np.inf
        if score > best:
            best, chosen = score, child
    return chosen, luck


@kernel(inlines=False)
def sample_outcome(tree: Any, node: int, luck: int) -> tuple[int, int]:
    """A child of a chance node, drawn by the odds, which are the priors of its children: an impossible one never."""
    luck = next_luck(luck)
    rest, chosen = luck / 2**32, tree.first_child[node]
    for child in range(tree.first_child[node], tree.first_child[node] + tree.child_count[node]):
        share = tree.prior[child]
        if share > 0.0:
            chosen = child
            if rest < share:
                break
            rest -= share
    return chosen, luck


#: The selection rules, by their names in `SearchSettings.select`.
SELECTION_RULES: dict[str, Kernel[..., tuple[int, int]]] = {"uct": uct, "puct": puct}


def ranked_children(tree: Tree, node: int) -> npt.NDArray[np.int64]:
    """The children of a node, best first, int64[children].

    Proven wins come first, proven losses last. The others are ordered by visits, then by mean, then by move number.
    """
    children = np.arange(tree.first_child[node], tree.first_child[node] + tree.child_count[node], dtype=np.int64)
    keys = (tree.move[children], -mean_values(tree, node, children), -tree.visits[children])
    return children[np.lexsort((*keys, -proven_signs(tree, node, children)))]


def sample_child(
    tree: Tree, node: int, ranked: npt.NDArray[np.int64], temperature: float, rng: np.random.Generator
) -> int:
    """The first of the ranked children; with a temperature, one drawn in proportion to visits ** (1 / temperature).

    A child is drawn from those with the proven sign of the first one only: a proven loss never unless all moves lose.
    """
    signs = proven_signs(tree, node, ranked)
    candidates = ranked[signs == signs[0]]
    visits = tree.visits[candidates] / max(tree.visits[candidates].max(), 1)
    if not temperature or not visits.any():
        return int(ranked[0])
    weights = visits ** (1.0 / temperature)
    return int(rng.choice(candidates, p=weights / weights.sum()))


def proven_signs(tree: Tree, node: int, children: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """For the mover of `node`, int64[children]: 1 a proven win, -1 a proven loss, 0 anything else."""
    won, lost = (WON, LOST) if tree.mover[node] == 0 else (LOST, WON)
    proven = tree.proven[children]
    return (proven == won).astype(np.int64) - (proven == lost)


def mean_values(tree: Tree, node: int, nodes: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """The mean or proven outcomes of `nodes` for the mover of `node`, float64[nodes]; -1 for unvisited ones."""
    side = 1.0 - 2.0 * tree.mover[node]
    proven, visits = tree.proven[nodes], tree.visits[nodes]
    mean = np.where(proven == UNPROVEN, tree.value_sum[nodes] / np.maximum(visits, 1), proven - float(DRAWN))
    return np.where((visits > 0) | (proven != UNPROVEN), side * mean, -1.0)


def principal_variation(tree: Tree) -> tuple[int, ...]:
    """The best move, the best answer, and so on, as far as the tree was searched, and up to a chance decision."""
    line, node = [], ROOT
    while tree.first_child[node] != NO_CHILDREN and tree.mover[node] != CHANCE:
        node = int(ranked_children(tree, node)[0])
        if tree.visits[node] == 0 and tree.proven[node] == UNPROVEN:
            break
        line.append(int(tree.move[node]))
    return tuple(line)
