"""A foreign program in a process group of its own: lines in, lines out, limits, and an end with all its children.

The program is started without a shell interpreting its command. The system limits its memory (`ulimit -d`: what it
allocates, not what it reserves), the caller's deadline each wait for a line; what it writes on stderr is kept in a
file, up to a limit. Windows has neither process groups nor `ulimit`: there only the program itself is ended, and its
memory has no limit. One asyncio event loop in a thread serves all programs, so that any thread may wait for a line.
"""

import asyncio
import contextlib
import functools
import os
import queue
import re
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from rulebots.errors import UsageError, demand, shown
from rulebots.files import is_file, is_folder
from rulebots.protocols import LineTooLong, ProtocolError, bytes_of, line_of

#: Seconds that a program has to end by itself, once it was asked to.
GOODBYE = 0.5
#: Bytes of a temporary file that are kept.
MOST_KEPT = 1_000_000
#: Bytes that a program may leave unread.
MOST_UNREAD = 10_000_000
#: Lines that wait here; then the program has to wait as well.
_MOST_WAITING = 64
#: Whether the system has process groups, and a shell that sets limits.
HAS_GROUPS = hasattr(os, "killpg")
#: Limits the memory, then becomes the program.
_LIMITED = 'ulimit -d "$0" && exec "$@"'
#: The name of the thread that serves programs.
_THREAD = "programs"


