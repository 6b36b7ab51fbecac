"""The search tree: an array for each property, an entry for each node; and its reuse from move to move."""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rulebots.game import Floats, Game, Ints, State
from rulebots.kernel import Kernel, kernel, runnable
from rulebots.search.transposition import position_words, records_in_words, same_position

#: The most moves made since the former search, and the most that are replayed, which takes a tenth of a millisecond.
DEPTH = 8
MOST_REPLAYS = 1000
#: What `find_kernel` returns where the position is not in the tree, and the move that stands for any.
NOT_FOUND = -1
ANY_MOVE = -1
#: The index of the root.
ROOT = 0
#: `Tree.first_child` of a node that has not been expanded. The root is not a child of any node.
NO_CHILDREN = 0
#: `Tree.proven`: not proven, or the outcome for seat 0 (-1, 0 or 1) plus `DRAWN`.
UNPROVEN = 0
LOST = 1
DRAWN = 2
WON = 3
#: The largest distance that is counted.
MOST_DISTANCE = 32_000


class Tree(NamedTuple):
    """Arrays over nodes, of shape [capacity]; the first `size[0]` entries are nodes, the first of them the root.

    A node is the position after a move. The children of a node are created together and lie next to each
    other, after their parent. Until its first visit a child has only `move`, `prior` and perhaps
    `proven` and `distance`. All values are outcomes for seat 0, from -1 (lost) to 1 (won), whichever seat moves. Where
    each seat has a return (see backpropagation.py), a node has a sum for each, and `proven` only marks the end of a
    game.
    """

    #: int64[1]: the number of nodes.
    size: Ints
    #: float64[capacity], or float64[capacity, seats] with a return for each: the sum of the values of all simulations
    #: through the node, pending ones as virtual losses.
    value_sum: Floats
    #: int32[capacity]: the number of simulations through the node, pending ones included.
    visits: npt.NDArray[np.int32]
    #: int32[capacity]: the move that leads to the node.
    move: npt.NDArray[np.int32]
    #: int32[capacity]: the index of the first child, or NO_CHILDREN.
    first_child: npt.NDArray[np.int32]
    #: int32[capacity]: the number of children.
    child_count: npt.NDArray[np.int32]
    #: float32[capacity]: the prior probability of the node's move among its siblings; of an outcome, its odds.
    prior: npt.NDArray[np.float32]
    #: int8[capacity]: the seat that moves at the node, or CHANCE; known from the first visit on.
    mover: npt.NDArray[np.int8]
    #: int8[capacity]: UNPROVEN, or the outcome of best play, whatever chance brings: LOST, DRAWN or WON for seat 0.
    proven: npt.NDArray[np.int8]
    #: int16[capacity]: of a proven node, the plies in which that outcome is proven to come: the winner wins no later,
    #: and the loser can last that long against the wins that were found. At most MOST_DISTANCE.
    distance: npt.NDArray[np.int16]


def new_tree(capacity: int, *seats: int) -> Tree:
    """A tree with an unvisited root; with a number of seats, for a return for each.

    The operating system provides the memory when a node is first written: an empty tree costs next to nothing.
    """
    return Tree(
        size=np.ones(1, np.int64),
        value_sum=np.zeros((capacity, *seats), np.float64),
        visits=np.zeros(capacity, np.int32),
        move=np.zeros(capacity, np.int32),
        first_child=np.zeros(capacity, np.int32),
        child_count=np.zeros(capacity, np.int32),
        prior=np.zeros(capacity, np.float32),
        mover=np.zeros(capacity, np.int8),
        proven=np.zeros(capacity, np.int8),
        distance=np.zeros(capacity, np.int16),
    )


def with_capacity(tree: Tree, capacity: int) -> Tree:
    """The tree if its capacity suffices, else a larger copy."""
    if len(tree.visits) >= capacity:
        return tree
    larger = new_tree(capacity, *tree.value_sum.shape[1:])
    size = int(tree.size[0])
    larger.size[0] = size
    for name in Tree._fields[1:]:
        getattr(larger, name)[:size] = getattr(tree, name)[:size]
    return larger


#: Bytes per node.
NODE_BYTES = sum(array.itemsize for array in new_tree(1)[1:])


@kernel
def expand(tree: Any, node: int, moves: Any, n: int, priors: Any) -> int:
    """Create a child for each of moves[:n], with priors[:n].

    Returns the first child; NO_CHILDREN if the tree is full.
    """
    first = tree.size[0]
    if first + n > tree.visits.shape[0]:
        return NO_CHILDREN
    tree.size[0] = first + n
    tree.first_child[node] = first
    tree.child_count[node] = n
    for i in range(n):
        tree.move[first + i] = moves[i]
        tree.prior[first + i] = priors[i]
    return first


