"""The polish of a champion: what is tried, on which games, what is kept, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from evolve.evaluation import polish as module
from evolve.evaluation.arena import Arena
from evolve.evaluation.polish import POLISHING, Change, Polish, _Bench, _Gains, _Variant, polish
from evolve.settings import Settings
from evolve.workers import Workers
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.packages.rule_sets import load_rules
from rulebots.players import RulePlayer
from rulebots.rules import Weights

TICTACTOE = load_game("tictactoe")
RULES = load_rules(game=TICTACTOE)
HAND_TUNED = RULES.hand_tuned()
#: Columns: one that drifted, and another.
DRIFTED, OTHER = 0, 1


def drifted() -> Weights:
    weights = HAND_TUNED.copy()
    weights[:, DRIFTED] = -0.7, 0.3
    return weights


def bench_of(game: str, weights: Weights, games: int, *field: str, **options: int) -> _Bench:
    law = load_game(game)
    arena = Arena(law, Settings.of(game=game, options=options), Workers(1))
    champion = RulePlayer(load_rules(game=law), weights, "champion")
    return _Bench(arena, champion, [make_player(name, law) for name in field], games)


Gain = Callable[[_Bench, _Variant], tuple[float, float]]


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> Callable[[Gain], None]:
    """Replace games by noise around the gains against the champion and against the field that a function says."""

    def pretend(gain: Gain) -> None:
        def gains(bench: _Bench, variants: Sequence[_Variant], count: int) -> _Gains:
            bench.left -= bench.games_a_deal * (len(variants) + 1) * count
            bench.drawn += 1
            rng = np.random.default_rng(bench.drawn)
            noise = rng.choice([-0.5, 0.0, 0.5], (len(variants), count))
            means = np.array([gain(bench, variant) for variant in variants])
            differ = means.any(axis=1, keepdims=True)
            found = (noise + means[:, np.arange(count) % 2]).clip(-1, 1) * differ
            bench.unit = 1.0
            return _Gains(found, rng.integers(0, 2**60, found.shape))

        monkeypatch.setattr(_Bench, "gains", gains)

    return pretend


def polished(games: int = 400_000, weights: Weights | None = None) -> Polish:
    arena = Arena(TICTACTOE, Settings(game="tictactoe"), Workers(1))
    champion = RulePlayer(RULES, drifted() if weights is None else weights, "champion")
    return polish(arena, champion, [make_player("random", TICTACTOE)], games)


def repair(bench: _Bench, variant: _Variant) -> tuple[float, float]:
    """Only the hand-tuned weights of the rule that drifted gain something; nothing else matters."""
    gained = (variant.weights == HAND_TUNED[:, DRIFTED]).all() and variant.column == DRIFTED
    return (0.1, 0.1) if gained else (0.0, 0.0)


def test_every_rule_is_tried_with_nothing_half_double_and_its_hand_tuned_weights() -> None:
    weights = np.zeros_like(HAND_TUNED)
    weights[:, OTHER] = HAND_TUNED[:, OTHER]
    weights[:, DRIFTED] = -0.7, 0.3
    tried = [(v.column, v.weights.tolist()) for v in bench_of("tictactoe", weights, 0).variants()]
    hand_tuned = HAND_TUNED[:, DRIFTED].tolist()
    assert [pair for column, pair in tried if column == DRIFTED] == [[0, 0], [-0.35, 0.15], [-1.4, 0.6], hand_tuned]
    assert len([pair for column, pair in tried if column == OTHER]) == 3, "it has its hand-tuned weights"
    unused = [pair for column, pair in tried if column not in (DRIFTED, OTHER)]
    assert unused == [pair for pair in HAND_TUNED.T[2:].tolist() if any(pair)], "twice nothing is nothing"


def test_weights_stay_within_what_a_file_may_hold() -> None:
    weights = HAND_TUNED.copy()
    weights[:, DRIFTED] = 9e5, -9e5
    tried = [v.weights.tolist() for v in bench_of("tictactoe", weights, 0).variants() if v.column == DRIFTED]
    assert [1e6, -1e6] in tried


def test_what_gains_is_found_and_kept(made_up: Callable[[Gain], None]) -> None:
    made_up(repair)
    found = polished()
    assert np.array_equal(found.weights, HAND_TUNED)
    (change,) = found.changes
    assert (change.rule, change.before) == (RULES.rules[DRIFTED].key, (-0.7, 0.3))
    assert change.after == tuple(HAND_TUNED[:, DRIFTED])
    assert 0.02 < change.gain < 0.3
    assert found.games <= 400_000
    assert polished().changes == found.changes


def test_a_change_that_makes_no_difference_is_not_made(made_up: Callable[[Gain], None]) -> None:
    made_up(lambda *_: (0.0, 0.0))
    found = polished()
    assert not found.changes
    assert np.array_equal(found.weights, drifted())
    assert found.games <= 200_000, "nothing was left to test"
    assert found.sentence == f"polish: no other weight was better ({found.games:,} games)"


@pytest.mark.parametrize("halves", [(0.3, -0.1), (-0.1, 0.3)])
def test_what_beats_only_the_champion_or_only_the_field_is_not_kept(
    halves: tuple[float, float], made_up: Callable[[Gain], None]
) -> None:
    made_up(lambda bench, variant: halves if variant.column == DRIFTED else (-0.1, -0.1))
    assert not polished().changes


def test_changes_add_up_and_further_ones_start_from_them(made_up: Callable[[Gain], None]) -> None:
    """The other rule gains by twice its weight, but only once the first one is repaired."""

    def gain(bench: _Bench, variant: _Variant) -> tuple[float, float]:
        repaired = np.array_equal(bench.weights[:, DRIFTED], HAND_TUNED[:, DRIFTED])
        doubled = (variant.weights == 2 * HAND_TUNED[:, OTHER]).all() and variant.column == OTHER
        return (0.1, 0.1) if repaired and doubled else repair(bench, variant) if not repaired else (-0.1, -0.1)

    made_up(gain)
    found = polished()
    assert [change.rule for change in found.changes] == [RULES.rules[DRIFTED].key, RULES.rules[OTHER].key]
    assert np.array_equal(found.weights[:, OTHER], 2 * HAND_TUNED[:, OTHER])
    assert np.array_equal(found.weights[:, DRIFTED], HAND_TUNED[:, DRIFTED])


def test_the_games_are_not_exceeded_and_too_few_of_them_change_nothing(made_up: Callable[[Gain], None]) -> None:
    made_up(repair)
    for games in (0, 100, 3_000, 20_000):
        assert polished(games).games <= games
    assert polished(100) == Polish(pytest.approx(drifted()), (), 0)


def test_where_games_are_few_only_removals_race(made_up: Callable[[Gain], None]) -> None:
    raced: list[_Variant] = []

    def gain(bench: _Bench, variant: _Variant) -> tuple[float, float]:
        raced.append(variant)
        return (0.5, 0.5) if variant.column == DRIFTED else (-0.1, -0.1)

    made_up(gain)
    (change,) = polished(6_000).changes
    assert change.after == (0.0, 0.0)
    assert not any(variant.weights.any() for variant in raced)


def test_a_test_that_cannot_decide_changes_nothing_and_keeps_to_its_games(made_up: Callable[[Gain], None]) -> None:
    made_up(lambda *_: (0.007, 0.007))
    for games in (0, 2_000, 2_300):
        bench = bench_of("tictactoe", drifted(), 100_000)
        bench.test(_Variant(DRIFTED, HAND_TUNED[:, DRIFTED]), games)
        assert 0 <= games - (100_000 - bench.left) < 2 * module.STEP * 2
        assert not bench.changes


def test_a_round_and_the_looks_at_a_test_do_not_grow_with_the_games(
    made_up: Callable[[Gain], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All games of a round are in memory, and each look takes in all games before it."""
    made_up(lambda *_: (0.0, 0.0))
    counts: list[tuple[int, int]] = []
    pretended = _Bench.gains
    monkeypatch.setattr(_Bench, "gains", lambda *given: counts.append((len(given[1]), given[2])) or pretended(*given))
    monkeypatch.setattr(module, "MOST_OF_A_ROUND", 5_000)
    bench = bench_of("tictactoe", drifted(), 10_000_000)
    bench.race()
    assert all((variants + 1) * deals * 2 <= 5_000 for variants, deals in counts)
    counts.clear()
    monkeypatch.setattr(module, "_decided", lambda _: "undecided")
    bench.test(_Variant(DRIFTED, HAND_TUNED[:, DRIFTED]), 4_000_000)
    steps = [deals for _, deals in counts]
    assert steps[:100] == [module.STEP] * 100
    assert not any(step % 2 for step in steps)
    assert len(steps) < 800
    assert 4_000_000 - 4 * module.STEP < 4 * sum(steps) <= 4_000_000


