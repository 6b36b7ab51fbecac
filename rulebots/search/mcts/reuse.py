"""Where in an earlier search's tree the game has got to."""

from __future__ import annotations

from collections import deque

import numpy as np

from rulebots.game import Game, State, records
from rulebots.position import law_of
from rulebots.search.mcts.tree import ROOT, Tree

#: Moves replayed at most in looking for a position: some milliseconds.
MOST_REPLAYS = 1000


def node_of(game: Game, tree: Tree, root: State, chosen: int, wanted: State) -> int | None:
    """The node of the position `wanted`, below the root's child by the move `chosen`; None where there is none.

    Positions are the same when their records are, field by field. The search goes breadth first through
    the nodes that were visited, so that it finds what the opponent answered, in one move or in several.
    """
    law = law_of(game)
    children = range(tree.first[ROOT], tree.first[ROOT] + tree.children[ROOT])
    waiting = deque((child, root) for child in children if tree.move[child] == chosen)
    for _ in range(MOST_REPLAYS):
        if not waiting:
            return None
        node, before = waiting.popleft()
        position = records(game.state, 1)
        position[0] = before
        law.play(position[0], int(tree.move[node]))
        # Not byte by byte: what lies between the fields of an aligned record is not part of it.
        if all(np.array_equal(position[0][name], wanted[name]) for name in game.state.names or ()):
            return int(node)
        below = range(tree.first[node], tree.first[node] + tree.children[node])
        waiting.extend((child, position[0]) for child in below if tree.visits[child] > 0)
    return None
