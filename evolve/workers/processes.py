"""Processes that play games, on this machine or on others, by a backend of joblib: loky, dask or ray."""

from __future__ import annotations

import contextlib
import logging
import math
import os
import signal
import time
from collections.abc import Iterator, Sequence
from typing import Any

import joblib

from evolve.deals import DealSource, Schedule
from evolve.signals import blocked
from evolve.workers.base import Job, R, Threads, Workers, concatenated
from evolve.workers.tasks import Task, do, tasks_of
from rulebots.errors import UsageError, optional_module, unknown
from rulebots.game import Game
from rulebots.play.match import play_games
from rulebots.play.results import Games
from rulebots.players import Player

BACKENDS = ("threads", "loky", "dask", "ray")
#: Those whose workers may run elsewhere already.
CLUSTERS = ("dask", "ray")
#: Seconds in which a scheduler has to answer, and to have its first worker.
CONNECT_SECONDS = 10
WAIT_SECONDS = 60
#: Tasks for each worker: more balance the load, fewer cost less.
TASKS_A_WORKER = 4
#: Fewer games than this do not pay for a task, as long as nobody knows how long a game takes.
LEAST_GAMES = 100
#: Seconds that a task should take, once that is known: sending one takes some milliseconds, a lost one is done again.
SHORTEST = 1.0
LONGEST = 10.0
#: How often the games of a worker that died are played again before the run gives up.
TRIES = 5
#: Parts of the names of exceptions by which backends report the death of a worker.
DEATHS = (
    "TerminatedWorker",
    "BrokenProcessPool",
    "KilledWorker",
    "CommClosed",
    "Cancelled",
    "WorkerCrashed",
    "ActorDied",
)


@contextlib.contextmanager
def workers_of(backend: str, jobs: int, address: str | None = None) -> Iterator[Workers]:
    """Workers while the block runs: with `address` those of a running cluster, else new ones on this machine.

    Raises:
        UsageError: an unknown backend, one that is not installed, or no answer at the address.
    """
    if backend not in BACKENDS:
        raise UsageError(unknown("backend", backend, BACKENDS))
    if address and backend not in CLUSTERS:
        raise UsageError(f"--address: a scheduler goes with --backend {' or '.join(CLUSTERS)}, not {backend}")
    if backend == "threads":
        yield Threads(jobs)
        return
    with contextlib.ExitStack() as stack:
        parameters = {}
        if backend == "dask":
            stack.enter_context(_dask_client(jobs, address))
            parameters["wait_for_workers_timeout"] = WAIT_SECONDS
        elif backend == "ray":
            stack.enter_context(_ray_session(jobs, address))
        workers = Processes(backend, jobs, **parameters)
        stack.callback(workers.close)
        yield workers


