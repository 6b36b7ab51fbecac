"""Wins by fours and threes, against every defence."""

from __future__ import annotations

import pytest
from gomoku_positions import SEEDS, assert_wins, scattered
from gomoku_puzzles import SHORT, Puzzle
from hypothesis import given, settings, strategies as st

from rulebots.game.position import Position
from rulebots.games.gomoku.forced_wins import ThreatSolver
from rulebots.kernel import compiling


def defend(solver: ThreatSolver, position: Position, threes: int, deep: int) -> int:
    """Answer the solver's move in every way there is, so many times in a row; how many wins were asked for."""
    win = solver.win(position, threes)
    assert win is not None
    assert_wins(position, win.line)
    if deep == 0 or len(win.line) == 1:
        return 1
    after = position.copy()
    after.push(win.line[0])
    asked = 1
    for answer in after.legal_moves.tolist():
        defended = after.copy()
        defended.push(answer)
        assert not defended.over
        asked += defend(solver, defended, win.threes, deep - 1)
    return asked


@pytest.mark.slow
@settings(max_examples=40 if compiling() else 3)
@given(size=st.integers(6, 9), exactly=st.integers(0, 1), stones=st.integers(8, 30), seed=SEEDS)
def test_a_win_by_threes_wins_against_every_defence(size: int, exactly: int, stones: int, seed: int) -> None:
    position = scattered(size, exactly, stones, seed)
    solver = ThreatSolver()
    win = solver.win(position, threes=3, nodes=3000)
    if win is not None and win.threes > 0:
        assert defend(solver, position, win.threes, 2 if size < 8 and compiling() else 1) > 0


@pytest.mark.parametrize("puzzle", SHORT[-1:], ids=lambda puzzle: puzzle.text[-24:])
@pytest.mark.slow
def test_a_puzzle_is_won_against_every_first_answer(puzzle: Puzzle) -> None:
    assert defend(ThreatSolver(), puzzle.position, puzzle.threes, 1) > 50
