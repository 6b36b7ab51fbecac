"""Files: read a text or say why not; write a new file, or replace one, whole or not at all."""

from __future__ import annotations

import contextlib
import itertools
import os
import secrets
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from rulebots.errors import FileError

#: The usual limit of a file: more than any population takes.
MOST_BYTES = 2_000_000
#: How the names of unfinished files begin; a kill may leave one.
PASSING = ".rulebots-"
#: What is not a regular file: a test of its mode, and its name.
_OTHERS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
)


class InputError(FileError):
    """A file that cannot be read: `path:line:column: message`; line 0 is the file as a whole."""

    def __init__(self, path: str | Path, message: str, line: int = 0, column: int = 0) -> None:
        super().__init__(f"{path}:{line}:{column}: {message}" if line else f"{path}: {message}")
        self.path = str(path)
        self.message = message
        self.line = line
        self.column = column


class MissingError(InputError):
    """There is no file of that name."""


class OutputError(FileError):
    """A file that could not be written; nothing of it is left."""


def read_text(path: str | Path, what: str = "population file", most_bytes: int = MOST_BYTES) -> str:
    """The text in a file, which is UTF-8; a byte order mark at its beginning is left out.

    `what` is what the file should be, without an article.

    Raises:
        InputError: as `read_bytes` does, or the file is not text. MissingError: there is no such file.
    """
    data = read_bytes(path, what, most_bytes)
    if b"\0" in data:
        raise InputError(path, f"expected a {what}, text in UTF-8, not a binary file")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, start = data.count(b"\n", 0, error.start) + 1, data.rfind(b"\n", 0, error.start) + 1
        column = len(data[start : error.start].decode("utf-8-sig", "replace")) + 1
        message = f"expected text in UTF-8, not the byte 0x{data[error.start]:02X}: save the file as UTF-8"
        raise InputError(path, message, line, column) from None


def read_bytes(path: str | Path, what: str, most_bytes: int = MOST_BYTES) -> bytes:
    """What is in a file.

    Raises:
        InputError: as `opened` does, or the file is larger than `most_bytes`. MissingError: there is no such file.
    """
    with opened(path, what) as stream:
        try:
            data = stream.read(most_bytes + 1)
        except OSError as error:
            raise InputError(path, f"cannot read it: {error.strerror or error}") from None
    if len(data) > most_bytes:
        raise InputError(path, f"expected a {what}, not more than {most_bytes // 1_000_000} MB")
    return data


def opened(path: str | Path, what: str) -> BinaryIO:
    """A regular file, open for reading. Opening a pipe or a device might wait for ever, so those are refused.

    Raises:
        InputError: it is a folder, a pipe or a device, or may not be read. MissingError: there is no such file.
    """
    # Without O_NONBLOCK opening a pipe would wait for a writer.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
    try:
        stream = open(path, "rb", opener=lambda name, _: os.open(name, flags))  # noqa: SIM115 - has an opener
    except FileNotFoundError:
        raise MissingError(path, "there is no such file") from None
    except IsADirectoryError:
        raise InputError(path, f"expected a {what}, not a folder") from None
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the path
        raise InputError(path, f"cannot read it: {getattr(error, 'strerror', None) or error}") from None
    mode = os.fstat(stream.fileno()).st_mode
    if not stat.S_ISREG(mode):
        stream.close()
        other = next((name for test, name in _OTHERS if test(mode)), "a device")
        raise InputError(path, f"expected a {what}, not {other}")
    return stream


def refuse_unwritable(path: str | Path) -> None:
    """Raise what `write_new` would, before the work is done: the name is taken, or the folder cannot be written to.

    Raises:
        OutputError: as `write_new` does.
    """
    if Path(path).exists():
        raise _taken(path)
    try:
        with tempfile.TemporaryFile(dir=Path(path).parent):
            pass
    except (OSError, ValueError) as error:
        raise unwritable(path, error) from None


def free_name(path: Path) -> Path:
    """The path, or the first of NAME-2, NAME-3 and so on that does not exist."""
    return next(name for name in numbered(path) if not name.exists())


def numbered(path: Path) -> Iterator[Path]:
    """The path, NAME-2, NAME-3 and so on, without end."""
    yield path
    for number in itertools.count(2):
        yield path.with_name(f"{path.stem}-{number}{path.suffix}")


def write_new(path: str | Path, content: str | bytes) -> None:
    """Write a text, in UTF-8, or bytes to a file that does not exist yet.

    Raises:
        OutputError: the file exists, or its folder cannot be written to, or the disk is full.
    """
    target = Path(path)
    temporary = _beside(target)
    try:
        _write(temporary, content)
        _publish(temporary, target)
        _settle(target.parent)
    except FileExistsError:
        raise _taken(path) from None
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the path, half a surrogate pair in the text
        raise unwritable(path, error) from None
    finally:
        _remove(temporary)


def replace(path: str | Path, content: str | bytes, former: str | Path | None = None) -> None:
    """Put a text, in UTF-8, or bytes in the place of a file, or make the file.

    Whenever the process or the machine stops, either the old content or the new is there. With `former` the old
    content is kept under that name; between the two renames it may be the only one.

    Raises:
        OutputError: the file cannot be written; what was there before is there still.
    """
    target = Path(path)
    temporary = _beside(target)
    try:
        _write(temporary, content)
        if former is not None:
            with contextlib.suppress(FileNotFoundError):
                target.replace(former)
        temporary.replace(target)
        _settle(target.parent)
    except (OSError, ValueError) as error:
        raise unwritable(path, error) from None
    finally:
        _remove(temporary)


def append(path: str | Path, text: str) -> None:
    """Add a text to the end of a file, or make the file. Raises OutputError."""
    try:
        with Path(path).open("a", encoding="utf-8", newline="") as stream:
            stream.write(text)
    except (OSError, ValueError) as error:
        raise unwritable(path, error) from None


def unwritable(path: str | Path, error: Exception) -> OutputError:
    """What to raise where the system does not let a file be written."""
    reason = getattr(error, "strerror", None) or error
    return OutputError(f"cannot write '{path}': {reason}; choose another folder or make room")


def _taken(path: str | Path) -> OutputError:
    return OutputError(f"'{path}' exists already, and no file is overwritten: choose another name")


def _beside(target: Path) -> Path:
    """A name in the same folder that no other process uses."""
    return target.parent / f"{PASSING}{secrets.token_hex(8)}.tmp"


def _write(path: Path, content: str | bytes) -> None:
    """Make a file, on the disk before this returns."""
    with path.open("xb") as stream:
        stream.write(content.encode() if isinstance(content, str) else content)
        stream.flush()
        os.fsync(stream.fileno())


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError, ValueError):
        path.unlink()


def _settle(folder: Path) -> None:
    """Force the names in a folder to the disk, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _publish(temporary: Path, target: Path) -> None:
    """Give a finished file its name. Raises FileExistsError when the name is taken."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without links, such as a memory stick's: reserve the name, then fill it
        target.touch(exist_ok=False)
        try:
            temporary.replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                target.unlink()
            raise