@kernel
def swap_unvisited(tree: Any, node: int, other: int) -> None:
    """Swap two unvisited siblings."""
    tree.move[node], tree.move[other] = tree.move[other], tree.move[node]
    tree.prior[node], tree.prior[other] = tree.prior[other], tree.prior[node]
    tree.proven[node], tree.proven[other] = tree.proven[other], tree.proven[node]
    tree.distance[node], tree.distance[other] = tree.distance[other], tree.distance[node]


def keep_subtree(tree: Tree, root: int) -> None:
    """Make `root`, which is another node, the root of the tree and drop every node that is not below it.

    Nodes keep their order, so that children still lie after their parents.
    """
    layers = [np.array([root])]
    while len(layers[-1]):
        counts = tree.child_count[layers[-1]]
        firsts = tree.first_child[layers[-1]] - (counts.cumsum() - counts)
        layers.append(np.repeat(firsts, counts) + np.arange(counts.sum()))
    nodes = np.sort(np.concatenate(layers))
    count = len(nodes)
    places = np.full(tree.size[0], NO_CHILDREN, np.int32)
    places[nodes] = np.arange(count)
    for array in tree[1:]:
        array[:count] = array[nodes]
    tree.first_child[:count] = places[tree.first_child[:count]]
    clear_from(tree, count)


def clear_from(tree: Tree, start: int) -> None:
    """Remove all nodes from `start` on."""
    for array in tree[1:]:
        array[start : tree.size[0]] = 0
    tree.size[0] = start


def find_node(game: Game, tree: Tree, root: State, wanted: State, chosen: int) -> int | None:
    """The visited node of the position `wanted` below the root; None if there is none.

    The search looks below the move `chosen` first, then below all others: so the tree is kept whichever seat moved, and
    however often.
    """
    states, words = records_in_words(game.state, DEPTH + 2)
    states[0] = root
    states[DEPTH + 1] = wanted
    find = compiled_find(game)
    stack = np.zeros((2, DEPTH + 1), np.int64)
    for move in (chosen, ANY_MOVE):
        node = find(tree, states, words, position_words(game), stack, move, MOST_REPLAYS)
        if node != NOT_FOUND:
            return int(node)
    return None


def find_kernel(game: Game) -> Kernel[..., int]:
    """A kernel `(tree, states, words, position, stack, first, most) -> node` that replays at most `most` moves.

    `states` are records[DEPTH + 2], the root's position first and the one to find last, `words` their memory;
    `position` are the game's `PositionWords`; `stack` is int64[2, DEPTH + 1] of scratch. With `first`, the root's move
    has to be this one. Nodes are looked at depth by depth.
    """
    play = game.play

    @kernel(inlines=False)
    def find(tree: Any, states: Any, words: Any, position: Any, stack: Any, first: int, most: int) -> int:
        wanted = states.shape[0] - 1
        replays = 0
        nodes = stack[0]
        following = stack[1]
        for limit in range(1, wanted):
            depth = 0
            nodes[0] = ROOT
            following[0] = tree.first_child[ROOT]
            while depth >= 0:
                node = nodes[depth]
                child = following[depth]
                if tree.first_child[node] == NO_CHILDREN or child == tree.first_child[node] + tree.child_count[node]:
                    depth -= 1
                    continue
                following[depth] += 1
                if tree.visits[child] == 0 or (depth == 0 and first >= 0 and tree.move[child] != first):
                    continue
                if replays == most:
                    return NOT_FOUND
                replays += 1
                depth += 1
                states[depth] = states[depth - 1]
                play(states[depth], tree.move[child])
                if depth < limit:
                    nodes[depth] = child
                    following[depth] = tree.first_child[child]
                    continue
                if same_position(words, depth, wanted, position):
                    return child
                depth -= 1
        return NOT_FOUND

    return find


@functools.cache
def compiled_find(game: Game) -> Callable[..., int]:
    """The kernel of `find_kernel`, compiled or loaded from the cache once per process."""
    states, words = records_in_words(game.state, 1)
    return runnable(
        find_kernel(game),
        new_tree(1),
        states,
        words,
        position_words(game),
        np.zeros((2, DEPTH + 1), np.int64),
        ANY_MOVE,
        0,
    )
