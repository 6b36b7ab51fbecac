"""The rule player that guides a search, and when the search plays another move."""

from __future__ import annotations

import numpy as np
import pytest

from rulebots.errors import UsageError
from rulebots.packages import load_game
from rulebots.players import RulePlayer
from rulebots.search.player import convincing, rule_player


def test_the_less_is_known_the_more_has_to_be_shown() -> None:
    gains, errors = np.array([0.0, 0.025, 0.25]), np.array([0.0, 0.01, 0.1])
    assert convincing(gains, errors, gate=2.0).tolist() == [False, True, False]
    assert convincing(gains, errors, gate=3.0).tolist() == [False, False, False]
    assert convincing(gains, np.full(3, np.inf), gate=0.0).tolist() == [False, False, False]


def test_a_guide_is_made_of_rules() -> None:
    kalah = load_game("kalah")
    assert isinstance(rule_player("mcts:guide=hand_tuned", "hand_tuned", kalah), RulePlayer)
    message = "'mcts:guide=random': expected the name of a rule player as guide, such as hand_tuned, not 'random'"
    with pytest.raises(UsageError, match=message):
        rule_player("mcts:guide=random", "random", kalah, role="guide")
