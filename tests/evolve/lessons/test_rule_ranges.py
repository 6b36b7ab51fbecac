"""The ranges of rules: what each differs by among the moves of the decisions of games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import goofspiel
import numpy as np
import pytest

from evolve.evaluation.arena import Arena
from evolve.lessons import rule_ranges
from evolve.lessons.rule_ranges import GAMES, ranges_of
from evolve.run import Run
from evolve.schedules import MEASURING, DealSource
from evolve.settings import Settings
from evolve.workers import Workers
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.games.tictactoe.game import WIDTH
from rulebots.kernel import compiling
from rulebots.packages import load_game
from rulebots.packages.rule_sets import load_rules
from rulebots.play.match import play_games
from rulebots.players import RulePlayer
from rulebots.rules import Rule, RuleSet, rule

#: So few that a tenth of a generation are three games.
SMALL: dict[str, Any] = {"population": 3, "deals": 2, "hall_of_fame": 1, "opponent_deals": 3, "generations": 2}
ENDS: dict[str, Any] = {"runoff_deals": 1, "held_out_deals": 2, "verdict_deals": 2, "polish_share": 0}


def arena_of(game: Game, **settings: object) -> Arena:
    return Arena(game, Settings.of("ga", game=game.name, **{**SMALL, **settings}), Workers())


def players_of(rules: RuleSet, *factors: float) -> list[RulePlayer]:
    return [RulePlayer(rules, factor * rules.hand_tuned(), f"times {factor}") for factor in factors]


def ranges_by_hand(arena: Arena, players: Sequence[RulePlayer], schedule: list[list[int]]) -> np.ndarray:
    """Every decision of these games, rule by rule."""
    rules = players[0].rules
    deals = arena.deals(len(schedule), MEASURING).draw(arena.game)
    games = play_games(players, deals, np.array(schedule), keep_moves=True)
    found: list[list[float]] = [[] for _ in rules.rules]
    for g in range(len(schedule)):
        position = Position(arena.game, deals.named_options, deals.cards[g])
        for ply, move in enumerate(games.moves[g, : games.plies[g]].tolist()):
            if ply >= games.openings[g] and not position.chance_to_move:
                view = rules.seeing(position.view())
                if rules.facts is not None:
                    rules.facts(view)
                terms = []
                for one in position.legal_moves.tolist():
                    item = arena.game.item(view, one)
                    if rules.consider is not None:
                        rules.consider(view, item)
                    mix = rules.mixes[arena.game.kind(one)].mix
                    terms.append([mix.get(r.group, 0.0) * r(view, item) for r in rules.rules])
                for of_rule, difference in zip(found, np.ptp(terms, axis=0), strict=True):
                    of_rule.extend([difference] if difference > 0 else [])
            position.play(move)
    return np.array([np.mean(of_rule) if of_rule else 0.0 for of_rule in found])


def test_they_are_the_means_of_the_decisions_in_which_a_rule_differs() -> None:
    game = load_game("tictactoe")
    players = players_of(load_rules(game=game), 1, -1, 0.5)
    arena = arena_of(game)
    assert arena.settings.games_a_generation() == 30
    by_hand = ranges_by_hand(arena, players, [[0, 0, 1], [1, 1, 2], [2, 2, 0]])
    assert ranges_of(arena, players) == pytest.approx(by_hand)
    assert (by_hand > 0).sum() > 10


def test_a_rule_counts_for_the_kinds_of_moves_that_mix_its_group(lost_cities: Game) -> None:
    players = players_of(load_rules("sheppard", lost_cities), 1, 0.5)
    arena = arena_of(lost_cities, population=2)
    assert ranges_of(arena, players) == pytest.approx(ranges_by_hand(arena, players, [[0, 0, 1], [1, 1, 0]]))


def test_neither_chance_nor_a_single_move_is_a_decision_in_which_rules_differ(pig: Game) -> None:
    players = players_of(load_rules(game=pig), 1, 0.5, 2)
    arena = arena_of(pig, options={"goal": 12, "turns": 6})
    by_hand = ranges_by_hand(arena, players, [[0, 0, 1], [1, 1, 2], [2, 2, 0]])
    assert ranges_of(arena, players) == pytest.approx(by_hand)
    assert by_hand.any()


def test_a_team_is_of_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def recorded(players: Any, deals: Any, schedule: np.ndarray, **how: object) -> Any:
        seen.append(schedule.tolist())
        return play_games(players, deals, schedule, **how)

    monkeypatch.setattr(rule_ranges, "play_games", recorded)
    settings = Settings(options={"seats": 3, "cards": 4}, population=2, hall_of_fame=1, opponent_deals=7)
    ranges_of(Arena(goofspiel.together, settings, Workers()), players_of(goofspiel.as_a_team, 1, 0.5))
    assert seen == [[[0, 0, 0, 0], [1, 1, 1, 1]]]


@rule("put", 1.0)
def endless(view, square):
    """Infinite but at the first square."""
    return np.inf if square > WIDTH + 1 else 0.0


@rule("put")
def alike(view, square):
    """The same everywhere."""
    return 3.0


@rule("put")
def far(view, square):
    """Another number for each square."""
    return square


@pytest.mark.parametrize("odd", [alike, endless])
def test_a_rule_that_never_differs_or_is_infinite_has_a_range_of_0(odd: Rule) -> None:
    if odd is endless and compiling():
        pytest.skip("the first games find an infinite rule")
    game = load_game("tictactoe")
    players = players_of(RuleSet("odd", game, (odd, far)), 1)
    none, some = ranges_of(arena_of(game, population=2), players).tolist()
    assert none == 0
    assert some > 1


def test_a_large_run_measures_no_more_games() -> None:
    game = load_game("tictactoe")
    drawn = []

    class Counted(Arena):
        def deals(self, count: int, *identity: int) -> DealSource:
            drawn.append(count)
            return super().deals(1, *identity)

    for population in (2, 1000):
        arena = Counted(game, Settings.of("ga", game="tictactoe", **{**SMALL, "population": population}), Workers())
        with pytest.raises(IndexError) if population > 2 else pytest.MonkeyPatch.context():
            ranges_of(arena, players_of(load_rules(game=game), 1))
    assert drawn == [1, GAMES]


@pytest.mark.slow
def test_a_run_measures_them_once_and_ends_alike_wherever_it_stopped_and_whoever_plays() -> None:
    settings = Settings.of("ga", game="tictactoe", **SMALL, **ENDS)
    whole = Run(settings)
    before = whole.state()
    states = [whole.state() for _ in whole.generations()]
    assert not any(before["breeder"]["ranges"])
    assert any(states[0]["breeder"]["ranges"])
    assert states[0]["breeder"]["ranges"] == states[1]["breeder"]["ranges"]
    unscaled = Run(Settings.of("ga:scaling=0", game="tictactoe", **SMALL, **ENDS))
    assert [unscaled.state() for _ in unscaled.generations()][1]["breeder"]["means"] != states[1]["breeder"]["means"]
    for state in (before, states[0]):
        resumed = Run(settings, jobs=2, state=state)
        assert [resumed.state() for _ in resumed.generations()][-1] == states[1]
