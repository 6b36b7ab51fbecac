"""Processes that play games, on this machine or on others, by a backend of joblib: loky, dask or ray.

They share no memory with the run, so they get tasks of plain data. A task holds names of players, or a reference to
their rule set and their weights; the identity of the deals, a few numbers; and a slice of the schedule. The worker
finds games and rules by import, compiles them or loads them from its own cache, draws the deals, and sends the results
back. With everything that is named goes its fingerprint, and the versions of what computes numbers: a worker on which
something else has that name says so.
"""

import contextlib
import functools
import importlib
import logging
import math
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import joblib
import numpy as np

from evolve.schedules import DealSource, Schedule
from evolve.signals import blocked
from evolve.workers import Job, R, S, T, Workers
from rulebots.errors import UsageError, check_known, demand, optional_module, version_of
from rulebots.game import Floats, Game
from rulebots.kernel.fingerprint import fingerprint
from rulebots.packages import load_game, path_of_game
from rulebots.packages.named_code import code_name, is_program, origin_of
from rulebots.packages.players import make_player
from rulebots.packages.rule_sets import load_rules, rule_sets_of
from rulebots.play.match import play_games
from rulebots.play.results import Games, joined
from rulebots.players import Player, RulePlayer, decides_by_rules
from rulebots.players.compiled import is_compiled
from rulebots.rules import RuleSet

BACKENDS = ("threads", "loky", "dask", "ray")
#: Those whose workers may run elsewhere already.
CLUSTERS = ("dask", "ray")
#: Seconds in which a scheduler has to answer, and to have its first worker.
CONNECT_SECONDS = 10
WAIT_SECONDS = 60
#: Those through which dask tells of dead workers, Ctrl-C and a scheduler that is gone, which the run reports.
LOGGERS = ("distributed", "distributed.client", "tornado.application", "asyncio")
#: Tasks for each worker: more balance the load, fewer cost less.
TASKS_A_WORKER = 4
#: Fewer compiled games than this do not pay for a task, as long as nobody knows how long a game takes.
LEAST_GAMES = 100
#: Seconds that a task should take, once that is known: sending one takes some milliseconds, a lost one is done again.
SHORTEST = 0.25
LONGEST = 10.0
#: How often the games of a worker that died are played again before the run gives up.
TRIES = 5
#: A pattern in the names of exceptions by which backends report the death of a worker.
DEATHS = "TerminatedWorker|BrokenProcessPool|KilledWorker|CommClosed|Cancelled|WorkerCrashed|ActorDied"


def backend_for(game: str, jobs: int) -> str:
    """What plays a game's runs where nobody says: a game of Python objects holds up all threads but one."""
    return "loky" if jobs > 1 and load_game(game).live is not None else "threads"


@contextlib.contextmanager
def workers_of(backend: str, jobs: int, address: str | None = None) -> Iterator[Workers]:
    """Workers while the block runs: with `address` those of a running cluster, else new ones on this machine.

    Raises:
        UsageError: an unknown backend, one that is not installed, or no answer at the address.
    """
    check_known("backend", backend, BACKENDS)
    demand(
        not address or backend in CLUSTERS,
        f"--address: a scheduler goes with --backend {' or '.join(CLUSTERS)}, not {backend}",
    )
    if backend == "threads":
        yield Workers(jobs)
        return
    parameters = {"wait_for_workers_timeout": WAIT_SECONDS} if backend == "dask" else {}
    sessions = {"dask": _dask_client, "ray": _ray_session}
    session = sessions[backend](jobs, address) if backend in sessions else contextlib.nullcontext()
    with session, contextlib.closing(Processes(backend, jobs, **parameters)) as workers:
        yield workers


