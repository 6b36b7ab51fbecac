"""A run's checkpoint on disk: replaced atomically, and plain JSON, so that reading it runs no code.

    {"format": "evolve-checkpoint/1", "by": "rulebots 0.1.0", "sha256": "...", "content": {...}}

The new one is written beside the old one and synced to disk before it takes its name; the old one is kept as
`checkpoint-former.json`. So whenever a process or a machine stops, one of them is complete.
"""

from __future__ import annotations

import hashlib
import json
from importlib import metadata
from pathlib import Path
from typing import Any

from rulebots.errors import FileError
from rulebots.files import InputError, MissingError, read_text, replace

FORMAT = "evolve-checkpoint/1"
NAME, FORMER = "checkpoint.json", "checkpoint-former.json"
#: More than a run of the largest population needs.
MOST_BYTES = 1_000_000_000


class CheckpointError(FileError):
    """A checkpoint that cannot be used; the message says why."""


def save_checkpoint(folder: Path, content: dict[str, Any]) -> None:
    """Replace the checkpoint of a folder. Raises OutputError, and then leaves the former one as it was."""
    body = json.dumps(content, allow_nan=False, sort_keys=True, separators=(",", ":"))
    head = {"format": FORMAT, "by": f"rulebots {metadata.version('rulebots')}", "sha256": _digest(body)}
    text = f'{json.dumps(head)[:-1]}, "content": {body}}}\n'
    replace(folder / NAME, text, former=folder / FORMER)


def load_checkpoint(folder: Path) -> tuple[dict[str, Any], str]:
    """The content of the latest complete checkpoint, and what is wrong with a later one ("" if nothing).

    Raises:
        CheckpointError: there is none, none is complete, or it is of another version.
    """
    problems: list[str] = []
    for name in (NAME, FORMER):
        path = folder / name
        try:
            return _read(path), "".join(problems)
        except MissingError:
            continue
        except _DamagedError as damage:
            problems.append(f"{path} is damaged ({damage}): resuming from the one before it")
    if problems:
        raise CheckpointError(f"{folder}: no checkpoint is complete; {problems[0].partition(':')[0]}")
    raise CheckpointError(f"{folder}: there is no checkpoint: expected the folder of a run, such as `evolve run` makes")


class _DamagedError(Exception):
    """A checkpoint that differs from what was written."""


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(read_text(path, "checkpoint", MOST_BYTES))
        version = found["format"]
    except MissingError:
        raise
    except InputError as error:
        raise _DamagedError(error.message) from None
    except (ValueError, RecursionError):
        raise _DamagedError("it is truncated or edited") from None
    except (KeyError, TypeError):
        raise _DamagedError("it names no format") from None
    if version != FORMAT:
        by = str(found.get("by", "another version"))[:40]
        raise CheckpointError(f"{path}: expected the format '{FORMAT}', not '{version}': resume it with {by}")
    content = found.get("content")
    body = json.dumps(content, sort_keys=True, separators=(",", ":"))
    if not isinstance(content, dict) or found.get("sha256") != _digest(body):
        raise _DamagedError("its checksum does not match")
    return content


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()
