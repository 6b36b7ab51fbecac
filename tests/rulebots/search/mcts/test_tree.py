"""The tree that a search keeps from move to move."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from played_positions import after
from search_positions import SIMULATIONS, assert_adds_up, child_by, every_game_without_chance, start, tree_of

from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.packages import load_game
from rulebots.search.mcts.search import Search
from rulebots.search.mcts.settings import SearchSettings
from rulebots.search.mcts.tree import NO_CHILDREN, ROOT, Tree, expand, new_tree, with_capacity


@pytest.mark.slow
@every_game_without_chance
def test_the_tree_is_kept_through_both_players_moves(game: Game) -> None:
    """What is known of the new root is what was known of it, and an unknown position begins a new tree."""
    search = Search(game, SearchSettings(iterations=SIMULATIONS))
    first = search.run(start(game), 1)
    node = child_by(tree_of(search), ROOT, first.move)
    assert tree_of(search).first_child[node], "the best move's node has no children yet"
    answer = int(tree_of(search).first_child[node])
    move, visits = int(tree_of(search).move[answer]), int(tree_of(search).visits[answer])
    below = described(tree_of(search), answer)
    position = with_dirty_gaps(after(start(game), first.move, move))
    assert search._move_root_to(position.state, search.settings) == len(below)
    assert described(tree_of(search), ROOT) == below
    assert_adds_up(tree_of(search))
    again = Search(game, SearchSettings(iterations=SIMULATIONS))
    again.run(start(game), 1)
    second = again.run(position, 2)
    assert second.kept == len(below)
    assert tree_of(again).visits[ROOT] == visits + second.simulations
    elsewhere = again.run(start(game), 3)
    assert elsewhere.kept == 0
    fresh = Search(game, SearchSettings(iterations=SIMULATIONS)).run(start(game), 3)
    assert elsewhere.visits.tolist() == fresh.visits.tolist()


def with_dirty_gaps(position: Position) -> Position:
    """The same position, in a record with anything between its fields, as a caller may give it."""
    game = position.game
    state = np.full(game.state.itemsize, 0xA5, np.uint8).view(np.dtype((np.record, game.state)))[0]
    for name in game.state.names or ():
        state[name] = position.state[name]
    return Position.of(game, state, plies=position.plies)


def described(tree: Tree, root: int) -> list[tuple[Any, ...]]:
    """What a tree knows below a node, without the nodes' numbers."""
    found, waiting = [], [root]
    for node in waiting:
        entry = (tree.value_sum[node], tree.visits[node], tree.prior[node], tree.mover[node], tree.proven[node])
        found.append((*entry, tree.child_count[node], tree.move[node]))
        waiting += range(tree.first_child[node], tree.first_child[node] + tree.child_count[node])
    return found


def test_without_reuse_every_search_is_a_new_one() -> None:
    game = load_game("tictactoe")
    search = Search(game, SearchSettings(iterations=SIMULATIONS, reuse=False))
    result = search.run(start(game), 1)
    assert search.run(after(start(game), *result.line[:2]), 1).kept == 0


def test_a_search_that_asks_every_move_goes_through_its_own_tree_in_games_with_extra_turns() -> None:
    game = load_game("kalah")
    search, position = Search(game, SearchSettings(iterations=SIMULATIONS)), start(game)
    kept = []
    while not position.over and len(kept) < 8:
        result = search.run(position, len(kept))
        kept.append(result.kept)
        position.push(result.move)
    assert kept[0] == 0
    assert all(kept[1:])


def test_a_node_is_expanded_only_if_all_its_children_fit() -> None:
    tree = new_tree(6)
    assert expand(tree, ROOT, np.arange(10, 13), 3, np.array([0.5, 0.3, 0.2])) == 1
    assert tree.move[1:4].tolist() == [10, 11, 12]
    assert expand(tree, 2, np.arange(3), 3, np.ones(3)) == NO_CHILDREN
    assert (tree.first_child[2], tree.child_count[2], tree.size[0]) == (NO_CHILDREN, 0, 4)
    assert expand(tree, 2, np.arange(2), 2, np.ones(2)) == 4
    assert tree.size[0] == 6


def test_a_larger_tree_knows_what_the_smaller_one_knew() -> None:
    tree = new_tree(4)
    expand(tree, ROOT, np.arange(10, 13), 3, np.array([0.5, 0.3, 0.2]))
    tree.visits[:4], tree.value_sum[:4] = [5, 2, 2, 1], [1, 2, -1, 0]
    larger = with_capacity(tree, 100)
    assert len(larger.visits) == 100
    assert described(larger, ROOT) == described(tree, ROOT)
    assert with_capacity(larger, 50) is larger
