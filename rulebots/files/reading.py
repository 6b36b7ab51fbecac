"""Read a file, or say why not."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from rulebots.errors import FileError

#: The usual limit of a file: more than any population takes.
MOST_BYTES = 2_000_000
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


def is_file(path: str | Path) -> bool:
    """Whether there is such a file; False, as for any other text, where no file can have such a name."""
    return os.path.isfile(path)  # noqa: PTH113 - the method raises where a name is too long


def is_folder(path: str | Path) -> bool:
    """Whether there is such a folder; False, as for any other text, where no folder can have such a name."""
    return os.path.isdir(path)  # noqa: PTH112 - likewise


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
