"""The figures of a report on disk, part by part: a report of the same plan goes on from them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulebots.errors import FileError
from rulebots.files import read_text, replace


class ReportError(FileError):
    """A file that does not hold the figures of this report."""


def load_parts(path: Path, about: Mapping[str, Any]) -> dict[str, Any]:
    """The parts that a file holds; empty if the file does not exist.

    Raises:
        ReportError: it is not a report, or one of another plan; the message says in what they differ.
        InputError: it cannot be read.
    """
    if not path.exists():
        return {}
    try:
        held = json.loads(read_text(path))
    except ValueError:
        held = None
    if not isinstance(held, dict) or not isinstance(held.get("parts"), dict):
        raise ReportError(f"{path}: expected the figures of a report; name another --out")
    differs = [name for name in about if held.get(name) != about[name]]
    if differs:
        raise ReportError(f"{path} is a report of another plan ({', '.join(differs)} differ); name another --out")
    return dict(held["parts"])


def save_parts(path: Path, about: Mapping[str, Any], parts: Mapping[str, Any]) -> None:
    """Replace the parts in a file. Raises OutputError."""
    text = json.dumps({**about, "parts": parts}, indent=1)
    replace(path, text + "\n")
