"""A run that is killed again and again (SIGKILL, at random moments) and resumed each time: the same file in the end?

One process imports everything; each attempt is a fork of it, so that most of its life is the run
itself. After every kill the folder must hold a whole checkpoint and a whole champion. When an
attempt reaches its end, its file is compared byte for byte with that of a run in one go, and a new
run begins, until there were as many kills as wanted.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from machine import Figures

from evolve.cli.resume import resume_run
from evolve.cli.session import breed
from evolve.run import Run
from evolve.settings import Settings
from evolve.storage.checkpoint import CheckpointError, load_checkpoint
from evolve.storage.folder import CHAMPION, new_folder
from evolve.workers.threads import Threads
from rulebots.population import load_population

#: A tiny run: what is tested is when it is killed, not what it breeds.
TINY = Settings(
    game="tictactoe", strategy="memetic:memory=3", lessons=5, rollouts=1, generations=12, population=6, deals=1,
    opponent_deals=1, hall_of_fame=2, runoff_deals=2, held_out_deals=20, verdict_deals=20, seed=7,
)  # fmt: skip


def attempt(folder: Path, result: Path) -> None:
    """Begin or resume the run of a folder."""
    if (folder / "checkpoint.json").exists() or (folder / "checkpoint-former.json").exists():
        resume_run(folder, Threads(), quiet=True)
        return
    shutil.rmtree(folder, ignore_errors=True)  # killed before there was anything to resume
    run = Run(TINY)
    with new_folder(TINY, folder, result) as new:
        new.begin(run)
        breed(run, new, result, quiet=True)


def killed(folder: Path, result: Path, after: float) -> bool:
    """Whether an attempt, in a process of its own, had to be killed after so many seconds."""
    process = os.fork()
    if process == 0:
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, 1)
        code = 1
        try:
            attempt(folder, result)
            code = 0
        finally:
            os._exit(code)
    deadline = time.monotonic() + after
    while time.monotonic() < deadline:
        if os.waitpid(process, os.WNOHANG)[0]:
            return False
        time.sleep(0.001)
    os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    return os.waitstatus_to_exitcode(status) == -signal.SIGKILL


def whole(folder: Path) -> bool:
    """Whether what a kill left behind is whole: the checkpoint, if there is one yet, and the champion."""
    try:
        _, warning = load_checkpoint(folder)
    except CheckpointError:
        return not (folder / "log.jsonl").exists() or not (folder / CHAMPION).exists()
    if (folder / CHAMPION).exists():
        load_population(folder / CHAMPION)
    return not warning


def main() -> int:
    """Kill, resume, compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200, help="how often (default 200)")
    parser.add_argument("--seed", type=int, default=1, help="of the moments (default 1)")
    wanted = parser.parse_args()
    moments, kills, ends, same, broken = random.Random(wanted.seed), 0, 0, 0, 0  # noqa: S311 - moments, not secrets
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        began = time.perf_counter()
        attempt(base / "whole", base / "whole.yaml")
        lasted = time.perf_counter() - began
        began = time.perf_counter()
        attempt(base / "again", base / "again.yaml")
        lasted = time.perf_counter() - began  # the second time nothing is compiled
        expected = (base / "whole.yaml").read_bytes()
        while kills < wanted.kills or ends == 0:
            folder, result = base / f"run {ends}", base / f"result {ends}.yaml"
            # Within a third of a whole run, so that most runs are killed several times.
            limit = moments.uniform(0, lasted / 3) if kills < wanted.kills else 60.0
            if killed(folder, result, limit):
                kills += 1
                broken += not whole(folder)
                continue
            ends += 1
            found = [path.read_bytes() for path in base.glob(f"{result.stem}*.yaml")]
            same += bool(found) and all(text == expected for text in found)
    figures = Figures(f"{kills} kills at random moments; a whole run takes {lasted:.2f} s")
    figures.add("runs that were killed and reached their end", f"{ends}")
    figures.add("with the file of a run in one go", f"{same}", f"{ends}", met=same == ends)
    figures.add("kills that left a broken file", f"{broken}", "0", met=broken == 0)
    figures.show()
    return 0 if same == ends and broken == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
