"""Carrying the value of a leaf up to the root, and with it what is proven.

A node is proven by its children (`prove_kernel`). Positions that are proven also go into a table, so that
what one branch proves holds wherever else the position occurs. That table is int64[rows]: a row is a key
of 61 bits and, in the two lowest bits, the outcome as in `Tree.proven`. A new proof replaces the row's old one.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.game import CHANCE, Game
from rulebots.kernel import Kernel, kernel
from rulebots.search.mcts.tree import DRAWN, LOST, ROOT, UNPROVEN, WON
from rulebots.search.transposition import key_of

#: Rows of the table of a search that shares its proofs: 2 MB.
PROOF_ROWS = 1 << 18
_OUTCOME = 3


def backpropagate_batch_kernel(game: Game) -> Kernel[..., None]:
    """A kernel `(tree, workspace, count, virtual_loss)` that backpropagates workspace.values[:count]."""
    backpropagate = backpropagate_kernel(game)

    @kernel(inlines=False)
    def backpropagate_batch(tree: Any, workspace: Any, count: int, virtual_loss: float) -> None:
        for leaf in range(count):
            backpropagate(tree, workspace, leaf, virtual_loss)

    return backpropagate_batch


def backpropagate_kernel(game: Game) -> Kernel[..., None]:
    """A kernel `(tree, workspace, leaf, virtual_loss)`: backpropagates one value and stores the positions it proves."""
    play, add_value = game.play, add_value_kernel(game)

    @kernel(inlines=False)
    def backpropagate(tree: Any, workspace: Any, leaf: int, virtual_loss: float) -> None:
        path, length, state = workspace.paths[leaf], workspace.lengths[leaf], workspace.states[leaf]
        add_value(tree, path, length, workspace.values[leaf], virtual_loss)
        if workspace.proofs.shape[0] == 0 or length < 2 or tree.proven[path[length - 2]] == UNPROVEN:
            return
        workspace.states[leaf] = workspace.root[0]
        for i in range(1, length):
            play(state, tree.move[path[i]])
            if tree.proven[path[i]] != UNPROVEN:
                store_proof(workspace.proofs, workspace.words, leaf, tree.proven[path[i]])

    return backpropagate


@functools.cache
def add_value_kernel(game: Game) -> Kernel[..., None]:
    """A kernel `(tree, path, length, value, virtual_loss)`: adds a value to all nodes of a path.

    It takes the place of the virtual losses, and proves what the last node of the path proves.
    """
    chance, prove = game.chance, prove_kernel(game)

    @kernel(inlines=False)
    def add_value(tree: Any, path: Any, length: int, value: float, virtual_loss: float) -> None:
        tree.value_sum[ROOT] += value
        for i in range(1, length):
            side = 1.0 - 2.0 * tree.mover[path[i - 1]]
            if chance and tree.mover[path[i - 1]] == CHANCE:
                side = 0.0
            tree.value_sum[path[i]] += value + side * virtual_loss
        i = length - 1
        while i > 0 and tree.proven[path[i]] != UNPROVEN:
            i -= 1
            if tree.proven[path[i]] == UNPROVEN:
                tree.proven[path[i]] = prove(tree, path[i])

    return add_value


@functools.cache
def cancel_visits_kernel(game: Game) -> Kernel[..., None]:
    """A kernel `(tree, path, length, virtual_loss)`: undoes the visits and virtual losses of a path."""
    chance = game.chance

    @kernel(inlines=False)
    def cancel_visits(tree: Any, path: Any, length: int, virtual_loss: float) -> None:
        tree.visits[ROOT] -= 1
        for i in range(1, length):
            tree.visits[path[i]] -= 1
            side = 1.0 - 2.0 * tree.mover[path[i - 1]]
            if chance and tree.mover[path[i - 1]] == CHANCE:
                side = 0.0
            tree.value_sum[path[i]] += side * virtual_loss

    return cancel_visits


def prove_kernel(game: Game) -> Kernel[..., int]:
    """A kernel `(tree, node) -> int`: what the children of a node prove, where a seat moves and where chance does."""
    if not game.chance:
        return proven_by_children

    @kernel(inlines=False)
    def prove(tree: Any, node: int) -> int:
        return proven_by_outcomes(tree, node) if tree.mover[node] == CHANCE else proven_by_children(tree, node)

    return prove


@kernel(inlines=False)
def proven_by_outcomes(tree: Any, node: int) -> int:
    """What the children of a chance node prove: something only if all that are possible prove the same."""
    common = UNPROVEN
    for child in range(tree.first_child[node], tree.first_child[node] + tree.child_count[node]):
        if tree.prior[child] > 0.0:
            proven = tree.proven[child]
            if proven == UNPROVEN:
                return UNPROVEN
            if common == UNPROVEN:
                common = proven
            elif common != proven:
                return UNPROVEN
    return common


@kernel(inlines=False)
def proven_by_children(tree: Any, node: int) -> int:
    """What the children of a seat's node prove: a win if one of them is won for it, else the best outcome of all.

    While one of them is not proven, they prove a win or nothing.
    Winands, Bjornsson and Saito, Monte-Carlo Tree Search Solver, CG 2008; draws added.
    """
    won, drawn, open_ = LOST if tree.mover[node] == 1 else WON, False, False
    for child in range(tree.first_child[node], tree.first_child[node] + tree.child_count[node]):
        proven = tree.proven[child]
        if proven == won:
            return won
        drawn |= proven == DRAWN
        open_ |= proven == UNPROVEN
    if open_:
        return UNPROVEN
    return DRAWN if drawn else LOST + WON - won


def new_proof_table(rows: int) -> npt.NDArray[np.int64]:
    """An empty table; `rows` is a power of two, or 0 for a table that stores nothing."""
    return np.zeros(rows, np.int64)


@kernel(inlines=False)
def probe_proof(table: Any, words: Any, row: int) -> int:
    """What is proven of the position words[row], or UNPROVEN."""
    if table.shape[0] == 0:
        return UNPROVEN
    key = key_of(words, row)
    entry = table[(key >> 2) & (table.shape[0] - 1)]
    return int(entry & _OUTCOME) if (entry | _OUTCOME) == (key | _OUTCOME) else UNPROVEN


@kernel(inlines=False)
def store_proof(table: Any, words: Any, row: int, outcome: int) -> None:
    """Store what is proven of the position words[row]."""
    if table.shape[0] > 0:
        key = key_of(words, row)
        table[(key >> 2) & (table.shape[0] - 1)] = (key & ~_OUTCOME) | int(outcome)
