"""Write a new file, or replace one, whole or not at all."""

from __future__ import annotations

import contextlib
import itertools
import os
import secrets
import tempfile
from collections.abc import Iterator
from pathlib import Path

from rulebots.errors import FileError

#: How the names of unfinished files begin; a kill may leave one.
PASSING = ".rulebots-"


class OutputError(FileError):
    """A file that could not be written; nothing of it is left."""


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
