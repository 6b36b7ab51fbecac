"""What a finished game is worth, and how that is carried from a leaf up to the root, with what it proves.

Two seats that play for the win share one value, the outcome for seat 0. At any other table each seat has a return of
its own, and each node is chosen by its mover's (max^n: Luckhart and Irani, An Algorithmic Solution of N-Person Games,
AAAI 1986). Returns are what `worth_kernel` says: shares of the win and places are stretched to -1 to 1. Points have no
known range. The tree counts them from the first return it meets and is scaled to them: the exploration term, and what a
pending simulation loses, are in units of half the spread of all returns so far.

A node is proven by its children (`prove_kernel`). Proven positions also go into a table, so that what one branch proves
holds wherever else the position occurs. The table is int64[rows, 2]: a row is a key of 63 bits (see transposition.py)
and the proof, `epoch << 17 | distance << 2 | outcome`, the last two as in `Tree`. A new proof replaces the row's old
one. Proofs of another epoch do not count: a search with an empty tree begins an epoch, so that it is the same search
whatever was searched before.
"""

import functools
from typing import Any

import numpy as np

from rulebots.game import CHANCE, Floats, Game
from rulebots.game.seats import seats_kernel, worth_kernel
from rulebots.kernel import Kernel, kernel
from rulebots.search.mcts.tree import DRAWN, LOST, MOST_DISTANCE, ROOT, UNPROVEN, WON
from rulebots.search.transposition import key_of

#: Rows of the table: 4 MB, of which only what is written takes memory.
PROOF_ROWS = 1 << 18
_OUTCOME = 3
_DISTANCE = 2
_EPOCH = 17
#: The elements of `SearchWorkspace.scale`: half the spread of returns, as it counts for the batch in progress; the
#: return that is 0 in the tree, nan before the first; and the least and the greatest so far, counted from that.
HALF, ORIGIN, LOW, HIGH = range(4)


def has_return_per_seat(game: Game, seats: int) -> bool:
    """Whether each seat has a return: at every table but that of two seats that play for the win."""
    return seats != 2 or game.in_points(seats)


def first_scale(game: Game, seats: int) -> Floats:
    """The scale before the first return."""
    if game.in_points(seats):
        return np.array([1.0, np.nan, 0.0, 0.0])
    return np.array([1.0, 0.0, -1.0, 1.0])


@functools.cache
def return_kernel(game: Game, *, per_seat: bool) -> Kernel[..., None]:
    """A kernel `(state, workspace, row)` that writes what a game is worth into workspace.values[row].

    A game that is not over is a draw; where points count, they count as they are.
    """
    points = game.points
    over = game.over
    outcome = outcome_kernel(game)
    seats_of = seats_kernel(game)
    worth = worth_kernel(game)
    counted = game.in_points(2)
    alone = game.fewest_seats == 1

    @kernel(inlines=False)
    def write_return(state: Any, workspace: Any, row: int) -> None:
        if per_seat:
            seats = seats_of(state)
            out = workspace.values[row]
            as_points = counted or (alone and seats == 1)
            known = as_points or over(state)
            for seat in range(seats):
                workspace.points[seat] = points(state, seat) if known else 0
            worth(workspace.points, seats, out)
            if not as_points:
                for seat in range(seats):
                    out[seat] = 2.0 * out[seat] - 1.0
        else:
            workspace.values[row] = outcome(state)

    return write_return


@functools.cache
def outcome_kernel(game: Game) -> Kernel[..., int]:
    """A kernel `(state) -> int`: 1 if seat 0 has won, -1 if it has lost, 0 for a draw or a game that is not over."""
    points = game.points
    over = game.over

    @kernel(inlines=False)
    def outcome(state: Any) -> int:
        if not over(state):
            return 0
        margin = points(state, 0) - points(state, 1)
        return int(margin > 0) - int(margin < 0)

    return outcome


@kernel(inlines=False)
def settle(workspace: Any, row: int) -> None:
    """Count the returns of a row as the tree does, and note their spread.

    If all play against one seat, the others' returns are its loss.
    """
    returns = workspace.values[row]
    scale = workspace.scale
    searcher = workspace.searcher[0]
    if np.isnan(scale[ORIGIN]):
        scale[ORIGIN] = returns[max(searcher, 0)]
    for seat in range(returns.shape[0]):
        returns[seat] -= scale[ORIGIN]
    for seat in range(returns.shape[0]):
        if searcher >= 0 and seat != searcher:
            returns[seat] = -returns[searcher]
        scale[LOW] = min(scale[LOW], returns[seat])
        scale[HIGH] = max(scale[HIGH], returns[seat])


@kernel
def rescale(scale: Any) -> None:
    """Let the returns so far decide how the next batch is scaled."""
    if scale[HIGH] > scale[LOW]:
        scale[HALF] = (scale[HIGH] - scale[LOW]) / 2.0


@functools.cache
def backpropagate_batch_kernel(game: Game, *, per_seat: bool) -> Kernel[..., None]:
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
    """A kernel `(tree, workspace, leaf, virtual_loss)`: backpropagates one value and stores the positions it proves.

    The value takes the place of the virtual losses of the path.
    """
    if per_seat:
        return backpropagate_returns
    play = game.play
    prove = prove_kernel(game)
    chance = game.chance

    @kernel(inlines=False)
    def backpropagate(tree: Any, workspace: Any, leaf: int, virtual_loss: float) -> None:
        path = workspace.paths[leaf]
        length = workspace.lengths[leaf]
        state = workspace.states[leaf]
        value = workspace.values[leaf]
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
        if length < 2 or tree.proven[path[length - 2]] == UNPROVEN:
            return
        workspace.states[leaf] = workspace.root[0]
        for i in range(1, length):
            play(state, tree.move[path[i]])
            if tree.proven[path[i]] != UNPROVEN:
                store_proof(workspace, leaf, tree, path[i])

    return backpropagate


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

    @kernel
    def add_loss(tree: Any, parent: int, node: int, loss: float) -> None:
        mover = tree.mover[parent]
        if chance and mover == CHANCE:
            return
        if per_seat:
            tree.value_sum[node, mover] -= loss
        else:
            tree.value_sum[node] -= (1.0 - 2.0 * mover) * loss

    return add_loss


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
