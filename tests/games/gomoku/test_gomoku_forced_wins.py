"""The search for forced wins: against slow oracles, and against every defence."""

from __future__ import annotations

import naive_threats as naive
import numpy as np
import pytest
from gomoku_puzzles import LONG, SHORT, Puzzle
from hypothesis import given, settings
from hypothesis import strategies as st

from rulebots.errors import UsageError
from rulebots.game.dtypes import records
from rulebots.game.grid import place_of
from rulebots.game.position import Position
from rulebots.games.gomoku.forced_wins import ThreatSolver
from rulebots.games.gomoku.threat_board import BOARD, put, set_up, take
from rulebots.kernel import compiling, runnable
from rulebots.registry import load_game

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


def stones_of(position: Position) -> dict[tuple[int, int], int]:
    board = position.state.board
    return {place_of(p, 23): int(board[p]) - 1 for p in range(len(board)) if board[p] in (1, 2)}


@settings(max_examples=60 if compiling() else 12)
@given(size=st.integers(5, 7), exactly=st.integers(0, 1), stones=st.integers(6, 30), seed=SEEDS)
def test_wins_by_fours_are_those_that_trying_everything_finds(size: int, exactly: int, stones: int, seed: int) -> None:
    position = scattered(size, exactly, stones, seed)
    found = ThreatSolver().win(position, threes=0)
    assert (found is not None) == naive.wins_by_fours(stones_of(position), position.mover, size, bool(exactly))


def check_line(position: Position, line: tuple[int, ...]) -> None:
    """The line is legal, and its last move wins."""
    winner, played = position.mover, position.copy()
    for move in line:
        assert not played.over
        played.push(move)
    assert played.over
    assert played.state.winner == winner + 1


def defend(solver: ThreatSolver, position: Position, threes: int, deep: int) -> int:
    """Answer the solver's move in every way there is, so many times in a row; how many wins were asked for."""
    win = solver.win(position, threes)
    assert win is not None
    check_line(position, win.line)
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
        defend(solver, position, win.threes, 2 if size < 8 and compiling() else 1)


@pytest.mark.parametrize("puzzle", SHORT + LONG * compiling(), ids=lambda puzzle: puzzle.text[-24:])
def test_puzzles_are_solved(puzzle: Puzzle) -> None:
    win = ThreatSolver().win(puzzle.position)
    assert win is not None
    assert win.threes == puzzle.threes
    check_line(puzzle.position, win.line)


@pytest.mark.parametrize("puzzle", SHORT[-1:], ids=lambda puzzle: puzzle.text[-24:])
@pytest.mark.slow
def test_a_puzzle_is_won_against_every_first_answer(puzzle: Puzzle) -> None:
    assert defend(ThreatSolver(), puzzle.position, puzzle.threes, 1) > 50


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
