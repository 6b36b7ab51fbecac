"""The records in a served folder: whole matches and tournaments, whose games can be stepped through."""

from __future__ import annotations

from pathlib import Path

from rulebots.errors import UsageError, shown
from rulebots.records import Record, load_record
from rulebots.records.model import FORMAT
from rulebots.registry.named_code import names_from_data
from rulebots.web.tables import GAMES

#: Files that are listed, and the largest one, in bytes.
MOST_FILES, MOST_BYTES = 200, 2_000_000


def record_files(folder: Path) -> list[str]:
    """The names of the records in the folder and the folders below it, but those of the page's own games."""
    root, found = folder.resolve(), list[str]()
    for pattern in ("*.txt", "*/*.txt"):
        for path in sorted(root.glob(pattern)):
            if len(found) < MOST_FILES and path.parent != root / GAMES and _is_record(path, root):
                found.append(path.relative_to(root).as_posix())
    return found


def record_in(folder: Path, name: str) -> Record:
    """The record of that name.

    Raises:
        UsageError: it is not in the folder, wherever links lead. RecordError: it is wrong, with the line.
    """
    if name not in record_files(folder):
        raise UsageError(f"there is no record '{shown(name)}' in the folder that is served")
    with names_from_data(game="--game {}"):
        return load_record(folder.resolve() / name)


def _is_record(path: Path, root: Path) -> bool:
    """Whether a file begins as a record does, and is one that may be opened."""
    try:
        if not path.resolve().is_relative_to(root) or not path.is_file() or path.stat().st_size > MOST_BYTES:
            return False
        with path.open("rb") as file:
            return f"format: {FORMAT}".encode() in file.read(200)
    except OSError:
        return False
