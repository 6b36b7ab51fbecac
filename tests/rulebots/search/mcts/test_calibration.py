"""The temperature of priors, fitted to a player's own decisions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from search_positions import FAR, GAME, RULES

from rulebots.kernel import compiling
from rulebots.players import RulePlayer
from rulebots.rules import RuleSet, rule
from rulebots.search.mcts.calibration import KAPPA, _scoring, agreement, fitted, temperature_of


def test_half_of_the_decisions_beyond_chance_agree() -> None:
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(300, 7)) * rng.choice([0.1, 1.0, 100.0], (300, 1))
    chosen = scores == scores.max(axis=1, keepdims=True)
    temperature = fitted(scores, chosen)
    assert agreement(scores - scores.max(axis=1, keepdims=True), chosen, temperature) == pytest.approx(KAPPA, abs=1e-3)
    assert fitted(1000 * scores, chosen) == pytest.approx(1000 * temperature)


def test_agreement_is_cohens_kappa_of_a_draw() -> None:
    scores, chosen = np.array([[0.0, 0.0], [0.0, -np.inf]]), np.array([[True, False], [True, False]])
    assert agreement(scores[:1], chosen[:1], 1.0) == 0.0
    shares = np.exp([0.0, -1.0]) / np.exp([0.0, -1.0]).sum()
    assert agreement(np.array([[0.0, -1.0]]), chosen[:1], 1.0) == pytest.approx((shares[0] - 0.5) / 0.5)


@rule("put", early=1e6)
def never(view: Any, point: int) -> bool:
    """The point is not on the board."""
    return point < 0


def test_a_large_weight_changes_nothing_where_it_decides_nothing() -> None:
    with_never = RuleSet("with_never", GAME, (*RULES.rules, never))
    player = RulePlayer(with_never, with_never.hand_tuned())
    assert temperature_of(player) == temperature_of(FAR)
    assert 0 < temperature_of(FAR) < 1


def test_a_player_that_tells_no_moves_apart_has_a_temperature_too() -> None:
    assert temperature_of(RulePlayer(RULES, np.zeros((2, 2)))) == 1.0


def test_where_moves_do_not_follow_scores_the_best_agreement_counts() -> None:
    scores = np.array([[0.0, -1.0, -2.0]] * 4)
    chosen = np.array([[False, True, False]] * 4)
    temperature = fitted(scores, chosen)
    assert agreement(scores, chosen, temperature) == pytest.approx(
        max(agreement(scores, chosen, one) for one in np.geomspace(0.02, 200, 200)), abs=0.02
    )


@pytest.mark.skipif(not compiling(), reason="nothing is compiled")
def test_what_fits_the_temperature_is_kept_on_disk() -> None:
    temperature_of(FAR)
    assert _scoring(FAR.rules).is_kept
