"""The log of a run, `log.jsonl`: a line of JSON for everything that happened, for people and programs.

Programs may read it while the run writes; an incomplete last line is left out. So is a line that is damaged, edited or
of another run, but those are counted. Each line has the id of its run.
"""

from __future__ import annotations

import contextlib
import io
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from evolve.monitoring import Progress
from evolve.state import NUMBER, SHARE, TEXT, WHOLE, ListOf, MapOf, Maybe, StateError, check_like
from rulebots.errors import optional_module
from rulebots.files import MissingError, OutputError, open_regular_file, replace
from rulebots.files import append as append_text

NAME = "log.jsonl"
#: The longest line that is read: many times one of the largest rule set.
MOST_LINE = 1_000_000
#: What readers need of each kind of line; there may be more.
_LINES: Mapping[str, Any] = {
    "begin": {
        "game": TEXT,
        "rules": TEXT,
        "keys": ListOf(TEXT),
        "hand_tuned": TEXT,
        "settings": {
            "strategy": TEXT,
            "seed": WHOLE,
            "generations": WHOLE,
            "opponents": ListOf(TEXT),
            "game": Maybe(TEXT),
            "hall_of_fame": Maybe(WHOLE),
        },
    },
    "generation": {
        **dict.fromkeys(("generation", "games", "training_games"), WHOLE),
        **dict.fromkeys(("best", "mean", "training"), SHARE),
        "games_a_second": NUMBER,
        "best_95": ListOf(SHARE),
        "warnings": ListOf(TEXT),
        "metrics": {
            **dict.fromkeys(("points", "stalled", "spread"), NUMBER),
            "baselines": MapOf(SHARE),
            "activity": MapOf(NUMBER),
        },
        "champion": ListOf(ListOf(NUMBER)),
    },
    "compile": {"seconds": NUMBER},
    "compiled": {},
    "resume": {"generations": Maybe(WHOLE)},
    "end": {"generation": WHOLE, "file": TEXT, "interrupted": TEXT},
}


class Log(NamedTuple):
    """The sound lines of a log, oldest first, and how many were left out."""

    events: list[dict[str, Any]]
    damaged: int

    def warning(self, folder: Path) -> str:
        """What to say of lines that were left out; "" if there are none."""
        if not self.damaged:
            return ""
        lines = "a line" if self.damaged == 1 else f"{self.damaged:,} lines"
        return f"{folder / NAME}: {lines} left out: damaged, or not of this run"


def append(folder: Path, event: str, run: str, **facts: Any) -> None:
    """Add a line of a run. Raises OutputError."""
    line = json.dumps({"event": event, "run": run, "time": round(time.time(), 1), **facts}, separators=(",", ":"))
    append_text(folder / NAME, f"{line}\n")


def facts_of(progress: Progress) -> dict[str, Any]:
    """A generation as a line of the log."""
    shown = asdict(progress)
    shown["champion"] = progress.champion.tolist()
    return {name: _short(value) for name, value in shown.items()}


def read(folder: Path) -> Log:
    """The log of a folder; empty if the folder has none. Raises InputError."""
    found = list(_lines(folder))
    ids = Counter(event["run"] for event in found if event is not None)
    (run, _), *_ = ids.most_common(1) or [("", 0)]
    sound = [event for event in found if event is not None and event["run"] == run]
    return Log(sound, len(found) - len(sound))


def generations(log: Log) -> list[dict[str, Any]]:
    """The generations of a log, each once and in order; of several lines the latest counts."""
    found = {event["generation"]: event for event in log.events if event["event"] == "generation"}
    return [found[number] for number in sorted(found)]


def cut_back(folder: Path, run: str, generation: int) -> Log:
    """Before a run resumes from a generation: remove later ones, which are played again, and lines of other runs.

    Returns the log as it was. Raises OutputError.
    """
    log = read(folder)
    kept = [e for e in log.events if e["run"] == run and (e["event"] != "generation" or e["generation"] <= generation)]
    replace(folder / NAME, "".join(f"{json.dumps(event, separators=(',', ':'))}\n" for event in kept))
    return log


def finished(log: Log) -> dict[str, Any] | None:
    """The `end` line of a run that has all its generations and was not resumed since; else None."""
    last = log.events[-1] if log.events else {}
    return last if last.get("event") == "end" and not last["interrupted"] else None


def _lines(folder: Path) -> Iterator[dict[str, Any] | None]:
    """Each whole line, None for one that is not sound; a line that is being written is left out."""
    try:
        stream = open_regular_file(folder / NAME, "log")
    except MissingError:
        return
    with io.TextIOWrapper(stream, "utf-8", "replace", newline="\n") as lines:
        long = False  # whether the line's beginning was too long
        while line := lines.readline(MOST_LINE):
            if line.endswith("\n"):
                yield None if long else _event(line)
            long = not line.endswith("\n")


def _event(line: str) -> dict[str, Any] | None:
    try:
        found: dict[str, Any] = json.loads(line)
        check_like({"event": TEXT, "run": TEXT, "time": Maybe(NUMBER)}, found, "line", more=True)
        check_like(_LINES[found["event"]], found, "line", more=True)
    except (ValueError, RecursionError, KeyError, StateError):
        return None
    if found["event"] == "generation":
        sizes = {len(half) for half in found["champion"]}
        if len(found["best_95"]) != 2 or len(found["champion"]) != 2 or len(sizes) != 1 or sizes == {0}:
            return None
    return found


def _short(value: Any) -> Any:
    """Floats rounded to 6 decimals."""
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, Mapping):
        return {name: _short(inner) for name, inner in value.items()}
    return [_short(inner) for inner in value] if isinstance(value, list | tuple) else value


@contextlib.contextmanager
def event_files(folder: Path) -> Iterator[Callable[[Progress], None]]:
    """A function to call after each generation. Raises UsageError without tensorboardX, the function OutputError."""
    writers = optional_module("tensorboardX", "tensorboard", "--tensorboard")
    with writers.SummaryWriter(str(folder / "tensorboard")) as writer:

        def write(progress: Progress) -> None:
            figures = {f"win_rate/{name}": getattr(progress, name) for name in ("best", "mean", "training")}
            figures |= {f"baselines/{name}": rate for name, rate in progress.metrics.baselines.items()}
            figures |= {"games_a_second": progress.games_a_second, "spread": progress.metrics.spread}
            try:
                for name, figure in figures.items():
                    writer.add_scalar(name, figure, progress.generation)
                writer.flush()
            except OSError as error:
                raise OutputError(f"cannot write '{folder / 'tensorboard'}': {error.strerror or error}") from None

        yield write
