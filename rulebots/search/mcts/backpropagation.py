"""Carrying the value of a leaf up to the root, and with it what is proven.

A node is proven by its children (`prove_kernel`). Positions that are proven also go into a table, so that
what one branch proves holds wherever else the position occurs. That table is int64[rows, 2]: a row is a key
of 63 bits (see transposition.py) and the proof, `epoch << 17 | distance << 2 | outcome`, the last two as in `Tree`. A
new proof replaces the row's old one. Proofs of another epoch do not count: a search that begins with an empty tree
begins an epoch, so that it is the same search whatever was searched before.
"""

from __future__ import annotations

import functools
from typing import Any

from rulebots.game import CHANCE, Game
from rulebots.kernel import Kernel, kernel
from rulebots.search.mcts.returns import HALF, settle
from rulebots.search.mcts.tree import DRAWN, LOST, MOST_DISTANCE, ROOT, UNPROVEN, WON
from rulebots.search.transposition import key_of

#: Rows of the table: 4 MB, of which only what is written takes memory.
PROOF_ROWS = 1 << 18
_OUTCOME = 3
_DISTANCE = 2
_EPOCH = 17


@functools.cache
def backpropagate_batch_kernel(game: Game, *, per_seat: bool = False) -> Kernel[..., None]:
    """A kernel `(tree, workspace, count, virtual_loss)` that backpropagates workspace.values[:count]."""
    backpropagate = backpropagate_kernel(game, per_seat=per_seat)

    @kernel(inlines=False)
    def backpropagate_batch(tree: Any, workspace: Any, count: int, virtual_loss: float) -> None:
        if per_seat:
            virtual_loss *= workspace.scale[HALF]
        for leaf in range(count):
            backpropagate(tree, workspace, leaf, virtual_loss)

    return backpropagate_batch


@functools.cache
def backpropagate_kernel(game: Game, *, per_seat: bool) -> Kernel[..., None]:
    """A kernel `(tree, workspace, leaf, virtual_loss)`: backpropagates one value and stores the positions it proves."""
    if per_seat:
        return backpropagate_returns
    play = game.play
    add_value = add_value_kernel(game)

    @kernel(inlines=False)
    def backpropagate(tree: Any, workspace: Any, leaf: int, virtual_loss: float) -> None:
        path = workspace.paths[leaf]
        length = workspace.lengths[leaf]
        state = workspace.states[leaf]
        add_value(tree, path, length, workspace.values[leaf], virtual_loss)
        if length < 2 or tree.proven[path[length - 2]] == UNPROVEN:
            return
        workspace.states[leaf] = workspace.root[0]
        for i in range(1, length):
            play(state, tree.move[path[i]])
            if tree.proven[path[i]] != UNPROVEN:
                store_proof(workspace, leaf, tree, path[i])

    return backpropagate


@functools.cache
def add_value_kernel(game: Game) -> Kernel[..., None]:
    """A kernel `(tree, path, length, value, virtual_loss)`: adds a value to all nodes of a path.

    It takes the place of the virtual losses, and proves what the last node of the path proves.
    """
    chance = game.chance
    prove = prove_kernel(game)

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
                prove(tree, path[i])

    return add_value


@kernel(inlines=False)
def backpropagate_returns(tree: Any, workspace: Any, leaf: int, virtual_loss: float) -> None:
    """Backpropagate a return for each seat; nothing is proven."""
    settle(workspace, leaf)
    path = workspace.paths[leaf]
    returns = workspace.values[leaf]
    for i in range(workspace.lengths[leaf]):
        for seat in range(returns.shape[0]):
            tree.value_sum[path[i], seat] += returns[seat]
        if i > 0 and tree.mover[path[i - 1]] >= 0:
            tree.value_sum[path[i], tree.mover[path[i - 1]]] += virtual_loss


@functools.cache
def add_loss_kernel(game: Game, *, per_seat: bool) -> Kernel[..., None]:
    """A kernel `(tree, parent, node, loss)`: takes a virtual loss from a node's sum for the seat that chose it."""
    chance = game.chance
    if per_seat:

        @kernel
        def add_to_seat(tree: Any, parent: int, node: int, loss: float) -> None:
            if tree.mover[parent] >= 0:
                tree.value_sum[node, tree.mover[parent]] -= loss

        return add_to_seat

    @kernel
    def add_to_value(tree: Any, parent: int, node: int, loss: float) -> None:
        side = 1.0 - 2.0 * tree.mover[parent]
        if chance and tree.mover[parent] == CHANCE:
            side = 0.0
        tree.value_sum[node] -= side * loss

    return add_to_value


