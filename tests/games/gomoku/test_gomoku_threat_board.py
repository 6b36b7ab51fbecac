"""The board of the search for forced wins, kept up to date stone by stone."""

from __future__ import annotations

import numpy as np
from gomoku_positions import GAME, SEEDS, scattered
from hypothesis import given, settings, strategies as st

from rulebots.game.dtypes import records
from rulebots.game.position import Position
from rulebots.games.gomoku.fours import BOARD, put, set_up, take
from rulebots.kernel import compiling, runnable


@settings(max_examples=20 if compiling() else 4)
@given(size=st.integers(5, 22), exactly=st.integers(0, 1), stones=st.integers(0, 60), seed=SEEDS)
def test_what_is_kept_stone_by_stone_is_what_the_position_says(size: int, exactly: int, stones: int, seed: int) -> None:
    """After some moves; and after those were taken back, the record is the same, bit by bit."""
    fill = runnable(set_up, records(BOARD, 1)[0], Position(GAME).state)
    position = scattered(size, exactly, stones, seed)
    board, fresh = records(BOARD, 1)[0], records(BOARD, 1)[0]
    fill(board, position.state)
    before = board.tobytes()
    moves = [int(m) for m in np.random.default_rng(seed).permutation(position.legal_moves)[:4]]
    seats = [(position.mover + i) % 2 for i in range(len(moves))]
    for move, seat in zip(moves, seats, strict=True):
        put(board, move, seat)
    state = position.state.copy()
    for move, seat in zip(moves, seats, strict=True):
        state.board[move] = seat + 1
    fill(fresh, state)
    free = [p for p in fresh.inside[: size * size] if fresh.board[p] == 0]
    for name in BOARD.names or ():
        of_points = name in ("shapes", "patterns")  # of empty points only
        same = board[name][:, free] == fresh[name][:, free] if of_points else board[name] == fresh[name]
        assert np.all(same), name
    for move in reversed(moves):
        take(board, move)
    assert board.tobytes() == before
