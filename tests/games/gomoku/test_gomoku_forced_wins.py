"""The search for forced wins: against slow oracles, and against every defence."""

from __future__ import annotations

import pytest
from gomoku_positions import GAME, assert_wins
from gomoku_puzzles import LONG, SHORT, Puzzle

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.games.gomoku.forced_wins import ThreatSolver
from rulebots.kernel import compiling


@pytest.mark.parametrize("puzzle", SHORT + LONG * compiling(), ids=lambda puzzle: puzzle.text[-24:])
def test_puzzles_are_solved(puzzle: Puzzle) -> None:
    win = ThreatSolver().win(puzzle.position)
    assert win is not None
    assert win.threes == puzzle.threes
    assert_wins(puzzle.position, win.line)


def test_a_position_without_threats_has_no_forced_win() -> None:
    position = Position(GAME)
    for move in ("h8", "h9"):
        position.push(position.read(move))
    assert ThreatSolver().win(position) is None


def test_a_solver_is_told_what_it_cannot_do() -> None:
    with pytest.raises(UsageError, match="expected 0 or more threes and 1 or more nodes, not -1 and 5"):
        ThreatSolver().win(Position(GAME), threes=-1, nodes=5)
    over = Position.from_text(GAME, "5/5/5/OOOO1/XXXXX O e1", {"size": 5})
    with pytest.raises(UsageError, match="the game is over"):
        ThreatSolver().win(over)
