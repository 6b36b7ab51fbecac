"""Simulations, a batch at a time: select leaves, expand them, evaluate them, backpropagate their values.

Every phase is a kernel made for one game. With rollouts all phases run in one compiled loop (`simulate_kernel`).
With a Python evaluator, `select_kernel`, `expand_batch_kernel` and `backpropagate_batch_kernel` are called one by one.
"""

import functools
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rulebots.game import CHANCE, Floats, Game, Ints
from rulebots.game.chance import probability_kernel
from rulebots.game.dtypes import records
from rulebots.kernel import Kernel, kernel
from rulebots.packages import ForcedWins, package_of
from rulebots.rules import RuleSet
from rulebots.search.mcts.backpropagation import (
    HALF,
    PROOF_ROWS,
    add_loss_kernel,
    backpropagate_batch_kernel,
    backpropagate_kernel,
    cancel_visits_kernel,
    first_scale,
    outcome_kernel,
    prove_kernel,
    recall_proof,
    rescale,
    return_kernel,
    store_proof,
)
from rulebots.search.mcts.policies import PolicyArrays, policy_kernel, rollout_kernel
from rulebots.search.mcts.selection import sample_outcome
from rulebots.search.mcts.tree import (
    DRAWN,
    LOST,
    MOST_DISTANCE,
    NO_CHILDREN,
    ROOT,
    UNPROVEN,
    WON,
    expand,
    swap_unvisited,
)
from rulebots.search.transposition import PositionWords, position_words, records_in_words


@kernel
def finds_no_win(state: Any, workspace: Any, nodes: int, line: Any) -> int:
    """The solver of a game without one."""
    return 0


class SearchWorkspace(NamedTuple):
    """The arrays of simulations besides the tree: the position of the root, and a row per leaf of the batch."""

    #: State records[1]: the position of the root.
    root: Any
    #: State records[batch + 1]: the positions of the leaves, and a spare one.
    states: Any
    #: int64[batch + 1, words]: the memory of `states`.
    words: Ints
    #: int64[2, position words]: which words of a state are the position, see transposition.py.
    position: PositionWords
    #: int64[rows, 2]: the table of proven positions, see backpropagation.py.
    proofs: Ints
    #: int64[1]: the epoch whose proofs count.
    epoch: Ints
    #: int32[batch, ply cap + 1]: the nodes from the root to each leaf.
    paths: npt.NDArray[np.int32]
    #: int64[batch]: the number of nodes in each path.
    lengths: Ints
    #: float64[batch]: the values of the leaves for seat 0, from -1 to 1; float64[batch, seats] with a return for each.
    values: Floats
    #: int64[move_count]: scratch, the legal moves of a position.
    moves: Ints
    #: float64[move_count]: scratch, the probabilities of these moves.
    probabilities: Floats
    #: The workspace of the game's solver of forced wins.
    solver: Any
    #: int64[1]: the positions that it may visit at a node; 0: it is unused.
    effort: Ints
    #: int64[ply cap]: scratch, a forced win.
    line: Ints
    #: With a return for each seat: float64[4], see backpropagation.py.
    scale: Floats
    #: int64[seats]: scratch, the points of the seats.
    points: Ints
    #: int64[1]: the seat that all others play against; -1: each for itself.
    searcher: Ints


def new_workspace(game: Game, batch: int, *seats: int) -> SearchWorkspace:
    """A workspace for batches of that many leaves; with a number of seats, for a return for each."""
    states, words = records_in_words(game.state, batch + 1)
    return SearchWorkspace(
        root=records(game.state, 1),
        states=states,
        words=words,
        position=position_words(game),
        proofs=np.zeros((PROOF_ROWS, 2), np.int64),
        epoch=np.ones(1, np.int64),
        paths=np.zeros((batch, game.ply_cap + 1), np.int32),
        lengths=np.zeros(batch, np.int64),
        values=np.zeros((batch, *seats)),
        moves=np.zeros(game.move_count, np.int64),
        probabilities=np.zeros(game.move_count),
        solver=solver_of(game).workspace(),
        effort=np.zeros(1, np.int64),
        line=np.zeros(game.ply_cap, np.int64),
        scale=first_scale(game, *seats or (2,)),
        points=np.zeros(seats, np.int64).reshape(-1),
        searcher=np.full(1, -1),
    )


def solver_of(game: Game) -> ForcedWins:
    """The game's solver of forced wins, or one that finds none."""
    return package_of(game).forced_wins or ForcedWins(finds_no_win, lambda: np.zeros(1, np.int64))


class SimulationTerms(NamedTuple):
    """The terms that all simulations of a search share."""

    #: The exploration constant.
    c: float
    virtual_loss: float
    #: A leaf with more visits is expanded.
    visits: int
    rollouts: PolicyArrays
    priors: PolicyArrays


