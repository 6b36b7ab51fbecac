"""Resume a run from its folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from evolve.cli.session import breed
from evolve.run import Run
from evolve.storage import log as run_log
from evolve.storage.checkpoint import load_checkpoint
from evolve.storage.folder import RunFolder, set_damaged_aside, settings_of
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
    load_checkpoint(path)  # before the lock, which would leave a file in a folder that is not of a run
    with RunFolder(path, "") as folder:
        content, warning = load_checkpoint(path)
        settings = settings_of(path, content)
        done = content["run"]["breeder"]["generation"]
        if generations is not None:
            if generations < done:
                raise UsageError(f"generations: the run has {done} already, which are more than {generations}")
            settings = replace(settings, generations=generations)
        run = Run(settings, workers=workers, state=content["run"], drop_missing=drop_missing)
        folder.target = str(out.resolve()) if out else content["target"]
        target = destination(settings, out or (Path(folder.target) if folder.target else None), taken=out is None)
        if warning:
            set_damaged_aside(path)
            say(f"warning: {warning}")
        run_log.cut_back(path, done)
        run_log.append(path, "resume", generation=done)
        folder.describe(settings)
        folder.save(run)
        breed(run, folder, target, quiet=quiet, tensorboard=tensorboard)
