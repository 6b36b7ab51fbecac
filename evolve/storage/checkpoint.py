"""A run's checkpoint on disk: replaced atomically, and plain JSON, so that reading it runs no code.

    {"format": "evolve-checkpoint/3", "by": "rulebots 0.1.0", "run": "...", "content": {...}, "sha256": "..."}

The checksum is that of all bytes before it. `run` is the id of the run, which its other files have too. The new
checkpoint is written beside the old one and synced to disk before it takes its name; the old one is kept as
`checkpoint-former.json`. So whenever a process or a machine stops, one of the two is complete.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from rulebots.errors import FileError
from rulebots.files import InputError, MissingError, read_bytes, replace

FORMAT = "evolve-checkpoint/3"
NAME = "checkpoint.json"
FORMER = "checkpoint-former.json"
#: More than a run of the largest population needs.
MOST_BYTES = 200_000_000
#: Brackets, braces and quotation marks that a checkpoint may have, and the bytes of it that allow one more.
FEW_PARTS = 200_000
BYTES_A_PART = 20
_SUM = re.compile(rb', "sha256": "([0-9a-f]{64})"}\n')
_SUM_LENGTH = len(', "sha256": "') + 64 + len('"}\n')


class CheckpointError(FileError):
    """A checkpoint that cannot be used; the message says why."""


class Checkpoint(NamedTuple):
    """The id of a run, what was saved of it, and what is wrong with a later checkpoint ("" if nothing is)."""

    run: str
    content: dict[str, Any]
    warning: str


def save_checkpoint(folder: Path, run: str, content: dict[str, Any]) -> None:
    """Replace the checkpoint of a folder. Raises OutputError, and then leaves the former one as it was."""
    whole = {"format": FORMAT, "by": f"rulebots {metadata.version('rulebots')}", "run": run, "content": content}
    body = json.dumps(whole, allow_nan=False)[:-1].encode()
    replace(folder / NAME, body + f', "sha256": "{_digest(body)}"}}\n'.encode(), former=folder / FORMER)


def load_checkpoint(folder: Path, runs: Collection[str] = ()) -> Checkpoint:
    """The latest complete checkpoint of a folder, whose run has one of the ids `runs`, if any are known.

    Raises:
        CheckpointError: no checkpoint exists, none is complete and of the run, or it is of another version.
    """
    problems: list[str] = []
    for name in (NAME, FORMER):
        path = folder / name
        try:
            run, content = _read(path, runs)
        except MissingError:
            continue
        except _UnusableError as error:
            problems.append(f"{path} {error}")
        else:
            return Checkpoint(run, content, f"{problems[0]}: resuming from the one before it" if problems else "")
    if problems:
        raise CheckpointError(f"{folder}: no checkpoint can be used: {'; '.join(problems)}")
    raise CheckpointError(f"{folder}: there is no checkpoint: expected the folder of a run, such as `evolve run` makes")


def has_checkpoint(folder: Path) -> bool:
    """Whether a folder holds a checkpoint, usable or not."""
    return any((folder / name).exists() for name in (NAME, FORMER))


class _UnusableError(Exception):
    """A checkpoint that is damaged, or that is of another run."""


def _read(path: Path, runs: Collection[str]) -> tuple[str, dict[str, Any]]:
    text = _sound_text(path)  # alone in memory, when what it says is made
    try:
        whole = json.loads(text)
        version, by, run, content = (whole[key] for key in ("format", "by", "run", "content"))
    except (ValueError, TypeError, KeyError, RecursionError):
        raise CheckpointError(f"{path}: expected format, by, run and content, as `evolve run` writes them") from None
    if version != FORMAT:
        raise CheckpointError(
            f"{path}: expected the format '{FORMAT}', not '{str(version)[:40]}': resume it with {str(by)[:40]}"
        )
    if not isinstance(run, str) or not isinstance(content, dict):
        raise CheckpointError(f"{path}: expected the id of a run and a map as its content")
    if runs and run not in runs:
        raise _UnusableError(f"is of another run ({run[:40]!r}, not {', '.join(sorted(runs))})")
    return run, content


def _sound_text(path: Path) -> str:
    """The JSON of a checkpoint without its checksum, which was compared. Raises MissingError, _UnusableError."""
    try:
        data = read_bytes(path, "checkpoint", MOST_BYTES)
    except MissingError:
        raise
    except InputError as error:
        raise _UnusableError(f"is damaged ({error.message})") from None
    body = memoryview(data)[:-_SUM_LENGTH]
    found = _SUM.fullmatch(data, max(0, len(data) - _SUM_LENGTH))
    if found is None:
        raise _UnusableError("is damaged (it is truncated or edited, or of an earlier version)")
    if found[1].decode() != _digest(body):
        raise _UnusableError("is damaged (its checksum does not match)")
    # Each takes 60 bytes of memory or more, however short it is in the file.
    if sum(map(data.count, (b"[", b"{", b'"'))) > FEW_PARTS + len(data) // BYTES_A_PART:
        raise _UnusableError("has more lists, maps and texts than a run writes")
    return f"{str(body, 'ascii', 'replace')}}}"


def _digest(body: bytes | memoryview) -> str:
    return hashlib.sha256(body).hexdigest()
