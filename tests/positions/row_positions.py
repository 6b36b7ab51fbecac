"""Positions of tic-tac-toe and gomoku, written as the points that each side has."""

from __future__ import annotations

from typing import Any

from played_positions import after
from written_positions import value_of

from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.rules import RuleSet


def reached(game: Game, moves: str, **options: int) -> Position:
    """The position after moves such as `0,0 1,1`, all of them legal."""
    return after(Position(game, options), *moves.split())


def seen(game: Game, mine: str, theirs: str, last: str = "", **options: int) -> Any:
    """What a mover with these stones sees; `last` is the opponent's last move."""
    position = Position(game, options)
    state = position.state
    state.mover = 1
    for stone, points in ((2, mine), (1, f"{theirs} {last}")):
        for text in points.split():
            move = position.read(text)
            assert state.board[move] == 0, f"{text} is there twice"
            state.board[move] = stone
            state.left -= 1
    state.last = position.read(last) if last else 0
    return position.view()


def value_at(rules: RuleSet, rule: str, view: Any, at: str) -> float:
    """What a rule says of a point, which has to be empty."""
    point = rules.game.text.read(at, view)  # which asks for the size of the board only
    assert view.board[point] == 0, f"{at} is taken"
    return value_of(rules, rule, view, point)
