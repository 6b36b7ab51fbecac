"""Which child a simulation goes on to: UCT and PUCT, with what is proven taken into account."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rulebots.kernel import kernel
from rulebots.random_numbers import below, next_luck
from rulebots.search.mcts.tree import DRAWN, UNPROVEN, swap_blank


@kernel
def uct(tree: Any, node: int, c: float, luck: int) -> tuple[int, int]:
    """The child with the best mean + c * sqrt(ln(visits of the node) / visits of the child), and the next luck.

    Children not visited yet come first, in random order: UCB1 on trees, Kocsis and Szepesvari, ECML 2006.
    Means are the mover's, from -1 to 1. What is proven counts as proven, and a proven loss never.
    """
    first, end = tree.first[node], tree.first[node] + tree.children[node]
    while tree.visits[end - 1] == 0 and tree.proven[end - 1] not in (UNPROVEN, DRAWN):
        end -= 1  # lost, and known to be when the children were made
    if tree.visits[end - 1] == 0:
        return untried(tree, first, end, luck)
    side = 1.0 - 2.0 * tree.mover[node]
    log = math.log(tree.visits[node])
    best, chosen = -np.inf, first
    for child in range(first, end):
        visits, proven = tree.visits[child], tree.proven[child]
        mean = tree.total[child] / visits if proven == UNPROVEN else float(proven - DRAWN)
        score = side * mean + c * math.sqrt(log / visits)
        if proven != UNPROVEN and side * mean < 0.0:
            score = -np.inf
        if score > best:
            best, chosen = score, child
    return chosen, luck


@kernel
def untried(tree: Any, first: int, end: int, luck: int) -> tuple[int, int]:
    """Any of the blank children, all equally likely, and the next luck; those visited stand in front."""
    low, high = first, end - 1
    while low < high:
        middle = (low + high) // 2
        if tree.visits[middle] == 0:
            high = middle
        else:
            low = middle + 1
    luck = next_luck(luck)
    other = low + below(luck, end - low)
    swap_blank(tree, low, other)
    return low, luck


@kernel
def puct(tree: Any, node: int, c: float, luck: int) -> tuple[int, int]:
    """The child with the best mean + c * prior * sqrt(visits of the node) / (1 + visits of the child); luck as it was.

    Silver et al., Nature 550, 2017. A child not visited yet has the mean of the node. What is proven
    counts as proven, and a proven loss never.
    """
    first, end = tree.first[node], tree.first[node] + tree.children[node]
    side = 1.0 - 2.0 * tree.mover[node]
    share = c * math.sqrt(tree.visits[node])
    unvisited = tree.total[node] / max(tree.visits[node], 1)
    best, chosen = -np.inf, first
    for child in range(first, end):
        visits, proven = tree.visits[child], tree.proven[child]
        mean = unvisited
        if proven != UNPROVEN:
            mean = float(proven - DRAWN)
        elif visits > 0:
            mean = tree.total[child] / visits
        score = side * mean + share * tree.prior[child] / (1.0 + visits)
        if proven != UNPROVEN and side * mean < 0.0:
            score = -np.inf
        if score > best:
            best, chosen = score, child
    return chosen, luck
