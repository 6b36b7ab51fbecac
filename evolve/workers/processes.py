"""Processes that play games, on this machine or others, by joblib's parallel backends."""

from __future__ import annotations

import contextlib
import math
import os
import signal
import time
from collections.abc import Sequence
from typing import Self

import joblib

from evolve.deals import DealSource, Schedule
from evolve.signals import blocked
from evolve.workers.base import Job, R, Workers, concatenated
from evolve.workers.tasks import Task, do, tasks_of
from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.play.match import play_games
from rulebots.play.results import Games
from rulebots.players import Player

#: Tasks for each worker: more balance the load, fewer cost less.
TASKS_A_WORKER = 4
#: Fewer games than this do not pay for a task, as long as nobody knows how long a game takes.
LEAST_GAMES = 100
#: Seconds that a task should take, once that is known: sending one takes some milliseconds, a lost one is done again.
SHORTEST, LONGEST = 1.0, 10.0
#: How often the games of a worker that died are played again before the run gives up.
TRIES = 5
#: Parts of the names of exceptions by which backends say that a worker has died.
DEATHS = (
    "TerminatedWorker",
    "BrokenProcessPool",
    "KilledWorker",
    "CommClosed",
    "Cancelled",
    "WorkerCrashed",
    "ActorDied",
)


class Processes(Workers):
    """`jobs` processes of a backend that joblib knows; they live while the `with` block runs."""

    def __init__(self, backend: str, jobs: int) -> None:
        super().__init__(jobs)
        self.backend = backend
        #: What a game took one worker, by job, in seconds: of the last schedule.
        self._seconds = dict[object, float]()
        self._open = contextlib.ExitStack()
        self._parallel: joblib.Parallel | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def play(self, game: Game, players: Sequence[Player], deals: DealSource, schedule: Schedule) -> Games:
        """The games of a schedule, cut into tasks. Raises UsageError as `Workers.play`."""
        first = min(self.jobs * TASKS_A_WORKER, -(-len(schedule) // LEAST_GAMES))
        count = self._tasks(play_games, len(schedule)) or max(1, first)
        return self._done(play_games, tasks_of(game, players, deals, schedule, count))

    def map(
        self, job: Job[R], game: Game, players: Sequence[Player], deals: DealSource, schedule: Schedule, at_once: int
    ) -> R:
        """What a job makes of a schedule, cut into tasks. Raises UsageError as `Workers.play`."""
        count = self._tasks(job, len(schedule)) or self.jobs * TASKS_A_WORKER
        return self._done(job, tasks_of(game, players, deals, schedule, max(count, -(-len(schedule) // at_once))))

    def _tasks(self, job: object, games: int) -> int:
        """How many tasks these games make, as long as they should be; 0 where nobody knows what a game takes.

        Every worker has one, and more only if they are not too short. How a schedule is cut changes no result.
        """
        if job not in self._seconds:
            return 0
        seconds = self._seconds[job] * games / self.jobs
        return math.ceil(self.jobs * max(1, min(TASKS_A_WORKER, seconds / SHORTEST), seconds / LONGEST))

    def _done(self, job: Job[R], tasks: Sequence[Task]) -> R:
        """The results of all tasks as one; where a worker dies, all are done again."""
        games = sum(len(task.schedule) for task in tasks)
        for _ in range(TRIES):
            try:
                running, began = self._running(), time.perf_counter()
                done = concatenated(running(joblib.delayed(do)(job, task) for task in tasks))
            except BaseException as error:
                self._close()  # a worker that was interrupted within a task does not do another one
                if isinstance(error, ImportError):
                    lacks = f"a worker lacks what the run needs: {error}; install the same there"
                    raise UsageError(lacks) from None
                if isinstance(error, TimeoutError):  # whose message says what a program should tell joblib
                    raise UsageError(f"'{self.backend}' has no workers any more: start some") from None
                if isinstance(error, UsageError) or not _died(error):
                    raise
            else:
                self._seconds[job] = (time.perf_counter() - began) * self.jobs / games
                return done
        raise UsageError(
            f"workers of '{self.backend}' died {TRIES} times over the same games: see what they ran out of"
        )

    def _running(self) -> joblib.Parallel:
        """The processes, started if there are none."""
        if self._parallel is None:
            # Those of loky are children of this process, and start with the first task.
            quietly = blocked(signal.SIGINT) if self.backend == "loky" else contextlib.nullcontext()
            with quietly, joblib.parallel_config(self.backend, n_jobs=self.jobs):
                self._parallel = self._open.enter_context(joblib.Parallel())
                self._parallel(joblib.delayed(os.getpid)() for _ in range(self.jobs))
        return self._parallel

    def _close(self) -> None:
        self._parallel = None
        self._open.close()


def _died(error: BaseException) -> bool:
    """Whether an error says that a worker died, not that a game went wrong."""
    return any(word in kind.__name__ for kind in type(error).__mro__ for word in DEATHS)
