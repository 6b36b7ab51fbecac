"""Signals that would stop a run, held back: while its state changes, and in the processes that play for it."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold SIGINT and SIGTERM back while the block runs; the first of them takes effect after it."""
    held: list[tuple[int, FrameType | None]] = []
    former: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():  # Python delivers signals to no other
        for number in (signal.SIGINT, signal.SIGTERM):
            # A signal that is ignored, or that ends the process at once, stays as it is.
            if callable(signal.getsignal(number)):
                former[number] = signal.signal(number, lambda *given: held.append(given))
    try:
        yield
    finally:
        for taken, handler in former.items():
            signal.signal(taken, handler)
    for came, frame in held[:1]:
        former[came](came, frame)


@contextlib.contextmanager
def blocked(*signals: signal.Signals) -> Iterator[None]:
    """Block signals while the block runs; processes that start in it never receive them.

    A terminal sends Ctrl-C to all processes of a run, which still needs its workers to stop in good order.
    In this process the signals are delayed, not lost. Windows cannot block them: there workers get Ctrl-C as well.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    # multiprocessing starts this helper on demand and unblocks SIGINT after that: start it before.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
