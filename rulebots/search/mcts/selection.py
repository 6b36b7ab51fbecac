"""Choosing a child: UCT and PUCT during the simulations, by rank or at random once they are done.

Within the tree a selection rule is a kernel `(tree, node, c, luck) -> (child, luck)`, where `luck` is the random state.
At a chance node `sample_outcome` draws a child.
"""

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rulebots.game import CHANCE, Bools, Floats, Ints
from rulebots.game.random_numbers import below, next_luck
from rulebots.kernel import Kernel, kernel
from rulebots.search.mcts.tree import DRAWN, NO_CHILDREN, UNPROVEN, Tree, swap_unvisited
from rulebots.search.player import GATE, convincing


@kernel
def known(proven: int, seat: int) -> float:
    """A proven outcome for a seat."""
    return (1.0 - 2.0 * seat) * float(proven - DRAWN)


@functools.cache
def total_kernel(*, per_seat: bool) -> Kernel[..., float]:
    """A kernel `(tree, node, seat) -> float`: the sum of a node's values for a seat."""

    @kernel
    def total(tree: Any, node: int, seat: int) -> float:
        if per_seat:
            return tree.value_sum[node, seat]
        return (1.0 - 2.0 * seat) * tree.value_sum[node]

    return total


@functools.cache
def uct_kernel(*, per_seat: bool) -> Kernel[..., tuple[int, int]]:
    """The selection rule UCT."""
    total = total_kernel(per_seat=per_seat)

    @kernel(inlines=False)
    def uct(tree: Any, node: int, c: float, luck: int) -> tuple[int, int]:
        """The child with the largest mean + c * sqrt(ln(visits of the node) / visits of the child).

        UCB1 applied to trees: Kocsis and Szepesvari, Bandit based Monte-Carlo Planning, ECML 2006. Unvisited children
        come first, in random order. Means are the mover's. A proven outcome takes the place of the mean, and a proven
        loss is never selected.
        """
        first = tree.first_child[node]
        end = tree.first_child[node] + tree.child_count[node]
        while tree.visits[end - 1] == 0 and tree.proven[end - 1] not in (UNPROVEN, DRAWN):
            end -= 1  # `expand_kernel` has put the proven losses last
        if tree.visits[end - 1] == 0:
            return random_unvisited(tree, first, end, luck)
        mover = tree.mover[node]
        log = math.log(tree.visits[node])
        best = -np.inf
        chosen = first
        for child in range(first, end):
            visits = tree.visits[child]
            proven = tree.proven[child]
            mean = known(proven, mover) if proven != UNPROVEN and not per_seat else total(tree, child, mover) / visits
            score = mean + c * math.sqrt(log / visits)
            if not per_seat and proven != UNPROVEN and mean < 0.0:
                score = -np.inf
            if score > best:
                best = score
                chosen = child
        return chosen, luck

    return uct


@kernel(inlines=False)
def random_unvisited(tree: Any, first: int, end: int, luck: int) -> tuple[int, int]:
    """One of the unvisited children, all equally likely; the visited ones lie before them."""
    low = first
    high = end - 1
    while low < high:
        middle = (low + high) // 2
        if tree.visits[middle] == 0:
            high = middle
        else:
            low = middle + 1
    luck = next_luck(luck)
    swap_unvisited(tree, low, low + below(luck, end - low))
    return low, luck


