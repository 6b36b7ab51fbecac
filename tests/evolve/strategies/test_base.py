"""What every breeder shares: new rules, and settings of its own."""

from __future__ import annotations

import numpy as np
import pytest

from evolve.settings import Settings
from evolve.strategies import make_breeder
from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.packages.rule_sets import load_rules
from rulebots.rules import RuleSet


@pytest.fixture(scope="module")
def rules(lost_cities: Game) -> RuleSet:
    return load_rules("sheppard", lost_cities)


def test_two_immigrants_introduce_a_new_rule(rules: RuleSet) -> None:
    old = [np.full((2, 7), 0.5) for _ in range(14)]
    for weights in old:
        weights[:, 6] = 0.0
    breeder = make_breeder(Settings.of("sheppard"), rules, old, new_rules=[6])
    asked = [w[0].tolist() for w in breeder.ask()]
    assert asked[0] == [0.5] * 6 + [0.0]
    assert [0.5] * 6 + [0.8] in asked
    assert [0.0] * 6 + [0.8] in asked


@pytest.mark.parametrize(
    ("strategy", "message"),
    {
        "ga:winners=0": "winners: expected a number from 0.01 to 1, not 0.0",
        "ga:mutation=much": "'ga:mutation=much': expected a number for 'mutation', not 'much'",
        "ga:finalists=0": "finalists: expected a whole number from 1 to 100, not 0",
        "ga:winer=0.5": "'ga:winer=0.5': no setting 'winer' of ga; did you mean 'winners'?",
        "sheppard:kept=3": "'sheppard:kept=3': no setting 'kept' of sheppard; there are: none",
    }.items(),
)
def test_a_strategys_own_settings_follow_its_name(strategy: str, message: str, rules: RuleSet) -> None:
    with pytest.raises(UsageError) as refused:
        make_breeder(Settings.of(strategy), rules, [rules.hand_tuned()])
    assert str(refused.value) == message
    assert make_breeder(Settings(strategy="ga:winners=0.5"), rules, [rules.hand_tuned()]).own.winners == 0.5