def simulate_kernel(
    game: Game,
    select_child: Kernel[..., tuple[int, int]],
    rollout: RuleSet | None,
    prior: RuleSet | None,
    *,
    per_seat: bool,
) -> Kernel[..., tuple[int, int]]:
    """A kernel that runs whole simulations with rollouts, after it has expanded the root if need be.

    `(tree, workspace, terms, most, pause, luck) -> (simulations, luck)`; `terms` are `SimulationTerms`. It makes at
    most `most` simulations, and returns at the end of a batch after `pause` of them.
    """
    select = select_kernel(game, select_child, per_seat=per_seat)
    expand_leaf = expand_kernel(game, per_seat=per_seat)
    backpropagate_batch = backpropagate_batch_kernel(game, per_seat=per_seat)
    moves_of = game.moves
    write_return = return_kernel(game, per_seat=per_seat)
    roll_out = rollout_kernel(game, rollout)
    policy = policy_kernel(game, prior)

    @kernel(inlines=False)
    def simulate(tree: Any, workspace: Any, terms: Any, most: int, pause: int, luck: int) -> tuple[int, int]:
        root = workspace.root[0]
        moves = workspace.moves
        probabilities = workspace.probabilities
        c, virtual_loss, visits, rollouts, priors = terms
        if tree.first_child[ROOT] == NO_CHILDREN:
            tree.mover[ROOT] = root.mover
            n = moves_of(root, moves)
            policy(root, moves, n, luck, priors, probabilities)
            expand_leaf(tree, workspace, ROOT, root, n)
        done = 0
        while done < min(most, pause) and tree.proven[ROOT] == UNPROVEN:
            pending, count, luck = select(tree, workspace, most - done, c, virtual_loss, luck)
            for i in range(pending):
                state = workspace.states[i]
                leaf = workspace.paths[i, workspace.lengths[i] - 1]
                if tree.visits[leaf] > visits and tree.first_child[leaf] == NO_CHILDREN:
                    n = moves_of(state, moves)
                    policy(state, moves, n, luck, priors, probabilities)
                    expand_leaf(tree, workspace, leaf, state, n)
                if tree.proven[leaf] != UNPROVEN:
                    workspace.values[i] = tree.proven[leaf] - DRAWN
                else:
                    luck = roll_out(state, moves, luck, rollouts)
                    write_return(state, workspace, i)
            backpropagate_batch(tree, workspace, pending, virtual_loss)
            done += count
        return done, luck

    simulate.title = f"tree search of {game.title}"
    return simulate


@functools.cache
def select_kernel(
    game: Game, select_child: Kernel[..., tuple[int, int]], *, per_seat: bool
) -> Kernel[..., tuple[int, int, int]]:
    """A kernel `(tree, workspace, most, c, virtual_loss, luck) -> (pending, count, luck)` that selects a batch.

    It makes at most `most` simulations. The first `pending` rows of the workspace then hold different leaves
    that need a value. A leaf whose value is proven is backpropagated at once; `count` includes it. The
    batch ends early at a leaf that is already in it, and when the root is proven.
    """
    descend = descend_kernel(game, select_child, per_seat=per_seat)
    backpropagate = backpropagate_kernel(game, per_seat=per_seat)
    cancel_visits = cancel_visits_kernel(game, per_seat=per_seat)
    write_return = return_kernel(game, per_seat=True)

    @kernel(inlines=False)
    def select(tree: Any, workspace: Any, most: int, c: float, virtual_loss: float, luck: int) -> tuple[int, int, int]:
        pending = 0
        count = 0
        lengths = workspace.lengths
        if per_seat:
            rescale(workspace.scale)
            c *= workspace.scale[HALF]
            virtual_loss *= workspace.scale[HALF]
        while pending < lengths.shape[0] and count < most and tree.proven[ROOT] == UNPROVEN:
            path = workspace.paths[pending]
            workspace.states[pending] = workspace.root[0]
            length, luck = descend(tree, workspace.states[pending], path, c, virtual_loss, luck)
            leaf = path[length - 1]
            again = False
            if not per_seat and tree.visits[leaf] == 1 and tree.proven[leaf] == UNPROVEN:
                recall_proof(workspace, pending, tree, leaf)
            for i in range(pending):
                again |= workspace.paths[i, lengths[i] - 1] == leaf
            if again:
                cancel_visits(tree, path, length, virtual_loss)
                return pending, count, luck
            count += 1
            lengths[pending] = length
            if tree.proven[leaf] != UNPROVEN:
                if per_seat:
                    write_return(workspace.states[pending], workspace, pending)
                else:
                    workspace.values[pending] = tree.proven[leaf] - DRAWN
                backpropagate(tree, workspace, pending, virtual_loss)
            else:
                pending += 1
        return pending, count, luck

    return select


