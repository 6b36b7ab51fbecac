"""The same run gives the same file, however it is run; and what each way costs.

kills: a tiny run is killed again and again (SIGKILL, at random moments) and resumed each time. One process imports
everything; each attempt is a fork of it, so that most of its life is the run itself. After every kill the folder must
hold a whole checkpoint and a whole champion. When an attempt reaches its end, its file is compared byte for byte with
that of a run in one go, and a new run begins, until there were as many kills as wanted.

checkpoints: what it costs the default run to live in a folder, with checkpoint, log and champion after each generation.

workers: the default run on one thread, on two, and on 2 workers of loky, dask and ray (if installed): time, file, and
overhead a task, which is what eight tasks of 100 games take beyond half of the time that these games take in this
process.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import joblib
import numpy as np
from machine import Figures

from evolve.cli.resume import resume_run
from evolve.cli.session import breed
from evolve.deals import TRAINING, DealSource
from evolve.run import Run
from evolve.settings import Settings
from evolve.storage.checkpoint import CheckpointError, load_checkpoint
from evolve.storage.folder import CHAMPION, new_folder
from evolve.storage.result import text_of
from evolve.workers.backends import workers_of
from evolve.workers.base import Workers
from evolve.workers.threads import Threads
from rulebots.game import load_game
from rulebots.play.match import mirrored
from rulebots.players import RulePlayer
from rulebots.population import load_population

#: A tiny run: what is tested is when it is killed, not what it breeds.
TINY = Settings(
    game="tictactoe", strategy="memetic:memory=3", lessons=5, rollouts=1, generations=12, population=6, deals=1,
    opponent_deals=1, hall_of_fame=2, runoff_deals=2, held_out_deals=20, verdict_deals=20, seed=7,
)  # fmt: skip
#: Of the run's time, in percent, what may be spent on writing.
MOST_WRITING = 2.0
BACKENDS = ("threads", "loky", "dask", *(["ray"] if importlib.util.find_spec("ray") else []))
CALLS = 13


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
    """Whether what a kill left is whole: the checkpoint, if there is one yet, and the champion."""
    try:
        _, warning = load_checkpoint(folder)
    except CheckpointError:
        return not (folder / "log.jsonl").exists() or not (folder / CHAMPION).exists()
    if (folder / CHAMPION).exists():
        load_population(folder / CHAMPION)
    return not warning


def measure_kills(wanted: int, seed: int) -> tuple[Figures, bool]:
    """Kill, resume, compare; whether all is well."""
    moments, kills, ends, same, broken = random.Random(seed), 0, 0, 0, 0  # noqa: S311 - moments, not secrets
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        attempt(base / "whole", base / "whole.yaml")
        began = time.perf_counter()
        attempt(base / "again", base / "again.yaml")
        lasted = time.perf_counter() - began  # the second time nothing is compiled
        expected = (base / "whole.yaml").read_bytes()
        while kills < wanted or ends == 0:
            folder, result = base / f"run {ends}", base / f"result {ends}.yaml"
            # Within a third of a whole run, so that most runs are killed several times.
            limit = moments.uniform(0, lasted / 3) if kills < wanted else 60.0
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
    return figures, same == ends and broken == 0


def measure_checkpoints(settings: Settings) -> Figures:
    """Breed, and take the time of everything that is written."""
    written = 0.0
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as name:
        run = Run(settings, jobs=int(joblib.cpu_count()))
        with new_folder(settings, Path(name) / "run", None) as folder:
            folder.begin(run)
            generations = run.generations()
            first = next(generations)  # may have waited for the compiler
            folder.keep(run, first)
            began = time.perf_counter()
            for progress in generations:
                before = time.perf_counter()
                folder.keep(run, progress)
                written += time.perf_counter() - before
            lasted = time.perf_counter() - began
    share = 100 * written / lasted
    figures = Figures(f"{settings.generations - 1} generations, {lasted:.1f} s")
    figures.add("a generation's writing", f"{1000 * written / (settings.generations - 1):.1f} ms")
    figures.add("share of the run", f"{share:.2f} %", f"under {MOST_WRITING:g} %", met=share < MOST_WRITING)
    return figures


def bred(settings: Settings, workers: Workers) -> tuple[float, str]:
    """Seconds that a run takes, run-off and all, and its YAML."""
    run = Run(settings, workers=workers)
    began = time.perf_counter()
    list(run.generations())
    outcome = run.finish()
    return time.perf_counter() - began, text_of(outcome)


def call(workers: Workers, deals: int) -> float:
    """Seconds that one call with so many deals takes, the median of several."""
    game = load_game("lost-cities")
    rules = game.rule_set("sheppard")
    players = [RulePlayer(rules, rules.hand_tuned() * factor, f"p{factor}") for factor in (1, 2)]
    source, schedule, took = DealSource(deals, (1, TRAINING, 0)), mirrored(deals), []
    for _ in range(CALLS):
        began = time.perf_counter()
        workers.play(game, players, source, schedule)
        took.append(time.perf_counter() - began)
    return float(np.median(took))


def measure_workers(settings: Settings, backends: tuple[str, ...]) -> Figures:
    """The run on each backend in turn."""
    figures = Figures(f"a run of {settings.generations} generations on 2 workers of each backend")
    short = replace(settings, generations=1)
    bred(short, Threads(1))  # compiles
    alone, text = bred(settings, Threads(1))
    figures.add("one thread", f"{alone:.1f} s")
    times = {}
    for backend in backends:
        with workers_of(backend, 2) as workers:
            bred(short, workers)  # every worker has its code before the clock runs
            times[backend], found = bred(settings, workers)
            # Eight tasks of 100 games, against the same games in one process.
            with_tasks, in_process = call(workers, 400), call(Threads(1), 400)
        share = times[backend] / times["threads"]
        figures.add(f"{backend}, the run", f"{times[backend]:.1f} s, {share:.2f} times threads")
        if backend != "threads":
            figures.add(f"{backend}, overhead a task", f"{1000 * (with_tasks - in_process / 2) / 8:.1f} ms")
        same = found == text
        figures.add(f"{backend}, its file", "same bytes" if same else "different", "same bytes", met=same)
    return figures


def main() -> int:
    """Measure and print, part by part; 1 if a killed run ended with another file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=("kills", "checkpoints", "workers"), help="only this one")
    parser.add_argument("--kills", type=int, default=200, help="how often (default 200)")
    parser.add_argument("--seed", type=int, default=1, help="of the moments of the kills (default 1)")
    parser.add_argument("--generations", type=int, default=20, help="of the default run (default 20)")
    parser.add_argument("--quick", action="store_true", help="5 kills, a tiny run, two backends, to see that it works")
    wanted = parser.parse_args()
    settings, backends, kills = Settings(generations=wanted.generations), BACKENDS, wanted.kills
    if wanted.quick:
        settings, backends, kills = TINY, BACKENDS[:2], 5
    well = True
    # The kills come first: they fork this process, which is best done before there are other workers.
    parts: dict[str, Callable[[], Figures]] = {
        "checkpoints": lambda: measure_checkpoints(settings),
        "workers": lambda: measure_workers(settings, backends),
    }
    if wanted.part in {None, "kills"}:
        figures, well = measure_kills(kills, wanted.seed)
        figures.show()
    for name, measure in parts.items():
        if wanted.part in {None, name}:
            measure().show()
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
