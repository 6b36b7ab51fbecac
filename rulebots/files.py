"""Writing a file that was not there before: whole or not at all, and never over another one."""

from __future__ import annotations

import contextlib
import os
import secrets
import tempfile
from pathlib import Path

from rulebots.errors import UsageError


class OutputError(UsageError):
    """A file that could not be written; nothing of it is left behind."""


def refuse_unwritable(path: str | Path) -> None:
    """What `write_new` will say of a name that is taken or a folder that cannot be written to, before the work is done.

    Raises:
        OutputError: as `write_new` does.
    """
    if Path(path).exists():
        raise _taken(path)
    try:
        with tempfile.TemporaryFile(dir=Path(path).parent):
            pass
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None


def write_new(path: str | Path, content: str | bytes) -> None:
    """Write a text, in UTF-8, or bytes to a file that does not exist yet.

    Raises:
        OutputError: the file exists, or its folder cannot be written to, or the disk is full.
    """
    target = Path(path)
    temporary = target.parent / f".rulebots-{secrets.token_hex(8)}.tmp"
    try:
        with temporary.open("xb") as stream:
            stream.write(content.encode() if isinstance(content, str) else content)
            stream.flush()
            os.fsync(stream.fileno())
        _publish(temporary, target)
    except FileExistsError:
        raise _taken(path) from None
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the path, half a surrogate pair in the text
        raise _unwritable(path, error) from None
    finally:
        with contextlib.suppress(OSError, ValueError):
            temporary.unlink()


def write_over(path: str | Path, content: str | bytes) -> None:
    """Put a text, in UTF-8, or bytes in the place of a file, or make it; what was there stays until all is written.

    Raises:
        OutputError: as `write_new` does.
    """
    target = Path(path)
    beside = target.parent / f".{target.name}.new"
    try:
        beside.write_bytes(content.encode() if isinstance(content, str) else content)
        beside.replace(target)
    except OSError as error:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise _unwritable(path, error) from None


def _taken(path: str | Path) -> OutputError:
    return OutputError(f"'{path}' exists already, and no file is overwritten: choose another name")


def _unwritable(path: str | Path, error: Exception) -> OutputError:
    reason = getattr(error, "strerror", None) or error
    return OutputError(f"cannot write '{path}': {reason}; choose another folder or make room")


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
