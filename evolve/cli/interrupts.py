"""When Ctrl-C, or a SIGTERM, takes effect: no population is left half bred, and nothing bred is lost."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Self

from rulebots.cli.interrupts import SigintHandler

#: What stops a run in good order.
SIGNALS = (signal.SIGINT, signal.SIGTERM)

Handler = Callable[[int, FrameType | None], object]


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C back while the block runs, and let it take effect behind it."""
    held: list[tuple[int, FrameType | None]] = []
    formers = {number: signal.getsignal(number) for number in SIGNALS}
    # What would end the process without a word, or is ignored, is none of our business.
    caught = [number for number, former in formers.items() if callable(former)]
    with _handling(lambda number, frame: held.append((number, frame)), caught):
        yield
    for number, frame in held[:1]:
        former = formers[signal.Signals(number)]
        if callable(former):
            former(number, frame)


class Interrupts:
    """Inside `with Interrupts() as interrupts`, Ctrl-C takes effect where it is allowed to, and waits elsewhere.

    It ends an `interrupts.allowed()` block with a KeyboardInterrupt: the one that runs, or else the
    next one. So an impatient second Ctrl-C cannot get between the blocks, nor into the tidying up of a
    block that the first one ends. SIGTERM does the same. Behind the `with` both are ignored if one has
    come: the process is on its way to its end, and has yet to say where its results are.
    """

    def __init__(self) -> None:
        self._handler = SigintHandler()
        self._open = False
        self._pressed = False
        self._stopping = False

    def __enter__(self) -> Self:
        # A job in the background may ignore Ctrl-C altogether, and then goes on doing so.
        taken = [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
        self._installed = contextlib.ExitStack()
        self._installed.enter_context(_handling(self._take, taken))
        return self

    def __exit__(self, *_: object) -> None:
        self._installed.close()
        if self._stopping:
            for number in SIGNALS:
                signal.signal(number, signal.SIG_IGN)

    @contextlib.contextmanager
    def allowed(self) -> Iterator[None]:
        """A block that Ctrl-C may end; an error that comes behind one is the interruption's (see `SigintHandler`)."""
        self._open = True
        try:
            self.check()
            yield
            self.check()
        except Exception as error:
            if not self._pressed:
                raise
            raise KeyboardInterrupt from error
        finally:
            self._open = self._pressed = False

    def check(self) -> None:
        """Raise a KeyboardInterrupt that has got lost in code which takes every error for an answer."""
        if self._pressed:
            raise KeyboardInterrupt

    def _take(self, number: int, frame: FrameType | None) -> None:
        self._pressed = self._stopping = True
        if self._open:
            self._handler(number, frame)


@contextlib.contextmanager
def _handling(handler: Handler, numbers: list[signal.Signals]) -> Iterator[None]:
    """Let a handler take these signals for a while; only in the main thread, for Python gives them to no other."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    formers = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, former in formers.items():
            signal.signal(number, former)
