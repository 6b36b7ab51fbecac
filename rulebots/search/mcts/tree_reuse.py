"""Finding the position that a game has come to in the tree of the search before."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from rulebots.game import Game, State
from rulebots.kernel import Kernel, kernel, runnable
from rulebots.search.mcts.tree import NO_CHILDREN, ROOT, Tree, new_tree
from rulebots.search.transposition import position_words, same_position

#: Moves that may have been made since, and moves replayed at most, which take a tenth of a millisecond.
DEPTH, MOST_REPLAYS = 8, 1000
#: What `find_kernel` gives where the position is not found, and the move that stands for any.
NOT_FOUND, ANY_MOVE = -1, -1


def find_node(game: Game, tree: Tree, root: State, wanted: State, chosen: int) -> int | None:
    """The visited node of the position `wanted` below the root; None if it is not found.

    The search looks below the move `chosen` first, then below all others: so the tree is kept whichever seat moved, and
    however often.
    """
    words = np.zeros((DEPTH + 2, -(-game.state.itemsize // 8)), np.int64)
    states = np.ndarray(DEPTH + 2, np.dtype((np.record, game.state)), words, strides=(words.strides[0],))
    states[0], states[DEPTH + 1] = root, wanted
    find, stack = compiled_find(game), np.zeros((2, DEPTH + 1), np.int64)
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
        wanted, replays = states.shape[0] - 1, 0
        nodes, following = stack[0], stack[1]
        for limit in range(1, wanted):
            depth = 0
            nodes[0], following[0] = ROOT, tree.first_child[ROOT]
            while depth >= 0:
                node, child = nodes[depth], following[depth]
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
                    nodes[depth], following[depth] = child, tree.first_child[child]
                    continue
                if same_position(words, depth, wanted, position):
                    return child
                depth -= 1
        return NOT_FOUND

    return find


@functools.cache
def compiled_find(game: Game) -> Callable[..., int]:
    """The kernel of `find_kernel`, compiled or loaded from the cache once per process."""
    words = np.zeros((1, -(-game.state.itemsize // 8)), np.int64)
    states = np.ndarray(1, np.dtype((np.record, game.state)), words, strides=(words.strides[0],))
    stack = np.zeros((2, DEPTH + 1), np.int64)
    return runnable(find_kernel(game), new_tree(1), states, words, position_words(game), stack, ANY_MOVE, 0)
