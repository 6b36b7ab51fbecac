"""Write a new file, or replace one: completely or not at all."""

import contextlib
import itertools
import os
import secrets
import tempfile
from collections.abc import Iterator
from pathlib import Path

from rulebots.errors import FileError
from rulebots.files.reading import is_standard, standard

#: How the names of unfinished files begin; a process that is killed may leave one.
UNFINISHED_PREFIX = ".rulebots-"


class OutputError(FileError):
    """A file could not be written; no part of it is left."""


def refuse_unwritable(path: str | Path) -> None:
    """Raise what `write_new` would raise, before any work is done.

    Raises:
        OutputError: the name is taken, or the folder cannot be written to.
    """
    if is_standard(path):
        return
    if Path(path).exists():
        raise _name_is_taken(path)
    try:
        with tempfile.TemporaryFile(dir=Path(path).parent):
            pass
    except (OSError, ValueError) as error:
        raise unwritable(path, error) from None


def free_name(path: Path) -> Path:
    """The first of the path, NAME-2, NAME-3 and so on that does not exist."""
    return next(name for name in numbered_names(path) if not name.exists())


def numbered_names(path: Path) -> Iterator[Path]:
    """The path, NAME-2, NAME-3 and so on, without end."""
    yield path
    yield from (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in itertools.count(2))


def write_new(path: str | Path, content: str | bytes) -> None:
    """Write a text, in UTF-8, or bytes to a file that does not exist yet.

    Raises:
        OutputError: the file exists, or its folder cannot be written to, or the disk is full.
    """
    if (streams := standard(path)) is not None:
        streams.write(_bytes(content))
        return
    with _written(Path(path), content) as temporary:
        _publish(temporary, Path(path))


def new_folder(path: Path) -> None:
    """Make a folder that does not exist yet.

    Raises:
        OutputError: there is something of that name, or it cannot be made.
    """
    try:
        path.mkdir()
    except FileExistsError:
        raise _name_is_taken(path) from None
    except OSError as error:
        raise unwritable(path, error) from None


def replace(path: str | Path, content: str | bytes, former: str | Path | None = None) -> None:
    """Replace the content of a file by a text, in UTF-8, or bytes; make the file if it does not exist.

    Whenever the process or the machine stops, either the old content or the new one is there. With `former` the old
    content is kept under that name; between the two renames only that file may exist.

    Raises:
        OutputError: the file cannot be written; the old content is still there.
    """
    with _written(Path(path), content) as temporary:
        if former is not None:
            with contextlib.suppress(FileNotFoundError):
                Path(path).replace(former)
        temporary.replace(path)


def append(path: str | Path, text: str) -> None:
    """Add a text to the end of a file; make the file if it does not exist. Raises OutputError."""
    try:
        with Path(path).open("a", encoding="utf-8", newline="") as stream:
            stream.write(text)
    except (OSError, ValueError) as error:
        raise unwritable(path, error) from None


def unwritable(path: str | Path, error: Exception) -> OutputError:
    """The error to raise where the system refuses to write a file."""
    reason, folder = getattr(error, "strerror", None) or error, Path(path).parent
    if isinstance(error, FileNotFoundError):
        return OutputError(f"cannot write '{path}': there is no folder '{folder}': make it, or choose another")
    return OutputError(f"cannot write '{path}': {reason}; choose another folder or make room")


def _name_is_taken(path: str | Path) -> OutputError:
    return OutputError(f"'{path}' exists already, and no file is overwritten: choose another name")


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


@contextlib.contextmanager
def _written(target: Path, content: str | bytes) -> Iterator[Path]:
    """The content on the disk, in a temporary file beside the target; the block gives it its name."""
    temporary = target.parent / f"{UNFINISHED_PREFIX}{secrets.token_hex(8)}.tmp"
    try:
        with temporary.open("xb") as stream:
            stream.write(_bytes(content))
            stream.flush()
            os.fsync(stream.fileno())
        yield temporary
        _sync_folder(target.parent)
    except FileExistsError:
        raise _name_is_taken(target) from None
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the path, half a surrogate pair in the text
        raise unwritable(target, error) from None
    finally:
        with contextlib.suppress(OSError, ValueError):
            temporary.unlink()


def _sync_folder(folder: Path) -> None:
    """Write the names in a folder to the disk, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _publish(temporary: Path, target: Path) -> None:
    """Give a finished file its name. Raises FileExistsError if the name is taken."""
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
