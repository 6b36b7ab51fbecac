"""Signals that would stop a run, held back: while its state changes, and in the processes that play for it."""

from __future__ import annotations

import contextlib
import multiprocessing.resource_tracker
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType

#: What stops a run in good order.
STOPPING = (signal.SIGINT, signal.SIGTERM)

Handler = Callable[[int, FrameType | None], object]


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold the stopping signals back while the block runs; the first of them takes effect after it."""
    held: list[tuple[int, FrameType | None]] = []
    handlers = {number: signal.getsignal(number) for number in STOPPING}
    # A signal that is ignored, or that ends the process at once, stays as it is.
    caught = [number for number, handler in handlers.items() if callable(handler)]
    with handling(lambda number, frame: held.append((number, frame)), caught):
        yield
    for number, frame in held[:1]:
        handler = handlers[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)


@contextlib.contextmanager
def handling(handler: Handler, numbers: list[signal.Signals]) -> Iterator[None]:
    """Install a handler of these signals while the block runs; does nothing outside the main thread.

    Python delivers signals to the main thread only.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, former in before.items():
            signal.signal(number, former)


@contextlib.contextmanager
def blocked(*signals: signal.Signals) -> Iterator[None]:
    """Block signals while the block runs; processes that start in it never receive them.

    A terminal sends Ctrl-C to all processes of a run, which still needs its workers to stop in good order.
    In this process the signals are delayed, not lost.
    """
    # multiprocessing starts this helper on demand and unblocks SIGINT after that: start it before.
    multiprocessing.resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