@contextlib.contextmanager
def _dask_client(jobs: int, address: str | None) -> Iterator[None]:
    """The client that joblib's backend takes: of the scheduler at an address, else of `jobs` new processes."""
    distributed = optional_module("distributed", "dask", "--backend dask")
    for name in LOGGERS:
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
        return self.map(play_games, game, players, deals, schedule, len(schedule))

    def map(
        self, job: Job[R], game: Game, players: Sequence[Player], deals: DealSource, schedule: Schedule, at_once: int
    ) -> R:
        """The results of a job on a schedule, split into tasks. Raises UsageError as `Workers.play`."""
        if not len(schedule):  # which needs no process, and cannot be cut into tasks
            return super().map(job, game, players, deals, schedule, 1)
        kind = getattr(job, "func", job)  # a new `partial` takes as long as the one before
        least = LEAST_GAMES if game.live is None else 1
        count = self._tasks(kind, len(schedule), min(at_once, len(schedule)), least)
        tasks = tasks_of(game, players, deals, schedule, count)
        results, seconds = self._results(joblib.delayed(do)(job, task) for task in tasks)
        self._seconds[kind] = seconds * self.jobs / len(schedule)
        return joined(results)

    def close(self) -> None:
        """End the processes; the next schedule starts new ones."""
        self._parallel = None
        self._open.close()

    def _tasks(self, kind: object, games: int, at_once: int, least_games: int) -> int:
        """How many tasks these games make, by the time that a game took, if that is known.

        Every worker has as many, at least one, and more only if they are not too short. The split changes no result.
        """
        if kind in self._seconds:
            seconds = self._seconds[kind] * games / self.jobs
            each = max(min(TASKS_A_WORKER, seconds / SHORTEST), seconds / LONGEST)
        else:
            each = min(TASKS_A_WORKER, games / self.jobs / least_games)
        return self.jobs * math.ceil(max(1, each, games / self.jobs / at_once))

    def each(self, do: Callable[[T], S], tasks: Sequence[T]) -> Iterator[S]:
        """What a function makes of each task, in order, once all are done. Raises UsageError as `Workers.each`."""
        yield from self._results(joblib.delayed(do)(task) for task in tasks)[0]

    def _results(self, calls: Iterable[Any]) -> tuple[list[Any], float]:
        """The results of joblib's delayed calls, and the seconds they took; if a worker dies, all are made again."""
        calls = list(calls)
        for _ in range(TRIES):
            try:
                running = self._running()
                began = time.perf_counter()
                results = running(calls)
                seconds = time.perf_counter() - began
            except BaseException as error:  # noqa: BLE001 - raised again, unless a worker died
                self.close()  # a worker that was interrupted within a task does not do another one
                if not any(re.search(DEATHS, kind.__name__) for kind in type(error).__mro__):
                    raise self._in_one_line(error) from None
            else:
                return results, seconds
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
        lost = self.backend in CLUSTERS and isinstance(error, OSError | RuntimeError | ValueError)
        return UsageError(f"the workers of '{self.backend}' cannot be reached: {error}") if lost else error

    def _running(self) -> joblib.Parallel:
        if self._parallel is None:
            # Those of loky are children of this process, and start with the first task.
            quietly = blocked(signal.SIGINT) if self.backend == "loky" else contextlib.nullcontext()
            with quietly, joblib.parallel_config(self.backend, n_jobs=self.jobs, **self._parameters):
                self._parallel = self._open.enter_context(joblib.Parallel())
                self._parallel(joblib.delayed(os.getpid)() for _ in range(self.jobs))
        return self._parallel


@dataclass(frozen=True)
class Reference:
    """A game, a rule set or a player by its name, and its fingerprint: that of all it consists of.

    `game` is where the game is found: by its name, or the place of the user's. `module` has a rule set that neither the
    game nor a file of the user's has by that name; else it is "". `seats` are those of a player's table.
    """

    kind: str
    game: str
    name: str
    meaning: str
    module: str = ""
    seats: int | None = None

    def find(self) -> Any:
        """What it refers to. Raises UsageError where that is missing here, or something else has its name."""
        which = f"the law of {self.game}" if self.kind == "law" else f"the {self.kind} '{self.name}' of {self.game}"
        try:
            thing = self._here()
        except (ImportError, AttributeError, UsageError) as error:
            raise UsageError(f"a worker lacks {which}: {error}") from None
        demand(
            self in _COMPARED or fingerprint(thing) == self.meaning,
            f"a worker has another version of {which}: install the same",
        )
        _COMPARED.add(self)
        return thing

    def _here(self) -> Any:
        if self.module:
            return getattr(importlib.import_module(self.module), self.name)
        game = load_game(self.game)
        if self.kind == "rules":
            return load_rules(self.name, game)
        return game if self.kind == "law" else make_player(self.name, game, self.seats)


