"""The folder that a run lives in.

settings.json            what was asked for, and the id of the run, which log and checkpoints have too
log.jsonl                a line for each generation
checkpoint.json          everything that `evolve resume` needs, and checkpoint-former.json, the one before it
champion.yaml            the best player so far; at the end, the result of the run
pictures/                what `evolve plot` draws
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shlex
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace as replace_settings
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self

from evolve.settings import Settings
from evolve.state import WHOLE, check_shape
from evolve.storage import checkpoint, log as run_log
from evolve.storage.checkpoint import Checkpoint, CheckpointError, load_checkpoint, save_checkpoint
from rulebots.errors import UsageError, shown
from rulebots.files import UNFINISHED_PREFIX, InputError, OutputError, free_name, read_text, replace, unwritable
from rulebots.game.trial import law_digest
from rulebots.packages.named_code import names_from_data
from rulebots.packages.population import Entry, Population, population_text

if TYPE_CHECKING:  # these play games, which a command that only looks at folders does not need
    from evolve.monitoring import Progress
    from evolve.run import Run
    from rulebots.rules import RuleSet

RUNS = Path("runs")
SETTINGS = "settings.json"
CHAMPION = "champion.yaml"
PICTURES = "pictures"
LOCK = ".lock"


class RunFolder:
    """The folder of a run in this process, locked until the end of the `with` block.

    `target` is the file that the result goes to as well, "" for the default one; one inside the folder is said from
    there, so that the folder can be moved. `run` is the id of the run.

    Raises:
        UsageError: another run uses the folder. OutputError: it is not writable.
    """

    def __init__(self, path: Path, target: str, run: str = "") -> None:
        self.path = path
        self.target = target
        self.run = run or secrets.token_hex(8)
        self._lock = _locked(path)

    #: Whether it was made for this run.
    made = False

    def __enter__(self) -> Self:
        return self

    def discard(self) -> None:
        """Remove the folder of a run that bred nothing, unless somebody else made it."""
        if self.made:
            shutil.rmtree(self.path, ignore_errors=True)

    def __exit__(self, *_: object) -> None:
        self._lock.close()

    def begin(self, run: Run, seconds: float | None = None, free: Sequence[str] = ()) -> None:
        """Write everything from which a new run can be resumed. Raises OutputError.

        `free` are the settings that the seconds decide which the run may take.
        """
        self.save(run)  # first: from here on the run can be resumed
        self.describe(run.settings)
        self.log_begin(run, **({"seconds": seconds, "free": free} if seconds else {}))

    def log_begin(self, run: Run, **limits: Any) -> None:
        """The first line of the log, which readers need. Raises OutputError."""
        self.log(
            "begin",
            generation=0,
            settings=as_json(run.settings),
            game=run.game.title,
            rules=run.rules.name,
            keys=[rule.key for rule in run.rules.rules],
            hand_tuned=run.hand_tuned.name,
            **limits,
        )

    def log(self, event: str, **facts: Any) -> None:
        """A line of the log. Raises OutputError."""
        run_log.append(self.path, event, self.run, **facts)

    def keep(self, run: Run, progress: Progress, *, estimated: bool = False) -> None:
        """After a generation: the line of the log, the checkpoint, the champion.

        `estimated`: a time limit decides how many generations there will be. Raises OutputError.
        """
        # The log first: a resumed run can remove a surplus line, but cannot add a missing one.
        self.log("generation", **run_log.facts_of(progress), generations=run.settings.generations, estimated=estimated)
        self.save(run)
        bred = {"generations": progress.generation, "seed": run.settings.seed, "games": progress.games}
        comment = f"not run off yet; run {self.run}"
        self.publish(bred_text(run.rules, {"champion": Entry(progress.champion)}, bred, comment))

    def save(self, run: Run) -> None:
        """Write the checkpoint. Raises OutputError."""
        save_checkpoint(
            self.path, self.run, {"settings": as_json(run.settings), "target": self.target, "run": run.state()}
        )

    def describe(self, settings: Settings) -> None:
        """Write the settings for people. Raises OutputError."""
        replace(self.path / SETTINGS, json.dumps({"run": self.run, **as_json(settings)}, indent=2) + "\n")

    def publish(self, text: str) -> None:
        """Replace the champion's file. Raises OutputError."""
        replace(self.path / CHAMPION, text)


