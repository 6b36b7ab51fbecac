"""The probabilities of moves, as priors and in rollouts: even, or a softmax of a rule player's scores."""

from __future__ import annotations

import functools
import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rulebots.game import CHANCE, Game
from rulebots.game.chance import drawing, spreading
from rulebots.game.compiled import looking
from rulebots.game.dtypes import records
from rulebots.game.random_numbers import below, next_luck
from rulebots.kernel import Kernel, kernel
from rulebots.rules import RuleSet, Weights
from rulebots.rules.scoring import scorer


class PolicyArrays(NamedTuple):
    """What the kernels of a policy read and write besides the position."""

    #: float64[2, rules]: early and late weights.
    weights: npt.NDArray[np.float64]
    #: float64[rules]: scratch, the weights at this stage of the game.
    blended: npt.NDArray[np.float64]
    #: float64[move_count]: scratch, the scores of the moves.
    scores: npt.NDArray[np.float64]
    #: float64[1]: what scores are multiplied by before the softmax.
    inverse_temperature: npt.NDArray[np.float64]
    #: Records[2] of the rule set, or of the game's view without one; the second is blank.
    views: Any


def policy_arrays(
    game: Game, rules: RuleSet | None = None, weights: Weights | None = None, temperature: float = 1.0
) -> PolicyArrays:
    """The arrays for a rule set and its weights, float64[2, rules]; without a rule set, for even probabilities.

    `temperature` is that of the softmax, in the unit of the scores.
    """
    if rules is None or weights is None:
        weights = np.zeros((2, 0))
    return PolicyArrays(
        weights=weights,
        blended=np.zeros(weights.shape[1]),
        scores=np.zeros(game.move_count),
        inverse_temperature=np.array([1.0 / temperature]),
        views=records(game.view if rules is None else rules.record, 2),
    )


@functools.cache
def policy_kernel(game: Game, rules: RuleSet | None) -> Kernel[..., None]:
    """A kernel `(state, moves, n, luck, arrays, probabilities)` that writes the probabilities of moves[:n].

    `arrays` are `PolicyArrays`; `probabilities` is float64[move_count], of which the first n sum to 1.
    Without rules all moves are equally likely. Where chance is to move, these are the odds of its outcomes.
    """
    chance, spread = game.chance, spreading(game)
    if rules is None:

        @kernel(inlines=False)
        def even(state: Any, moves: Any, n: int, luck: int, arrays: Any, probabilities: Any) -> None:
            if chance and state.mover == CHANCE:
                spread(state, moves, n, probabilities)
            else:
                for i in range(n):
                    probabilities[i] = 1.0 / n

        return even
    score, look = scorer(rules), looking(game)

    @kernel(inlines=False)
    def softmax(state: Any, moves: Any, n: int, luck: int, arrays: Any, probabilities: Any) -> None:
        if chance and state.mover == CHANCE:
            spread(state, moves, n, probabilities)
            return
        scores = arrays.scores
        look(state, arrays.views, luck)
        score(arrays.views[0], moves, n, arrays.weights, arrays.blended, scores)
        best = -np.inf
        for i in range(n):
            best = scores[i] if scores[i] > best else best  # noqa: FURB136 - max() may let a NaN win
        total = 0.0
        for i in range(n):
            # NaN fails the comparison, so that such a move is never chosen, as in `best_move`.
            probabilities[i] = (
                math.exp((scores[i] - best) * arrays.inverse_temperature[0]) if scores[i] > -np.inf else 0.0
            )
            total += probabilities[i]
        for i in range(n):
            probabilities[i] = probabilities[i] / total if total > 0.0 else 1.0 / n

    return softmax


@functools.cache
def rollout_kernel(game: Game, rules: RuleSet | None) -> Kernel[..., tuple[int, int]]:
    """A kernel `(state, moves, luck, arrays, probabilities) -> (outcome, luck)`: plays to the end of the game.

    Moves and outcomes are drawn by `policy_kernel(game, rules)`. A game that is not over at the game's ply cap counts
    as a draw.
    """
    moves_of, play, over, cap, outcome = game.moves, game.play, game.over, game.ply_cap, outcome_kernel(game)
    chance, draw = game.chance, drawing(game)
    if rules is None:

        @kernel(inlines=False)
        def random(state: Any, moves: Any, luck: int, arrays: Any, probabilities: Any) -> tuple[int, int]:
            plies = 0
            while plies < cap and not over(state):
                n = moves_of(state, moves)
                luck = next_luck(luck)
                if chance and state.mover == CHANCE:
                    play(state, draw(state, moves, n, luck))
                else:
                    play(state, moves[below(luck, n)])
                plies += 1
            return outcome(state), luck

        return random
    policy = policy_kernel(game, rules)

    @kernel(inlines=False)
    def guided(state: Any, moves: Any, luck: int, arrays: Any, probabilities: Any) -> tuple[int, int]:
        plies = 0
        while plies < cap and not over(state):
            n = moves_of(state, moves)
            luck = next_luck(luck)
            policy(state, moves, n, luck, arrays, probabilities)
            rest, chosen = luck / 2**32, 0
            while chosen < n - 1 and rest >= probabilities[chosen]:
                rest -= probabilities[chosen]
                chosen += 1
            play(state, moves[chosen])
            plies += 1
        return outcome(state), luck

    return guided


@functools.cache
def outcome_kernel(game: Game) -> Kernel[..., int]:
    """A kernel `(state) -> int`: 1 if seat 0 has won, -1 if it has lost, 0 for a draw or a game that is not over."""
    points, over = game.points, game.over

    @kernel(inlines=False)
    def outcome(state: Any) -> int:
        if not over(state):
            return 0
        margin = points(state, 0) - points(state, 1)
        return int(margin > 0) - int(margin < 0)

    return outcome
