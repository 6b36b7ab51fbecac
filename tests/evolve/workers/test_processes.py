"""The games of a schedule are the same for all workers, and a run survives the death of one."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import logging
import math
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from distributed import LocalCluster

from evolve.schedules import TRAINING, DealSource, all_pairs
from evolve.workers import Workers
from evolve.workers.processes import LOGGERS, Processes, reference_to, workers_of
from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.packages.players import make_player
from rulebots.packages.rule_sets import load_rules
from rulebots.play.match import play_games
from rulebots.play.results import Games
from rulebots.players import Player, RandomPlayer, RulePlayer

DEALS = DealSource(20, (3, TRAINING, 0))


#: What stands in the command lines of processes that play games, by loky, dask and ray.
PLAYING = (b"loky.backend.popen_loky", b"spawn_main", b"ray::PoolActor")


BACKENDS = ["loky", "dask", *(["ray"] if importlib.util.find_spec("ray") else [])]


real_processes = pytest.mark.compiled


@pytest.fixture
def players(lost_cities: Game) -> list[Player]:
    rules = load_rules("sheppard", lost_cities)
    return [*(RulePlayer(rules, rules.hand_tuned() * k, f"p{k}") for k in (1, 2, -1)), RandomPlayer(lost_cities)]


@pytest.fixture
def expected(lost_cities: Game, players: list[Player]) -> Games:
    return play_games(players, DEALS.draw(lost_cities), all_pairs(4, DEALS.count))


def same(first: Games, second: Games) -> bool:
    return all(
        np.array_equal(getattr(first, name), getattr(second, name))
        for name in ("points", "plies", "stalled", "openings")
    )


@pytest.mark.parametrize(
    ("backend", "address", "message"),
    [
        ("lokky", None, "no backend 'lokky'; did you mean 'loky'?"),
        ("loky", "10.0.0.1:1", "--address: a scheduler goes with --backend dask or ray, not loky"),
        ("ray", None, r"--backend ray: ray is not installed; in the checkout, pip install '.\[ray\]'"),
    ],
)
def test_a_wrong_backend_is_one_line(
    backend: str, address: str | None, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)  # as where it is not installed
    with pytest.raises(UsageError, match=message), workers_of(backend, 1, address):
        pass


@pytest.mark.slow
def test_an_address_without_a_scheduler_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evolve.workers.processes.CONNECT_SECONDS", 1)
    with (
        pytest.raises(UsageError, match=r"--address: no dask scheduler answers at '127.0.0.1:9' \("),
        workers_of("dask", 1, "127.0.0.1:9"),
    ):
        pass


@pytest.mark.slow
def test_a_scheduler_without_workers_is_one_line(
    lost_cities: Game, players: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evolve.workers.processes.WAIT_SECONDS", 1)
    with (
        LocalCluster(n_workers=0, dashboard_address=None, processes=False) as empty,
        pytest.raises(UsageError, match=r"^the scheduler of 'dask' has no workers: start some$"),
        workers_of("dask", 1, empty.scheduler_address) as workers,
    ):
        workers.play(lost_cities, players, DEALS, all_pairs(4, DEALS.count))


@pytest.mark.slow
def test_threads_are_the_default(lost_cities: Game, players: list[Player], expected: Games) -> None:
    with workers_of("threads", 2) as workers:
        assert type(workers) is Workers
        assert list(workers.each(math.factorial, range(5))) == [1, 1, 2, 6, 24]
        assert same(workers.play(lost_cities, players, DEALS, all_pairs(4, DEALS.count)), expected)


@real_processes
@pytest.mark.parametrize("backend", BACKENDS)
def test_processes_play_the_same_games_and_those_of_one_that_died_again(
    backend: str, lost_cities: Game, players: list[Player], expected: Games
) -> None:
    schedule = all_pairs(4, DEALS.count)
    with workers_of(backend, 2) as workers:
        assert list(workers.each(math.factorial, range(5))) == [1, 1, 2, 6, 24]
        assert same(workers.play(lost_cities, players, DEALS, schedule), expected)
        for child in children() if backend == "dask" else ():
            os.kill(int(child.parent.name), signal.SIGINT)  # a terminal's Ctrl-C reaches them as well as the run
        assert same(workers.play(lost_cities, players, DEALS, schedule), expected)
        os.kill(int(next(children()).parent.name), signal.SIGKILL)
        assert same(workers.play(lost_cities, players, DEALS, schedule), expected)


@real_processes
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_worker_that_lacks_the_rules_says_so_in_one_line_and_is_none_the_worse(
    backend: str, lost_cities: Game, players: list[Player], expected: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    schedule = all_pairs(4, DEALS.count)
    with workers_of(backend, 2) as workers:
        missing = replace(reference_to(load_rules("sheppard", lost_cities)), module="no_such", name="mine")
        with monkeypatch.context() as patch:
            patch.setattr("evolve.workers.processes.reference_to", lambda _: missing)
            with pytest.raises(UsageError) as caught:
                workers.play(lost_cities, players, DEALS, schedule)
        assert str(caught.value) == "a worker lacks the rules 'mine' of lost-cities: No module named 'no_such'"
        assert same(workers.play(lost_cities, players, DEALS, schedule), expected)


@real_processes
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_worker_on_which_a_player_plays_otherwise_says_so(backend: str, lost_cities: Game, tmp_path: Path) -> None:
    file, code = (
        tmp_path / "mine.py",
        "from rulebots import Player\nclass Mine(Player):\n    def choose(self, v, moves):\n",
    )
    file.write_text(f"{code}        return moves[0]\n")
    players = [make_player(f"{file}:Mine", lost_cities), RandomPlayer(lost_cities)]
    file.write_text(f"{code}        return moves[-1]\n")  # as on a machine where somebody has edited it
    with workers_of(backend, 2) as workers, pytest.raises(UsageError) as caught:
        workers.play(lost_cities, players, DEALS, all_pairs(2, DEALS.count))
    assert (
        str(caught.value)
        == f"a worker has another version of the player '{file}:Mine' of lost-cities: install the same"
    )


@pytest.mark.parametrize(
    ("seconds_a_game", "games", "tasks"),
    [
        (0.0, 10_000, 16),
        (0.0, 250, 4),
        (0.0001, 10_000, 4),
        (0.0003, 10_000, 12),
        (0.002, 10_000, 16),
        (0.02, 10_000, 20),
    ],
)
def test_every_worker_has_as_many_tasks_of_a_quarter_to_ten_seconds(
    seconds_a_game: float, games: int, tasks: int, lost_cities: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of four workers each has one at least; before anything was played it is four, of about 100 games or more."""
    cut: list[int] = []
    now = iter((0.0, seconds_a_game * games / 4))
    monkeypatch.setattr("evolve.workers.processes.time.perf_counter", lambda: next(now))
    monkeypatch.setattr("evolve.workers.processes.joined", lambda done: cut.append(len(done)))
    monkeypatch.setattr(Processes, "_running", lambda _: list)
    players, deals = [RandomPlayer(lost_cities)] * 2, DealSource(games // 2, (3, TRAINING, 0))
    workers = Processes("dask", 4)
    schedule = all_pairs(2, games // 2)
    if seconds_a_game:
        workers.map(functools.partial(play_games), lost_cities, players, deals, schedule, games)
        now = iter((0.0, 1.0))
    workers.map(functools.partial(play_games), lost_cities, players, deals, schedule, games)  # the same function
    assert cut[-1] == tasks


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (TimeoutError("parallel_config(...)"), "the scheduler of 'dask' has no workers: start some"),
        (RuntimeError("pool is closed"), "the workers of 'dask' cannot be reached: pool is closed"),
        (ImportError("no module"), "a worker lacks what the run needs: no module; install the same there"),
    ],
)
def test_a_cluster_that_is_gone_is_one_line(
    error: Exception, message: str, lost_cities: Game, players: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(_: object) -> None:
        raise error

    monkeypatch.setattr(Processes, "_running", gone)
    with pytest.raises(UsageError) as caught:
        Processes("dask", 2).play(lost_cities, players, DEALS, all_pairs(4, DEALS.count))
    assert str(caught.value) == message


def test_what_dask_logs_of_a_scheduler_that_is_gone_is_left_to_the_run(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    gone = SimpleNamespace(Client=lambda **_: contextlib.nullcontext())
    monkeypatch.setattr("evolve.workers.processes.optional_module", lambda *_: gone)
    levels = {name: logging.getLogger(name).level for name in LOGGERS}
    try:
        with workers_of("dask", 1, "127.0.0.1:9"):
            for name in ("distributed.client", "tornado.application", "asyncio"):
                logging.getLogger(name).error("Exception in callback: the stream is closed")
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)
    assert not caplog.messages


def children() -> Iterator[Path]:
    """The command lines of the processes somewhere below this one that play games."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes()
            if any(word in words for word in PLAYING) and is_below(path.parent):
                yield path
        except OSError:
            continue


def is_below(process: Path) -> bool:
    """Whether a folder of /proc is of a process that this one started, or of one that such a process started."""
    while process.name not in ("0", str(os.getpid())):
        process = process.parent / (process / "stat").read_text().rpartition(")")[2].split()[1]
    return process.name != "0"