def bred_text(rules: RuleSet, players: dict[str, Entry], bred: dict[str, Any], comment: str) -> str:
    """The file of players that were bred; see `Population`. What is None or {} in `bred` is left out."""
    said = {name: value for name, value in bred.items() if value not in (None, {})}
    return population_text(Population(rules.game, rules, players, said, comment, law=law_digest(rules.game)))


def run_name(name: str, seed: object) -> str:
    """The usual name of a run that begins now, such as `kalah-2026-05-30-175610-seed1`."""
    return f"{name}-{time.strftime('%Y-%m-%d-%H%M%S')}-seed{seed}"


def new_folder(name: str, seed: int, run_dir: Path | None, target: Path | None) -> RunFolder:
    """A folder for a new run: `run_dir`, else one below `runs/` called as `run_name` has it, after a game or so.

    It may hold what a run leaves that is killed before its first checkpoint.

    Raises:
        UsageError: the folder holds something else, or is in use. OutputError: it cannot be made.
    """
    if run_dir is not None and run_dir.exists() and not _is_blank(run_dir):
        raise _name_is_taken(run_dir)
    path = run_dir or free_name(RUNS / run_name(name, seed))
    there = path.exists()
    try:
        path.mkdir(parents=True, exist_ok=run_dir is not None)
    except OSError as error:
        reason = error.strerror or error
        raise OutputError(f"cannot make the folder '{path}': {reason}; choose another with --run-dir") from None
    folder = RunFolder(path, target_text(target, path))
    if not _is_blank(path):  # another run began and ended here in the meantime
        folder.__exit__()
        raise _name_is_taken(path)
    folder.made = not there
    return folder


def target_text(target: Path | None, folder: Path) -> str:
    """How a checkpoint names the file for the result: see `RunFolder`."""
    if target is None:
        return ""
    whole, within = target.resolve(), folder.resolve()
    return str(whole.relative_to(within) if whole.is_relative_to(within) else whole)


def latest_run(game: str = "") -> Path:
    """The folder below `runs/` in which a run of that game, or any, wrote last. Raises UsageError if there is none."""
    for log in sorted(RUNS.glob(f"*/{run_log.NAME}"), key=lambda log: -log.stat().st_mtime):
        if not game or any(one.get("settings", {}).get("game") == game for one in run_log.outline(log.parent).events):
            return log.parent
    raise UsageError(f"there is no run{' of ' * bool(game)}{game} in '{RUNS}' of this folder: name the folder of one")


def load_run(path: Path) -> Checkpoint:
    """The latest usable checkpoint of a folder. Raises CheckpointError if it has none."""
    try:
        saved = load_checkpoint(path, _ids(path))
    except CheckpointError:
        if (path / LOCK).exists() and _is_blank(path):
            raise CheckpointError(
                f"{path}: the run was stopped before its first checkpoint: begin it again with the same command, "
                f"`evolve run ... --run-dir {shlex.quote(str(path))}`"
            ) from None
        raise
    shape = {"settings": {str: object}, "target": str, "run": {"breeder": {"generation": WHOLE}}}
    check_shape(saved.content, shape, f"{path / checkpoint.NAME}: content")
    return saved


def settings_of(path: Path, content: Mapping[str, Any]) -> Settings:
    """The settings in a checkpoint. Raises CheckpointError for those of another version, UsageError for bad ones."""
    saved = content["settings"]
    known = {f.name for f in fields(Settings)}
    if saved.keys() != known:
        names = ", ".join(map(shown, sorted(saved.keys() ^ known)))
        raise CheckpointError(f"{path}: the checkpoint is of another version, with other settings ({names})")
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in saved.items()}
    return Settings(**values)


