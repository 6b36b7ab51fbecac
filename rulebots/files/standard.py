"""The name `-`: standard input where a file is read, standard output where one is written.

It has this meaning only inside `dash_is_standard`, which a command line enters where a person typed `-`.
"""

from __future__ import annotations

import contextlib
import contextvars
import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

DASH = "-"


class _Streams(NamedTuple):
    read: Callable[[], bytes]
    write: Callable[[bytes], None]


_streams: contextvars.ContextVar[_Streams | None] = contextvars.ContextVar("_streams", default=None)


@contextlib.contextmanager
def dash_is_standard(read: Callable[[], bytes], write: Callable[[bytes], None]) -> Iterator[None]:
    """Inside, `-` is what `read` gives, asked once and kept, and what is written there goes to `write`."""
    token = _streams.set(_Streams(functools.cache(read), write))
    try:
        yield
    finally:
        _streams.reset(token)


def is_standard(path: str | Path) -> bool:
    """Whether a path means standard input or output."""
    return str(path) == DASH and _streams.get() is not None


def standard_input() -> bytes:
    """All of standard input. Raises OSError where it cannot be read."""
    streams = _streams.get()
    assert streams is not None, "ask is_standard first"
    return streams.read()


def write_standard(content: str | bytes) -> None:
    """Write a text, in UTF-8, or bytes to standard output. Raises OSError where it cannot be written."""
    streams = _streams.get()
    assert streams is not None, "ask is_standard first"
    streams.write(content.encode() if isinstance(content, str) else content)
