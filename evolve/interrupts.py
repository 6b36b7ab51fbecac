"""When Ctrl-C takes effect: a population is never left half bred, and what was bred is never lost."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Self


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C back while the block runs, and let it take effect behind it."""
    held: list[tuple[int, FrameType | None]] = []
    with _handling(lambda number, frame: held.append((number, frame))) as former:
        yield
    if held and former is not None:
        former(*held[0])


class Interrupts:
    """Inside `with Interrupts() as interrupts`, Ctrl-C takes effect where it is allowed to, and waits elsewhere.

    It ends an `interrupts.allowed()` block with a KeyboardInterrupt: the one that runs, or else the
    next one. So an impatient second Ctrl-C cannot get between the blocks.
    """

    def __init__(self) -> None:
        self._open = False
        self._pressed = False

    def __enter__(self) -> Self:
        self._installed = contextlib.ExitStack()
        self._installed.enter_context(_handling(self._take))
        return self

    def __exit__(self, *_: object) -> None:
        self._installed.close()

    @contextlib.contextmanager
    def allowed(self) -> Iterator[None]:
        """A block that Ctrl-C may end."""
        self._open = True
        try:
            self.check()
            yield
            self.check()
        finally:
            self._open = self._pressed = False

    def check(self) -> None:
        """Raise a KeyboardInterrupt again that C code has swallowed.

        Numba looks for attributes of the arrays that it is given and clears any error meanwhile; NumPy's
        record arrays run Python code to answer, so that Ctrl-C may strike, and be lost, right there.
        """
        if self._pressed:
            raise KeyboardInterrupt

    def _take(self, *_: object) -> None:
        self._pressed = True
        if self._open:
            raise KeyboardInterrupt


@contextlib.contextmanager
def _handling(
    handler: Callable[[int, FrameType | None], object],
) -> Iterator[Callable[[int, FrameType | None], object] | None]:
    """Let a handler take Ctrl-C for a while; gives the former one, None where there is nothing to take.

    Python interrupts the main thread only, and a job in the background may ignore Ctrl-C altogether.
    """
    former = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(former):
        yield None
        return
    signal.signal(signal.SIGINT, handler)
    try:
        yield former
    finally:
        signal.signal(signal.SIGINT, former)
