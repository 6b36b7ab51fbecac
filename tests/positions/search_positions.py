"""Positions of games in which nothing is hidden, on small boards, and two rules of tic-tac-toe, to try searches on."""

from __future__ import annotations

from typing import Any

import pytest
from recorded import Record, recorded

from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.kernel import compiling
from rulebots.packages import game_names, load_game
from rulebots.play.deals import draw_deals
from rulebots.players import RulePlayer
from rulebots.rules import RuleSet, rule
from rulebots.search.mcts.search import Search
from rulebots.search.mcts.tree import Tree

OPEN_GAMES = [game for name in game_names() if not (game := load_game(name)).hidden]
#: Compiling a search takes seconds: one of a small board and one with turns that repeat stand for all of them.
every_game = pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, id=game.name, marks=[] if game.name in {"tictactoe", "kalah"} else [pytest.mark.interpreted])
        for game in OPEN_GAMES
    ],
)
every_game_without_chance = pytest.mark.parametrize(
    "game", [game for game in OPEN_GAMES if not game.chance], ids=lambda g: g.name
)
#: Boards on which a game is short.
SMALL = {
    "cant-stop": {"sides": 4, "shortest": 1, "needed": 2},
    "circles": {"size": 4},
    "gomoku": {"size": 5},
    "kalah": {"pits": 3, "stones": 2},
    "tictactoe": {"size": 3},
}
SIMULATIONS = 400 if compiling() else 60
GAME = load_game("tictactoe")


@rule("put", early=1.0)
def far(view: Any, point: int) -> float:
    """How large the number of the point is."""
    return point / 100


@rule("put", early=0.5)
def even(view: Any, point: int) -> bool:
    """The number of the point is even."""
    return point % 2 == 0


RULES = RuleSet("written", GAME, (far, even))
FAR = RulePlayer(RULES, RULES.hand_tuned(), "far")


def course(game: Game, deal: int = 0) -> Record:
    """A random game on a small board."""
    return recorded(draw_deals(game, deal + 1, 1, options=SMALL.get(game.name), opening_plies=0), deal)


def start(game: Game) -> Position:
    """The first decision on a small board."""
    return to_decide(Position(game, SMALL.get(game.name)))


def to_decide(position: Position) -> Position:
    """The position itself, or the next one in which a seat decides: chance makes the middle one of its outcomes."""
    while position.chance_to_move:
        outcomes, _ = position.outcomes
        position.play(int(outcomes[len(outcomes) // 2]))
    return position


def tree_of(search: Search) -> Tree:
    return search._tree


def child_by(tree: Tree, node: int, move: int) -> int:
    return next(
        c
        for c in range(tree.first_child[node], tree.first_child[node] + tree.child_count[node])
        if tree.move[c] == move
    )


def assert_adds_up(tree: Tree) -> None:
    """No virtual loss is left, and every simulation of a child is one of its parent."""
    used = int(tree.size[0])
    for node in range(used):
        below = slice(tree.first_child[node], tree.first_child[node] + tree.child_count[node])
        assert abs(tree.value_sum[node]) <= tree.visits[node]
        assert tree.visits[below].sum() <= tree.visits[node]
        assert tree.first_child[node] == 0 or node < tree.first_child[node] < used
    assert not tree.visits[used:].any()
