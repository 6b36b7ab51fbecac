"""The folder in which compiled code is kept between processes."""

import atexit
import functools
import os
import shutil
import stat
import tempfile
import warnings
from pathlib import Path

import platformdirs

from rulebots.errors import FileError

#: The rights of the folder for compiled code, and those of others that make it unsafe.
PRIVATE = 0o700
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


@functools.cache
def cache_folder() -> Path:
    """Where compiled code is kept: $RULEBOTS_CACHE, else the user's cache folder, else a temporary one.

    What is kept is executed, so the folder is private. One that others own or may write to is not used.

    Raises:
        FileError: a temporary folder cannot be made either.
    """
    named = os.environ.get("RULEBOTS_CACHE")
    folder = Path(named) if named else platformdirs.user_cache_path("rulebots")
    try:
        folder.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
        obstacle = _made_private(folder)
        if not obstacle:
            with tempfile.TemporaryFile(dir=folder):
                return folder
    except OSError as error:
        obstacle = f"cannot be written: {error}"
    warnings.warn(f"compiled code is not kept, for '{folder}' {obstacle}", RuntimeWarning, stacklevel=2)
    try:
        passing = tempfile.mkdtemp(prefix="rulebots-")  # private as well
    except OSError as error:
        raise FileError(f"no folder for compiled code ({error}): set RULEBOTS_CACHE to a folder you own") from None
    atexit.register(shutil.rmtree, passing, ignore_errors=True)
    return Path(passing)


def _made_private(folder: Path) -> str:
    """Take a folder's rights from all but its owner; "", or why that cannot make it safe. Raises OSError."""
    if not hasattr(os, "geteuid"):  # a system with other rights
        return ""
    about = folder.stat()
    if about.st_uid != os.geteuid():
        return "belongs to another user: set RULEBOTS_CACHE to a folder you own"
    if about.st_mode & OTHERS_WRITE:
        return f"may be written by others, who could have put code there: empty it, and then chmod 700 '{folder}'"
    if stat.S_IMODE(about.st_mode) != PRIVATE:
        folder.chmod(PRIVATE)
    return ""
