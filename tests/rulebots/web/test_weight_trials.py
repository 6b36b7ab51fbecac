"""Trials of changed weights: what they say of a change, and how sure they must be."""

from __future__ import annotations

import pytest
from match_results import result_of

from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.packages.rule_sets import load_rules
from rulebots.play.results import MatchResult
from rulebots.players import RulePlayer
from rulebots.web.weight_trials import RISK, TEST, TrialResult, WeightTrial


def test_the_change_is_that_on_the_same_deals() -> None:
    pair = [(3, 1), (0, 4), (2, 2), (9, 0)] * 300
    old, new = result_of(pair), result_of([(3, 1), (0, 4), (2, 1), (0, 9)] * 300, stalled=(0,))
    result = TrialResult.of(TEST, old, new)
    assert result.change == pytest.approx((300 * 0.75 - 0.5) / 600)
    assert (result.says, result.unit) == ("better", 1.0)
    assert 0 < result.change_95[0] < result.change < result.change_95[1] < 1
    assert TrialResult.of(TEST, new, old).says == "worse"
    same = TrialResult.of(TEST, old, old)
    assert same.change == 0.0
    assert -0.1 < same.change_95[0] < 0 < same.change_95[1] < 0.1


def test_the_change_of_a_team_is_in_points() -> None:
    def team(more: int) -> MatchResult:
        # The second game of a deal is that of the opponent's copies.
        points = [(own, own) for deal in range(300) for own in (20 + deal % 3 + more * (deal % 2), 20)]
        return result_of(points, game="hanabi")

    result = TrialResult.of(TEST, team(0), team(1))
    assert (result.change, result.unit, result.says) == (0.5, 1.5, "better")
    assert 0.4 < result.change_95[0] < 0.5 < result.change_95[1] < 0.6
    assert TrialResult.of(TEST, team(1), team(0)).says == "worse"
    assert TrialResult.of(TEST, team(1), team(1)).says == "no difference"


def test_who_tries_more_needs_more_games() -> None:
    game = load_game("tictactoe")
    rules = load_rules(game=game)
    old = RulePlayer(rules, rules.hand_tuned(), "unchanged")
    opponents = [make_player("random", game), old]
    trials = [WeightTrial(old, old, opponents, 1, number) for number in range(1, 2000)]
    risks = [trial.test.alpha for trial in trials]
    assert risks == sorted(risks, reverse=True)
    # Each trial may say "better" and "worse", of each opponent.
    assert sum(risks) * 2 * len(opponents) == pytest.approx(RISK, rel=0.01)
    assert sum(risks) * 2 * len(opponents) < RISK
