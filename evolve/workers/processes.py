"""Who plays the games of a run: threads of this process, or processes here and elsewhere.

All by joblib's parallel backends. Deals and luck belong to the identity of a game, so that the
results are the same whoever plays, in whatever pieces, and a piece that was lost is played again.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import multiprocessing.resource_tracker
import os
import signal
import socket
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from typing import Any, Self, TypeVar

import joblib
import numpy as np

from evolve.evaluation.deals import Dealing
from evolve.evaluation.fitness import Schedule
from evolve.lessons.rollouts import Lessons, Teaching, lessons_of
from evolve.workers.tasks import Task, lessons_of_task, play_task, tasks_of
from rulebots.errors import UsageError, unknown
from rulebots.game import Game
from rulebots.play.match import play_games
from rulebots.play.results import Games
from rulebots.players import Player

BACKENDS = ("threads", "loky", "dask", "ray")
#: Tasks for each worker: more even out, fewer cost less.
TASKS_A_WORKER = 4
#: Fewer games than this are not worth a task.
LEAST_GAMES = 100
#: Playouts of a contender at once, whatever lesson it is of: with some contenders each they fill some batches, and
#: little memory.
PLAYOUTS_AT_ONCE = 1000
#: How often the games that went down with a worker are played again before the run gives up.
TRIES = 5
#: How long a scheduler without workers is waited for.
WAIT_SECONDS = 60

R = TypeVar("R", Games, Lessons)


class Workers:
    """`jobs` threads."""

    def __init__(self, jobs: int = 1) -> None:
        self.jobs = jobs

    def play(self, game: Game, players: Sequence[Player], deals: Dealing, schedule: Schedule) -> Games:
        """The games of a schedule: the same, whoever plays them."""
        return play_games(players, deals.draw(game), schedule, self.jobs)

    def lessons(
        self, game: Game, players: Sequence[Player], deals: Dealing, schedule: Schedule, teaching: Teaching
    ) -> Lessons:
        """The lessons that the first player takes from the games of a schedule: the same, whoever plays them."""
        drawn, at_once = deals.draw(game), _lessons_at_once(teaching)
        pieces = (schedule[i : i + at_once] for i in range(0, len(schedule), at_once))
        calls = (joblib.delayed(lessons_of)(players, drawn, piece, teaching) for piece in pieces)
        return _joined(joblib.Parallel(n_jobs=self.jobs, prefer="threads")(calls))


class Processes(Workers):
    """`jobs` processes, by a backend of joblib that has been set up; they stay while the `with` block runs."""

    def __init__(self, backend: str, jobs: int) -> None:
        super().__init__(jobs)
        self.backend = backend
        self._open = contextlib.ExitStack()
        self._parallel: joblib.Parallel | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._dismiss()

    def play(self, game: Game, players: Sequence[Player], deals: Dealing, schedule: Schedule) -> Games:
        """The games of a schedule, cut into tasks.

        Raises:
            UsageError: a worker lacks the game or the rules, or workers keep dying.
        """
        count = min(self.jobs * TASKS_A_WORKER, -(-len(schedule) // LEAST_GAMES))
        return self._done(play_task, tasks_of(game, players, deals, schedule, max(1, count)))

    def lessons(
        self, game: Game, players: Sequence[Player], deals: Dealing, schedule: Schedule, teaching: Teaching
    ) -> Lessons:
        """The lessons from the games of a schedule, cut into tasks. Raises UsageError as above."""
        count = max(self.jobs * TASKS_A_WORKER, -(-len(schedule) // _lessons_at_once(teaching)))
        tasks = tasks_of(game, players, deals, schedule, count)
        return self._done(lessons_of_task, tasks, teaching)

    def _done(self, do: Callable[..., R], tasks: Sequence[Task], *arguments: Any) -> R:
        """What all tasks come to; one that was lost is done again."""
        for _ in range(TRIES):
            try:
                return _joined(self._at_work()(joblib.delayed(do)(task, *arguments) for task in tasks))
            except BaseException as error:
                self._dismiss()  # whoever was struck in the middle of a task does not do another
                if isinstance(error, ImportError):
                    lacks = f"a worker lacks what the run needs: {error}; install the same there"
                    raise UsageError(lacks) from None
                if isinstance(error, UsageError) or not _died(error):
                    raise
        raise UsageError(
            f"workers of '{self.backend}' died {TRIES} times over the same games: see what they ran out of"
        )

    def _at_work(self) -> joblib.Parallel:
        """The processes, begun anew if there are none."""
        if self._parallel is None:
            # Those of loky are children of this process, and begin with the first task.
            deaf = _deaf_to(signal.SIGINT) if self.backend == "loky" else contextlib.nullcontext()
            with deaf, joblib.parallel_config(self.backend, n_jobs=self.jobs):
                self._parallel = self._open.enter_context(joblib.Parallel())
                self._parallel(joblib.delayed(os.getpid)() for _ in range(self.jobs))
        return self._parallel

    def _dismiss(self) -> None:
        self._parallel = None
        self._open.close()


@contextlib.contextmanager
def workers_of(backend: str, jobs: int, address: str | None = None) -> Iterator[Workers]:
    """Workers for as long as the block runs.

    With `address` those of a dask scheduler or ray cluster that runs already, else new ones here.

    Raises:
        UsageError: there is no such backend, it is not installed, or nobody answers at the address.
    """
    if backend not in BACKENDS:
        raise UsageError(unknown("backend", backend, BACKENDS))
    if address and backend not in ("dask", "ray"):
        raise UsageError(f"--address: a scheduler goes with --backend dask or ray, not {backend}")
    if backend == "threads":
        yield Workers(jobs)
    elif backend == "loky":
        with Processes(backend, jobs) as workers:
            yield workers
    else:
        with (_dask if backend == "dask" else _ray)(jobs, address), Processes(backend, jobs) as workers:
            yield workers


@contextlib.contextmanager
def _dask(jobs: int, address: str | None) -> Iterator[None]:
    distributed = _needed("distributed", "dask")
    # It logs what a worker's death or Ctrl-C brings about; both are dealt with here.
    for logger in ("distributed", "distributed.client"):
        logging.getLogger(logger).setLevel(logging.CRITICAL)
    with contextlib.ExitStack() as open_ones:
        if address:
            where: Any = address
        else:
            with _deaf_to(signal.SIGINT), warnings.catch_warnings():
                warnings.filterwarnings("ignore", "Port 8787 is already in use")  # whether there is a dashboard or not
                own = {"n_workers": jobs, "threads_per_worker": 1, "dashboard_address": None}
                where = open_ones.enter_context(distributed.LocalCluster(**own, silence_logs=logging.CRITICAL))
        try:
            client = open_ones.enter_context(distributed.Client(where, timeout="10s", set_as_default=True))
        except (OSError, ValueError) as error:
            raise UsageError(f"--address: no dask scheduler answers at '{address}' ({error})") from None
        if not client.scheduler_info()["workers"]:
            try:
                client.wait_for_workers(1, timeout=WAIT_SECONDS)
            except TimeoutError:
                raise UsageError(
                    f"--address: the scheduler at '{address}' has no workers after {WAIT_SECONDS} seconds: start some"
                ) from None
        yield


@contextlib.contextmanager
def _ray(jobs: int, address: str | None) -> Iterator[None]:
    ray = _needed("ray", "ray")
    _needed("ray.util.joblib", "ray").register_ray()
    try:
        if address:
            _knock(address)
            ray.init(address, log_to_driver=False, logging_level="ERROR")
        else:
            # "local", for without an address ray would take any cluster that it finds. A SIGTERM for this process and
            # its children must not end ray, which would keep the run waiting for a minute.
            with _deaf_to(signal.SIGINT, signal.SIGTERM):
                ray.init("local", num_cpus=jobs, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    except (OSError, ValueError, RuntimeError, ray.exceptions.RayError) as error:
        what = f"--address: no ray cluster answers at '{address}'" if address else "--backend ray: it does not start"
        raise UsageError(f"{what} ({error})") from None
    try:
        processors = int(ray.cluster_resources().get("CPU", 0))
        if jobs > processors:
            raise UsageError(f"--jobs: expected at most {processors}, the processors of the ray cluster, not {jobs}")
        yield
    finally:
        ray.shutdown()


def _knock(address: str) -> None:
    """Raise an OSError where nobody listens at all: ray would look for minutes, and talk all the while."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()


@contextlib.contextmanager
def _deaf_to(*signals: signal.Signals) -> Iterator[None]:
    """Processes that begin within do not hear a terminal's Ctrl-C, say, which is for the run: it still needs them.

    The signals are held back for as long, not lost.
    """
    # What starts processes starts this one first, if need be, and lets Ctrl-C through behind it.
    multiprocessing.resource_tracker.ensure_running()
    former = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, former)


def _lessons_at_once(teaching: Teaching) -> int:
    return max(1, PLAYOUTS_AT_ONCE // teaching.samples)


def _needed(module: str, extra: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise UsageError(f"--backend {extra}: it is not installed; pip install 'rulebots[{extra}]'") from None


def _died(error: BaseException) -> bool:
    """Whether an error says that a worker is gone, not that a game went wrong: known by the names that backends use."""
    words = (
        "TerminatedWorker",
        "BrokenProcessPool",
        "KilledWorker",
        "CommClosed",
        "Cancelled",
        "WorkerCrashed",
        "ActorDied",
    )
    return any(word in kind.__name__ for kind in type(error).__mro__ for word in words)


def _joined(parts: Sequence[R]) -> R:
    """What several tasks came to as one."""
    kind = type(parts[0])
    return kind(*(np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(kind)))
