"""The same run gives the same file, however it is run; and what each way costs.

kills: a tiny run is killed again and again (SIGKILL) and resumed each time, by turns at a random moment and as it comes
to a phase: before its first checkpoint, compiling, breeding, in the run-off, at its final write. One process imports
everything; each attempt is a fork of it, so that most of its life is the run itself. No folder is ever removed: after
every kill `evolve resume`, or before the first checkpoint `evolve run --run-dir`, has to go on in it. When an attempt
reaches its end, its file is compared byte for byte with that of a run in one go, and a new run begins, until there were
as many kills as wanted.

checkpoints: what it costs the default run to live in a folder, with checkpoint, log and champion after each generation.

workers: the default run on one thread, on two, and on 2 workers of loky, dask and ray (if installed): time, file, and
overhead a task, which is what eight tasks of 100 games take beyond half of the time that these games take in this
process.
"""

from __future__ import annotations

import argparse
import importlib.util
import itertools
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from machine import Figures

from evolve.cli import session
from evolve.cli.options import Execution
from evolve.cli.session import breed, resume_run
from evolve.run import Run
from evolve.schedules import TRAINING, DealSource
from evolve.settings import Settings
from evolve.storage.checkpoint import CheckpointError
from evolve.storage.folder import CHAMPION, RunFolder, load_run, new_folder
from evolve.storage.result import text_of
from evolve.workers import Workers
from evolve.workers.processes import workers_of
from rulebots import RulePlayer, load_game, load_population
from rulebots.packages.rule_sets import load_rules
from rulebots.play.deals import mirrored

QUIET = Execution(quiet=True)
#: A tiny run: what is tested is when it is killed, not what it breeds.
TINY = Settings(
    game="tictactoe", strategy="memetic:memory=3", lessons=5, rollouts=1, generations=12, population=6, deals=1,
    opponent_deals=1, hall_of_fame=2, runoff_deals=2, held_out_deals=20, verdict_deals=20, seed=7,
)  # fmt: skip
#: Of the run's time, in percent, what may be spent on writing.
MOST_WRITING = 2.0
BACKENDS = ("threads", "loky", "dask", *(["ray"] if importlib.util.find_spec("ray") else []))
CALLS = 13


#: A phase that no run comes to.
NEVER = "never"
RANDOM = "at a random moment"
#: The phases of a run, and the functions that begin them.
PHASES: Mapping[str, tuple[Any, str]] = {
    "before the first checkpoint": (RunFolder, "begin"),
    "compiling": (Run, "compile"),
    "breeding": (RunFolder, "keep"),
    "run-off": (Run, "run_off"),
    "polish": (Run, "polish"),
    "final write": (session, "save"),
}


def attempt(folder: Path, result: Path, settings: Settings = TINY, backend: str = "threads") -> None:
    """Begin or resume the run of a folder."""
    with workers_of(backend, 1 if backend == "threads" else 2) as workers:
        try:
            resume_run(folder, workers, QUIET)
        except CheckpointError as error:
            # Exactly what the commands say: nothing is there yet, or nothing but what an early kill leaves.
            if folder.exists() and any(folder.iterdir()) and "before its first checkpoint" not in str(error):
                raise
            run = Run(settings, workers=workers)
            with new_folder(settings.file_name, settings.seed, folder, result) as new:
                new.begin(run)
                breed(run, new, result, QUIET)


def killed(folder: Path, result: Path, after: float, phase: str, settings: Settings, backend: str) -> str:
    """How an attempt in a process of its own ended: "killed" some seconds after it came to a phase, "ended", "failed".

    For `RANDOM` the time counts from its beginning. An attempt that never comes to the phase ends.
    """
    reached, tell = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(reached)
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, 1)
        code = 1
        try:
            if phase == RANDOM:
                os.write(tell, b".")
            elif phase != NEVER:
                _tell_of(phase, tell)
            attempt(folder, result, settings, backend)
            code = 0
        except BaseException:  # noqa: BLE001 - the child must end here, whatever it is
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(tell)
    if os.read(reached, 1):  # nothing where the attempt has ended before
        time.sleep(after)
        os.kill(process, signal.SIGKILL)
    os.close(reached)
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    return {-signal.SIGKILL: "killed", 0: "ended"}.get(code, "failed")


def _tell_of(phase: str, tell: int) -> None:
    """Write into a pipe when this process comes to a phase."""
    owner, name = PHASES[phase]
    begins = getattr(owner, name)

    def telling(*arguments: Any, **named: Any) -> Any:
        os.write(tell, b".")
        return begins(*arguments, **named)

    setattr(owner, name, telling)


def whole(folder: Path) -> bool:
    """Whether what a kill left can be gone on with: the checkpoint, if there is one yet, and the champion."""
    try:
        _, _, warning = load_run(folder)
    except CheckpointError as error:
        return not folder.exists() or "before its first checkpoint" in str(error) or not any(folder.iterdir())
    if (folder / CHAMPION).exists():
        load_population(folder / CHAMPION)
    return not warning


