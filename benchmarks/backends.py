"""The same run on 2 threads, and on 2 workers of loky, dask and ray (if installed): time, file, overhead a task.

The overhead is what eight tasks of 100 games take beyond half of the time that these games take in this process.
"""

from __future__ import annotations

import argparse
import importlib.util
import time

import numpy as np
from machine import Figures

from evolve.deals import TRAINING, DealSource
from evolve.run import Run
from evolve.settings import Settings
from evolve.storage.result import text_of
from evolve.workers.backends import workers_of
from evolve.workers.base import Workers
from evolve.workers.threads import Threads
from rulebots.game import load_game
from rulebots.play.match import mirrored
from rulebots.players import RulePlayer

BACKENDS = ("threads", "loky", "dask", *(["ray"] if importlib.util.find_spec("ray") else []))
CALLS = 13


def bred(settings: Settings, workers: Workers) -> tuple[float, str]:
    """Seconds that a run takes, run-off and all, and its YAML."""
    run = Run(settings, workers=workers)
    began = time.perf_counter()
    list(run.generations())
    outcome = run.finish()
    return time.perf_counter() - began, text_of(outcome)


def call(workers: Workers, deals: int) -> float:
    """Seconds that one call with so many games takes, the median of several."""
    game = load_game("lost-cities")
    rules = game.rule_set("sheppard")
    players = [RulePlayer(rules, rules.hand_tuned() * factor, f"p{factor}") for factor in (1, 2)]
    source, schedule, took = DealSource(deals, (1, TRAINING, 0)), mirrored(deals), []
    for _ in range(CALLS):
        began = time.perf_counter()
        workers.play(game, players, source, schedule)
        took.append(time.perf_counter() - began)
    return float(np.median(took))


def main() -> None:
    """Each backend in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--generations", type=int, default=10, help="of the default run (default 10)")
    wanted = parser.parse_args()
    settings = Settings(generations=wanted.generations)
    figures = Figures(f"evolve run --generations {wanted.generations} on 2 workers of each backend")
    texts, times = {}, {}
    for backend in BACKENDS:
        with workers_of(backend, 2) as workers:
            bred(Settings(generations=1, population=10), workers)  # every worker has its code before the clock runs
            times[backend], texts[backend] = bred(settings, workers)
            # Eight tasks of 100 games, against the same games in one process.
            with_tasks, alone = call(workers, 400), call(Threads(1), 400)
        share = times[backend] / times["threads"]
        figures.add(f"{backend}, the run", f"{times[backend]:.1f} s, {share:.2f} times threads")
        if backend != "threads":
            figures.add(f"{backend}, overhead a task", f"{1000 * (with_tasks - alone / 2) / 8:.1f} ms")
        same = texts[backend] == texts["threads"]
        figures.add(f"{backend}, its file", "same bytes" if same else "different", "same bytes", met=same)
    figures.show()


if __name__ == "__main__":
    main()
