"""How both command lines start: from then on Ctrl-C is answered by one line, whatever it strikes, and however often."""

from __future__ import annotations

import importlib
import os
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import FrameType

#: Seconds until a Ctrl-C that got lost strikes again.
AGAIN = 0.05
#: Seconds that what a Ctrl-C ends may tidy up undisturbed by the next one.
PATIENCE = 5.0


class Strike:
    """What Ctrl-C does: it raises a KeyboardInterrupt, wherever it strikes.

    Not while what an earlier one ends tidies up, unless that takes long: in the middle of it a second one
    would leave locks and threads in a state from which nothing goes on, or ends. One that strikes a
    finalizer or a callback out of C is dropped there by Python, so it strikes again. Other code that it
    strikes may answer by an error of its own: the lock of a thread that was about to start is not held.
    Therefore `struck` remembers.
    """

    def __init__(self) -> None:
        self.struck = False
        self._last = 0.0

    def __call__(self, _: int, frame: FrameType | None) -> None:
        """The handler of a signal."""
        now = time.monotonic()
        if (_tidying_up() and now - self._last < PATIENCE) or _in_lost(frame):
            return
        self.struck, self._last = True, now
        sys.unraisablehook = _lost
        raise KeyboardInterrupt


def start(program: str, commands: str) -> int:
    """Run the command line whose commands are the modules of a package, and return its exit code."""
    strike = Strike()
    # A job in the background may ignore Ctrl-C altogether, and then goes on doing so.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, strike)
    try:
        from rulebots.cli.console import load_commands, run_app

        package = importlib.import_module(commands)
        load_commands(package)
        code = run_app(package.app, program)
        _ignore_ctrl_c()
    except (KeyboardInterrupt, Exception) as error:
        if not (strike.struck or isinstance(error, KeyboardInterrupt)):
            raise
        _ignore_ctrl_c()
        sys.stderr.write(f"{program}: interrupted\n")
        return 1
    return code


def _ignore_ctrl_c() -> None:
    """From here on: everything is said, what is left is the interpreter's own tidying up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _tidying_up() -> bool:
    """Whether a KeyboardInterrupt is on its way up, and what runs is what it passes."""
    error = sys.exception()
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


def _in_lost(frame: FrameType | None) -> bool:
    while frame is not None and frame.f_code is not _lost.__code__:
        frame = frame.f_back
    return frame is not None


def _lost(complaint: Any) -> None:
    """What was thrown away half built may complain, to nobody's use; but not an interruption."""
    if issubclass(complaint.exc_type, KeyboardInterrupt):
        # Not from here, where it would be dropped once more.
        threading.Timer(AGAIN, os.kill, (os.getpid(), signal.SIGINT)).start()
