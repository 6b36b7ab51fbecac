"""Priors and rollouts by a rule player."""

from __future__ import annotations

import numpy as np
import pytest
from played_positions import after, margin
from search_positions import FAR, GAME, RULES, SIMULATIONS, start

from rulebots.kernel import compiling
from rulebots.players import RulePlayer
from rulebots.players.names import make_player
from rulebots.registry import load_game
from rulebots.search.exact.accuracy import accuracy
from rulebots.search.mcts.calibration import temperature_of
from rulebots.search.mcts.policies import policy_arrays, policy_kernel
from rulebots.search.mcts.search import Search
from rulebots.search.mcts.settings import SearchSettings


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


@pytest.mark.skipif(not compiling(), reason="guided rollouts take long interpreted")
def test_guided_search_keeps_wins_that_random_rollouts_give_away() -> None:
    circles = load_game("circles")
    guided, plain = (
        accuracy(make_player(name, circles), {}, 40, 1).share for name in ("mcts:power=1", "mcts:power=1,guide=none")
    )
    assert guided > plain + 0.2
