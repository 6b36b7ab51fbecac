"""The folder of a tuning run: as that of a run that breeds (see evolve/storage), and the points of every pair.

checkpoint.json          what to tune, and the state of the search
pairs.jsonl              a line for each pair of games, as it ends: nothing that was played is lost
log.jsonl                a line for each percent of the games
"""

import contextlib
import hashlib
import json
import shlex
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict, replace as replace_field
from pathlib import Path
from typing import Any

import platformdirs

from evolve.signals import uninterrupted
from evolve.storage.checkpoint import Checkpoint, CheckpointError, load_checkpoint, save_checkpoint
from evolve.storage.folder import SETTINGS, RunFolder
from evolve.tuning.matches import ClopMatch, CommandMatch, FunctionMatch, Match, PlayerMatch
from evolve.tuning.parameter_files import Hole, ParameterFile
from evolve.tuning.parameters import Parameter
from evolve.tuning.run import Progress, Tuning, TuningTask
from evolve.tuning.trials import Trials
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


def data_of(task: TuningTask) -> dict[str, Any]:
    """A task as plain data."""
    return {**asdict(task), "kind": type(task.match).__name__}


def task_from(data: Mapping[str, Any]) -> TuningTask:
    """The task that `data_of` wrote. Raises CheckpointError where it is of another version."""
    try:
        given = dict(data)
        match = _KINDS[given.pop("kind")]
        file = ParameterFile(**{**data["file"], "holes": tuple(Hole(**hole) for hole in data["file"]["holes"])})
        parameters = tuple(Parameter(**{**one, "choices": tuple(one["choices"])}) for one in data["parameters"])
        own = {**data["match"], **({"file": file} if "file" in data["match"] else {})}
        return TuningTask(**{**given, "match": match(**own), "parameters": parameters, "file": file})
    except (KeyError, TypeError, AttributeError) as error:
        raise CheckpointError(f"the checkpoint is of another version: {error}") from None


def program_of(match: Match) -> str:
    """What a match starts: a command, or a function's name."""
    return match.reference if isinstance(match, FunctionMatch) else match.command  # type: ignore[attr-defined]  # all others have one


class TuningFolder:
    """The folder of a tuning run in this process, as `RunFolder` locks it."""

    def __init__(self, folder: RunFolder, task: TuningTask) -> None:
        self.folder = folder
        self.task = task
        #: The latest line of the log.
        self.step = 0
        #: The run, once its trials are over.
        self.tuning: Tuning | None = None
        # When pairs were flushed, and when a checkpoint was written: slow pairs, flushed one by one, put none off.
        self._saved = self._kept = -PAUSE
        self._lines: list[str] = []

    def begin(self) -> None:
        """Write everything from which the run can be resumed. Raises OutputError."""
        _trusted(self.folder.run, self.task).touch()
        self._write(None)
        replace(
            self.folder.path / SETTINGS, json.dumps({"run": self.folder.run, **data_of(self.task)}, indent=2) + "\n"
        )
        settings = {"strategy": "tune", "seed": self.task.seed, "generations": STEPS, "opponents": []}
        self.folder.log(
            "begin",
            game=shown(program_of(self.task.match)),
            rules="parameters",
            keys=[one.name for one in self.task.parameters],
            hand_tuned="the start",
            command=shlex.join(["evolve", *sys.argv[1:]]),
            settings=settings,
        )

    def start(self, workers: Workers, trials: Trials, saved: Mapping[str, Any] | None) -> Tuning:
        """The run after its trials, with what was `saved` of it and the pairs that were played since."""
        self.tuning = Tuning(self.task, workers, trials, saved, _known_pairs(self.folder.path / PAIRS))
        self.tuning.note = self.note
        self.step = self._step()
        return self.tuning

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

    def keep(self, progress: Progress | None = None) -> None:
        """After a batch: a line of the log now and then, the pairs, the checkpoint. Raises OutputError."""
        assert self.tuning is not None
        with uninterrupted():
            if progress is not None and self._step() > self.step:
                self.step = self._step()
                self.folder.log("generation", **_facts(self.tuning, progress, self.step))
            if progress is None or self.tuning.search.done or time.monotonic() > self._kept + PAUSE:
                self.flush()
                self._write(self.tuning)
                self._kept = time.monotonic()

    def _step(self) -> int:
        assert self.tuning is not None
        return STEPS * self.tuning.search.games_played // self.tuning.search.games

    def _write(self, tuning: Tuning | None) -> None:
        so_far = {"trials": tuning and vars(tuning.trials), "state": tuning and tuning.state()}
        save_checkpoint(self.folder.path, self.folder.run, {"tuning": data_of(self.task), **so_far})


def _facts(tuning: Tuning, progress: Progress, step: int) -> dict[str, Any]:
    """The line of the log, in the form of a generation's, which all readers of logs know."""
    values = [round(value, 6) for value in tuning.search.result().tolist()]
    best = round(progress.best, 6)
    return {
        "generation": step,
        **dict.fromkeys(("games", "training_games"), progress.games),
        **dict.fromkeys(("best", "mean", "training"), best),
        "best_95": [round(end, 6) for end in progress.best_95],
        "games_a_second": round(progress.games_a_second, 3),
        "warnings": [f"{tuning.lost:,} pairs of games were lost"] if tuning.lost else [],
        "metrics": {"points": best, "stalled": 0, "spread": 0, "baselines": {}, "activity": {}},
        "champion": [values, values],
    }


def load_tuning(path: Path) -> Checkpoint | None:
    """The checkpoint of a tuning run; None for a folder of another run."""
    try:
        saved = load_checkpoint(path)
    except CheckpointError:
        return None
    return saved if "tuning" in saved.content else None


def check_trusted(run: str, task: TuningTask, named: list[str], path: Path) -> None:
    """Raise UsageError unless the run was begun by this user on this machine, or its program is among those `named`.

    Somebody else may have made the folder, and a file starts no program.
    """
    demand(
        program_of(task.match) in named or _trusted(run, task).exists(),
        f"{path}: this run was not begun here, and a file starts no program: confirm it with "
        f"--import '{shown(program_of(task.match))}'",
    )


def _trusted(run: str, task: TuningTask) -> Path:
    """A file that says that a person here began this run of this program."""
    digest = hashlib.sha256(
        f"{run} {json.dumps(data_of(replace_field(task, out='')), sort_keys=True)}".encode()
    ).hexdigest()
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
