"""The folder of a tuning run: as that of a run that breeds (see evolve/storage), and the points of every pair.

checkpoint.json          what to tune, and the state of the search
pairs.jsonl              a line for each pair of games, as it ends: nothing that was played is lost
log.jsonl                a line for each percent of the games
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import platformdirs

from evolve.signals import uninterrupted
from evolve.storage.checkpoint import CheckpointError, load_checkpoint, save_checkpoint
from evolve.storage.folder import SETTINGS, RunFolder
from evolve.tuning.matches import ClopMatch, CommandMatch, FunctionMatch, Match, PlayerMatch
from evolve.tuning.parameter_files import Hole, ParameterFile
from evolve.tuning.parameters import Parameter, start_of
from evolve.tuning.run import Progress, Tuning, TuningPlan
from evolve.workers import Workers
from rulebots.errors import UsageError, demand, shown
from rulebots.files import append, open_regular_file, replace

PAIRS = "pairs.jsonl"
#: Seconds between two checkpoints: batches of fast games take less.
PAUSE = 1.0
#: Lines of the log: each is a part of the games.
STEPS = 100
_KINDS: Mapping[str, type[Any]] = {
    kind.__name__: kind for kind in (CommandMatch, ClopMatch, FunctionMatch, PlayerMatch)
}


@dataclass(frozen=True)
class TuningTask:
    """All that a person asked for; `out` is where the result goes, and `file` what it is written as."""

    match: Match
    parameters: tuple[Parameter, ...]
    plan: TuningPlan
    file: ParameterFile
    out: str

    def data(self) -> dict[str, Any]:
        """All of it as plain data."""
        whole = asdict(self)
        return {**whole, "kind": type(self.match).__name__}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> TuningTask:
        """The task that `data` came from. Raises CheckpointError where it is of another version."""
        try:
            match = dict(data["match"])
            if "file" in match:
                match["file"] = _file_from(match["file"])
            parameters = [Parameter(**{**one, "choices": tuple(one["choices"])}) for one in data["parameters"]]
            plan = TuningPlan(**data["plan"])
            return cls(_KINDS[data["kind"]](**match), tuple(parameters), plan, _file_from(data["file"]), data["out"])
        except (KeyError, TypeError, AttributeError) as error:
            raise CheckpointError(f"the checkpoint is of another version: it lacks {error}") from None

    @property
    def program(self) -> str:
        """What it starts: a command, or a function's name."""
        match = self.match
        return match.reference if isinstance(match, FunctionMatch) else match.command  # type: ignore[attr-defined]


def _file_from(data: Mapping[str, Any]) -> ParameterFile:
    return ParameterFile(data["suffix"], data["text"], tuple(Hole(**hole) for hole in data["holes"]))


class TuningFolder:
    """The folder of a tuning run in this process, as `RunFolder` locks it."""

    def __init__(self, folder: RunFolder, task: TuningTask) -> None:
        self.folder = folder
        self.task = task
        self._saved = -PAUSE
        self._step = 0
        self._lines: list[str] = []

    def begin(self) -> None:
        """Write everything from which the run can be resumed. Raises OutputError."""
        _trusted(self.folder.run, self.task).touch()
        self._write(None)
        about = {"run": self.folder.run, **self.task.data()}
        replace(self.folder.path / SETTINGS, json.dumps(about, indent=2) + "\n")
        settings = {"strategy": "tune", "seed": self.task.plan.seed, "generations": STEPS, "opponents": []}
        keys = [one.name for one in self.task.parameters]
        title = shown(self.task.program)
        self.folder.log("begin", game=title, rules="parameters", keys=keys, hand_tuned="the start", settings=settings)

    def resumed(self, workers: Workers, state: Mapping[str, Any] | None) -> Tuning:
        """The run of the task, with the pairs that were played after its checkpoint."""
        known = _known_pairs(self.folder.path / PAIRS)
        tuning = Tuning(self.task.match, self.task.parameters, self.task.plan, workers, state, known)
        tuning.note = self.note
        if tuning.search is not None:
            self._step = _step_of(tuning.search.games_played, tuning.search.games)
        return tuning

    @property
    def step(self) -> int:
        """The latest line of the log."""
        return self._step

    def note(self, phase: int, index: int, points: float) -> None:
        """A pair has ended."""
        self._lines.append(json.dumps({"phase": phase, "pair": index, "points": points}) + "\n")
        if time.monotonic() > self._saved + PAUSE:
            self.flush()

    def flush(self) -> None:
        """Write the pairs that have ended. Raises OutputError."""
        with uninterrupted():
            append(self.folder.path / PAIRS, "".join(self._lines))
            self._lines.clear()
            self._saved = time.monotonic()

    def keep(self, tuning: Tuning, progress: Progress | None = None) -> None:
        """After a batch: a line of the log now and then, the pairs, the checkpoint. Raises OutputError."""
        assert tuning.search is not None
        step = _step_of(tuning.search.games_played, tuning.search.games)
        with uninterrupted():
            if progress is not None and step > self._step:
                self._step = step
                self.folder.log("generation", **_facts(tuning, progress, step))
            if progress is None or tuning.search.done or time.monotonic() > self._saved + PAUSE:
                self.flush()
                self._write(tuning.state())

    def _write(self, state: dict[str, Any] | None) -> None:
        save_checkpoint(self.folder.path, self.folder.run, {"tuning": self.task.data(), "state": state})


