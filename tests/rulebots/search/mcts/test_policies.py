"""Priors and rollouts by a rule player.

----

The temperature of priors, fitted to a player's own decisions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from played_positions import after, margin
from search_positions import FAR, GAME, RULES, SIMULATIONS, start

from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.players import RulePlayer
from rulebots.rules import RuleSet, rule
from rulebots.search.exact.accuracy import accuracy
from rulebots.search.mcts.policies import (
    KAPPA,
    agreement,
    fitted,
    policy_arrays,
    policy_kernel,
    temperature_of,
)
from rulebots.search.mcts.search import Search
from rulebots.search.mcts.settings import SearchSettings
from rulebots.search.player import rank_kernel


def test_the_scores_of_a_rule_player_become_probabilities_by_a_softmax() -> None:
    position, probabilities = start(GAME), np.zeros(GAME.move_count)
    moves = position.legal_moves
    guide = policy_arrays(GAME, RULES, FAR.weights, 0.5)
    policy_kernel(GAME, RULES)(position.state, moves, len(moves), 1, guide, probabilities)
    scores = moves / 100 + 0.5 * (moves % 2 == 0)
    expected = np.exp(scores / 0.5)
    np.testing.assert_allclose(probabilities[: len(moves)], expected / expected.sum())
    policy_kernel(GAME, None)(position.state, moves, len(moves), 1, guide, probabilities)
    np.testing.assert_allclose(probabilities[: len(moves)], 1 / 9)


def test_only_the_ratios_of_a_guides_weights_matter() -> None:
    larger = RulePlayer(RULES, 1000 * RULES.hand_tuned())
    assert temperature_of(larger) == pytest.approx(1000 * temperature_of(FAR))


def test_guided_rollouts_play_as_the_player_plays() -> None:
    """With a hard softmax every rollout is the game that the player plays against itself."""
    settings = SearchSettings(iterations=9, softness=0.001)
    result = Search(GAME, settings, rollout=FAR).run(start(GAME), 1)
    assert result.visits.tolist() == [1] * 9
    for move, value in zip(result.moves.tolist(), result.values, strict=True):
        position = after(start(GAME), move)
        while not position.over:
            points = position.legal_moves.tolist()
            position = after(position, max(points, key=lambda point: point / 100 + 0.5 * (point % 2 == 0)))
        assert value == margin(position, 0)


def test_simulations_follow_the_priors() -> None:
    settings = SearchSettings(iterations=SIMULATIONS, softness=0.05, c=20.0)
    result = Search(GAME, settings, rollout=FAR, prior=FAR).run(start(GAME), 1)
    scores = result.moves / 100 + 0.5 * (result.moves % 2 == 0)
    assert result.moves[result.visits.argmax()] == result.moves[scores.argmax()]
    assert result.visits[scores.argmax()] > SIMULATIONS / 3


@pytest.mark.compiled
def test_guided_search_keeps_wins_that_random_rollouts_give_away() -> None:
    circles = load_game("circles")
    guided, plain = (
        accuracy(make_player(name, circles), {}, 40, 1).share for name in ("mcts:power=1", "mcts:power=1,guide=none")
    )
    assert guided > plain + 0.2


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


@pytest.mark.compiled
def test_what_fits_the_temperature_is_kept_on_disk() -> None:
    temperature_of(FAR)
    assert rank_kernel(FAR.style).is_kept
