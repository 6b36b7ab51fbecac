"""The games of a generation are the same whoever plays them, and go on when a worker dies."""

from __future__ import annotations

import importlib.util
import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from distributed import LocalCluster

from evolve.evaluation import fitness
from evolve.evaluation.deals import TRAINING, Dealing
from evolve.workers.tasks import play_task, reference_to, tasks_of
from evolve.workers import Workers, workers_of
from rulebots.game import Game
from rulebots.errors import UsageError
from rulebots.kernel import compiling
from rulebots.play.match import play_games
from rulebots.players import Player, RandomPlayer, RulePlayer
from rulebots.play.results import Games
from rulebots.rules import rule

DEALS = Dealing(20, (3, TRAINING, 0))
#: What stands in the command lines of processes that play games, by loky, dask and ray.
PLAYING = (b"loky.backend.popen_loky", b"spawn_main", b"ray::PoolActor")
BACKENDS = ["loky", "dask", *(["ray"] if importlib.util.find_spec("ray") else [])]
real_processes = pytest.mark.skipif(not compiling(), reason="processes play compiled; what they play is tested below")


@pytest.fixture
def players(lost_cities: Game) -> list[Player]:
    rules = lost_cities.rule_set("sheppard")
    return [*(RulePlayer(rules, rules.hand_tuned() * k, f"p{k}") for k in (1, 2, -1)), RandomPlayer(lost_cities)]


@pytest.fixture
def expected(lost_cities: Game, players: list[Player]) -> Games:
    return play_games(players, DEALS.draw(lost_cities), fitness.round_robin(4, DEALS.count))


def same(first: Games, second: Games) -> bool:
    return all(
        np.array_equal(getattr(first, name), getattr(second, name))
        for name in ("points", "plies", "stalled", "openings")
    )


@real_processes
@pytest.mark.parametrize("backend", BACKENDS)
def test_processes_play_the_same_games_and_those_of_one_that_died_again(
    backend: str, lost_cities: Game, players: list[Player], expected: Games
) -> None:
    schedule = fitness.round_robin(4, DEALS.count)
    with workers_of(backend, 2) as workers:
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
    schedule = fitness.round_robin(4, DEALS.count)
    with workers_of(backend, 2) as workers:
        missing = replace(reference_to(lost_cities.rule_set("sheppard")), module="no_such", name="mine")
        with monkeypatch.context() as patch:
            patch.setattr("evolve.workers.tasks.reference_to", lambda _: missing)
            with pytest.raises(UsageError) as caught:
                workers.play(lost_cities, players, DEALS, schedule)
        assert str(caught.value) == "a worker lacks the rules 'mine' of lost-cities: No module named 'no_such'"
        assert same(workers.play(lost_cities, players, DEALS, schedule), expected)


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


def test_a_schedule_in_pieces_is_the_same_games(lost_cities: Game, players: list[Player], expected: Games) -> None:
    pieces = tasks_of(lost_cities, players, DEALS, fitness.round_robin(4, DEALS.count), 7)
    assert len(pieces) == 7
    points = np.concatenate([play_task(piece).points for piece in pieces])
    assert np.array_equal(points, expected.points)


@rule("play", early=0.5)
def odd(view, item):
    """A rule of this test only."""
    return item % 2


def test_rules_that_another_process_could_not_import_are_refused_at_once(lost_cities: Game) -> None:
    mine = lost_cities.rule_set("sheppard").extended("mine", [odd])
    player = RulePlayer(mine, mine.hand_tuned())
    with pytest.raises(UsageError, match="cannot import the rule set 'mine': make it a name of a module"):
        tasks_of(lost_cities, [player], DEALS, fitness.round_robin(2, 1), 1)


def test_a_worker_with_other_rules_says_so(lost_cities: Game) -> None:
    reference = reference_to(lost_cities.rule_set("sheppard"))
    assert reference.find() is lost_cities.rule_set("sheppard")
    with pytest.raises(UsageError, match="has another version of the rules 'sheppard' of lost-cities"):
        replace(reference, meaning="0").find()
    with pytest.raises(UsageError, match=r"a worker lacks the rules 'mine' of lost-cities: No module named 'no_such'"):
        replace(reference, module="no_such", name="mine").find()


def test_a_player_without_a_name_cannot_travel(lost_cities: Game) -> None:
    class Mine(Player):
        def choose(self, view, moves):
            return moves[0]

    with pytest.raises(UsageError, match="cannot make the player 'mine'"):
        tasks_of(lost_cities, [Mine(lost_cities, "mine")], DEALS, fitness.round_robin(2, 1), 1)


@pytest.mark.parametrize(
    ("backend", "address", "message"),
    [
        ("lokky", None, "no backend 'lokky'; did you mean 'loky'?"),
        ("loky", "10.0.0.1:1", "--address: a scheduler goes with --backend dask or ray, not loky"),
        ("ray", None, r"--backend ray: it is not installed; pip install 'rulebots\[ray\]'"),
    ],
)
def test_a_wrong_backend_is_one_line(backend: str, address: str | None, message: str) -> None:
    if backend == "ray" and "ray" in BACKENDS:
        pytest.skip("ray is installed")
    with pytest.raises(UsageError, match=message), workers_of(backend, 1, address):
        pass


def test_a_scheduler_without_workers_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evolve.workers.WAIT_SECONDS", 1)
    with (
        LocalCluster(n_workers=0, dashboard_address=None, processes=False) as empty,
        pytest.raises(UsageError, match=r"the scheduler at '.*' has no workers after 1 seconds: start some"),
        workers_of("dask", 1, empty.scheduler_address),
    ):
        pass


def test_threads_are_the_default(lost_cities: Game, players: list[Player], expected: Games) -> None:
    with workers_of("threads", 2) as workers:
        assert type(workers) is Workers
        assert same(workers.play(lost_cities, players, DEALS, fitness.round_robin(4, DEALS.count)), expected)