@functools.cache
def cancel_visits_kernel(game: Game, *, per_seat: bool) -> Kernel[..., None]:
    """A kernel `(tree, path, length, virtual_loss)`: undoes the visits and virtual losses of a path."""
    add_loss = add_loss_kernel(game, per_seat=per_seat)

    @kernel(inlines=False)
    def cancel_visits(tree: Any, path: Any, length: int, virtual_loss: float) -> None:
        tree.visits[ROOT] -= 1
        for i in range(1, length):
            tree.visits[path[i]] -= 1
            add_loss(tree, path[i - 1], path[i], -virtual_loss)

    return cancel_visits


@functools.cache
def prove_kernel(game: Game) -> Kernel[..., None]:
    """A kernel `(tree, node)`: notes what the children of a node prove, where a seat moves and where chance does."""
    if not game.chance:
        return prove_by_children

    @kernel(inlines=False)
    def prove(tree: Any, node: int) -> None:
        if tree.mover[node] == CHANCE:
            prove_by_outcomes(tree, node)
        else:
            prove_by_children(tree, node)

    return prove


@kernel(inlines=False)
def prove_by_outcomes(tree: Any, node: int) -> None:
    """Note what the children of a chance node prove: something only if all that are possible prove the same."""
    common = UNPROVEN
    longest = 0
    for child in range(tree.first_child[node], tree.first_child[node] + tree.child_count[node]):
        if tree.prior[child] > 0.0:
            proven = tree.proven[child]
            if proven == UNPROVEN:
                return
            if common == UNPROVEN:
                common = proven
            elif common != proven:
                return
            longest = max(longest, tree.distance[child])
    if common != UNPROVEN:
        tree.proven[node] = common
        tree.distance[node] = min(longest + 1, MOST_DISTANCE)


@kernel(inlines=False)
def prove_by_children(tree: Any, node: int) -> None:
    """Note what the children of a seat's node prove: a win if one of them is won for it, else the best outcome of all.

    While one of them is not proven, they prove a win or nothing. The shortest win counts, and the longest of anything
    else. Winands, Bjornsson and Saito, Monte-Carlo Tree Search Solver, CG 2008; draws and distances added.
    """
    won = LOST if tree.mover[node] == 1 else WON
    drawn = False
    open_ = False
    shortest = MOST_DISTANCE + 1
    longest = 0
    longest_draw = 0
    for child in range(tree.first_child[node], tree.first_child[node] + tree.child_count[node]):
        proven = tree.proven[child]
        distance = tree.distance[child]
        if proven == won:
            shortest = min(shortest, distance)
        elif proven == UNPROVEN:
            open_ = True
        elif proven == DRAWN:
            drawn = True
            longest_draw = max(longest_draw, distance)
        else:
            longest = max(longest, distance)
    if shortest <= MOST_DISTANCE:
        tree.proven[node] = won
        tree.distance[node] = min(shortest + 1, MOST_DISTANCE)
    elif open_:
        return
    elif drawn:
        tree.proven[node] = DRAWN
        tree.distance[node] = min(longest_draw + 1, MOST_DISTANCE)
    else:
        tree.proven[node] = LOST + WON - won
        tree.distance[node] = min(longest + 1, MOST_DISTANCE)


@kernel(inlines=False)
def recall_proof(workspace: Any, row: int, tree: Any, node: int) -> None:
    """Note what the table says of a node whose position is workspace.words[row], if it says anything."""
    key = key_of(workspace.words, row, workspace.position)
    slot = key & (workspace.proofs.shape[0] - 1)
    proof = workspace.proofs[slot, 1]
    if workspace.proofs[slot, 0] == key and proof >> _EPOCH == workspace.epoch[0]:
        tree.proven[node] = proof & _OUTCOME
        tree.distance[node] = (proof >> _DISTANCE) & 0x7FFF


@kernel(inlines=False)
def store_proof(workspace: Any, row: int, tree: Any, node: int) -> None:
    """Store what is proven of a node whose position is workspace.words[row]."""
    key = key_of(workspace.words, row, workspace.position)
    slot = key & (workspace.proofs.shape[0] - 1)
    proof = (workspace.epoch[0] << _EPOCH) | (int(tree.distance[node]) << _DISTANCE) | int(tree.proven[node])
    workspace.proofs[slot, 0] = key
    workspace.proofs[slot, 1] = proof
