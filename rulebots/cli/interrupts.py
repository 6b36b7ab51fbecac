"""Ctrl-C: one line, wherever it arrives and however often."""

from __future__ import annotations

import importlib
import os
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from rulebots.errors import FileError
from rulebots.user_code import in_users_terms

if TYPE_CHECKING:
    from types import FrameType

#: Seconds until a signal that Python dropped is sent once more.
RESEND = 0.05
#: Seconds for which further signals are ignored while the program cleans up after the first.
GRACE = 5.0


class SigintHandler:
    """A SIGINT handler that raises KeyboardInterrupt in the main thread.

    Three cases are different:

    - While a KeyboardInterrupt is on its way up, further signals are ignored for a few seconds: they would
      interrupt `finally` blocks, and leave locks held and threads waiting.
    - Python drops an exception that is raised inside a finalizer or a callback from C. The handler notices
      this in `sys.unraisablehook` and sends the signal once more.
    - Code that is interrupted may fail with an error of its own, such as an unlocked lock being released.
      `interrupted` says that a signal came, so that such an error can be taken for what it is.
    """

    def __init__(self) -> None:
        self.interrupted = False
        self._last = 0.0

    def __call__(self, _: int, frame: FrameType | None) -> None:
        """Handle a signal."""
        now = time.monotonic()
        if (_unwinding() and now - self._last < GRACE) or _in_resend(frame):
            return
        self.interrupted, self._last = True, now
        sys.unraisablehook = _resend
        raise KeyboardInterrupt


def start(program: str, commands: str) -> int:
    """Run the command line whose commands are the modules of the package `commands`; return its exit code."""
    handler = SigintHandler()
    # The shell makes background jobs ignore SIGINT. They should go on ignoring it.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, handler)
    try:
        from rulebots.cli.console import load_commands, run_app

        package = importlib.import_module(commands)
        load_commands(package)
        code = run_app(package.app, program)
        _ignore_sigint()
    except (KeyboardInterrupt, Exception) as error:
        if not (handler.interrupted or isinstance(error, KeyboardInterrupt)):
            told = in_users_terms(error, games=False)
            if told is None:  # a bug keeps its traceback
                raise
            sys.stderr.write(f"{program}: {told}\n")
            return FileError.exit_code
        _ignore_sigint()
        sys.stderr.write(f"{program}: interrupted\n")
        return 1
    return code


def _ignore_sigint() -> None:
    """All output is written; only the interpreter's own shutdown is left."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _unwinding() -> bool:
    """Whether the code that was interrupted runs because a KeyboardInterrupt is passing through it."""
    error = sys.exception()
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


def _in_resend(frame: FrameType | None) -> bool:
    while frame is not None and frame.f_code is not _resend.__code__:
        frame = frame.f_back
    return frame is not None


def _resend(unraisable: Any) -> None:
    """Replace `sys.unraisablehook`: send a dropped Ctrl-C once more; what half-built objects complain of is no use."""
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        # From a timer: raised from here it would be dropped again.
        threading.Timer(RESEND, os.kill, (os.getpid(), signal.SIGINT)).start()