@functools.cache
def descend_kernel(
    game: Game, select_child: Kernel[..., tuple[int, int]], *, per_seat: bool
) -> Kernel[..., tuple[int, int]]:
    """A kernel `(tree, state, path, c, virtual_loss, luck) -> (length of the path, luck)`: from the root to a leaf.

    `state` is the root's position and becomes the leaf's. Outcomes of chance are drawn by their odds. Every node of the
    path counts the visit. All but the root also count a loss for the seat that chose them, until the value is known:
    this *virtual loss* sends the other simulations of the batch elsewhere (Chaslot, Winands and van den Herik, Parallel
    Monte-Carlo Tree Search, CG 2008).
    """
    play = game.play
    over = game.over
    outcome = outcome_kernel(game)
    chance = game.chance
    add_loss = add_loss_kernel(game, per_seat=per_seat)

    @kernel(inlines=False)
    def descend(tree: Any, state: Any, path: Any, c: float, virtual_loss: float, luck: int) -> tuple[int, int]:
        node = ROOT
        length = 1
        path[0] = ROOT
        tree.visits[ROOT] += 1
        while tree.first_child[node] != NO_CHILDREN and tree.proven[node] == UNPROVEN and length < path.shape[0]:
            parent = node
            if chance and tree.mover[node] == CHANCE:
                node, luck = sample_outcome(tree, node, luck)
            else:
                node, luck = select_child(tree, node, c, luck)
            tree.visits[node] += 1
            add_loss(tree, parent, node, virtual_loss)
            play(state, tree.move[node])
            path[length] = node
            length += 1
        if tree.visits[node] == 1:
            tree.mover[node] = state.mover
            if over(state):
                tree.proven[node] = DRAWN if per_seat else DRAWN + outcome(state)
                tree.distance[node] = 0
        return length, luck

    return descend


def expand_batch_kernel(game: Game, *, per_seat: bool) -> Kernel[..., None]:
    """A kernel `(tree, workspace, count, priors, visits)`: expands those of `count` leaves with more than `visits`.

    `priors` is float64[count, move_count], not negative; of each row only the legal moves count, and none where
    chance is to move.
    """
    moves_of = game.moves
    expand_leaf = expand_kernel(game, per_seat=per_seat)
    chance = game.chance
    spread = probability_kernel(game)

    @kernel(inlines=False)
    def expand_batch(tree: Any, workspace: Any, count: int, priors: Any, visits: int) -> None:
        moves = workspace.moves
        probabilities = workspace.probabilities
        for i in range(count):
            leaf = workspace.paths[i, workspace.lengths[i] - 1]
            if tree.visits[leaf] <= visits or tree.first_child[leaf] != NO_CHILDREN:
                continue
            n = moves_of(workspace.states[i], moves)
            total = 0.0
            for k in range(n):
                total += priors[i, moves[k]]
            for k in range(n):
                probabilities[k] = priors[i, moves[k]] / total if total > 0.0 else 1.0 / n
            if chance and workspace.states[i].mover == CHANCE:
                spread(workspace.states[i], moves, n, probabilities)
            expand_leaf(tree, workspace, leaf, workspace.states[i], n)

    return expand_batch


@functools.cache
def expand_kernel(game: Game, *, per_seat: bool) -> Kernel[..., None]:
    """A kernel `(tree, workspace, node, state, n)` that creates children for workspace.moves[:n].

    It marks each child that ends the game, or is proven elsewhere, which may prove the node: a win in one is seen
    before any simulation (decisive moves: Teytaud and Teytaud, On the Huge Benefit of Decisive Moves in Monte-Carlo
    Tree Search Algorithms, CIG 2010). Losing moves are put last. A node other than the root that the game's solver
    proves to be won gets no children. With a return for each seat, it only creates the children.
    """
    play = game.play
    over = game.over
    outcome = outcome_kernel(game)
    prove = prove_kernel(game)
    win = solver_of(game).win

    @kernel(inlines=False)
    def expand_leaf(tree: Any, workspace: Any, node: int, state: Any, n: int) -> None:
        if per_seat:
            expand(tree, node, workspace.moves, n, workspace.probabilities)
            return
        spare = workspace.lengths.shape[0]
        if node != ROOT and workspace.effort[0] > 0:
            plies = win(state, workspace.solver, workspace.effort[0], workspace.line)
            if plies > 0:
                tree.proven[node] = WON if tree.mover[node] == 0 else LOST
                tree.distance[node] = min(plies, MOST_DISTANCE)
                return
        first = expand(tree, node, workspace.moves, n, workspace.probabilities)
        if first == NO_CHILDREN:
            return
        child = first
        end = first + n
        lost = LOST if tree.mover[node] == 0 else WON
        while child < end:
            workspace.states[spare] = state
            position = workspace.states[spare]
            play(position, tree.move[child])
            if over(position):
                tree.proven[child] = DRAWN + outcome(position)
                tree.distance[child] = 0
            else:
                recall_proof(workspace, spare, tree, child)
            if tree.proven[child] == lost:
                end -= 1
                swap_unvisited(tree, child, end)
            else:
                child += 1
        prove(tree, node)
        if tree.proven[node] != UNPROVEN:
            workspace.states[spare] = state
            store_proof(workspace, spare, tree, node)

    return expand_leaf
