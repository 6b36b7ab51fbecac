"""The log of a run, `log.jsonl`: a line of JSON for everything that happened, for people and programs.

Programs may read it while the run writes; an incomplete last line is left out. So is a line that is damaged, edited or
of another run, but those are counted. Each line has the id of its run.
"""

import contextlib
import functools
import io
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from evolve.monitoring import Progress
from evolve.state import NUMBER, SHARE, WHOLE, misfit
from rulebots.errors import optional_module
from rulebots.files import MissingError, append as append_text, open_regular_file, replace, unwritable

NAME = "log.jsonl"
#: The games at the end of a run, as a share of those of its generations: half to nine tenths were measured.
END_SHARE = 0.7
#: An interval of a win rate that is wider says nothing of strength.
WIDEST = 0.4
#: Generations that tell how long the others take.
RECENT = 10
#: The longest line that is read: many times one of the largest rule set.
MOST_LINE = 1_000_000
#: Lines that are not parsed again: pages of runs read whole logs every few seconds.
MOST_KNOWN = 20_000
#: How the line of a generation begins, without blanks.
_GENERATION = '{"event":"generation"'
#: What readers need of each kind of line; there may be more.
_LINES: Mapping[str, Any] = {
    "begin": {
        "game": str,
        "rules": str,
        "keys": [str],
        "hand_tuned": str,
        "settings": {
            "strategy": str,
            "seed": WHOLE,
            "generations": WHOLE,
            "opponents": [str],
            "game?": str,
            "hall_of_fame?": WHOLE,
        },
        "seconds?": NUMBER,
        "free?": [str],
        "command?": str,
    },
    "generation": {
        **dict.fromkeys(("generation", "games", "training_games"), WHOLE),
        **dict.fromkeys(("best", "mean", "training"), SHARE),
        "games_a_second": NUMBER,
        "best_95": (SHARE, SHARE),
        "margin?": NUMBER,
        "margin_95?": (NUMBER, NUMBER),
        "warnings": [str],
        "metrics": {
            **dict.fromkeys(("points", "stalled", "spread"), NUMBER),
            "baselines": {str: SHARE},
            "activity": {str: NUMBER},
        },
        "champion": ([NUMBER], [NUMBER]),
        "generations?": WHOLE,
        "estimated?": bool,
    },
    "compile": {"seconds": NUMBER},
    "compiled": {},
    "resume": {"generations?": WHOLE},
    "end": {
        "generation": WHOLE,
        "file": str,
        "interrupted": str,
        "verdicts?": [str],
        "table?": [[str]],
        "trend?": str,
        "kept?": str,
        "again?": str,
        "another?": str,
        "champion?": ([NUMBER], [NUMBER]),
    },
}


class Log(NamedTuple):
    """The sound lines of a log, oldest first, and how many were left out."""

    events: list[dict[str, Any]]
    damaged: int

    @property
    def about(self) -> dict[str, Any] | None:
        """What was bred last, as its `begin` line says; None without one."""
        return next((event for event in reversed(self.events) if event["event"] == "begin"), None)

    def warning(self, folder: Path) -> str:
        """What to say of lines that were left out; "" if there are none."""
        return (
            f"{folder / NAME}: lines left out, as damaged or not of this run: {self.damaged:,}" if self.damaged else ""
        )


def append(folder: Path, event: str, run: str, **facts: Any) -> None:
    """Add a line of a run. Raises OutputError."""
    line = json.dumps({"event": event, "run": run, "time": round(time.time(), 1), **facts}, separators=(",", ":"))
    append_text(folder / NAME, f"{line}\n")


def facts_of(progress: Progress) -> dict[str, Any]:
    """A generation as a line of the log, without what is None."""
    facts = {**asdict(progress), "champion": progress.champion.tolist()}
    return {name: _short(value) for name, value in facts.items() if value is not None}


def read(folder: Path) -> Log:
    """The log of a folder; empty if the folder has none. Raises InputError."""
    return _log([_event(line) for line in _lines(folder)])


def outline(folder: Path) -> Log:
    """The log without its generations but the latest, in a hundredth of the time. Raises InputError."""
    lines = list(_lines(folder))
    generations = [i for i, line in enumerate(lines) if line.replace(" ", "", 1).startswith(_GENERATION)]
    left_out = set(generations) - {next((i for i in reversed(generations) if _event(lines[i]) is not None), None)}
    return _log([_event(line) for i, line in enumerate(lines) if i not in left_out])


