"""The tree of the search before, found again from the position that the game has come to."""

from __future__ import annotations

from played_positions import after
from search_positions import (
    GAME,
    SIMULATIONS,
    start,
)

from rulebots.search.mcts.search import Search
from rulebots.search.mcts.settings import SearchSettings


def test_the_tree_is_kept_whoever_moved_and_whatever_they_played() -> None:
    search = Search(GAME, SearchSettings(iterations=SIMULATIONS))
    result = search.run(start(GAME), 1)
    other = next(move for move in result.moves.tolist() if move != result.move)
    assert search.run(after(start(GAME), int(other)), 1).kept > 0