def test_half_of_the_deals_are_against_the_champion_and_the_others_against_the_field_in_turn() -> None:
    bench = bench_of("tictactoe", drifted(), 100, "random", "standard")
    variant = _Variant(DRIFTED, HAND_TUNED[:, DRIFTED])
    found = bench.gains([variant], 8)
    assert bench.left == 100 - 8 * 2 * 2
    deals = bench.arena.deals(8, POLISHING, 1)
    champion, changed = (RulePlayer(RULES, weights) for weights in (drifted(), HAND_TUNED))
    opponents = [champion, *bench.field]
    scores = [[bench.arena.match(player, one, deals).scores for one in opponents] for player in (champion, changed)]
    gained = np.subtract(scores[1], scores[0])
    met = [0, 1, 0, 2, 0, 1, 0, 2]
    assert found.by_deal.tolist() == [[gained[met[deal], deal] for deal in range(8)]]


def test_at_a_table_of_four_each_sits_in_every_seat() -> None:
    rules = load_rules(game=load_game("hearts"))
    weights = rules.hand_tuned()
    bench = bench_of("hearts", weights, 100, "duck")
    bench.arena.workers = _Noted()
    bench.arena.workers.points = np.repeat([3, 1], 16)  # to every seat in the games of the variant, and the champion's
    variant = _Variant(0, -weights[:, 0])
    found = bench.gains([variant], 2)
    games = bench.arena.workers.schedule
    assert len(games) == 2 * 2 * 8
    assert bench.left == 100 - len(games)
    alone = [row[1:].tolist() for row in games if row[0] == 1 and np.isin(row[1:], (0, 2)).all()]
    assert [2, 0, 2, 2] in alone
    assert [0, 2, 0, 0] in alone
    assert (found.by_deal * bench.unit).tolist() == [[2.0, 2.0]], "points count, not those ahead of others"


