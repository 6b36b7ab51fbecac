"""Limits of depth, nodes and time.

----

MTD(f) finds what an exhaustive search finds, by null windows.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import time

import numpy as np
import pytest
from hypothesis import given, strategies as st
from naive_minimax import value_of_move
from played_positions import after, positions

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.kernel import compiling
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.search.minimax.search import Limits, Minimax, MinimaxResult, Pass, mtdf

kalah, tictactoe = load_game("kalah"), load_game("tictactoe")
DEPTH = 5 if compiling() else 3
POSITIONS = positions(kalah, 2, pits=4, stones=3)


def same(found: MinimaxResult, other: MinimaxResult) -> bool:
    return dataclasses.replace(found, seconds=0) == dataclasses.replace(other, seconds=0)


def test_slices_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    position = POSITIONS[1]
    whole = Minimax(kalah, megabytes=1).best(position, Limits(depth=DEPTH))
    monkeypatch.setattr("rulebots.search.minimax.search.LONG_SLICE", 1)
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


kalah, tictactoe = load_game("kalah"), load_game("tictactoe")
DEPTH = 5 if compiling() else 3


@given(
    st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=8),
    st.lists(st.integers(0, 3000), min_size=8, max_size=8),
    st.integers(-(10**6), 10**6),
)
def test_any_bounds_lead_to_the_value_from_any_guess(values: list[int], slack: list[int], guess: int) -> None:
    """A pass may prove more than was asked, but never more than is true."""
    best, windows = max(values), list[tuple[int, int]]()

    def search(low: int, high: int) -> Pass:
        assert high == low + 1
        windows.append((low, high))
        give = slack[len(windows) % 8]
        value = max(high, best - give) if best >= high else min(low, best + give)
        move = next((move for move, own in enumerate(values) if own >= value), 0)
        return Pass(value, move, (move,), horizon=False)

    found = mtdf(guess, search)
    assert found is not None
    assert found.value == best == values[found.move]
    assert not found.horizon
    assert len(set(windows)) == len(windows)


def test_the_value_meets_the_horizon_if_either_bound_does() -> None:
    for above, below in [(False, False), (True, False), (False, True)]:
        found = mtdf(0, lambda _, high, a=above, b=below: Pass(7, 0, (0,), a if high > 7 else b))  # type: ignore[misc]
        assert found == Pass(7, 0, (0,), above or below)


def test_a_search_that_is_stopped_has_no_value() -> None:
    passes = [Pass(5, 1, (1,), horizon=True), None]
    assert mtdf(0, lambda *_: passes.pop(0)) is None


def test_the_value_is_that_of_alpha_beta_at_equal_depth_and_the_move_has_it() -> None:
    asked = [*positions(kalah, 5 if compiling() else 2, pits=4, stones=3), *positions(tictactoe, 3)]
    for position in asked:
        for depth in range(1, DEPTH + 1):
            found = Minimax(position.game, megabytes=1, driver="mtdf").best(position, Limits(depth=depth))
            other = Minimax(position.game, megabytes=1).best(position, Limits(depth=depth))
            assert (found.value, found.depth, found.exact) == (other.value, other.depth, other.exact)
            assert value_of_move(position, found.move, depth) == found.value
            assert found.line == (found.move,)


def test_a_search_that_is_stopped_has_the_move_of_its_last_complete_depth() -> None:
    position = Position(kalah, {"pits": 4, "stones": 3})
    complete = {d: Minimax(kalah, driver="mtdf").best(position, Limits(depth=d)) for d in range(1, DEPTH + 1)}
    reached = set[int]()
    for nodes in np.linspace(complete[1].nodes + 1, complete[DEPTH].nodes - 1, 12).astype(int).tolist():
        found = Minimax(kalah, driver="mtdf").best(position, Limits(nodes=nodes))
        assert found.nodes <= nodes
        assert (found.move, found.value) == (complete[found.depth].move, complete[found.depth].value)
        reached.add(found.depth)
    assert reached == set(range(1, DEPTH))


def test_a_name_chooses_it() -> None:
    player = make_player("minimax:depth=2,driver=mtdf", kalah)
    assert player.for_one_game().decide(Position(kalah)) in Position(kalah).legal_moves
    assert player.identity() != make_player("minimax:depth=2", kalah).identity()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("driver=scout", "minimax: driver: expected pvs or mtdf, not 'scout'"),
        (
            "driver=mtdf,table=0",
            "minimax: driver: mtdf repeats its search from a table: leave table=0 out, or take pvs",
        ),
    ],
)
def test_a_wrong_driver_is_answered_in_one_line(settings: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        make_player(f"minimax:depth=2,{settings}", kalah)
    assert str(caught.value) == message
