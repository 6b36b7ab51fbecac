"""What a simulation knows of moves besides the law: nothing, or what a rule player makes of them.

A rule player's scores become probabilities by a softmax; these serve as priors of children, and as
the chances of the moves in a playout.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rulebots.game import Game, records
from rulebots.kernel import Kernel, kernel
from rulebots.players import RulePlayer
from rulebots.position import looking
from rulebots.random_numbers import below, next_luck
from rulebots.rules import RuleSet, Weights
from rulebots.rules.scoring import scorer


class Guide(NamedTuple):
    """A rule player as arrays; one of no rules where nobody guides."""

    #: float64[2, rules]: early and late weights.
    weights: npt.NDArray[np.float64]
    #: float64[rules]: scratch.
    blended: npt.NDArray[np.float64]
    #: float64[move_count]: scratch, a score a move.
    scores: npt.NDArray[np.float64]
    #: float64[1]: what scores are multiplied by before the softmax.
    sharpness: npt.NDArray[np.float64]
    #: Two records of the player's rule set, the second one blank; of the game's view where nobody guides.
    views: Any


def guide_of(game: Game, player: RulePlayer | None, softness: float) -> Guide:
    """The player's weights; `softness` is the softmax temperature, in units of the player's largest weight."""
    if player is None:
        return guide_for(game, None, np.zeros((2, 0)), softness)
    return guide_for(game, player.rules, player.weights, softness)


def guide_for(game: Game, rules: RuleSet | None, weights: Weights, softness: float = 1.0) -> Guide:
    """Likewise, for weights of a rule set: float64[2, rules]."""
    largest = float(np.abs(weights).max(initial=0.0)) or 1.0
    views = records(game.view if rules is None else rules.record, 2)
    sharpness = np.array([1.0 / (softness * largest)])
    return Guide(weights, np.zeros(weights.shape[1]), np.zeros(game.move_count), sharpness, views)


def policy(game: Game, rules: RuleSet | None) -> Kernel[..., None]:
    """A kernel `(state, moves, n, luck, guide, chances)` that writes the chances of moves[:n].

    `chances` is float64[move_count] and sums to 1. Without rules all moves are equally likely.
    """
    if rules is None:

        @kernel
        def even(state: Any, moves: Any, n: int, luck: int, guide: Any, chances: Any) -> None:
            for i in range(n):
                chances[i] = 1.0 / n

        return even
    score, look = scorer(rules), looking(game)

    @kernel
    def softmax(state: Any, moves: Any, n: int, luck: int, guide: Any, chances: Any) -> None:
        scores = guide.scores
        look(state, guide.views, luck)
        score(guide.views[0], moves, n, guide.weights, guide.blended, scores)
        best = -np.inf
        for i in range(n):
            best = scores[i] if scores[i] > best else best  # noqa: FURB136 - max() may let a NaN win
        total = 0.0
        for i in range(n):
            # A score that is not a number fails the comparison, as it never wins in `best_move`.
            chances[i] = math.exp((scores[i] - best) * guide.sharpness[0]) if scores[i] > -np.inf else 0.0
            total += chances[i]
        for i in range(n):
            chances[i] = chances[i] / total if total > 0.0 else 1.0 / n

    return softmax


def playout(game: Game, rules: RuleSet | None) -> Kernel[..., tuple[int, int]]:
    """A kernel `(state, moves, luck, guide, chances) -> (outcome, luck)` that plays a state to its end.

    Moves are drawn by the policy of the rules; without rules all are equally likely. A game that is
    not over after the game's ply cap counts as drawn.
    """
    moves_of, play, over, cap, outcome = game.moves, game.play, game.over, game.ply_cap, outcome_of(game)
    if rules is None:

        @kernel
        def random(state: Any, moves: Any, luck: int, guide: Any, chances: Any) -> tuple[int, int]:
            plies = 0
            while plies < cap and not over(state):
                n = moves_of(state, moves)
                luck = next_luck(luck)
                play(state, moves[below(luck, n)])
                plies += 1
            return outcome(state), luck

        return random
    weigh = policy(game, rules)

    @kernel
    def guided(state: Any, moves: Any, luck: int, guide: Any, chances: Any) -> tuple[int, int]:
        plies = 0
        while plies < cap and not over(state):
            n = moves_of(state, moves)
            luck = next_luck(luck)
            weigh(state, moves, n, luck, guide, chances)
            rest, chosen = luck / 2**32, 0
            while chosen < n - 1 and rest >= chances[chosen]:
                rest -= chances[chosen]
                chosen += 1
            play(state, moves[chosen])
            plies += 1
        return outcome(state), luck

    return guided


def outcome_of(game: Game) -> Kernel[..., int]:
    """A kernel `(state) -> -1, 0 or 1`: whether seat 0 has lost, drawn or won; 0 while the game goes on."""
    points, over = game.points, game.over

    @kernel
    def outcome(state: Any) -> int:
        if not over(state):
            return 0
        margin = points(state, 0) - points(state, 1)
        return int(margin > 0) - int(margin < 0)

    return outcome