def measure_kills(wanted: int, seed: int, settings: Settings, backend: str) -> tuple[Figures, bool]:
    """Kill, resume, compare; whether all is well."""
    moments, kills, ends, same, failed = random.Random(seed), Counter[str](), 0, 0, 0  # noqa: S311 - moments, not secrets
    unusable = set[Path]()
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        # In processes of their own: what forks must not hold the threads of another backend.
        killed(base / "whole", base / "whole.yaml", 0.0, NEVER, settings, backend)
        began = time.perf_counter()
        killed(base / "again", base / "again.yaml", 0.0, NEVER, settings, backend)
        lasted = time.perf_counter() - began  # the second time nothing is compiled
        expected = (base / "whole.yaml").read_bytes()
        first, *others = PHASES
        turns = itertools.cycle([*others, RANDOM])
        while kills.total() < wanted or ends == 0:
            folder, result = base / f"run {ends + failed}", base / f"result {ends + failed}.yaml"
            # Within a third of a whole run, or a little after a phase begins: most runs are killed several times.
            if kills.total() < wanted:
                phase = next(turns) if folder.exists() else first
                after = moments.uniform(0, lasted / 3 if phase == RANDOM else 0.01)
                ended = killed(folder, result, after, phase, settings, backend)
            else:
                phase, ended = NEVER, killed(folder, result, 0.0, NEVER, settings, backend)
            if ended == "killed":
                kills[phase] += 1
                if not whole(folder):
                    unusable.add(folder)
                continue
            if ended == "failed":
                unusable.add(folder)
                failed += 1
                continue
            ends += 1
            found = [path.read_bytes() for path in base.glob(f"{result.stem}*.yaml")]
            same += found == [expected]
    figures = Figures(f"{kills.total()} kills of {settings.game} with {backend}; a whole run takes {lasted:.2f} s")
    for phase, count in sorted(kills.items()):
        figures.add(f"kills: {phase}", f"{count}")
    figures.add("runs that were killed and reached their end", f"{ends}")
    figures.add("with the file of a run in one go, and no other", f"{same}", f"{ends}", met=same == ends)
    figures.add("folders that a kill left unusable", f"{len(unusable)}", "0", met=not unusable)
    return figures, same == ends and not unusable


def measure_checkpoints(settings: Settings) -> Figures:
    """Breed, and take the time of everything that is written."""
    written = 0.0
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as name:
        run = Run(settings, jobs=int(joblib.cpu_count()))
        with new_folder(settings.file_name, settings.seed, Path(name) / "run", None) as folder:
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
    rules = load_rules("sheppard", game)
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
    bred(short, Workers(1))  # compiles
    alone, text = bred(settings, Workers(1))
    figures.add("one thread", f"{alone:.1f} s")
    times = {}
    for backend in backends:
        with workers_of(backend, 2) as workers:
            bred(short, workers)  # every worker has its code before the clock runs
            times[backend], found = bred(settings, workers)
            # Eight tasks of 100 games, against the same games in one process.
            with_tasks, in_process = call(workers, 400), call(Workers(1), 400)
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
    parser.add_argument("--game", default=TINY.game, help=f"of the runs that are killed (default {TINY.game})")
    parser.add_argument("--option", action="append", default=[], help="of that game, such as seats=4; repeatable")
    parser.add_argument("--backend", choices=BACKENDS, default="threads", help="of these runs (default threads)")
    parser.add_argument("--seed", type=int, default=1, help="of the moments of the kills (default 1)")
    parser.add_argument(
        "--generations", type=int, help=f"of a run (default: 20 of the default run, {TINY.generations} of one to kill)"
    )
    parser.add_argument("--quick", action="store_true", help="5 kills, a tiny run, two backends, to see that it works")
    wanted = parser.parse_args()
    settings, backends, kills = Settings(generations=wanted.generations or 20), BACKENDS, wanted.kills
    options = {name: int(value) for name, value in (text.split("=") for text in wanted.option)}
    victim = replace(TINY, game=wanted.game, options=options, generations=wanted.generations or TINY.generations)
    if wanted.quick:
        settings, backends, kills = TINY, BACKENDS[:2], 5
    well = True
    # The kills come first: they fork this process, which is best done before there are other workers.
    parts: dict[str, Callable[[], Figures]] = {
        "checkpoints": lambda: measure_checkpoints(settings),
        "workers": lambda: measure_workers(settings, backends),
    }
    if wanted.part in {None, "kills"}:
        figures, well = measure_kills(kills, wanted.seed, victim, wanted.backend)
        figures.show()
    for name, measure in parts.items():
        if wanted.part in {None, name}:
            measure().show()
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
