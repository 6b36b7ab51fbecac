"""What a generation shows of itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numbers_game import game, low, namer

from evolve.evaluation.arena import Arena
from evolve.monitoring import measure_generation, spread, watched_share
from evolve.schedules import WATCHING, DealSource, Schedule
from evolve.settings import Settings
from evolve.workers import Workers
from rulebots.kernel import kernel
from rulebots.play.results import Games
from rulebots.players import Player


def test_the_spread_is_that_of_the_middle_weight_not_of_the_largest() -> None:
    rng = np.random.default_rng(1)
    players = [np.array([[1.0, 1.0, 1.0, 0.0], [1.0, 1.0, 500.0, 0.0]]) for _ in range(200)]
    moved = [w + 0.2 * rng.standard_normal(w.shape) * (w != 0) for w in players]
    assert spread(moved) == pytest.approx(0.2, rel=0.1)
    assert spread([7.0 * w for w in moved]) == pytest.approx(spread(moved))
    assert spread(players) == 0.0
    assert spread([np.zeros((2, 3))] * 2) == 0.0


class Counting(Arena):
    """Counts the games of each player, and of each purpose."""

    def __init__(self, **settings: Any) -> None:
        chosen = {"deals": 1, "opponents": ("random",), "opponent_deals": 170, "hall_of_fame": 0, **settings}
        super().__init__(game, Settings(options={"seats": chosen.pop("seats", 2)}, **chosen), Workers())
        self.played: dict[tuple[int, str], int] = {}

    def play(self, players: Sequence[Player], deals: DealSource, schedule: Schedule) -> Games:
        for seated in schedule[:, 1:]:
            for name in {players[one].name for one in seated}:
                key = (deals.identity[1], name)
                self.played[key] = self.played.get(key, 0) + 1
        return super().play(players, deals, schedule)


@pytest.mark.parametrize(
    ("settings", "watched"),
    [
        ({"population": 80}, 800),
        ({"population": 4, "opponent_deals": 100}, 76),
        ({"population": 4, "opponent_deals": 100, "seats": 4}, 144),
        ({"population": 2, "opponent_deals": 1}, 4),
    ],
)
def test_watching_costs_a_tenth_of_a_generation_at_most(settings: dict[str, int], watched: int) -> None:
    arena = Counting(**settings)
    bred = [namer(weight, name=f"bred {weight}") for weight in range(settings["population"])]
    measure_generation(arena, bred, 0, low(), {"low": low()}, 1)
    ours = sum(count for (purpose, name), count in arena.played.items() if purpose == WATCHING and name == "low")
    assert ours == watched
    games = arena.settings.games_a_generation(arena.seats)
    assert (watched_share(arena, 1) == 1) == (watched == 800)
    assert watched <= max(games / 10, 4)


def test_all_players_take_turns_where_few_deals_are_watched() -> None:
    arena = Counting(population=4, opponent_deals=2)
    bred = [namer(1, name=f"bred {number}") for number in range(4)]
    for generation in range(4):
        measure_generation(arena, bred, 0, low(), {}, generation)
    assert {arena.played[WATCHING, f"bred {number}"] for number in (1, 2, 3)} == {2}


@kernel
def lead(state, seat):
    """Points that add up to 0."""
    return state.number[seat] - state.number[1 - seat]


def test_points_that_add_up_to_zero_show_no_collapse() -> None:
    arena = Counting(population=4, opponent_deals=2)
    bred = [namer(2, name=f"bred {number}") for number in range(4)]
    assert measure_generation(arena, bred, 0, low(), {}, 1)[2].points > 0
    arena.game = replace(game, points=lead)
    match, _, metrics = measure_generation(arena, bred, 0, low(), {}, 1)
    assert match.points > 0
    assert metrics.points == 0
