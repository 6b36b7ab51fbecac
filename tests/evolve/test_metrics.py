"""What a generation shows of itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numbers_game import game, low, namer

from evolve.evaluation.arena import Arena
from evolve.monitoring import POOLED_DEALS, RecentMatches, measure_generation, spread, watched_share
from evolve.schedules import WATCHING, DealSource, Schedule
from evolve.settings import Settings
from evolve.workers import Workers
from rulebots.kernel import kernel
from rulebots.play.match import play_match
from rulebots.play.results import Games, MatchResult
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


def match_of(deals: int, seed: int) -> MatchResult:
    return play_match(low(game), namer(3), deals=deals, seed=seed)


def test_generations_with_few_deals_are_pooled_until_they_say_something() -> None:
    recent = RecentMatches()
    matches = [match_of(20, seed) for seed in range(1, 8)]
    figures = [recent.see(match, number / 10) for number, match in enumerate(matches)]
    assert len(recent.matches) * 20 == POOLED_DEALS, "older ones are dropped"
    last = np.concatenate([match.scores for match in matches[-3:]])
    assert figures[-1]["best"] == pytest.approx(float(last.mean()))
    assert figures[-1]["mean"] == pytest.approx(0.5)
    widths = [high - low for low, high in (one["best_95"] for one in figures)]
    assert widths[0] > widths[2]


def test_a_generation_with_many_deals_stands_alone() -> None:
    recent = RecentMatches()
    recent.see(match_of(20, 1), 0.3)
    match = match_of(POOLED_DEALS, 2)
    figures = recent.see(match, 0.4)
    assert (figures["best"], figures["best_95"], figures["mean"]) == (match.win_rate, match.win_rate_95, 0.4)


def test_few_different_deals_have_no_interval() -> None:
    recent = RecentMatches()
    assert recent.see(match_of(2, 1), 0.5)["best_95"] == (0.0, 1.0)
    again = RecentMatches(recent.matches)
    assert again.see(match_of(2, 2), 0.5) == recent.see(match_of(2, 2), 0.5), "a run resumes with what it had seen"
