"""Ctrl-C: one line, wherever it arrives and however often."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, NoReturn

from rulebots.errors import FileError
from rulebots.kernel.user_code import in_users_terms

if TYPE_CHECKING:
    from types import FrameType

#: Seconds until a signal that Python dropped is sent once more.
RESEND = 0.05
#: Seconds for which further signals are ignored while the program cleans up after the first.
GRACE = 5.0
#: A signal that nobody else uses: the main thread answers it as soon as it runs Python code again.
PROBE = signal.SIGURG
#: Seconds after which a signal counts as unanswered: the main thread is in compiled code, where no handler runs.
UNANSWERED = 1.0


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


class Watch:
    """Ends a process whose main thread does not come out of compiled code.

    Python runs signal handlers in the main thread, between two of its own instructions: a loop without end in compiled
    code answers none. But each signal is written into a pipe as it arrives, and a thread reads that. If the main thread
    stays unanswering after a SIGINT, a line says that the next one ends the process, and that one does.
    """

    def __init__(self, program: str) -> None:
        self._program, self._main = program, threading.get_ident()
        self._answered = threading.Event()
        signal.signal(PROBE, lambda *_: self._answered.set())
        self._arrived, written = os.pipe()
        os.set_blocking(written, False)
        signal.set_wakeup_fd(written, warn_on_full_buffer=False)
        threading.Thread(target=self._follow, daemon=True).start()

    def _follow(self) -> None:
        # No signal may choose this thread where others block it.
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        told = False
        while True:
            if signal.SIGINT not in os.read(self._arrived, 100):
                continue
            if told and not self._answered.is_set():
                self._say("interrupted")
                os._exit(1)
            self._answered.clear()
            signal.pthread_kill(self._main, PROBE)
            told = not self._answered.wait(UNANSWERED)
            if told:
                os.set_blocking(self._arrived, False)
                with contextlib.suppress(BlockingIOError):
                    os.read(self._arrived, 100)  # what was pressed before the next line could be read
                os.set_blocking(self._arrived, True)
                self._say("compiled code is running and has not stopped yet; Ctrl-C again ends the program at once")

    def _say(self, what: str) -> None:
        with contextlib.suppress(OSError):
            os.write(2, f"{self._program}: {what}\n".encode())


def start(program: str, commands: str) -> int:
    """Run the command line whose commands are the modules of the package `commands`; return its exit code."""
    handler = SigintHandler()
    # The shell makes background jobs ignore SIGINT. They should go on ignoring it.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, handler)
        Watch(program)
    try:
        from rulebots.cli.console import load_commands, run_app

        package = importlib.import_module(commands)
        load_commands(package)
        code = run_app(package.app, program)
        _leave()
    except (KeyboardInterrupt, Exception) as error:
        if not (handler.interrupted or isinstance(error, KeyboardInterrupt)):
            told = in_users_terms(error, games=False)
            if told is None:  # a bug keeps its traceback
                raise
            sys.stderr.write(f"{program}: {told}\n")
            return FileError.exit_code
        _leave()
        sys.stderr.write(f"{program}: interrupted\n")
        return 1
    return code


def leave_threads(program: str, *, interrupted: bool) -> NoReturn:
    """End the process now, whatever its threads do: Python would wait for those that compile, for many seconds.

    Everything that is to last has been written before.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        if interrupted:
            sys.stderr.write(f"{program}: interrupted\n")
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(int(interrupted))


def _leave() -> None:
    """All output is written; only the interpreter's own shutdown is left, which looks through all that is alive."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()  # not any more: of compiled code alone that is 100,000 objects, and most of a second


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
