"""Players whose decision is a kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.packages.rule_sets import load_rules
from rulebots.play.match import play_match
from rulebots.players import KernelPlayer, RandomPlayer, RulePlayer


def test_a_compiled_player_that_chooses_by_no_kernel_is_refused(lost_cities: Game) -> None:
    def choose_plainly(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
        return int(moves[0])

    player = KernelPlayer(lost_cities, choose_plainly, "plain")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"test_players_compiled.py:\d+: `choose_plainly` is a plain function"):
        play_match(player, RandomPlayer(lost_cities), 1)


def test_weights_are_named_and_what_is_not_named_weighs_nothing(lost_cities: Game) -> None:
    rules = load_rules("shelly", lost_cities)
    player = RulePlayer(rules, {"play": {"in_sequence": [0.5, -1], "low_card": 2}, "keep": {"he_has_played": 0.25}})
    expected = np.zeros((2, len(rules.rules)))
    expected[:, rules.columns["play.in_sequence"]] = 0.5, -1
    expected[:, rules.columns["play.low_card"]] = 2, 2
    expected[:, rules.columns["keep.he_has_played"]] = 0.25, 0.25
    assert player.weights.tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"plays": {"low_card": 1}}, r"no rule 'plays.low_card' of lost-cities/shelly; did you mean 'play.low_card'\?"),
        ({"play": {"in_sequense": 1}}, r"no rule 'play.in_sequense' of .*; did you mean 'play.in_sequence'\?"),
        ({"play": {"useless_to_me": 1}}, "no rule 'play.useless_to_me'"),
        ({"play": {"low_card": [1, 2, 3]}}, r"expected a weight or .early, late., .* not \[1, 2, 3\]"),
        ({"play": {"low_card": []}}, r"not \[\]"),
        ({"play": {"low_card": "much"}}, "from -1e\\+06 to 1e\\+06, not 'much'"),
        ({"play": {"low_card": float("nan")}}, "not nan"),
        ({"play": {"low_card": [0, float("inf")]}}, r"not \[0, inf\]"),
        ({"play": {"low_card": True}}, "not True"),
        ({"play": {"low_card": None}}, "not None"),
        (np.zeros((2, 3)), r"expected weights of shape \(2, 43\).*not shape \(2, 3\)"),
        (np.full((2, 43), np.nan), "player 'player': expected weights of shape .* from -1e"),
    ],
    ids=str,
)
def test_weights_that_are_none_are_refused(lost_cities: Game, weights: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        RulePlayer(load_rules("shelly", lost_cities), weights)


def test_the_players_own_copy_of_its_weights_is_not_the_callers(lost_cities: Game) -> None:
    rules = load_rules("shelly", lost_cities)
    weights = rules.hand_tuned()
    player = RulePlayer(rules, weights)
    weights[:] = 0
    assert player.weights.any()