@functools.cache
def puct_kernel(*, per_seat: bool) -> Kernel[..., tuple[int, int]]:
    """The selection rule PUCT."""
    total = total_kernel(per_seat=per_seat)

    @kernel(inlines=False)
    def puct(tree: Any, node: int, c: float, luck: int) -> tuple[int, int]:
        """The child with the largest mean + c * prior * sqrt(visits of the node) / (1 + visits of the child).

        Silver et al., Mastering the game of Go without human knowledge, Nature 550, 2017. An unvisited child has the
        mean of the node. A proven outcome takes the place of the mean, and a proven loss is never
        selected. The random state is not used.
        """
        first = tree.first_child[node]
        end = tree.first_child[node] + tree.child_count[node]
        mover = tree.mover[node]
        share = c * math.sqrt(tree.visits[node])
        unvisited = total(tree, node, mover) / max(tree.visits[node], 1)
        best = -np.inf
        chosen = first
        for child in range(first, end):
            visits = tree.visits[child]
            proven = tree.proven[child]
            mean = unvisited
            if proven != UNPROVEN and not per_seat:
                mean = known(proven, mover)
            elif visits > 0:
                mean = total(tree, child, mover) / visits
            score = mean + share * tree.prior[child] / (1.0 + visits)
            if not per_seat and proven != UNPROVEN and mean < 0.0:
                score = -np.inf
            if score > best:
                best = score
                chosen = child
        return chosen, luck

    return puct


@kernel(inlines=False)
def sample_outcome(tree: Any, node: int, luck: int) -> tuple[int, int]:
    """A child of a chance node, drawn by the odds, which are the priors of its children: an impossible one never."""
    luck = next_luck(luck)
    rest = luck / 2**32
    chosen = tree.first_child[node]
    for child in range(tree.first_child[node], tree.first_child[node] + tree.child_count[node]):
        share = tree.prior[child]
        if share > 0.0:
            chosen = child
            if rest < share:
                break
            rest -= share
    return chosen, luck


#: What makes the selection rules, by their names in `SearchSettings.select`.
SELECTION_RULES: dict[str, Callable[..., Kernel[..., tuple[int, int]]]] = {"uct": uct_kernel, "puct": puct_kernel}


class Ranking(NamedTuple):
    """The children of a node, best first.

    Proven wins come first, the shortest one before the others; proven losses last, the longest one before the others.
    Anything else is ordered by visits, then by value, by prior, and by move number.
    """

    #: int64[children]: the moves to them.
    moves: Ints
    #: int64[children]: their visits.
    visits: Ints
    #: float64[children]: their means or proven outcomes for the mover of the node; -1 for unvisited ones.
    values: Floats
    #: int64[children]: 1 a proven win for that mover, -1 a proven loss, 0 anything else.
    signs: Ints
    #: bool[children]: whether the value is proven.
    proven: Bools
    #: int64[children]: in how many plies, the move to the child included, a proven outcome comes; else 0.
    distances: Ints
    #: float32[children]: the priors.
    priors: npt.NDArray[np.float32]


def in_order(children: Ranking) -> Ranking:
    """Children in no order yet, ranked."""
    wins = children.signs * children.distances
    order: Any = np.lexsort(
        (children.moves, -children.priors, -children.values, -children.visits, wins, -children.signs)
    )
    return Ranking(*(array[order] for array in children))


def ranking(tree: Tree, node: int) -> Ranking:
    """The children of an expanded node in their order."""
    children = slice(tree.first_child[node], tree.first_child[node] + tree.child_count[node])
    mover = int(tree.mover[node])
    outcomes = tree.proven[children]
    visits = tree.visits[children]
    proven = outcomes != UNPROVEN
    side = 1 - 2 * mover
    sums = tree.value_sum[children]
    if per_seat := sums.ndim > 1:
        side = 1
        sums = sums[:, mover]
    signs = np.where(proven, outcomes.astype(np.int64) - DRAWN, 0) * side
    means = np.where(visits > 0, side * sums / np.maximum(visits, 1), -1.0)
    distances = np.where(proven, tree.distance[children] + 1, 0).astype(np.int64)
    return in_order(
        Ranking(
            tree.move[children].astype(np.int64),
            visits.astype(np.int64),
            np.where(proven & (not per_seat), signs, means),
            signs,
            proven,
            distances,
            tree.prior[children],
        )
    )


