"""Resume a run from its folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from evolve.cli.session import breed
from evolve.run import Run
from evolve.state import WHOLE, check_run, described
from evolve.storage import log as run_log
from evolve.storage.checkpoint import CheckpointError
from evolve.storage.folder import CHAMPION, SETTINGS, RunFolder, load_run, set_damaged_aside, settings_of
from evolve.storage.result import destination
from evolve.workers.base import Workers
from rulebots.cli.console import say
from rulebots.errors import UsageError


def resume_run(
    path: Path,
    workers: Workers,
    *,
    generations: int | None = None,
    drop_missing: bool = False,
    out: Path | None = None,
    quiet: bool = False,
    tensorboard: bool = False,
) -> None:
    """Resume the run of a folder, up to as many generations as it was begun for, or up to `generations` in all.

    Raises:
        UsageError: no checkpoint can be used, another process runs it, it has more generations already, or its
            rules or opponents are not there. OutputError: a file cannot be written.
    """
    identity = load_run(path).run  # before the lock, which would leave a file in a folder that is not of a run
    with RunFolder(path, "", identity) as folder:
        found = load_run(path)
        content, warning = found.content, found.warning
        check_run(content["run"])
        settings = settings_of(path, content)
        as_described = folder.describes(settings)
        done = content["run"]["breeder"].get("generation")
        if not WHOLE[1](done):
            raise CheckpointError(f"{path}: run.breeder.generation: expected {WHOLE[0]}, not {described(done)}")
        if generations is not None:
            if generations < done:
                raise UsageError(f"generations: the run has {done} already, which are more than {generations}")
            settings = replace(settings, generations=generations)
        end = run_log.finished(run_log.read(path))
        if out is None and end is not None and end["generation"] == done == settings.generations:
            say(_finished(folder, end["file"]))
            return
        run = Run(settings, workers=workers, state=content["run"], drop_missing=drop_missing)
        folder.target = str(out.resolve()) if out else content["target"]
        target = destination(settings, out or (Path(folder.target) if folder.target else None), resumed=out is None)
        if warning:
            set_damaged_aside(path)
            say(f"warning: {warning}")
        if not as_described:
            say(f"warning: {path / SETTINGS} was changed, but is for people: the settings are in the checkpoint")
        log = run_log.cut_back(path, identity, done)
        if log.damaged:
            say(f"warning: {log.warning(path)}")
        if not any(event["event"] == "begin" for event in log.events):
            folder.log_begin(run)
        folder.log("resume", generation=done, generations=settings.generations)
        folder.describe(settings)
        folder.save(run)
        breed(run, folder, target, quiet=quiet, tensorboard=tensorboard)


def _finished(folder: RunFolder, file: str) -> str:
    """What to say of a run that has nothing left to do."""
    more = "--generations N breeds on, --out FILE writes the result again"
    if Path(file).exists():
        return f"the run in {folder.path} was finished: its result is {file}; {more}"
    return f"the run in {folder.path} was finished: {file} is gone, {folder.path / CHAMPION} is the same; {more}"
