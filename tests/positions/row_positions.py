"""Positions of tic-tac-toe and gomoku, written as the points that each side has."""

from __future__ import annotations

from typing import Any

import numpy as np
from written_positions import value_of

from rulebots.game import Game
from rulebots.rules import RuleSet


def begun(game: Game, **options: int) -> Any:
    state = game.new_state()
    game.setup(state, np.zeros(0, np.int64), game.option_values(options))
    return state


def after(game: Game, moves: str, **options: int) -> Any:
    """The state after moves such as `0,0 1,1`, all of them legal."""
    state = begun(game, **options)
    for text in moves.split():
        assert not game.over(state), f"over before {text}"
        move = game.read(text, state)
        assert state.board[move] == 0, f"{text} is taken"
        game.play(state, move)
    return state


def seen(game: Game, mine: str, theirs: str, last: str = "", **options: int) -> Any:
    """What a mover with these stones sees; `last` is the opponent's last move."""
    state = begun(game, **options)
    state.mover = 1
    for stone, points in ((2, mine), (1, f"{theirs} {last}")):
        for text in points.split():
            move = game.read(text, state)
            assert state.board[move] == 0, f"{text} is there twice"
            state.board[move] = stone
            state.left -= 1
    state.last = game.read(last, state) if last else 0
    view = game.new_view()
    game.observe(state, view)
    return view


def value_at(rules: RuleSet, rule: str, view: Any, at: str) -> float:
    """What a rule says of a point, which has to be empty."""
    point = rules.game.read(at, view)  # which asks for the size of the board only
    assert view.board[point] == 0, f"{at} is taken"
    return value_of(rules, rule, view, point)
