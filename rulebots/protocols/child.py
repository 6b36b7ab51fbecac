"""A program of somebody's in a process group of its own: lines in, lines out, limits, and an end with all its children.

The program is started without a shell's reading of its words. Its memory is limited by the system (`ulimit -d`: what it
allocates, not what it reserves), each waiting by the caller's deadline, and what it writes on stderr is kept in a file,
up to a limit. Nothing of it runs in our process.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from rulebots.errors import UsageError, shown
from rulebots.files import is_file, is_folder
from rulebots.protocols.kept_file import KeptFile
from rulebots.protocols.lines import Lines
from rulebots.protocols.protocol import ProtocolError

#: Seconds that a program has to end by itself, once it was asked to.
GOODBYE = 0.5
_PIECE = 65_536
#: Characters of its last line that a message shows.
_LAST_SHOWN = 200
#: Limits the memory, then becomes the program.
_LIMITED = 'ulimit -d "$0" && exec "$@"'


class Late(ProtocolError):
    """No line came in time."""


class Gone(ProtocolError):
    """The program has ended."""


class Child:
    """A running program.

    `words` are the program and its arguments, `memory` the megabytes that it may allocate, None for any.

    Raises:
        UsageError: there is no such program. OSError: the system starts none.
    """

    def __init__(self, words: Sequence[str], *, longest_line: int = _PIECE, memory: int | None = None) -> None:
        check_program(words)
        command = list(words) if memory is None else ["/bin/sh", "-c", _LIMITED, str(memory * 1024), *words]
        self._process = subprocess.Popen(  # noqa: S603 - a person has named it
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        streams = self._process.stdin, self._process.stdout, self._process.stderr
        self._in, self._out, self._err = (stream.fileno() for stream in streams if stream is not None)
        for handle in (self._in, self._out, self._err):
            os.set_blocking(handle, False)
        self._lines = Lines(longest_line)
        self._open = {self._out, self._err}
        self.errors = Errors(Path(words[0]).name)

    def send(self, lines: Iterable[str], deadline: float | None) -> None:
        """Send lines. The deadline is a moment as `time.monotonic` counts, None for never.

        Where the program has ended, `receive` says so, after what it has said before.

        Raises:
            Late: the program did not take them.
        """
        data = "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")
        while data:
            try:
                data = data[os.write(self._in, data) :]
            except BlockingIOError:
                self._wait(deadline, select.POLLOUT)
            except OSError:
                return

    def receive(self, deadline: float | None) -> str:
        """The next line.

        Raises:
            Late: it did not come in time. Gone: the program has ended. ProtocolError: too long, or not UTF-8.
        """
        while (line := self._lines.next()) is None:
            if self._out not in self._open:
                raise self._gone()
            try:
                self._wait(deadline)
            except Late:
                self._reap(0.0)
                if self._process.returncode is None:
                    raise
                raise self._gone(", and what it has started keeps its output open") from None
        return line

    def pending(self) -> str | None:
        """A line that has come unasked; None for none. Raises ProtocolError: too long, or not UTF-8."""
        line = self._lines.next()
        if line is None and self._out in self._open:
            self._read(self._out)
            line = self._lines.next()
        return line

    @property
    def unended(self) -> str:
        """That it has begun a line and not ended it, in words after `; `; empty where it has not."""
        begun = self._lines.begun
        return f"; it sent '{shown(begun)}' without the end of a line" if begun else ""

    @property
    def hint(self) -> str:
        """What may be behind its silence."""
        return self.unended + self.errors.hint

    def _wait(self, deadline: float | None, writable: int = 0) -> None:
        """Wait until something can be read, or written, and read it."""
        left = None if deadline is None else deadline - time.monotonic()
        if left is not None and left <= 0:
            raise Late("gave no answer in time")
        polled = select.poll()
        for handle in self._open:
            polled.register(handle, select.POLLIN)
        if writable:
            polled.register(self._in, writable)
        for handle, _ in polled.poll(None if left is None else left * 1000):
            if handle in self._open:
                self._read(handle)

    def _read(self, handle: int) -> None:
        try:
            data = os.read(handle, _PIECE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._open.discard(handle)
        elif handle == self._out:
            self._lines.feed(data)
        else:
            self.errors.add(data)

    def _gone(self, what: str = "") -> Gone:
        """What to say of a program that has ended, or closed its output."""
        self._reap(GOODBYE)
        self._read_errors()
        return Gone(f"{_ending(self._process.returncode)}{what}{self.errors.hint}")

    def _reap(self, patience: float) -> None:
        """Wait so many seconds for the program's end, and end what it has left behind in its group."""
        if self._process.returncode is not None:
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(patience)
            self._kill_group()

    def _kill_group(self) -> None:
        """The group has the program's number, which nobody else gets before the last of the group has ended."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _read_errors(self) -> None:
        """What is left on stderr now."""
        before = -1
        while self._err in self._open and before != self.errors.size:
            before = self.errors.size
            self._read(self._err)

    def dismiss(self, lines: Iterable[str] = ()) -> None:
        """Send the last lines, if it takes them at once, and close the program's input."""
        with contextlib.suppress(ProtocolError):
            self.send(lines, time.monotonic())
        self._close(self._process.stdin)

    def kill(self, patience: float = 0.0) -> None:
        """End the program, unless it ends by itself within so many seconds, and all that is left of its group."""
        if patience > 0:
            self._reap(patience)
        if self._process.returncode is None:
            self._kill_group()
            self._process.wait()
        self._read_errors()
        self.errors.close()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            self._close(stream)
        self._open.clear()

    @staticmethod
    def _close(stream: object) -> None:
        with contextlib.suppress(OSError):
            stream.close()  # type: ignore[attr-defined]  # one of the process's own


class Errors(KeptFile):
    """What a program writes on stderr: a file from its first byte on, up to a limit, and the last line."""

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


def check_program(words: Sequence[str]) -> None:
    """Raise UsageError if the first word is no program that can be started."""
    name = words[0]
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
