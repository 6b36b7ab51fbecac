"""One simulation after the other: select leaves, value them, back the values up.

The two halves, *select a batch of leaves* and *back up a batch of values*, are kernels specialised
for a game. Between them stands an evaluator: a compiled playout, and then all three run in one
compiled loop, or a Python function that is asked about the whole batch.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rulebots.game import Game, records
from rulebots.kernel import Kernel, kernel
from rulebots.rules import RuleSet
from rulebots.search.mcts.policies import outcome_of, playout, policy
from rulebots.search.mcts.proofs import ROWS, known_outcome, new_proofs, remember
from rulebots.search.mcts.tree import DRAWN, LOST, ROOT, UNPROVEN, WON, expand, swap_blank


class Desk(NamedTuple):
    """What simulations work on besides the tree: the root's position, and a row a leaf of the batch."""

    #: One state record: the position at the root.
    root: Any
    #: State records[batch + 1]: the positions of the leaves, and a spare one.
    states: Any
    #: int64[batch + 1, words]: the memory of `states`.
    words: npt.NDArray[np.int64]
    #: What is proven of positions: see proofs.py.
    proofs: npt.NDArray[np.int64]
    #: int32[batch, ply cap + 1]: the nodes from the root to each leaf.
    paths: npt.NDArray[np.int32]
    #: int64[batch]: how many nodes a path has.
    lengths: npt.NDArray[np.int64]
    #: float64[batch]: the values of the leaves for seat 0, from -1 to 1.
    values: npt.NDArray[np.float64]
    #: int64[move_count]: scratch, the moves of one position.
    moves: npt.NDArray[np.int64]
    #: float64[move_count]: scratch, the chances of these moves.
    chances: npt.NDArray[np.float64]


