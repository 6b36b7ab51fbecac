"""The tree search blocks at gomoku what must be blocked."""

from __future__ import annotations

import numpy as np
import pytest
from gomoku_puzzles import SHORT, Puzzle

from rulebots.game.position import Position
from rulebots.games.gomoku.forced_wins import FORCED_WINS, ThreatSolver
from rulebots.games.gomoku.game import game
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.search.mcts import MctsPlayer


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("moves", "blocks"),
    [
        ("h8 a1 h9 c1 h10", {"h7", "h11", "h6", "h12"}),
        ("h8 a1 i9 c1 j10", {"g7", "k11", "f6", "l12"}),
        ("h8 a1 h9 c1 h11", {"h10", "h7", "h12"}),
        ("h8 h7 h9 a1 h10 c3 h11", {"h12"}),
        ("h8 a1 h9 c3 h10 m1 h12", {"h11"}),
        ("a2 h8 a1 h9 o1 h10 a15 h11 o15", {"h7", "h12"}),
    ],
    ids=[
        "an open three",
        "an open three on the diagonal",
        "a split three",
        "a four",
        "a split four",
        "its own open four, which wins",
    ],
)
def test_the_tree_search_answers_threats(moves: str, blocks: set[str]) -> None:
    game = load_game("gomoku")
    position = Position(game)
    for text in moves.split():
        position.push(position.read(text))
    player = make_player("mcts:power=3", game)
    assert position.write(player.beginning_a_game(position.mover).decide(position)) in blocks


#: Games that searches lost by a double threat, up to the last move of theirs that is not lost yet; and further on.
SAVED = ["h8 h7 h9 e5 h10", "h8 a1 h9"]
LOST = ["h8 h7 h9 e5 h10 a1 i10 c1 j10", "h8 a1 h9 c1 i8 e1 k8 o1 h11"]


def played(moves: str) -> Position:
    position = Position(load_game("gomoku"))
    for text in moves.split():
        position.push(position.read(text))
    return position


@pytest.mark.compiled
@pytest.mark.parametrize("moves", SAVED)
def test_no_search_walks_into_a_win_that_the_solver_proves(moves: str) -> None:
    position = played(moves)
    player = make_player("mcts:iterations=100", position.game)
    position.push(player.beginning_a_game(position.mover).decide(position))
    assert ThreatSolver().win(position, nodes=30_000) is None


@pytest.mark.compiled
@pytest.mark.parametrize("moves", LOST)
def test_where_every_move_loses_the_tree_search_proves_it(moves: str) -> None:
    player = make_player("mcts:iterations=600", load_game("gomoku"))
    assert isinstance(player, MctsPlayer)
    position = played(moves)
    player.decide(position)
    assert player.result is not None
    assert player.result.proven.all()
    assert player.result.value == -1.0
    assert player.result.simulations < 600


@pytest.mark.parametrize("puzzle", SHORT)
def test_the_solver_that_searches_ask_finds_the_wins_of_the_puzzles(puzzle: Puzzle) -> None:
    workspace, line = FORCED_WINS.workspace(), np.zeros(game.ply_cap, np.int64)
    before = puzzle.position.state.tobytes()
    plies = FORCED_WINS.win(puzzle.position.state, workspace, 2000, line)
    assert plies % 2 == 1
    position = puzzle.position
    for move in line[:plies]:
        assert not position.over
        position.push(int(move))
    assert position.points[puzzle.position.mover] == 1
    assert puzzle.position.state.tobytes() == before
