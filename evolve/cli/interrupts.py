"""When Ctrl-C or SIGTERM takes effect: no population is left half bred, and nothing that was bred is lost."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType
from typing import Self

from evolve.signals import STOPPING, handling
from rulebots.cli.interrupts import SigintHandler


class Interrupts:
    """Inside `with Interrupts() as interrupts`, Ctrl-C takes effect where it is allowed to, and waits elsewhere.

    It ends an `interrupts.allowed()` block with a KeyboardInterrupt: the one that runs, or else the next one. So an
    impatient second Ctrl-C cannot get between the blocks, nor into the clean-up of a block that the first one
    ends. SIGTERM does the same. After the `with` block both are ignored if one has come: the process is
    about to end, and still has to print where its results are.
    """

    def __init__(self) -> None:
        self._handler = SigintHandler()
        self._open = False
        self._pressed = False
        self._stopping = False

    def __enter__(self) -> Self:
        # A background job may ignore Ctrl-C; it keeps doing so.
        taken = [number for number in STOPPING if signal.getsignal(number) is not signal.SIG_IGN]
        self._installed = contextlib.ExitStack()
        self._installed.enter_context(handling(self._take, taken))
        return self

    def __exit__(self, *_: object) -> None:
        self._installed.close()
        if self._stopping:
            for number in STOPPING:
                signal.signal(number, signal.SIG_IGN)

    @contextlib.contextmanager
    def allowed(self) -> Iterator[None]:
        """A block that Ctrl-C may end; an error that follows it is taken for the interruption: see `SigintHandler`."""
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
        """Raise a KeyboardInterrupt that was lost in code that catches every error."""
        if self._pressed:
            raise KeyboardInterrupt

    def _take(self, number: int, frame: FrameType | None) -> None:
        self._pressed = self._stopping = True
        if self._open:
            self._handler(number, frame)