def new_desk(game: Game, batch: int, *, solve: bool = False) -> Desk:
    """A desk for batches of that many leaves; with `solve` it has room for proofs, and children are looked at."""
    words = np.zeros((batch + 1, -(-game.state.itemsize // 8)), np.int64)
    return Desk(
        records(game.state, 1),
        np.ndarray(batch + 1, np.dtype((np.record, game.state)), words, strides=(words.strides[0],)),
        words,
        new_proofs(ROWS if solve else 0),
        np.zeros((batch, game.ply_cap + 1), np.int32),
        np.zeros(batch, np.int64),
        np.zeros(batch),
        np.zeros(game.move_count, np.int64),
        np.zeros(game.move_count),
    )


def descending(game: Game, pick: Kernel[..., tuple[int, int]]) -> Kernel[..., tuple[int, int]]:
    """A kernel `(tree, state, path, c, loss, luck) -> (length of the path, luck)`: from the root to a leaf.

    `state` is the root's position and becomes the leaf's. Every node of the path counts the visit, and
    all but the root book a loss of that size for the mover who came there, until the value is known
    (*virtual loss*, Chaslot et al., CG 2008): other leaves of the batch then lie elsewhere.
    """
    play, over, outcome = game.play, game.over, outcome_of(game)

    @kernel
    def descend(tree: Any, state: Any, path: Any, c: float, loss: float, luck: int) -> tuple[int, int]:
        node, length = ROOT, 1
        path[0] = ROOT
        tree.visits[ROOT] += 1
        while tree.first[node] > 0 and tree.proven[node] == UNPROVEN and length < path.shape[0]:
            side = 1.0 - 2.0 * tree.mover[node]
            node, luck = pick(tree, node, c, luck)
            tree.visits[node] += 1
            tree.total[node] -= side * loss
            play(state, tree.move[node])
            path[length] = node
            length += 1
        if tree.visits[node] == 1:
            tree.mover[node] = state.mover
            if over(state):
                tree.proven[node] = DRAWN + outcome(state)
        return length, luck

    return descend


@kernel
def back_up(tree: Any, path: Any, length: int, value: float, loss: float) -> None:
    """Book the value of a path's last node in all its nodes, in place of the virtual losses; pass proofs on."""
    tree.total[ROOT] += value
    for i in range(1, length):
        side = 1.0 - 2.0 * tree.mover[path[i - 1]]
        tree.total[path[i]] += value + side * loss
    i = length - 1
    while i > 0 and tree.proven[path[i]] != UNPROVEN:
        i -= 1
        if tree.proven[path[i]] == UNPROVEN:
            tree.proven[path[i]] = proof(tree, path[i])


@kernel
def proof(tree: Any, node: int) -> int:
    """What the children prove of a node: a win with one winning move, else the best outcome once all are proven.

    Winands, Bjornsson and Saito, Monte-Carlo Tree Search Solver, CG 2008; draws added.
    """
    won, drawn, open_ = LOST if tree.mover[node] == 1 else WON, False, False
    for child in range(tree.first[node], tree.first[node] + tree.children[node]):
        proven = tree.proven[child]
        if proven == won:
            return won
        drawn |= proven == DRAWN
        open_ |= proven == UNPROVEN
    if open_:
        return UNPROVEN
    return DRAWN if drawn else LOST + WON - won


def settling(game: Game) -> Kernel[..., None]:
    """A kernel `(tree, desk, row, loss)` that backs up one value, and remembers the positions it proves."""
    play = game.play

    @kernel
    def settle(tree: Any, desk: Any, row: int, loss: float) -> None:
        path, length, state = desk.paths[row], desk.lengths[row], desk.states[row]
        back_up(tree, path, length, desk.values[row], loss)
        if desk.proofs.shape[0] == 0 or length < 2 or tree.proven[path[length - 2]] == UNPROVEN:
            return
        desk.states[row] = desk.root[0]
        for i in range(1, length):
            play(state, tree.move[path[i]])
            if tree.proven[path[i]] != UNPROVEN:
                remember(desk.proofs, desk.words, row, tree.proven[path[i]])

    return settle


@kernel
def take_back(tree: Any, path: Any, length: int, loss: float) -> None:
    """Undo what `descend` booked along a path."""
    tree.visits[ROOT] -= 1
    for i in range(1, length):
        tree.visits[path[i]] -= 1
        tree.total[path[i]] += (1.0 - 2.0 * tree.mover[path[i - 1]]) * loss


def selecting(game: Game, pick: Kernel[..., tuple[int, int]]) -> Kernel[..., tuple[int, int, int]]:
    """The first half: a kernel `(tree, desk, most, c, loss, luck) -> (waiting, made, luck)`.

    It selects up to a batch of different leaves, their paths and positions on the desk, in at most `most`
    simulations. Leaves whose value is proven are backed up at once: `made` counts these too. It
    stops early at a leaf that is waiting already, and when the root is proven.
    """
    descend, settle = descending(game, pick), settling(game)

    @kernel
    def select(tree: Any, desk: Any, most: int, c: float, loss: float, luck: int) -> tuple[int, int, int]:
        waiting, made = 0, 0
        while waiting < desk.lengths.shape[0] and made < most and tree.proven[ROOT] == UNPROVEN:
            path = desk.paths[waiting]
            desk.states[waiting] = desk.root[0]
            length, luck = descend(tree, desk.states[waiting], path, c, loss, luck)
            leaf, again = path[length - 1], False
            if tree.visits[leaf] == 1 and tree.proven[leaf] == UNPROVEN:
                tree.proven[leaf] = known_outcome(desk.proofs, desk.words, waiting)
            for i in range(waiting):
                again |= desk.paths[i, desk.lengths[i] - 1] == leaf
            if again:
                take_back(tree, path, length, loss)
                return waiting, made, luck
            made += 1
            if tree.proven[leaf] != UNPROVEN:
                desk.lengths[waiting], desk.values[waiting] = length, tree.proven[leaf] - DRAWN
                settle(tree, desk, waiting, loss)
            else:
                desk.lengths[waiting] = length
                waiting += 1
        return waiting, made, luck

    return select


def backing_up(game: Game) -> Kernel[..., None]:
    """The second half: a kernel `(tree, desk, waiting, loss)` that backs up `desk.values[:waiting]`."""
    settle = settling(game)

    @kernel
    def back_up_batch(tree: Any, desk: Any, waiting: int, loss: float) -> None:
        for i in range(waiting):
            settle(tree, desk, i, loss)

    return back_up_batch


def expanding(game: Game) -> Kernel[..., None]:
    """A kernel `(tree, desk, node, state, n)` that gives a node children for desk.moves[:n].

    Where proofs are kept it looks at each child: what ends the game, or is proven elsewhere, is proven
    of the child, and so perhaps of the node. Children that lose for their chooser then stand last.
    """
    play, over, outcome = game.play, game.over, outcome_of(game)

    @kernel
    def expand_and_look(tree: Any, desk: Any, node: int, state: Any, n: int) -> None:
        spare = desk.lengths.shape[0]
        first = expand(tree, node, desk.moves, n, desk.chances)
        if first == 0 or desk.proofs.shape[0] == 0:
            return
        child, end = first, first + n
        lost = LOST if tree.mover[node] == 0 else WON
        while child < end:
            desk.states[spare] = state
            position = desk.states[spare]
            play(position, tree.move[child])
            proven = DRAWN + outcome(position) if over(position) else known_outcome(desk.proofs, desk.words, spare)
            tree.proven[child] = proven
            if proven == lost:
                end -= 1
                swap_blank(tree, child, end)
            else:
                child += 1
        tree.proven[node] = proof(tree, node)
        if tree.proven[node] != UNPROVEN:
            desk.states[spare] = state
            remember(desk.proofs, desk.words, spare, tree.proven[node])

    return expand_and_look


def simulating(
    game: Game, pick: Kernel[..., tuple[int, int]], rollout: RuleSet | None, prior: RuleSet | None
) -> Kernel[..., tuple[int, int]]:
    """Both halves with playouts between them: a kernel that simulates batches until `pause` simulations are made.

    First of all it gives the root children, where it has none.
    Its arguments: tree, desk; `most` simulations, never exceeded; pause, c, loss, luck; the guides of
    playouts and priors; and the `visits` after which a leaf gets children. It returns the
    simulations made and the luck.
    """
    select, back_up_batch, expand_and_look = selecting(game, pick), backing_up(game), expanding(game)
    play_out, weigh, moves_of = playout(game, rollout), policy(game, prior), game.moves

    @kernel
    def simulate(
        tree: Any,
        desk: Any,
        most: int,
        pause: int,
        c: float,
        loss: float,
        luck: int,
        rollouts: Any,
        priors: Any,
        visits: int,
    ) -> tuple[int, int]:
        root = desk.root[0]
        if tree.first[ROOT] == 0:
            tree.mover[ROOT] = root.mover
            n = moves_of(root, desk.moves)
            weigh(root, desk.moves, n, luck, priors, desk.chances)
            expand_and_look(tree, desk, ROOT, root, n)
        done = 0
        while done < min(most, pause) and tree.proven[ROOT] == UNPROVEN:
            waiting, made, luck = select(tree, desk, most - done, c, loss, luck)
            for i in range(waiting):
                state, leaf = desk.states[i], desk.paths[i, desk.lengths[i] - 1]
                if tree.visits[leaf] > visits and tree.first[leaf] == 0:
                    n = moves_of(state, desk.moves)
                    weigh(state, desk.moves, n, luck, priors, desk.chances)
                    expand_and_look(tree, desk, leaf, state, n)
                if tree.proven[leaf] != UNPROVEN:
                    desk.values[i] = tree.proven[leaf] - DRAWN
                else:
                    desk.values[i], luck = play_out(state, desk.moves, luck, rollouts, desk.chances)
            back_up_batch(tree, desk, waiting, loss)
            done += made
        return done, luck

    return simulate


def growing(game: Game) -> Kernel[..., None]:
    """A kernel `(tree, desk, waiting, priors, visits)` giving leaves that were visited more often children.

    `priors` is float64[batch, move_count], not negative; of each row only the legal moves count.
    """
    moves_of, expand_and_look = game.moves, expanding(game)

    @kernel
    def grow(tree: Any, desk: Any, waiting: int, priors: Any, visits: int) -> None:
        for i in range(waiting):
            leaf = desk.paths[i, desk.lengths[i] - 1]
            if tree.visits[leaf] <= visits or tree.first[leaf] > 0:
                continue
            n = moves_of(desk.states[i], desk.moves)
            total = 0.0
            for k in range(n):
                total += priors[i, desk.moves[k]]
            for k in range(n):
                desk.chances[k] = priors[i, desk.moves[k]] / total if total > 0.0 else 1.0 / n
            expand_and_look(tree, desk, leaf, desk.states[i], n)

    return grow