def _log(lines: Sequence[dict[str, Any] | None]) -> Log:
    """The events of the run that most lines are of; None is a line that is not sound."""
    events = [event for event in lines if event is not None]
    runs = Counter(event["run"] for event in events)
    sound = [event for event in events if event["run"] == max(runs, key=lambda run: runs[run])]
    return Log(sound, len(lines) - len(sound))


def generations(log: Log) -> list[dict[str, Any]]:
    """The generations of a log, each once and in order; of several lines the latest counts."""
    latest = {event["generation"]: event for event in log.events if event["event"] == "generation"}
    return [latest[number] for number in sorted(latest)]


def tells(line: Mapping[str, Any]) -> bool:
    """Whether a generation, by its line, had games enough to say something of strength."""
    low, high = line["best_95"]
    return bool(high - low <= WIDEST) and (line.get("margin") is None or line.get("margin_95") is not None)


def lead(line: Mapping[str, Any]) -> str:
    """How a generation's best player did, by its `Progress` or its line: in points, if they count."""
    if not tells(line):
        return "too few games so far"
    if line.get("margin") is None:
        return "best {:.1f} % ({:.1f} to {:.1f})".format(*(100 * rate for rate in (line["best"], *line["best_95"])))
    return "best {:+.2f} points a game ({:+.2f} to {:+.2f})".format(line["margin"], *line["margin_95"])


def begun_for(log: Log) -> int:
    """The generations that the run of a log was begun for; under a time limit those that fitted it last."""
    begun = [event["settings"]["generations"] for event in log.events if event["event"] == "begin"]
    fitted = [event["generations"] for event in log.events if event.get("estimated") and "generations" in event]
    return int([*begun, *fitted][-1])


def cut_back(folder: Path, run: str, generation: int) -> Log:
    """Before a run resumes from a generation: remove later ones, which are played again, and lines of other runs.

    Returns the log as it was. Raises OutputError.
    """
    log = read(folder)
    kept = [e for e in log.events if e["run"] == run and (e["event"] != "generation" or e["generation"] <= generation)]
    replace(folder / NAME, "".join(f"{json.dumps(event, separators=(',', ':'))}\n" for event in kept))
    return log


def pace(times: Sequence[float]) -> float:
    """Seconds a generation, by the times at which they ended, the latest ones: the first may wait for the compiler."""
    recent = times[-RECENT - 1 :]
    return (recent[-1] - recent[0]) / max(1, len(recent) - 1)


def seconds_left(each: float, generation: int, generations: int) -> float:
    """What the rest of a run takes, its end included, where a generation takes `each` so many seconds."""
    return each * ((1 + END_SHARE) * generations - generation)


def duration(seconds: float) -> str:
    """So many seconds, roughly, in words: `4 min`."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def finished(log: Log) -> dict[str, Any] | None:
    """The `end` line of a run that has all its generations and was not resumed since; else None."""
    last = log.events[-1] if log.events else {}
    return last if last.get("event") == "end" and not last["interrupted"] else None


def _lines(folder: Path) -> Iterator[str]:
    """Each whole line, "" for one that is too long; a line that is being written is left out."""
    try:
        stream = open_regular_file(folder / NAME, "log")
    except MissingError:
        return
    with io.TextIOWrapper(stream, "utf-8", "replace", newline="\n") as lines:
        long = False  # whether the line's beginning was too long
        while line := lines.readline(MOST_LINE):
            if line.endswith("\n"):
                yield "" if long else line
            long = not line.endswith("\n")


@functools.lru_cache(maxsize=MOST_KNOWN)
def _event(line: str) -> dict[str, Any] | None:
    try:
        event: dict[str, Any] = json.loads(line)
        shape = {"event": str, "run": str, "time?": NUMBER, **_LINES[event["event"]]}
    except (ValueError, RecursionError, LookupError, TypeError):
        return None
    if misfit(event, shape, "line"):
        return None
    if event["event"] == "generation":
        early, late = map(len, event["champion"])
        return event if early == late > 0 else None
    return event


def _short(value: Any) -> Any:
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
            figures = {
                **{f"win_rate/{name}": getattr(progress, name) for name in ("best", "mean", "training")},
                **{f"baselines/{name}": rate for name, rate in progress.metrics.baselines.items()},
                "games_a_second": progress.games_a_second,
                "spread": progress.metrics.spread,
            }
            try:
                for name, figure in figures.items():
                    writer.add_scalar(name, figure, progress.generation)
                writer.flush()
            except OSError as error:
                raise unwritable(folder / "tensorboard", error) from None

        yield write
