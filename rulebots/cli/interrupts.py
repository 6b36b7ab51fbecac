"""Ctrl-C and SIGTERM: the program ends in good order and in one line, wherever the signal arrives and however often."""

import contextlib
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any, NoReturn, Self

#: The exit code of a command that Ctrl-C ended, as shells and Typer have it.
INTERRUPTED = 130
#: Seconds for which further signals are ignored while the program cleans up after the first.
GRACE = 5.0
#: Seconds until a signal that Python dropped is sent once more.
RESEND = 0.05
#: A signal that nobody else uses: the main thread answers it as soon as it runs Python code again. Windows has none.
PROBE = getattr(signal, "SIGURG", None)
#: Seconds after which a signal counts as unanswered: the main thread is in compiled code, where no handler runs.
UNANSWERED = 1.0


class Interrupts:
    """A signal handler that raises KeyboardInterrupt in the main thread.

    - For a few seconds after it has raised, it ignores further signals: they would interrupt `finally` blocks, and
      leave locks held and threads waiting.
    - Python drops an exception that is raised inside a finalizer or a callback from C. The handler notices this in
      `sys.unraisablehook`, and sends the signal once more.
    - Code that is interrupted may fail with an error of its own, such as an unlocked lock being released. `came` says
      that there was a signal, so that such an error can be taken for what it is.

    Inside `with Interrupts() as interrupts`, SIGINT and SIGTERM take effect in `interrupts.allowed()` blocks only: they
    end the one that runs, or else the next one. So no population is left half bred, and nothing that was bred is lost.
    After the `with` block both signals are ignored if one has come: the process still has to print where its results
    are.
    """

    def __init__(self) -> None:
        self.came = False
        self._allowed = True
        self._pending = False
        self._raised = -GRACE

    def __call__(self, *_: object) -> None:
        """Handle a signal."""
        self.came = self._pending = True
        if self._allowed and time.monotonic() - self._raised > GRACE:
            self._raised = time.monotonic()
            sys.unraisablehook = self._resend
            raise KeyboardInterrupt

    def __enter__(self) -> Self:
        self._allowed = False
        self._former = {}
        if threading.current_thread() is threading.main_thread():
            # A background job may ignore Ctrl-C; it keeps doing so.
            for number in (signal.SIGINT, signal.SIGTERM):
                if signal.getsignal(number) is not signal.SIG_IGN:
                    self._former[number] = signal.signal(number, self)
        return self

    def __exit__(self, *_: object) -> None:
        for number, former in self._former.items():
            signal.signal(number, signal.SIG_IGN if self.came else former)

    @contextlib.contextmanager
    def allowed(self) -> Iterator[None]:
        """A block that a signal may end; an error of the block that follows the signal is taken for it."""
        self._allowed = True
        self._raised = -GRACE
        try:
            self.check()
            yield
            self.check()
        except Exception as error:
            if not self._pending:
                raise
            raise KeyboardInterrupt from error
        finally:
            self._allowed = self._pending = False

    def check(self) -> None:
        """Raise a KeyboardInterrupt that was lost in code that catches every error."""
        if self._pending:
            raise KeyboardInterrupt

    def _resend(self, unraisable: Any) -> None:
        """Replace `sys.unraisablehook`: what other half-built objects complain of does not matter any more."""
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            self._raised = -GRACE
            # From a timer: raised from here it would be dropped again.
            threading.Timer(RESEND, press_again).start()


def press_again() -> None:
    """Send SIGINT to this process; on Windows `os.kill` would end it."""
    if sys.platform == "win32":
        signal.raise_signal(signal.SIGINT)
    else:
        os.kill(os.getpid(), signal.SIGINT)


def watch(program: str) -> None:
    """From now on, a second Ctrl-C ends a process whose main thread does not come out of compiled code.

    Python runs signal handlers in the main thread, between two of its own instructions: a loop without end in compiled
    code answers none. But each signal is written into a pipe as it arrives, and a thread reads that. If the main thread
    does not answer after a SIGINT, a line says that the next one ends the process, and that one does. Windows has no
    signals for threads: there compiled code is not interrupted.
    """
    if PROBE is None:
        return
    main = threading.get_ident()
    answered = threading.Event()
    signal.signal(PROBE, lambda *_: answered.set())
    arrived, written = os.pipe()
    os.set_blocking(written, False)
    signal.set_wakeup_fd(written, warn_on_full_buffer=False)

    def follow() -> None:
        # No signal may choose this thread where others block it.
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        warned = False
        while True:
            if signal.SIGINT not in os.read(arrived, 100):
                continue
            if warned and not answered.is_set():
                _say(program, "interrupted")
                end_process(INTERRUPTED)
            answered.clear()
            signal.pthread_kill(main, PROBE)
            warned = not answered.wait(UNANSWERED)
            if warned:
                while select.select([arrived], [], [], 0)[0]:
                    os.read(arrived, 100)  # what was pressed before the next line could be read
                _say(program, "compiled code is running and has not stopped yet; Ctrl-C again ends the program at once")

    threading.Thread(target=follow, daemon=True).start()


def end_process(code: int = 0) -> NoReturn:
    """End the process now, whatever its threads do: Python would wait for those that compile, for many seconds.

    Everything that is to last has been written before.
    """
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    os._exit(code)


def _say(program: str, what: str) -> None:
    with contextlib.suppress(OSError):
        os.write(2, f"{program}: {what}\n".encode())
