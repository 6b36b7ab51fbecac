"""Limits of depth, nodes and time."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import time

import pytest
from naive_minimax import value_of_move
from played_positions import after, positions

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.kernel import compiling
from rulebots.registry import load_game
from rulebots.search.minimax.search import Limits, Minimax, MinimaxResult

kalah, tictactoe = load_game("kalah"), load_game("tictactoe")
DEPTH = 5 if compiling() else 3
POSITIONS = positions(kalah, 2, pits=4, stones=3)


def same(found: MinimaxResult, other: MinimaxResult) -> bool:
    return dataclasses.replace(found, seconds=0) == dataclasses.replace(other, seconds=0)


def test_slices_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    position = POSITIONS[1]
    whole = Minimax(kalah, megabytes=1).best(position, Limits(depth=DEPTH))
    monkeypatch.setattr("rulebots.search.minimax.limits.LONG_SLICE", 1)
    assert same(Minimax(kalah, megabytes=1).best(position, Limits(depth=DEPTH)), whole)


@pytest.mark.slow
def test_a_search_that_is_stopped_is_never_worse_than_its_last_complete_iteration() -> None:
    position = positions(kalah, 6)[5]
    whole = {d: Minimax(kalah).best(position, Limits(depth=d)).move for d in range(1, DEPTH + 1)}
    worth = functools.cache(lambda move, depth: value_of_move(position, move, depth))
    changed = 0
    for nodes in range(1, 100):
        found = Minimax(kalah).best(position, Limits(nodes=nodes))
        assert found.nodes <= nodes
        assert found.move in position.legal_moves
        former = whole.get(found.depth, found.move)
        deeper = found.depth + 1
        assert found.move == former or worth(found.move, deeper) > worth(former, deeper)
        changed += found.move != former
    assert changed, "no search was stopped after it had found something better"


def test_a_search_ends_with_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes on a millisecond at every look at it."""
    ticks = itertools.count()
    monkeypatch.setattr(time, "perf_counter", lambda: next(ticks) / 1000)
    found = Minimax(kalah).best(positions(kalah, 1)[0], Limits(seconds=0.024))
    assert found.nodes > 100
    assert 0.024 <= found.seconds <= 0.028


def test_a_move_is_found_even_when_there_is_no_time_at_all() -> None:
    position = POSITIONS[0]
    assert Minimax(kalah).best(position, Limits(seconds=1e-6)).move in position.legal_moves


def test_a_search_to_the_end_goes_no_deeper() -> None:
    moves = [] if compiling() else ["1,1", "0,0", "0,2", "2,0"]
    found = Minimax(tictactoe).best(after(Position(tictactoe), *moves), Limits(depth=20))
    assert (found.exact, found.value) == (True, 0)
    assert found.depth <= 9 - len(moves)


def test_what_cannot_be_searched_is_refused() -> None:
    won = after(Position(tictactoe), "0,0", "1,0", "0,1", "1,1", "0,2")
    with pytest.raises(UsageError, match="the game is over: there is nothing to search"):
        Minimax(tictactoe).best(won, Limits(depth=1))
    with pytest.raises(UsageError, match="expected a position of Kalah, not of Tic-tac-toe"):
        Minimax(kalah).best(Position(tictactoe), Limits(depth=1))


def test_a_search_is_stopped_at_its_next_look_at_the_clock() -> None:
    game = load_game("tictactoe")
    search = Minimax(game)
    # With a limit of seconds the first look comes after one position.
    result = search.best(Position(game), Limits(seconds=60.0), watch=lambda *_: search.stop())
    assert not result.exact
    assert result.nodes < 10
    assert result.move in Position(game).legal_moves
    assert search.best(Position(game), Limits(depth=2)).depth == 2, "the next search is not stopped"