def _step_of(played: int, games: int) -> int:
    return min(STEPS, STEPS * played // games)


def _facts(tuning: Tuning, progress: Progress, step: int) -> dict[str, Any]:
    """The line of the log, in the form of a generation's, which all readers of logs know."""
    values = start_of(tuning.parameters).tolist() if tuning.search is None else tuning.search.result().tolist()
    best = round(progress.best, 6)
    warnings = [f"{progress.lost:,} pairs of games were lost"] if progress.lost else []
    return {
        "generation": step,
        "games": progress.games,
        "training_games": progress.games,
        **dict.fromkeys(("best", "mean", "training"), best),
        "best_95": [round(end, 6) for end in progress.best_95],
        "games_a_second": round(progress.games_a_second, 3),
        "warnings": warnings,
        "metrics": {"points": best, "stalled": 0, "spread": 0, "baselines": {}, "activity": {}},
        "champion": [[round(value, 6) for value in values]] * 2,
    }


def load_tuning(path: Path) -> tuple[str, dict[str, Any], str] | None:
    """The id of a tuning run, its checkpoint, and what is wrong with a later one; None for a folder of another run."""
    try:
        saved = load_checkpoint(path)
    except CheckpointError:
        return None
    return (saved.run, saved.content, saved.warning) if "tuning" in saved.content else None


def check_trusted(run: str, task: TuningTask, named: list[str], path: Path) -> None:
    """Raise UsageError unless the run was begun by this user on this machine, or its program is among those `named`.

    Somebody else may have made the folder, and a file starts no program.
    """
    if task.program in named:
        return
    demand(
        _trusted(run, task).exists(),
        f"{path}: this run was not begun here, and a file starts no program: confirm it with "
        f"--import '{shown(task.program)}'",
        UsageError,
    )


def _trusted(run: str, task: TuningTask) -> Path:
    """A file that says that a person here began this run of this program."""
    digest = hashlib.sha256(f"{run} {json.dumps(task.data(), sort_keys=True)}".encode()).hexdigest()
    folder = platformdirs.user_state_path("rulebots") / "tuning"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / digest[:32]


def _known_pairs(path: Path) -> dict[tuple[int, int], float]:
    """The pairs in a folder's file, without a last line that was cut short, which is removed."""
    known = {}
    with contextlib.suppress(FileNotFoundError, UsageError), open_regular_file(path, "file of pairs") as stream:
        for line in stream:
            with contextlib.suppress(ValueError, KeyError, TypeError):
                one = json.loads(line)
                known[int(one["phase"]), int(one["pair"])] = float(one["points"])
    lines = (json.dumps({"phase": phase, "pair": pair, "points": points}) for (phase, pair), points in known.items())
    if known:
        replace(path, "".join(f"{line}\n" for line in lines))
    return known
