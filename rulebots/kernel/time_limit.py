"""A limit on the time that a user's code takes, such as a player's for a move, in this process.

Python code cannot be stopped safely from outside. In the main thread, on systems that have it, the timer SIGALRM
interrupts the player. Elsewhere, and where compiled code or the player's `except` holds the interruption up, the
time is measured after the answer. A player that never answers in such a place is never stopped.
"""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import TypeVar

from rulebots.errors import UsageError

T = TypeVar("T")
#: More than anyone waits for a move.
MOST_SECONDS = 1_000_000.0


class Late(BaseException):
    """Code ran for longer than it may, which is `seconds`. Not an Exception, because players catch those."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def check_seconds(seconds: float | None) -> None:
    """Raise UsageError for an invalid limit; None means any time."""
    if seconds is not None and not (isinstance(seconds, int | float) and 0 < seconds <= MOST_SECONDS):
        raise UsageError(f"seconds a move: expected a number above 0, at most {MOST_SECONDS:,.0f}, not {seconds!r}")


def within(seconds: float, think: Callable[[], T]) -> T:
    """What `think()` returns. Raises Late if it takes longer than that."""
    began = time.monotonic()
    answer = _interrupted(seconds, think) if _has_timer() else think()
    if time.monotonic() - began > seconds:
        raise Late(seconds)
    return answer


def _has_timer() -> bool:
    """Whether the timer can be used: signals reach the main thread only, and another user keeps its timer."""
    return (
        hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    )


def _interrupted(seconds: float, think: Callable[[], T]) -> T:
    """What `think()` returns, with the timer running. It rings once, so no second Late can end the clean-up."""

    def ring(_: int, __: FrameType | None) -> None:
        raise Late(seconds)

    signal.signal(signal.SIGALRM, ring)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds)
            return think()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


@contextlib.contextmanager
def afterwards(seconds: float | None, act: Callable[[], object]) -> Iterator[None]:
    """A block during which `act()` is called, in another thread, once it has taken `seconds`; None for never."""
    if seconds is None:
        yield
        return
    timer = threading.Timer(seconds, act)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
