"""Read a file, or say why not."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from rulebots.errors import FileError
from rulebots.files.standard import is_standard, standard_input

#: The default limit of a file: more than any population takes.
MOST_BYTES = 2_000_000
#: The bytes that are looked at in one piece, before a file is read: a sparse file has gigabytes of zeros.
PIECE = 1_000_000
#: Kinds of files that are not regular: a test of the mode, and a name.
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
    """The file does not exist."""


def is_file(path: str | Path) -> bool:
    """Whether a path is that of a file; False also for a text that cannot be a path."""
    return os.path.isfile(path)  # noqa: PTH113 - the method raises where a name is too long


def is_folder(path: str | Path) -> bool:
    """Whether a path is that of a folder; False also for a text that cannot be a path."""
    return os.path.isdir(path)  # noqa: PTH112 - the method raises there too


def read_text(path: str | Path, what: str = "population file", most_bytes: int = MOST_BYTES) -> str:
    """The text of a file in UTF-8, without a byte order mark.

    `what` is what the file should be, without an article.

    Raises:
        InputError: as `read_bytes` does, or the file is not text. MissingError: the file does not exist.
    """
    data = read_bytes(path, what, most_bytes, text=True)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, start = data.count(b"\n", 0, error.start) + 1, data.rfind(b"\n", 0, error.start) + 1
        column = len(data[start : error.start].decode("utf-8-sig", "replace")) + 1
        message = f"expected text in UTF-8, not the byte 0x{data[error.start]:02X}: save the file as UTF-8"
        raise InputError(path, message, line, column) from None


def read_bytes(path: str | Path, what: str, most_bytes: int = MOST_BYTES, *, text: bool = False) -> bytes:
    """The bytes of a file; its size, and with `text` whether it has zero bytes, is looked at before it is kept.

    Raises:
        InputError: as `open_regular_file` does, or it is larger than `most_bytes`, or not the `text` it should be.
        MissingError: the file does not exist.
    """
    if is_standard(path):
        return _given(path, what, most_bytes, text=text)
    with open_regular_file(path, what) as stream:
        large = os.fstat(stream.fileno()).st_size > most_bytes
        try:
            pieces = (stream.read(PIECE) or b"" for _ in range(most_bytes // PIECE + 1 if text and not large else 0))
            if any(b"\0" in piece for piece in pieces):
                raise _binary(path, what)
            stream.seek(0)
            data = b"" if large else stream.read(most_bytes + 1)
        except OSError as error:
            raise InputError(path, f"cannot read it: {error.strerror or error}") from None
    if data is None:  # a file of the system that waits for something to come
        raise InputError(path, f"expected a {what}, not a file that has nothing to read yet")
    if large or len(data) > most_bytes:
        raise _too_large(path, what, most_bytes)
    return data


def _given(path: str | Path, what: str, most_bytes: int, *, text: bool) -> bytes:
    """What came on standard input. Raises InputError as `read_bytes` does."""
    try:
        data = standard_input()
    except OSError as error:
        raise InputError(path, f"cannot read standard input: {error.strerror or error}") from None
    if len(data) > most_bytes:
        raise _too_large(path, what, most_bytes)
    if text and b"\0" in data:
        raise _binary(path, what)
    return data


def _too_large(path: str | Path, what: str, most_bytes: int) -> InputError:
    return InputError(path, f"expected a {what}, not more than {most_bytes // 1_000_000} MB")


def _binary(path: str | Path, what: str) -> InputError:
    return InputError(path, f"expected a {what}, text in UTF-8, not a binary file")


def open_regular_file(path: str | Path, what: str) -> BinaryIO:
    """A regular file, open for reading. A pipe or a device is refused, because opening one might wait for ever.

    Raises:
        InputError: it is a folder, a pipe or a device, or may not be read. MissingError: the file does not exist.
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