@functools.cache
def _event_loop() -> asyncio.AbstractEventLoop:
    """The event loop of programs, in a thread that runs until the process ends."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name=_THREAD, daemon=True).start()
    return loop


# Threads do not survive a fork: the child starts its own when it needs it.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_event_loop.cache_clear)


class ProgramEnded(ProtocolError):
    """The program has ended."""


class ChildProcess(asyncio.SubprocessProtocol):
    """A running program. Its callbacks run in the event loop's thread, its other methods in any one thread at a time.

    `command` is the program with its arguments, `memory` the megabytes that it may allocate, None for any. With
    `keep_stderr`, what it writes on stderr goes to a file as well.

    Raises:
        UsageError: there is no such program. OSError: the system starts none.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        longest_line: int = 65_536,
        memory: int | None = None,
        keep_stderr: bool = True,
    ) -> None:
        check_program(command)
        self.errors = StderrFile(Path(command[0]).name if keep_stderr else "")
        self._longest_line = longest_line
        #: Whole lines, an error that nothing can follow, and None at the end.
        self._lines = queue.SimpleQueue[bytes | LineTooLong | None]()
        self._rest = bytearray()
        self._paused = False
        self._exited = threading.Event()
        self._closed = threading.Event()
        self._transport: asyncio.SubprocessTransport
        self._input: asyncio.WriteTransport
        self._output: asyncio.ReadTransport
        self._loop = _event_loop()
        limit = [] if memory is None or not HAS_GROUPS else ["/bin/sh", "-c", _LIMITED, str(memory * 1024)]
        starting = self._loop.subprocess_exec(lambda: self, *limit, *command, start_new_session=True)
        asyncio.run_coroutine_threadsafe(starting, self._loop).result()

    def connection_made(self, transport: Any) -> None:
        """It runs."""
        self._transport = transport
        self._input = transport.get_pipe_transport(0)
        self._output = transport.get_pipe_transport(1)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """It has written something."""
        if fd == 2:
            self.errors.add(data)
            return
        self._rest += data
        if b"\n" in data:
            *lines, self._rest = self._rest.split(b"\n")
            for line in lines:
                self._lines.put(bytes(line) if len(line) <= self._longest_line else LineTooLong(self._longest_line))
        if len(self._rest) > self._longest_line:
            self._lines.put(LineTooLong(self._longest_line))
            self._output.close()
        elif self._lines.qsize() > _MOST_WAITING:
            self._output.pause_reading()
            self._paused = True
            if self._lines.empty():  # all was received meanwhile
                self._resume()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """It has closed a pipe."""
        if fd == 1:
            self._lines.put(None)

    def process_exited(self) -> None:
        """It has ended; what it has left behind in its group ends with it."""
        self._exited.set()
        self._kill_group()

    def connection_lost(self, exc: Exception | None) -> None:
        """It has ended, and all its pipes are closed."""
        self._transport.close()
        self._closed.set()

    @property
    def returncode(self) -> int | None:
        """How it ended: an exit code, or a signal's number below 0; None while it runs."""
        return self._transport.get_returncode()

    def send(self, lines: Sequence[str]) -> None:
        """Send lines. If the program has ended, `receive` says so, after what it said before.

        Raises:
            ProtocolError: the program does not read them.
        """
        demand(self._input.get_write_buffer_size() <= MOST_UNREAD, "does not read what it is told", ProtocolError)
        self._loop.call_soon_threadsafe(self._write, bytes_of(lines))

    def _write(self, data: bytes) -> None:
        if not self._input.is_closing():
            self._input.write(data)

    def receive(self, deadline: float | None) -> str:
        """The next line. The deadline is a moment as `time.monotonic` counts, None for never.

        Raises:
            TimeoutError: it did not come in time. ProgramEnded: the program has ended. ProtocolError: the line is too
                long, or not UTF-8.
        """
        try:
            line = self._lines.get(timeout=None if deadline is None else max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise TimeoutError from None
        if self._paused and self._lines.empty():
            self._loop.call_soon_threadsafe(self._resume)
        if isinstance(line, bytes):
            return line_of(line)
        self._lines.put(line)  # nothing else comes after it
        if line is not None:
            raise line
        if self._exited.wait(GOODBYE):
            self._closed.wait(GOODBYE)  # the last of its stderr
        raise ProgramEnded(f"{_ending(self.returncode)}{self.errors.hint}")

    def _resume(self) -> None:
        self._paused = False
        if not self._output.is_closing():
            self._output.resume_reading()

    @property
    def hint(self) -> str:
        """What may explain its silence: a line without an end, and the end of its stderr."""
        begun = self._rest[:40].decode("utf-8", "replace")
        unended = f"; it sent '{shown(begun)}' without the end of a line" if begun else ""
        return unended + self.errors.hint

    def dismiss(self, last: Sequence[str] = ()) -> None:
        """Send the last lines, if it takes them at once, and close the program's input."""
        with contextlib.suppress(ProtocolError):
            self.send(last)
        self._loop.call_soon_threadsafe(self._input.close)

    def end(self, patience: float = 0.0) -> None:
        """End the program, unless it ends by itself within `patience` seconds, and all that is left of its group."""
        # The garbage collector may call this in the event loop's own thread, where nothing comes of waiting.
        here = threading.current_thread().name == _THREAD
        if not self._exited.wait(0.0 if here else patience):
            self._kill_group()
        self._loop.call_soon_threadsafe(self._output.close)
        if not here:
            self._exited.wait()
            if not self._closed.wait(GOODBYE):  # something that it started has left the group, and holds a pipe
                self._loop.call_soon_threadsafe(self._transport.close)
            self.errors.close()

    def _kill_group(self) -> None:
        """The group has the program's number, which is not given away before the last of the group has ended."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if HAS_GROUPS:
                os.killpg(self._transport.get_pid(), signal.SIGKILL)
            else:
                self._transport.kill()


class StderrFile:
    """What a program writes on stderr: its last line and, if it has a name, a temporary file of the first bytes."""

    def __init__(self, program: str) -> None:
        self._name = re.sub(r"[^\w.-]", "_", program)[:40]
        self._file: IO[bytes] | None = None
        self._last = b""

    def add(self, data: bytes) -> None:
        """Keep some more. A full disk stops no game."""
        with contextlib.suppress(OSError):
            if self._name and self._file is None:
                self._file = tempfile.NamedTemporaryFile(  # noqa: SIM115 - `close` ends it
                    buffering=0, suffix=".txt", prefix=f"rulebots-{self._name}-stderr-", delete=False
                )
            if self._file is not None and not self._file.closed and self._file.tell() < MOST_KEPT:
                self._file.write(data[: MOST_KEPT - self._file.tell()])
        self._last = (self._last + data)[-2000:]

    def close(self) -> None:
        """Nothing more comes."""
        if self._file is not None:
            self._file.close()

    @property
    def hint(self) -> str:
        """The last line that says something, and where all of it is; empty for a program that wrote nothing."""
        lines = self._last.decode("utf-8", "replace").strip().splitlines()
        if not lines:
            return ""
        last = "".join(c if c.isprintable() else "?" for c in lines[-1].strip())[:200]
        return f"; its stderr ends '{last}'{f' (all of it: {self._file.name})' if self._file else ''}"


def check_program(command: Sequence[str]) -> None:
    """Raise UsageError if the first word does not name a program that can be started."""
    name = command[0]
    if shutil.which(name) is not None:
        return
    demand(not is_folder(name), f"'{shown(name)}' is a folder: expected a program")
    demand(
        not is_file(name),
        f"'{shown(name)}' cannot be started: make it executable (chmod +x {shown(name)}), and let its first line "
        f"say what runs it, or name that first, such as python3 {shown(name)}",
    )
    where = "there is no such file" if "/" in name else "no such program is installed; your own file begins with ./"
    raise UsageError(f"no program '{shown(name)}': {where}")


def _ending(code: int | None) -> str:
    if code is None:
        return "closed its output"
    if code >= 0:
        return f"ended (exit code {code})"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:  # one of the real-time signals, most of which have no name
        return f"was ended by signal {-code}"
