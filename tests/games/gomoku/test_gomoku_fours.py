"""Wins by fours alone, against trying everything."""

from __future__ import annotations

import naive_threats as naive
from gomoku_positions import SEEDS, scattered
from hypothesis import given, settings, strategies as st

from rulebots.game.grid import place_of
from rulebots.game.position import Position
from rulebots.games.gomoku.forced_wins import ThreatSolver
from rulebots.kernel import compiling


def stones_of(position: Position) -> dict[tuple[int, int], int]:
    board = position.state.board
    return {place_of(p, 23): int(board[p]) - 1 for p in range(len(board)) if board[p] in (1, 2)}


@settings(max_examples=60 if compiling() else 12)
@given(size=st.integers(5, 7), exactly=st.integers(0, 1), stones=st.integers(6, 30), seed=SEEDS)
def test_wins_by_fours_are_those_that_trying_everything_finds(size: int, exactly: int, stones: int, seed: int) -> None:
    position = scattered(size, exactly, stones, seed)
    found = ThreatSolver().win(position, threes=0)
    assert (found is not None) == naive.wins_by_fours(stones_of(position), position.mover, size, bool(exactly))
