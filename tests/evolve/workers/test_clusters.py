"""Backends by name."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from distributed import LocalCluster

from evolve.deals import TRAINING, DealSource
from evolve.evaluation.fitness import all_pairs
from evolve.workers.base import Threads
from evolve.workers.clusters import workers_of
from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.packages import parts_of
from rulebots.play.match import play_games
from rulebots.play.results import Games
from rulebots.players import Player, RandomPlayer, RulePlayer

DEALS = DealSource(20, (3, TRAINING, 0))


@pytest.fixture
def players(lost_cities: Game) -> list[Player]:
    rules = parts_of(lost_cities).rule_set("sheppard")
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
        ("ray", None, r"--backend ray: ray is not installed; pip install 'rulebots\[ray\]'"),
    ],
)
def test_a_wrong_backend_is_one_line(
    backend: str, address: str | None, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)  # as where it is not installed
    with pytest.raises(UsageError, match=message), workers_of(backend, 1, address):
        pass


@pytest.mark.slow
def test_a_scheduler_without_workers_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evolve.workers.clusters.WAIT_SECONDS", 1)
    with (
        LocalCluster(n_workers=0, dashboard_address=None, processes=False) as empty,
        pytest.raises(UsageError, match=r"the scheduler at '.*' has no workers after 1 seconds: start some"),
        pytest.warns(UserWarning, match=r"waiting for workers of '.*', for at most 1 seconds"),
        workers_of("dask", 1, empty.scheduler_address),
    ):
        pass


@pytest.mark.slow
def test_threads_are_the_default(lost_cities: Game, players: list[Player], expected: Games) -> None:
    with workers_of("threads", 2) as workers:
        assert type(workers) is Threads
        assert same(workers.play(lost_cities, players, DEALS, all_pairs(4, DEALS.count)), expected)