def without_luck(children: Ranking, middle: float = 0.0, half: float = 1.0) -> Ranking:
    """The same ranking, but the guide's move comes first unless the best one's gain is `convincing`.

    The guide's move has the largest prior. With dice, the means of a few hundred simulations differ by luck, and a
    search that follows each of them is weaker than its guide. Proven wins and losses are not luck. Values are
    from `middle` - `half` to `middle` + `half`.
    """
    guided = int(children.priors.argmax())
    if not guided or children.signs[0] > 0 or children.signs[guided] < 0 or not children.visits[guided]:
        return children
    values = (children.values[[0, guided]] - middle) / half
    variances = (1.0 - values**2) / np.maximum(children.visits[[0, guided]], 1)
    # Values are from -1 to 1, returns from 0 to 1.
    gain = (values[0] - values[1]) / 2
    error = math.sqrt(variances.sum()) / 2
    if convincing(np.array([gain]), np.array([error]), GATE)[0]:
        return children
    order = np.concatenate([[guided], np.delete(np.arange(len(children.moves)), guided)])
    return Ranking(*(array[order] for array in children))


def move_probabilities(visits: npt.NDArray[np.integer], signs: Ints, temperature: float) -> Floats:
    """The probability of each move to be chosen, float64[moves], by the visits and proven signs of a `Ranking`.

    In proportion to visits ** (1 / temperature), among the moves whose proven sign is that of the first one: a proven
    loss never, unless all lose. Without a temperature, and where a win or a loss is proven, the first one is chosen.
    """
    open_visits = np.where(signs == 0, visits, 0).astype(np.float64)
    probabilities = np.zeros(len(visits))
    if not temperature or signs[0] or not open_visits.any():
        probabilities[0] = 1.0
        return probabilities
    weights = (open_visits / open_visits.max()) ** (1.0 / temperature)
    return np.asarray(weights / weights.sum())


@functools.cache
def mean_kernel(*, per_seat: bool) -> Kernel[..., float]:
    """A kernel `(tree, node, child) -> float`: a child's mean or proven outcome for the mover of `node`.

    -1 where there is neither.
    """
    total = total_kernel(per_seat=per_seat)

    @kernel
    def mean_of(tree: Any, node: int, child: int) -> float:
        if tree.proven[child] != UNPROVEN and not per_seat:
            return known(tree.proven[child], tree.mover[node])
        return total(tree, child, tree.mover[node]) / tree.visits[child] if tree.visits[child] > 0 else -1.0

    return mean_of


@functools.cache
def line_kernel(*, per_seat: bool) -> Kernel[..., int]:
    """A kernel `(tree, node, line) -> length` that writes a node's best move, the best answer, and so on into `line`.

    `line` is int64[n]. It is as long as the searched tree and `line` allow, and ends at a chance decision. The order is
    that of `Ranking`.
    """
    mean_of = mean_kernel(per_seat=per_seat)

    @kernel
    def rank_of(tree: Any, node: int, child: int) -> tuple[int, int, int, float, float, int]:
        side = 1 - 2 * tree.mover[node]
        sign = side * (tree.proven[child] - DRAWN) if tree.proven[child] != UNPROVEN else 0
        late = -sign * tree.distance[child]
        return sign, late, tree.visits[child], mean_of(tree, node, child), tree.prior[child], -tree.move[child]

    @kernel
    def principal_variation(tree: Any, node: int, line: Any) -> int:
        length = 0
        while tree.first_child[node] != NO_CHILDREN and tree.mover[node] != CHANCE and length < line.shape[0]:
            best = tree.first_child[node]
            for child in range(best + 1, best + tree.child_count[node]):
                if rank_of(tree, node, child) > rank_of(tree, node, best):
                    best = child
            if tree.visits[best] == 0 and tree.proven[best] == UNPROVEN:
                break
            node = best
            line[length] = tree.move[node]
            length += 1
        return length

    return principal_variation
