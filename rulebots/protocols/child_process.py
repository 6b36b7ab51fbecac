"""A foreign program in a process group of its own: lines in, lines out, limits, and an end with all its children.

The program is started without a shell interpreting its command. The system limits its memory (`ulimit -d`: what it
allocates, not what it reserves), the caller's `asyncio.timeout` each wait for a line; what it writes on stderr is kept
in a file, up to a limit. All programs are served by one event loop in a thread, so that players may wait for their
answers in any thread: see `in_background`.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import signal
import tempfile
import threading
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any, TypeVar

from rulebots.errors import UsageError, shown
from rulebots.files import is_file, is_folder
from rulebots.protocols.protocol import LineTooLong, ProtocolError, bytes_of, line_of

T = TypeVar("T")
#: Seconds that a program has to end by itself, once it was asked to.
GOODBYE = 0.5
#: Bytes of a temporary file that are kept.
MOST_KEPT = 1_000_000
#: Bytes that a program may leave unread.
MOST_UNREAD = 10_000_000
#: Characters of a program's last line on stderr, and of a line without an end, that a message shows.
_LAST_SHOWN, _BEGUN_SHOWN = 200, 40
#: Limits the memory, then becomes the program.
_LIMITED = 'ulimit -d "$0" && exec "$@"'

_loop: asyncio.AbstractEventLoop | None = None
_loop_lock = threading.RLock()  # the garbage collector may come in between


def event_loop() -> asyncio.AbstractEventLoop:
    """The event loop of all programs of this process, which runs in a daemon thread."""
    global _loop  # noqa: PLW0603 - one for the process
    with _loop_lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="programs", daemon=True).start()
        return _loop


def _forget_loop() -> None:
    """Threads do not survive a fork; the loop of the parent is of no use to the child."""
    global _loop, _loop_lock
    _loop, _loop_lock = None, threading.RLock()


os.register_at_fork(after_in_child=_forget_loop)


def in_background(work: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns or raises, run by that event loop. Ctrl-C cancels it."""
    future = asyncio.run_coroutine_threadsafe(work, event_loop())
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


def finish(work: Coroutine[Any, Any, object]) -> None:
    """Run a coroutine to its end, called by the garbage collector or at the end of the process.

    In the event loop's own thread, where the garbage collector may call as well, it goes on by itself.
    """
    future = asyncio.run_coroutine_threadsafe(work, event_loop())
    try:
        here = asyncio.get_running_loop()
    except RuntimeError:
        here = None
    if here is not _loop:
        future.result()


class ProgramEnded(ProtocolError):
    """The program has ended."""


class ChildProcess(asyncio.SubprocessProtocol):
    """A running program: start it by `start`. All of it runs in the event loop."""

    def __init__(self, name: str, longest_line: int) -> None:
        self.errors = StderrFile(name)
        self._lines = asyncio.StreamReader(longest_line)
        self._longest_line = longest_line
        self._transport: asyncio.SubprocessTransport
        self._input: asyncio.WriteTransport
        self._output: asyncio.BaseTransport
        self._exited, self._closed = asyncio.Event(), asyncio.Event()

    @classmethod
    async def start(
        cls, command: Sequence[str], *, longest_line: int = 65_536, memory: int | None = None
    ) -> ChildProcess:
        """Start a program with its arguments. `memory` is the megabytes that it may allocate, None for any.

        Raises:
            UsageError: there is no such program. OSError: the system starts none.
        """
        check_program(command)
        limited = list(command) if memory is None else ["/bin/sh", "-c", _LIMITED, str(memory * 1024), *command]
        loop = asyncio.get_running_loop()
        _, child = await loop.subprocess_exec(
            lambda: cls(Path(command[0]).name, longest_line), *limited, start_new_session=True
        )
        return child

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It runs."""
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        given, output = transport.get_pipe_transport(0), transport.get_pipe_transport(1)
        assert isinstance(given, asyncio.WriteTransport)
        assert output is not None
        self._input, self._output = given, output
        self._lines.set_transport(output)  # which does not read what nobody asks for

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """It has written something."""
        if fd == 1:
            self._lines.feed_data(data)
        else:
            self.errors.add(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """It has closed a pipe."""
        if fd == 1:
            self._lines.feed_eof()

    def process_exited(self) -> None:
        """It has ended; what it has left behind in its group ends with it."""
        self._exited.set()
        self._kill_group()

    def connection_lost(self, exc: Exception | None) -> None:
        """It has ended, and all its pipes are closed."""
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
        if self._input.get_write_buffer_size() > MOST_UNREAD:
            raise ProtocolError("does not read what it is told")
        if not self._input.is_closing():
            self._input.write(bytes_of(lines))

    async def receive(self) -> str:
        """The next line.

        Raises:
            ProgramEnded: the program has ended. ProtocolError: the line is too long, or not UTF-8.
        """
        try:
            return line_of(await self._lines.readuntil())
        except asyncio.LimitOverrunError:
            raise LineTooLong(self._longest_line) from None
        except asyncio.IncompleteReadError:
            pass
        with contextlib.suppress(TimeoutError, asyncio.CancelledError):  # even if the caller's time is up meanwhile
            async with asyncio.timeout(GOODBYE):  # its end, and the last of its stderr, follow at once
                await (self._exited if self.returncode is None else self._closed).wait()
                await self._closed.wait()
        raise ProgramEnded(f"{_ending(self.returncode)}{self.errors.hint}")

    def pending(self) -> str | None:
        """A line that came unasked; None for none. Raises ProtocolError."""
        return _at_once(self.receive())

    @property
    def hint(self) -> str:
        """What may explain its silence: a line without an end, and the end of its stderr."""
        return self.unended + self.errors.hint

    @property
    def unended(self) -> str:
        """The line that it began and did not end, in words after `; `; empty if there is none."""
        begun = _at_once(self._lines.read(_BEGUN_SHOWN))
        return f"; it sent '{shown(begun.decode('utf-8', 'replace'))}' without the end of a line" if begun else ""

    async def end(self, last: Sequence[str] = (), patience: float = 0.0) -> None:
        """Send the last lines, let the program end by itself within `patience` seconds, else end it with its group."""
        with contextlib.suppress(ProtocolError):
            self.send(last)
        self._input.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await self._exited.wait()
        if not self._exited.is_set():
            self._kill_group()
        self._output.close()
        await self._exited.wait()
        try:
            async with asyncio.timeout(GOODBYE):  # the last of its stderr
                await self._closed.wait()
        except TimeoutError:  # something that it started has left the group, and holds a pipe
            self._transport.close()
        self.errors.close()

    def _kill_group(self) -> None:
        """The group has the program's number, which is not given away before the last of the group has ended."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._transport.get_pid(), signal.SIGKILL)


