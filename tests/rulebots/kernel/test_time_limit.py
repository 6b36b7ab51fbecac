"""Thinking too long is a fault: interrupted in the main thread, measured elsewhere."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from contenders import Scripted

from rulebots.errors import UsageError
from rulebots.game import Moves
from rulebots.game.position import Position
from rulebots.kernel.user_code import Late, check_seconds, within
from rulebots.packages import load_game
from rulebots.players import PlayerFault

SHORT, LONG = 0.05, 5.0


def for_ever() -> int:
    while True:
        pass


def for_ever_and_catching_errors() -> int:
    while True:
        with contextlib.suppress(Exception):
            for_ever()


def catching_everything() -> int:
    try:
        return for_ever()
    except BaseException:  # noqa: BLE001 - likewise
        return 1


@pytest.mark.parametrize("think", [for_ever, for_ever_and_catching_errors, catching_everything])
def test_the_timer_ends_a_player_that_never_answers(think: Callable[[], int]) -> None:
    began = time.monotonic()
    with pytest.raises(Late):
        within(SHORT, think)
    assert SHORT < time.monotonic() - began < LONG
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_an_answer_in_time_is_given_and_the_timer_is_off_after_it() -> None:
    assert within(SHORT, lambda: 7) == 7
    time.sleep(2 * SHORT)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_an_error_in_time_passes_and_the_timer_is_off_after_it() -> None:
    with pytest.raises(ZeroDivisionError):
        within(SHORT, lambda: 1 // 0)
    time.sleep(2 * SHORT)


def in_a_thread(seconds: float, think: Callable[[], Any]) -> list[Any]:
    found: list[Any] = []

    def run() -> None:
        try:
            found.append(within(seconds, think))
        except Late:
            found.append("late")

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(LONG)
    return found


def test_in_another_thread_the_time_is_measured_after_the_answer() -> None:
    assert in_a_thread(SHORT, lambda: time.sleep(2 * SHORT)) == ["late"]
    assert in_a_thread(LONG, lambda: 7) == [7]


def test_another_user_of_the_timer_keeps_it() -> None:
    rung = list[int]()
    former = signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, LONG)
        with pytest.raises(Late):
            within(SHORT, lambda: time.sleep(2 * SHORT))
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)
    assert rung == []


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), 1e9, True])
def test_a_limit_that_is_none_is_refused(seconds: float) -> None:
    with pytest.raises(UsageError, match=r"seconds a move: expected a number above 0, at most 1,000,000, not"):
        check_seconds(seconds)


def test_a_late_move_is_a_fault_of_the_player() -> None:
    def slow(_: Any, moves: Moves) -> int:
        time.sleep(LONG)
        return int(moves[0])

    game = load_game("tictactoe")
    with pytest.raises(
        PlayerFault, match=r"'scripted', ply 1: thought for more than the 0\.05 s of a move; legal moves"
    ):
        Scripted(game, slow).decide(Position(game, seed=1), SHORT)
    assert Scripted(game, lambda _, moves: int(moves[0])).decide(Position(game, seed=1), LONG) == 12
