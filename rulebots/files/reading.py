"""Read a file, or say why not. Where a person typed the name `-`, it is standard input, or output in `writing`."""

import contextlib
import contextvars
import functools
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from rulebots.errors import FileError

#: The default limit of a file: more than any population takes.
MOST_BYTES = 2_000_000
#: The first bytes, which tell whether a file is text.
HEAD = 1_000_000
DASH = "-"


class InputError(FileError):
    """What is wrong with a file, and where: `path:line:column: message`; 0 is the whole file, or the whole line."""

    def __init__(self, path: str | Path, message: str, line: int = 0, column: int = 0) -> None:
        super().__init__(":".join([str(path), *(str(number) for number in (line, column) if number), f" {message}"]))
        self.path = str(path)
        self.message = message
        self.line = line
        self.column = column


class MissingError(InputError):
    """The file does not exist."""


class Streams(NamedTuple):
    """What the name `-` means."""

    read: Callable[[], bytes]
    write: Callable[[bytes], None]


_streams: contextvars.ContextVar[Streams | None] = contextvars.ContextVar("_streams", default=None)


@contextlib.contextmanager
def dash_is_standard(read: Callable[[], bytes], write: Callable[[bytes], None]) -> Iterator[None]:
    """Inside, `-` is what `read` gives, asked once and kept, and what is written there goes to `write`."""
    token = _streams.set(Streams(functools.cache(read), write))
    try:
        yield
    finally:
        _streams.reset(token)


def standard(path: str | Path) -> Streams | None:
    """The standard streams where a path means them; None for any other path."""
    return _streams.get() if str(path) == DASH else None


def is_standard(path: str | Path) -> bool:
    """Whether a path means standard input or output."""
    return standard(path) is not None


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
        before = data[: error.start].decode("utf-8-sig", "replace").split("\n")
        raise InputError(
            path,
            f"expected text in UTF-8, not the byte 0x{data[error.start]:02X}: save the file as UTF-8",
            len(before),
            len(before[-1]) + 1,
        ) from None


def read_bytes(path: str | Path, what: str, most_bytes: int = MOST_BYTES, *, text: bool = False) -> bytes:
    """The bytes of a file.

    Raises:
        InputError: as `open_regular_file` does, or it is larger than `most_bytes`, or not the `text` it should be.
        MissingError: the file does not exist.
    """
    streams = standard(path)
    try:
        if streams is not None:
            data = streams.read()
            size = len(data)
        else:
            with open_regular_file(path, what) as stream:
                size = os.fstat(stream.fileno()).st_size
                data = stream.read(min(HEAD, most_bytes))
                if size <= most_bytes and not (text and b"\0" in data):  # else the rest might fill the memory
                    data += stream.read(most_bytes + 1 - len(data))
                    size = max(size, len(data))  # it may have grown, and files of /proc have no size
    except OSError as error:
        source = "it" if streams is None else "standard input"
        raise InputError(path, f"cannot read {source}: {error.strerror or error}") from None
    if size > most_bytes:
        raise InputError(path, f"expected a {what}, not more than {most_bytes // 1_000_000} MB")
    if text and b"\0" in data:
        raise InputError(path, f"expected a {what}, text in UTF-8, not a binary file")
    return data


def open_regular_file(path: str | Path, what: str) -> BinaryIO:
    """A regular file, open for reading. A pipe or a device is refused, because opening one might wait for ever.

    Raises:
        InputError: it is a folder, a pipe or a device, or may not be read. MissingError: the file does not exist.
    """
    # Without O_NONBLOCK opening a pipe would wait for a writer.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
    other = "a folder"
    try:
        stream = open(path, "rb", opener=lambda name, _: os.open(name, flags))  # noqa: SIM115 - has an opener
        mode = os.fstat(stream.fileno()).st_mode
        if stat.S_ISREG(mode):
            return stream
        stream.close()
        other = "a pipe" if stat.S_ISFIFO(mode) else "a device"
    except FileNotFoundError:
        raise MissingError(path, "there is no such file") from None
    except IsADirectoryError:
        pass
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the path
        raise InputError(path, f"cannot read it: {getattr(error, 'strerror', None) or error}") from None
    raise InputError(path, f"expected a {what}, not {other}")
