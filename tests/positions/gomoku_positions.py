"""Positions of gomoku after random moves, and lines of moves that win."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from rulebots.game.position import Position
from rulebots.packages import load_game

GAME = load_game("gomoku")
SEEDS = st.integers(0, 2**32 - 1)


def scattered(size: int, exactly: int, stones: int, seed: int) -> Position:
    """A position after random moves, in which nobody has won."""
    rng = np.random.default_rng(seed)
    position = Position(GAME, {"size": size, "exactly": exactly})
    for _ in range(min(stones, size * size - 2)):
        before = position.copy()
        position.play(int(rng.choice(position.legal_moves)))
        if position.over:
            return before
    return position


def assert_wins(position: Position, line: tuple[int, ...]) -> None:
    """The line is legal, and its last move wins."""
    winner, played = position.mover, position.copy()
    for move in line:
        assert not played.over
        played.push(move)
    assert played.over
    assert played.state.winner == winner + 1
