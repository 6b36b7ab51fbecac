"""The folder that a run lives in.

settings.json            what was asked for
log.jsonl                a line for each generation
checkpoint.json          everything that `evolve resume` needs, and checkpoint-former.json, the one before it
champion.yaml            the best player so far; at the end, the result of the run
pictures/                what `evolve plot` draws
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import IO, Any, Self

from evolve.monitoring.metrics import Progress
from evolve.run import Run
from evolve.settings import Settings
from evolve.storage import checkpoint
from evolve.storage import log as run_log
from evolve.storage.checkpoint import CheckpointError, save_checkpoint
from rulebots.errors import UsageError
from rulebots.files import OutputError, replace
from rulebots.population import Entry, Population, population_text

RUNS = Path("runs")
SETTINGS, CHAMPION, PICTURES, LOCK = "settings.json", "champion.yaml", "pictures", ".lock"


class RunFolder:
    """The folder of a run in this process, locked until the end of the `with` block.

    `target` is the file that the result goes to as well, "" for the usual one.

    Raises:
        UsageError: another run uses the folder. CheckpointError: it does not exist. OutputError: it is not writable.
    """

    def __init__(self, path: Path, target: str) -> None:
        self.path = path
        self.target = target
        self._lock = _locked(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.close()

    def begin(self, run: Run) -> None:
        """Write what a new run can be resumed from. Raises OutputError."""
        self.describe(run.settings)
        keys = [rule.key for rule in run.rules.rules]
        about = {"game": run.game.title, "rules": run.rules.name, "keys": keys, "hand_tuned": run.hand_tuned.name}
        run_log.append(self.path, "begin", generation=0, settings=plain(run.settings), **about)
        self.save(run)

    def keep(self, run: Run, progress: Progress) -> None:
        """After a generation: the line of the log, the checkpoint, the champion. Raises OutputError."""
        # The log first: a resumed run cuts off a line too many, but cannot add a missing one.
        run_log.append(self.path, "generation", **run_log.facts_of(progress))
        self.save(run)
        bred = {"generations": progress.generation, "seed": run.settings.seed, "games": progress.games}
        best = Population(run.game, run.rules, {"champion": Entry(progress.champion)}, bred, "not run off yet")
        self.publish(population_text(best))

    def save(self, run: Run) -> None:
        """Write the checkpoint. Raises OutputError."""
        content = {"settings": plain(run.settings), "target": self.target, "run": run.state()}
        save_checkpoint(self.path, content)

    def describe(self, settings: Settings) -> None:
        """Write the settings for people. Raises OutputError."""
        self._replace(SETTINGS, json.dumps(plain(settings), indent=2) + "\n")

    def publish(self, text: str) -> None:
        """Replace the champion's file. Raises OutputError."""
        self._replace(CHAMPION, text)

    def _replace(self, name: str, text: str) -> None:
        replace(self.path / name, text)


def new_folder(settings: Settings, wanted: Path | None, target: Path | None) -> RunFolder:
    """An empty folder for a run: the wanted one, else one below `runs/` named by game, date and seed.

    Raises:
        UsageError: the wanted folder holds something already. OutputError: it cannot be made.
    """
    if wanted is not None and wanted.exists() and (not wanted.is_dir() or any(wanted.iterdir())):
        raise UsageError(
            f"--run-dir: '{wanted}' exists already: choose another name, or resume that run: evolve resume {wanted}"
        )
    path = wanted or _free(f"{settings.game.replace('-', '_')}-{time.strftime('%Y-%m-%d-%H%M%S')}-seed{settings.seed}")
    try:
        path.mkdir(parents=True, exist_ok=wanted is not None)
    except OSError as error:
        reason = error.strerror or error
        raise OutputError(f"cannot make the folder '{path}': {reason}; choose another with --run-dir") from None
    return RunFolder(path, str(target.resolve()) if target else "")


def settings_of(path: Path, content: Mapping[str, Any]) -> Settings:
    """The settings in a checkpoint. Raises CheckpointError for those of another version, UsageError for bad ones."""
    found = dict(content["settings"])
    known = {f.name for f in fields(Settings)}
    if found.keys() != known:
        names = ", ".join(sorted(found.keys() ^ known))
        raise CheckpointError(f"{path}: the checkpoint is of another version, with other settings ({names})")
    found["opponents"] = tuple(found["opponents"])
    return Settings(**found)


def plain(settings: Settings) -> dict[str, Any]:
    """Settings as JSON holds them."""
    found = asdict(settings)
    return {**found, "opponents": list(settings.opponents), "options": dict(settings.options)}


def set_damaged_aside(path: Path) -> None:
    """Rename a damaged checkpoint, so that it does not replace the good one before it."""
    with contextlib.suppress(FileNotFoundError):
        (path / checkpoint.NAME).replace(path / "checkpoint-damaged.json")


def _free(name: str) -> Path:
    found, number = RUNS / name, 1
    while found.exists():
        number += 1
        found = RUNS / f"{name}-{number}"
    return found


def _locked(path: Path) -> IO[str]:
    """The folder's lock, which the system releases even when its holder is killed. Raises UsageError if it is taken."""
    try:
        lock = (path / LOCK).open("w")
    except FileNotFoundError:
        raise CheckpointError(f"{path}: there is no such folder") from None
    except OSError as error:
        raise OutputError(f"cannot write to '{path}': {error.strerror or error}") from None
    try:
        import fcntl

        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # a system without such locks
        pass
    except OSError:
        lock.close()
        raise UsageError(f"'{path}' is in use by another run: wait for it, or follow it with `evolve watch`") from None
    return lock
