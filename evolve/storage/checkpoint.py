"""A run's checkpoint on disk: replaced atomically, and plain JSON, so that reading it runs no code.

    {"format": "evolve-checkpoint/3", "by": "rulebots 0.1.0", "run": "...", "content": {...}, "sha256": "..."}

The checksum is that of all bytes before it. `run` is the id of the run, which its other files have too. The new
checkpoint is written beside the old one and synced to disk before it takes its name; the old one is kept as
`checkpoint-former.json`. So whenever a process or a machine stops, one of the two is complete.
"""

import hashlib
import json
from collections.abc import Collection
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from rulebots.errors import FileError, demand, shown
from rulebots.files import InputError, MissingError, read_bytes, replace

FORMAT = "evolve-checkpoint/3"
NAME = "checkpoint.json"
FORMER = "checkpoint-former.json"
#: More than a run of the largest population needs.
MOST_BYTES = 200_000_000
#: Brackets, braces and quotation marks that a checkpoint may have, and the bytes of it that allow one more.
FEW_PARTS = 200_000
BYTES_A_PART = 20


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
    replace(folder / NAME, body + _end(body), former=folder / FORMER)


def load_checkpoint(folder: Path, runs: Collection[str] = ()) -> Checkpoint:
    """The latest complete checkpoint of a folder, whose run has one of the ids `runs`, if any are known.

    Raises:
        CheckpointError: no checkpoint exists, none is complete and of the run, or it is of another version.
    """
    problems: list[str] = []
    for path in (folder / NAME, folder / FORMER):
        try:
            run, content = _read(path)
        except MissingError:
            continue
        except InputError as error:
            problems.append(f"{path} is damaged ({error.message})")
            continue
        if run in (runs or (run,)):
            return Checkpoint(run, content, f"{problems[0]}: resuming from the one before it" if problems else "")
        problems.append(f"{path} is of another run ({shown(run)}, not {', '.join(sorted(runs))})")
    demand(not problems, f"{folder}: no checkpoint can be used: {'; '.join(problems)}", CheckpointError)
    raise CheckpointError(f"{folder}: there is no checkpoint: expected the folder of a run, such as `evolve run` makes")


def _read(path: Path) -> tuple[str, dict[str, Any]]:
    """The id of the run and the content. Raises InputError for a damaged file, CheckpointError for another version."""
    data = read_bytes(path, "checkpoint", MOST_BYTES)
    body = memoryview(data)[: -len(_end(b""))]
    if not data.endswith(_end(body)):
        raise InputError(path, "its checksum does not match: truncated, edited, or of an earlier version")
    # Each takes 60 bytes of memory or more, however short it is in the file.
    if sum(map(data.count, (b"[", b"{", b'"'))) > FEW_PARTS + len(data) // BYTES_A_PART:
        raise InputError(path, "it has more lists, maps and texts than a run writes")
    try:
        whole = json.loads(f"{str(body, 'ascii', 'replace')}}}")
        version, by, run, content = (whole[key] for key in ("format", "by", "run", "content"))
    except (ValueError, TypeError, KeyError, RecursionError):
        run = content = None
    if not isinstance(run, str) or not isinstance(content, dict):
        raise CheckpointError(f"{path}: expected format, by, run and content, as `evolve run` writes them")
    demand(
        version == FORMAT,
        f"{path}: expected the format '{FORMAT}', not '{shown(version)}': resume it with {str(by)[:60]}",
        CheckpointError,
    )
    return run, content


def _end(body: bytes | memoryview) -> bytes:
    """The end of a checkpoint, with the checksum of all before it."""
    return f', "sha256": "{hashlib.sha256(body).hexdigest()}"}}\n'.encode()