#: What was found to be the same here as in the run.
_COMPARED = set[Reference]()
#: A player, as a task holds it: a reference to it, or to its rule set with weights, float64[2, rules], and a name.
PlayerData = Reference | tuple[Reference, Floats, str]


@dataclass(frozen=True)
class Task:
    """Games to play; `versions` are those of the packages that compute numbers, where the run is."""

    versions: Mapping[str, str]
    game: Reference
    players: tuple[PlayerData, ...]
    deals: DealSource
    schedule: Schedule


def tasks_of(game: Game, players: Sequence[Player], deals: DealSource, schedule: Schedule, count: int) -> list[Task]:
    """A schedule in about `count` pieces, each with the players that take part in it.

    Raises:
        UsageError: a player or a rule set that another process could not find.
    """
    law = _reference_to_game(game)
    data: list[PlayerData] = [
        (reference_to(player.rules), player.weights, player.name)
        if is_compiled(player) and decides_by_rules(player)
        else _reference_to_player(law.game, player, schedule.shape[1] - 1)
        for player in players
    ]
    tasks = list[Task]()
    for piece in np.array_split(schedule, min(count, len(schedule))):
        taking_part, renumbered = np.unique(piece[:, 1:], return_inverse=True)
        own = np.column_stack([piece[:, 0], renumbered.reshape(piece[:, 1:].shape)])
        tasks.append(Task(_versions(), law, tuple(data[i] for i in taking_part), deals, own))
    return tasks


def do(job: Job[R], task: Task) -> R:
    """What a job makes of a task. Raises UsageError where this worker lacks the game, a player or the rules."""
    for package, here in _versions().items():
        if here != (wanted := task.versions[package]):
            raise UsageError(f"a worker has {package} {here}, and the run has {package} {wanted}: install the same")
    game: Game = task.game.find()
    players = [
        data.find() if isinstance(data, Reference) else RulePlayer(data[0].find(), data[1], data[2])
        for data in task.players
    ]
    return job(players, task.deals.draw(game), task.schedule)


@functools.cache
def _versions() -> dict[str, str]:
    return {name: version_of(name) for name in ("rulebots", "numpy", "numba")}


@functools.cache
def _reference_to_game(game: Game) -> Reference:
    """How another process finds a game. Raises UsageError for one that is not installed."""
    place = path_of_game(game.name)
    installed = None
    with contextlib.suppress(UsageError):
        installed = load_game(place)
    demand(game is installed, f"workers in other processes cannot find the game '{game.name}': install it as a package")
    return Reference("law", place, game.name, fingerprint(game))


@functools.cache
def reference_to(rules: RuleSet) -> Reference:
    """How another process finds a rule set. Raises UsageError for one that no process can import."""
    refer = functools.partial(Reference, "rules", path_of_game(rules.game.name), meaning=fingerprint(rules))
    if rules in rule_sets_of(rules.game).values():
        return refer(rules.name)
    if (named := origin_of(rules)) is not None:
        return refer(named.absolute)
    for module in sorted({rule.kernel.function.__module__ for rule in rules.rules} - {"__main__"}):
        for name, value in vars(sys.modules.get(module, sys)).items():
            if value is rules:
                return refer(name, module=module)
    raise UsageError(
        f"workers in other processes cannot import the rule set '{rules.name}': make it a name of a module beside its "
        "rules, installed there too, or use --backend threads"
    )


@functools.lru_cache(maxsize=256)
def _reference_to_player(place: str, player: Player, seats: int) -> Reference:
    """How another process finds a player. Raises UsageError where nothing has its name, or something else."""
    named = None if is_program(player.name) else code_name(player.name)
    file = None if named is None or not named.is_file else named  # its name then means the same in every folder
    spec = player.name if file is None else f"{file.absolute}{f':{file.rest}' * bool(file.rest)}"
    reference = Reference("player", place, spec, fingerprint(player), seats=seats)
    try:
        reference.find()
    except UsageError:
        raise UsageError(
            f"workers in other processes cannot make the player '{player.name}': give it a name of its game"
        ) from None
    return reference
