"""The games of a generation: how many there are, and whose."""

from __future__ import annotations

import pytest

from evolve.evaluation.arena import Arena, Generation, play_generation
from evolve.settings import Settings
from evolve.workers import Workers
from rulebots.packages import load_game
from rulebots.packages.rule_sets import load_rules
from rulebots.players import Player, RandomPlayer, RulePlayer


def played(population: int, schedule: str, opponents: int) -> Generation:
    game = load_game("tictactoe")
    rules = load_rules(game=game)
    terms = {"population": population, "deals": 2, "opponents": ("random",), "opponent_deals": 3}
    settings = Settings(game=game.name, schedule=schedule, opponent_share=0.75, **terms)  # type: ignore[arg-type]
    players: list[Player] = [RulePlayer(rules, rules.hand_tuned() * k, f"p{k}") for k in range(population)]
    others = [RandomPlayer(game)] * opponents
    return play_generation(Arena(game, settings, Workers()), players, others, 0)


@pytest.mark.parametrize(
    ("schedule", "among", "of_each"),
    [("round-robin", 4 * 3 * 2, 12.0), ("swiss:rounds=2", 4 * 2 * 2, 8.0), ("gauntlet", 0, 0.0)],
)
def test_everyone_plays_as_many_games_as_the_schedule_says(schedule: str, among: int, of_each: float) -> None:
    generation = played(4, schedule, opponents=1)
    assert generation.games == among + 4 * 3 * 2
    assert generation.sparring.games.tolist() == [6.0] * 4
    # The games against the opponents count for 0.75 of all, however many they are.
    assert generation.tally.games.tolist() == pytest.approx([4 * of_each or 6.0] * 4)


def test_without_opponents_the_population_is_all_there_is() -> None:
    generation = played(3, "round-robin", opponents=0)
    assert generation.tally is generation.sparring
    assert generation.games == 3 * 2 * 2
    assert generation.tally.wins.sum() + generation.tally.draws.sum() / 2 == generation.games


@pytest.mark.slow
def test_of_an_odd_population_one_rests_in_each_round_and_never_twice() -> None:
    generation = played(5, "swiss:rounds=5", opponents=0)
    assert generation.tally.games.tolist() == [4 * 2 * 2] * 5
