"""The log of a run, `log.jsonl`: a line of JSON for everything that happened, for people and programs.

Programs may read it while the run writes; an incomplete last line is left out.
"""

from __future__ import annotations

import io
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from evolve.monitoring.metrics import Progress
from rulebots.files import MissingError, opened, replace
from rulebots.files import append as append_text

NAME = "log.jsonl"
#: Fields that readers need; a line that lacks one, edited by hand, is left out.
NEEDED = {"begin": {"settings", "keys", "hand_tuned"}, "generation": {f.name for f in fields(Progress)}}


def append(folder: Path, event: str, **facts: Any) -> None:
    """Add a line. Raises OutputError when it cannot be written."""
    line = json.dumps({"event": event, "time": round(time.time(), 1), **facts}, separators=(",", ":"))
    append_text(folder / NAME, f"{line}\n")


def facts_of(progress: Progress) -> dict[str, Any]:
    """A generation as a line of the log holds it."""
    shown = asdict(progress)
    shown["champion"] = progress.champion.tolist()
    return {name: _short(value) for name, value in shown.items()}


def events(folder: Path) -> Iterator[dict[str, Any]]:
    """The lines of a log, oldest first; incomplete ones are left out. Raises InputError."""
    try:
        stream = opened(folder / NAME, "log")
    except MissingError:
        return
    with io.TextIOWrapper(stream, "utf-8", "replace") as lines:
        for line in lines:
            found = _event(line)
            if found is not None:
                yield found


def generations(folder: Path) -> list[dict[str, Any]]:
    """The generations of a log, each once and in order; of several lines the latest counts."""
    found = {event["generation"]: event for event in events(folder) if event["event"] == "generation"}
    return [found[number] for number in sorted(found)]


def cut_back(folder: Path, generation: int) -> None:
    """Before a run resumes from a generation: remove later ones, which will be played again, and incomplete lines.

    Raises OutputError.
    """
    kept = [e for e in events(folder) if e["event"] != "generation" or e["generation"] <= generation]
    replace(folder / NAME, "".join(f"{json.dumps(event, separators=(',', ':'))}\n" for event in kept))


def _event(line: str) -> dict[str, Any] | None:
    if not line.endswith("\n"):
        return None
    try:
        found = json.loads(line)
    except ValueError:
        return None
    event = found.get("event") if isinstance(found, dict) else None
    return found if isinstance(event, str) and found.keys() >= NEEDED.get(event, set()) else None


def _short(value: Any) -> Any:
    """Floats rounded to 6 decimals."""
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, Mapping):
        return {name: _short(inner) for name, inner in value.items()}
    return [_short(inner) for inner in value] if isinstance(value, list | tuple) else value