@contextlib.contextmanager
def _dask_client(jobs: int, address: str | None) -> Iterator[None]:
    """The client that joblib's backend takes: of the scheduler at an address, else of `jobs` new processes."""
    distributed = optional_module("distributed", "dask", "--backend dask")
    for name in ("distributed", "distributed.client"):  # they log dead workers and Ctrl-C, which the run reports
        logging.getLogger(name).setLevel(logging.CRITICAL)
    local = {"n_workers": jobs, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": logging.CRITICAL}
    where: dict[str, Any] = {"address": address} if address else local
    try:
        with blocked(signal.SIGINT):
            client = distributed.Client(timeout=CONNECT_SECONDS, **where)
    except (OSError, ValueError) as error:
        raise UsageError(f"--address: no dask scheduler answers at '{address}' ({error})") from None
    with client:
        yield


@contextlib.contextmanager
def _ray_session(jobs: int, address: str | None) -> Iterator[None]:
    """The session that joblib's backend takes: of the cluster at an address, else of `jobs` new processes."""
    ray = optional_module("ray", "ray", "--backend ray")
    optional_module("ray.util.joblib", "ray", "--backend ray").register_ray()
    where = {"address": address} if address else {"address": "local", "num_cpus": jobs, "include_dashboard": False}
    try:
        # SIGTERM too: where it reaches all processes and ends ray, the run would wait for a minute.
        with blocked(signal.SIGINT, signal.SIGTERM):
            ray.init(**where, log_to_driver=False, logging_level="ERROR")
    except (OSError, ValueError, RuntimeError) as error:
        what = f"--address: no ray cluster answers at '{address}'" if address else "--backend ray: it does not start"
        raise UsageError(f"{what} ({error})") from None
    try:
        yield
    finally:
        ray.shutdown()


class Processes(Workers):
    """`jobs` processes of a backend that joblib knows, until `close`; `parameters` are joblib's for that backend."""

    def __init__(self, backend: str, jobs: int, **parameters: Any) -> None:
        super().__init__(jobs)
        self.backend = backend
        self._parameters = parameters
        #: The seconds that one worker took for a game in the last schedule, by job.
        self._seconds = dict[object, float]()
        self._open = contextlib.ExitStack()
        self._parallel: joblib.Parallel | None = None

    def play(self, game: Game, players: Sequence[Player], deals: DealSource, schedule: Schedule) -> Games:
        """The games of a schedule, split into tasks. Raises UsageError as `Workers.play`."""
        first = min(self.jobs * TASKS_A_WORKER, -(-len(schedule) // LEAST_GAMES))
        count = self._tasks(play_games, len(schedule)) or max(1, first)
        return self._done(play_games, tasks_of(game, players, deals, schedule, count))

    def map(
        self, job: Job[R], game: Game, players: Sequence[Player], deals: DealSource, schedule: Schedule, at_once: int
    ) -> R:
        """The results of a job on a schedule, split into tasks. Raises UsageError as `Workers.play`."""
        count = self._tasks(job, len(schedule)) or self.jobs * TASKS_A_WORKER
        return self._done(job, tasks_of(game, players, deals, schedule, max(count, -(-len(schedule) // at_once))))

    def close(self) -> None:
        """End the processes; the next schedule starts new ones."""
        self._parallel = None
        self._open.close()

    def _tasks(self, job: object, games: int) -> int:
        """How many tasks these games make, by the time that a game took; 0 where that is not known.

        Every worker has one, and more only if they are not too short. The split changes no result.
        """
        if job not in self._seconds:
            return 0
        seconds = self._seconds[job] * games / self.jobs
        return math.ceil(self.jobs * max(1, min(TASKS_A_WORKER, seconds / SHORTEST), seconds / LONGEST))

    def _done(self, job: Job[R], tasks: Sequence[Task]) -> R:
        """The results of all tasks as one; if a worker dies, all are done again."""
        games = sum(len(task.schedule) for task in tasks)
        for _ in range(TRIES):
            try:
                running = self._running()
                began = time.perf_counter()
                results = concatenated(running(joblib.delayed(do)(job, task) for task in tasks))
            except BaseException as error:  # noqa: BLE001 - raised again, unless a worker died
                self.close()  # a worker that was interrupted within a task does not do another one
                if not _is_death(error):
                    raise self._in_one_line(error) from None
            else:
                self._seconds[job] = (time.perf_counter() - began) * self.jobs / games
                return results
        raise UsageError(
            f"workers of '{self.backend}' died {TRIES} times over the same games: see what they ran out of"
        )

    def _in_one_line(self, error: BaseException) -> BaseException:
        """What to raise for an error of a worker or of the connection to it."""
        if isinstance(error, UsageError):
            return error
        if isinstance(error, ImportError):
            return UsageError(f"a worker lacks what the run needs: {error}; install the same there")
        if isinstance(error, TimeoutError):  # joblib's message tells a programmer what to change
            return UsageError(f"the scheduler of '{self.backend}' has no workers: start some")
        if self.backend in CLUSTERS and isinstance(error, OSError | RuntimeError | ValueError):
            return UsageError(f"the workers of '{self.backend}' cannot be reached: {error}")
        return error

    def _running(self) -> joblib.Parallel:
        """The processes, started if there are none."""
        if self._parallel is None:
            # Those of loky are children of this process, and start with the first task.
            quietly = blocked(signal.SIGINT) if self.backend == "loky" else contextlib.nullcontext()
            with quietly, joblib.parallel_config(self.backend, n_jobs=self.jobs, **self._parameters):
                self._parallel = self._open.enter_context(joblib.Parallel())
                self._parallel(joblib.delayed(os.getpid)() for _ in range(self.jobs))
        return self._parallel


def _is_death(error: BaseException) -> bool:
    """Whether an error reports the death of a worker, not something wrong with a game."""
    return any(word in kind.__name__ for kind in type(error).__mro__ for word in DEATHS)