def _at_once(work: Coroutine[Any, Any, T]) -> T | None:
    """What a coroutine returns or raises if it does not have to wait; else None, and it has done nothing."""
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    work.close()
    return None


class LimitedFile:
    """A temporary file, `rulebots-NAME-....txt`, that is made on the first write, and keeps its first bytes."""

    def __init__(self, name: str) -> None:
        self._name = re.sub(r"[^\w.-]", "_", name)[:60]
        self._handle: int | None = None
        self.path: Path | None = None
        self._size = 0

    def add(self, data: bytes) -> None:
        """Keep some more. A full disk stops no game."""
        with contextlib.suppress(OSError):
            if self.path is None:
                self._handle, name = tempfile.mkstemp(".txt", f"rulebots-{self._name}-")
                self.path = Path(name)
            if self._handle is not None and self._size < MOST_KEPT:
                os.write(self._handle, data[: MOST_KEPT - self._size])
        self._size += len(data)

    def close(self) -> None:
        """Nothing more comes."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


class StderrFile(LimitedFile):
    """What a program writes on stderr: the file, and the last line."""

    def __init__(self, program: str) -> None:
        super().__init__(f"{program[:40]}-stderr")
        self._last = b""

    def add(self, data: bytes) -> None:
        """Keep some more."""
        super().add(data)
        self._last = (self._last + data)[-2000:]

    @property
    def hint(self) -> str:
        """The last line that says something, and where all of it is; empty for a program that wrote nothing."""
        lines = self._last.decode("utf-8", "replace").strip().splitlines()
        if not lines:
            return ""
        last = "".join(c if c.isprintable() else "?" for c in lines[-1].strip())[:_LAST_SHOWN]
        return f"; its stderr ends '{last}'{f' (all of it: {self.path})' if self.path else ''}"


def check_program(command: Sequence[str]) -> None:
    """Raise UsageError if the first word does not name a program that can be started."""
    name = command[0]
    if shutil.which(name) is not None:
        return
    if is_folder(name):
        raise UsageError(f"'{shown(name)}' is a folder: expected a program")
    if is_file(name):
        raise UsageError(
            f"'{shown(name)}' cannot be started: make it executable (chmod +x {shown(name)}), and let its first line "
            f"say what runs it, or name that first, such as python3 {shown(name)}"
        )
    where = "there is no such file" if "/" in name else "no such program is installed; a file of yours begins with ./"
    raise UsageError(f"no program '{shown(name)}': {where}")


def _ending(code: int | None) -> str:
    """How a program ended, in words."""
    if code is None:
        return "closed its output"
    if code < 0:
        try:
            return f"was ended by {signal.Signals(-code).name}"
        except ValueError:
            return f"was ended by signal {-code}"
    return f"ended (exit code {code})"
