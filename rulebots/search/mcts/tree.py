"""The search tree as arrays: one array a fact, one entry a node, and moving on to a later root."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rulebots.kernel import kernel

#: What is known of a node for sure, in `Tree.proven`: nothing, or the outcome for seat 0 (-1, 0, 1) plus `DRAWN`.
UNPROVEN, LOST, DRAWN, WON = 0, 1, 2, 3
ROOT = 0
#: In `keep_below`: a node that does not stay.
GONE = -1


class Tree(NamedTuple):
    """Arrays over nodes; `room` entries each, of which the first `used[0]` are nodes. Node 0 is the root.

    A node is the position that a move leads to. The children of a node stand side by side, behind
    it; they are made together, and those not visited yet are blank but for `move`, `prior` and `proven`.
    Values are outcomes from seat 0's side, from -1 (lost) to 1 (won), whoever moves.
    """

    #: int64[1]: how many nodes there are.
    used: npt.NDArray[np.int64]
    #: float64[room]: sum of the values of the simulations that came through the node.
    total: npt.NDArray[np.float64]
    #: int32[room]: simulations that came through the node, those that wait for their value included.
    visits: npt.NDArray[np.int32]
    #: int32[room]: the move that leads to the node.
    move: npt.NDArray[np.int32]
    #: int32[room]: the first child, or 0 where no children have been made.
    first: npt.NDArray[np.int32]
    #: int32[room]: the number of children.
    children: npt.NDArray[np.int32]
    #: float32[room]: the probability that the node's move had among its siblings before any simulation.
    prior: npt.NDArray[np.float32]
    #: int8[room]: whose decision the node is, seat 0 or 1; known once it is visited.
    mover: npt.NDArray[np.int8]
    #: int8[room]: UNPROVEN, or the outcome for seat 0 with best play.
    proven: npt.NDArray[np.int8]


def new_tree(room: int) -> Tree:
    """A tree of one blank root with room for that many nodes.

    The memory is the operating system's until a node is written to: an empty tree costs next to nothing.
    """
    return Tree(
        np.ones(1, np.int64),
        np.zeros(room, np.float64),
        np.zeros(room, np.int32),
        np.zeros(room, np.int32),
        np.zeros(room, np.int32),
        np.zeros(room, np.int32),
        np.zeros(room, np.float32),
        np.zeros(room, np.int8),
        np.zeros(room, np.int8),
    )


def with_room(tree: Tree, room: int) -> Tree:
    """The tree, or where it has less room than that, a copy that has it."""
    if len(tree.visits) >= room:
        return tree
    larger, used = new_tree(room), int(tree.used[0])
    larger.used[0] = used
    for name in Tree._fields[1:]:
        getattr(larger, name)[:used] = getattr(tree, name)[:used]
    return larger


#: Bytes that one node takes.
NODE_BYTES = sum(array.itemsize for array in new_tree(1)[1:])


@kernel
def expand(tree: Any, node: int, moves: Any, n: int, priors: Any) -> int:
    """Give a node its children, one for each of moves[:n], with priors[:n]; the first of them, 0 where is no room."""
    first = tree.used[0]
    if first + n > tree.visits.shape[0]:
        return 0
    tree.used[0] = first + n
    tree.first[node], tree.children[node] = first, n
    for i in range(n):
        tree.move[first + i], tree.prior[first + i] = moves[i], priors[i]
    return first


@kernel
def swap_blank(tree: Any, node: int, other: int) -> None:
    """Let two siblings that are not visited yet change their places."""
    tree.move[node], tree.move[other] = tree.move[other], tree.move[node]
    tree.prior[node], tree.prior[other] = tree.prior[other], tree.prior[node]
    tree.proven[node], tree.proven[other] = tree.proven[other], tree.proven[node]


@kernel
def keep_below(tree: Any, root: int, place: Any) -> None:
    """Make `root` node 0 and forget whatever is not below it; the nodes that stay move to the front.

    `place` is scratch, int32[used]. Children stand behind their parents and nodes keep their order, so
    that the first pass finds what stays, and the last one moves it to the front in place.
    """
    used = tree.used[0]
    for node in range(used):
        place[node] = GONE
    place[root] = 0
    for node in range(root, used):
        if place[node] != GONE:
            for child in range(tree.first[node], tree.first[node] + tree.children[node]):
                place[child] = 0
    count = 0
    for node in range(root, used):
        if place[node] != GONE:
            place[node] = count
            count += 1
    for node in range(root, used):
        to = place[node]
        if to != GONE:
            tree.total[to], tree.visits[to], tree.move[to] = tree.total[node], tree.visits[node], tree.move[node]
            tree.first[to] = place[tree.first[node]] if tree.first[node] > 0 else 0
            tree.children[to], tree.prior[to] = tree.children[node], tree.prior[node]
            tree.mover[to], tree.proven[to] = tree.mover[node], tree.proven[node]
    forget(tree, count)


@kernel
def forget(tree: Any, start: int) -> None:
    """Blank every node from `start` on."""
    for node in range(start, tree.used[0]):
        tree.total[node], tree.visits[node], tree.move[node], tree.first[node] = 0.0, 0, 0, 0
        tree.children[node], tree.prior[node], tree.mover[node], tree.proven[node] = 0, 0.0, 0, 0
    tree.used[0] = start