def resumed_run(folder: str | Path, *, generations: int | None = None, jobs: int = 1) -> Run:
    """The run that a folder holds, from its last checkpoint on, as `evolve resume` goes on; it writes nothing there.

    Games, rules and players of a user have to be loaded before, by `load_game`, `load_rules` or `bring_player`.

    Raises:
        CheckpointError: the folder has no usable checkpoint. UsageError: as `Run` does. CodeError: a user's code was
            not loaded.
    """
    from evolve.run import Run

    path = Path(folder)
    content = load_run(path).content
    brings = {"game": "load_game('{}')", "rules": "load_rules('{}')", "player": "bring_player('{}')"}
    with names_from_data(**brings):
        settings = settings_of(path, content)
        if generations is not None:
            settings = replace_settings(settings, generations=generations)
        return Run(settings, jobs, state=content["run"])


def as_json(settings: Settings) -> dict[str, Any]:
    """Settings as JSON holds them."""
    plain = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(settings).items()}
    return {**plain, "options": dict(settings.options)}


def rename_damaged_checkpoint(path: Path) -> None:
    """Rename a damaged checkpoint, so that it does not replace the good one before it."""
    with contextlib.suppress(FileNotFoundError):
        (path / checkpoint.NAME).replace(path / "checkpoint-damaged.json")


def _ids(path: Path) -> set[str]:
    """The ids of the run that the settings and the log of a folder name, as far as they can be read."""
    ids = {event["run"] for event in run_log.read(path).events[:1]}
    with contextlib.suppress(InputError, ValueError, RecursionError, KeyError, TypeError):
        ids.add(str(json.loads(read_text(path / SETTINGS, "settings of a run"))["run"]))
    return ids


def _is_blank(path: Path) -> bool:
    """Whether a folder holds nothing but what a run leaves that is killed before its first checkpoint."""
    try:
        return all(one.name == LOCK or one.name.startswith(UNFINISHED_PREFIX) for one in path.iterdir())
    except OSError:
        return False


def _name_is_taken(path: Path) -> UsageError:
    more = (
        f", or resume that run: evolve resume {shlex.quote(str(path))}"
        if any((path / name).exists() for name in (checkpoint.NAME, checkpoint.FORMER))
        else ""
    )
    return UsageError(f"--run-dir: '{path}' exists already: choose another name{more}")


def _locked(path: Path) -> IO[str]:
    """The folder's lock, which the system releases even when its holder is killed. Raises UsageError if it is taken."""
    try:
        lock = (path / LOCK).open("a")  # which keeps the number of a process that holds it
    except OSError as error:
        raise unwritable(path, error) from None
    try:
        _take(lock)
    except OSError:
        lock.close()
        raise UsageError(f"'{path}' is in use by another run: wait for it, or follow it with `evolve watch`") from None
    lock.truncate(0)
    lock.write(f"{os.getpid()}\n")
    lock.flush()
    return lock


def _take(lock: IO[str]) -> None:
    """Lock an open file for this process alone. Raises OSError where another one has it."""
    try:
        import fcntl
    except ImportError:  # Windows locks bytes, for which each process has to begin at the same one
        import msvcrt

        lock.seek(0)
        msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]  # seen on Windows only
    else:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def process_of(path: Path) -> int | None:
    """The process that runs the run of a folder, None where none does, or where the system has no such locks."""
    try:
        import fcntl

        with (path / LOCK).open() as lock:
            process = int(lock.read(20))
            # A lock whose process is gone is not tried: another process may be about to take it.
            os.kill(process, 0)
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return process
    except (ImportError, OSError, ValueError, OverflowError):
        return None
    return None
