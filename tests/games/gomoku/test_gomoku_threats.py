"""The search for forced wins: against slow oracles, and against every defence."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import naive_threats as naive
import numpy as np
import pytest
from gomoku_puzzles import LONG, SHORT, Puzzle
from hypothesis import given, settings
from hypothesis import strategies as st

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.games.gomoku.rules import patterns
from rulebots.games.gomoku.threats.board import BOARD, new_board, put, set_up, take
from rulebots.games.gomoku.threats.player import ThreatPlayer
from rulebots.games.gomoku.threats.search import ThreatSearch
from rulebots.games.gomoku.threats.solver import ThreatSolver, compiled_solver
from rulebots.games.gomoku.threats.values import UNITS, values_of
from rulebots.grid import place_of
from rulebots.kernel import compiling
from rulebots.players import RulePlayer
from rulebots.players.names import make_player
from rulebots.registry import load_game
from rulebots.search.minimax.limits import Limits

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
    fill = compiled_solver()[0] if compiling() else set_up
    position = scattered(size, exactly, stones, seed)
    board, fresh = new_board(), new_board()
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


@settings(max_examples=10 if compiling() else 3)
@given(size=st.integers(5, 15), stones=st.integers(1, 60), seed=SEEDS)
def test_patterns_are_worth_what_the_rules_score(size: int, stones: int, seed: int) -> None:
    """The tables together are the guide's score of every point near a stone."""
    position = scattered(size, 0, stones, seed)
    guide = RulePlayer(patterns, patterns.hand_tuned())
    board, values = new_board(), values_of(guide, position.state)
    set_up(board, position.state)
    shown: Any = patterns.seeing(position.view())
    assert patterns.facts is not None
    assert patterns.consider is not None
    assert patterns.progress is not None
    patterns.facts(shown)
    late = patterns.progress(shown)
    weights = (1 - late) * guide.weights[0] + late * guide.weights[1]
    for point in position.legal_moves.tolist()[:20]:
        if board.near[point]:
            patterns.consider(shown, point)
            score = sum(w * r(shown, point) for w, r in zip(weights, patterns.rules, strict=True) if r.group != "place")
            mine, theirs = (board.patterns[s, point] for s in (position.mover, 1 - position.mover))
            assert (values.attack[mine] + values.block[theirs]) / UNITS == pytest.approx(score, abs=0.01)


def played(moves: str) -> Position:
    position = Position(GAME)
    for text in moves.split():
        position.push(position.read(text))
    return position


@pytest.mark.parametrize(
    ("moves", "best"),
    [
        ("h8 a1 h9 c1 h10", {"h7", "h11", "h6", "h12"}),
        ("h8 h1 h9 j1 h10 l1 h11", {"h7", "h12"}),
        ("a2 h8 a1 h9 o1 h10 a15 h11 o15", {"h7", "h12"}),
        ("", {"h8"}),
    ],
    ids=["an open three is stopped", "an open four is stopped on one side", "an own four is ended", "the first stone"],
)
def test_the_player_answers_what_must_be_answered(moves: str, best: set[str]) -> None:
    position = played(moves)
    player = make_player(f"threats:nodes={400 if compiling() else 8}", GAME)
    assert position.write(player.beginning_a_game(position.mover).decide(position)) in best


def test_where_there_is_no_time_one_ply_is_searched() -> None:
    """Another position was searched before: nothing of it is left."""
    search = ThreatSearch(RulePlayer(patterns, patterns.hand_tuned()), megabytes=1)
    search.best(played("h8 h9"), Limits(depth=1))
    for moves in ("h8 h9 g8", "h8 h9 g8 i9"):
        result = search.best(played(moves), Limits(seconds=1e-6))
        assert result.move in played(moves).legal_moves
        assert result.depth == 1


def test_a_search_is_stopped_at_its_next_look_at_the_clock() -> None:
    search = ThreatSearch(RulePlayer(patterns, patterns.hand_tuned()), megabytes=1)
    position = played("h8")
    result = search.best(position, Limits(seconds=60.0), watch=lambda *_: search.stop())
    assert result.depth <= 1
    assert result.move in position.legal_moves
    assert search.best(position, Limits(depth=2)).depth == 2, "the next search is not stopped"


def test_a_search_says_what_it_found() -> None:
    search = ThreatSearch(RulePlayer(patterns, patterns.hand_tuned()), megabytes=1)
    result = search.best(SHORT[0].position, Limits(nodes=100))
    assert result.win is not None
    assert result.plies == len(result.win.line) == 3
    assert result.effort[-1] == "a forced win in 3 plies"
    quiet = search.best(played("h8 h9"), Limits(nodes=20 if compiling() else 4))
    assert (quiet.win, quiet.plies) == (None, None)
    assert quiet.value is not None


@pytest.mark.skipif(not compiling(), reason="many positions")
def test_a_search_of_so_many_nodes_is_the_same_each_time() -> None:
    position = played("h8 h9 g9 i7 i9")
    guide = RulePlayer(patterns, patterns.hand_tuned())
    limits = Limits(nodes=3000)
    results = [replace(ThreatSearch(guide).best(position, limits), seconds=0) for _ in range(2)]
    assert results[0] == results[1]
    assert results[0].depth > 2


@pytest.mark.skipif(not compiling(), reason="many positions")
def test_the_board_may_fill_up() -> None:
    """Two searches play on a small board to the end of the game."""
    position = Position(GAME, {"size": 5})
    players = [make_player("threats:nodes=200", GAME).beginning_a_game(seat) for seat in range(2)]
    while not position.over:
        position.push(players[position.mover].decide(position))
    assert position.points == (0, 0)


def test_names() -> None:
    player = make_player("threats:seconds=0.1,rules=hand_tuned,table=2", GAME)
    assert isinstance(player, ThreatPlayer)
    assert player.name == "threats:seconds=0.1,rules=hand_tuned,table=2"
    assert player.identity() != make_player("threats:seconds=0.2", GAME).identity()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("threats", "threats: a search needs a limit: give depth, nodes or seconds"),
        ("threats:nodes=0", "threats: nodes"),
        ("threats:second=1", "did you mean 'seconds'"),
        ("threats:nodes=9,rules=random", "expected the name of a rule player"),
        ("threats:nodes=9,table=0", "expected 1 to 4096 megabytes as 'table', not 0"),
        ("threats:nodes=x", "expected a whole number for 'nodes', not 'x'"),
    ],
)
def test_a_wrong_name_is_one_line(name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        make_player(name, GAME)


def test_a_five_is_made_whatever_the_limit() -> None:

    for seat, moves in itertools.product((0, 1), ("h8 a1 h9 c1 h10 e1 h11 g1",)):
        position = played(moves if seat == 0 else f"o1 {moves}")
        move = make_player("threats:nodes=1", GAME).decide(position)
        assert position.write(move) in {"h7", "h12"}


def test_huge_weights_decide_as_small_ones() -> None:
    state = played("h8 h9").state
    large, small = (values_of(RulePlayer(patterns, factor * patterns.hand_tuned()), state) for factor in (100.0, 4.0))
    for many, few in zip(large, small, strict=True):
        np.testing.assert_array_equal(many, few)