class _Noted(Workers):
    """Notes the schedule, plays only its first game, and says that its games ended with other points."""

    points: Any = 0

    def play(self, game, players, deals, schedule):  # type: ignore[no-untyped-def]  # as its base class
        self.schedule = schedule
        games = super().play(game, players, deals, schedule[:1])[np.zeros(len(schedule), np.int64)]
        games.points.T[:] = self.points
        return games


def test_teams_play_the_same_decks_and_meet_nobody() -> None:
    law = load_game("hanabi")
    weights = load_rules(game=law).hand_tuned()
    bench = bench_of("hanabi", weights, 100, "simple", seats=2)
    bench.arena.workers = noted = _Noted()
    noted.points = np.array([3, 1, 2, 2, 0, 4])
    column = int(np.abs(weights).sum(axis=0).argmax())
    found = bench.gains([_Variant(column, -weights[:, column])], 3)
    assert noted.schedule.tolist() == [[deal, team, team] for deal in range(3) for team in (0, 1)]
    assert bench.left == 100 - 6
    assert bench.unit == pytest.approx(2 * noted.points.std())
    assert found.by_deal * bench.unit == pytest.approx(np.array([[2, 0, -4]])), "points count"


def test_a_test_decides_by_deals_that_differ() -> None:
    gained = np.tile([0.5, -0.3], 200)[None]
    unlike = np.arange(400)[None]
    assert module._decided(_Gains(gained, 0 * unlike)) == "undecided"
    assert module._decided(_Gains(gained, unlike // 4)) == "undecided", "four copies of each deal say no more than one"
    assert module._decided(_Gains(gained, unlike)) == "H1"
    assert module._decided(_Gains(-gained, unlike)) == "H0"


def test_the_sentence_says_what_was_changed_into_what() -> None:
    change = Change("doubt.cannot_be_true", (1.04, -1.11), (1.0, 1.0), 0.0213, 1234)
    said = "polish: doubt.cannot_be_true [1.04, -1.11] -> [1, 1]: +2.1 % on 1,234 deals (5,678 games)"
    assert Polish(HAND_TUNED, (change,), 5678).sentence == said
    in_points = replace(change, gain=0.314, in_points=True)
    assert in_points.sentence == "doubt.cannot_be_true [1.04, -1.11] -> [1, 1]: +0.31 points on 1,234 deals"
