"""The probabilities of moves, as priors and in rollouts: even, or a softmax of a rule player's scores.

Scores have no unit: only their order decides. So the temperature of the softmax is fitted to the player's own
decisions (`temperature_of`): in some games of the player against itself, a move drawn from the softmax agrees with the
player's own in half of the decisions in which chance would not do so anyway: a kappa of one half (J. Cohen, A
Coefficient of Agreement for Nominal Scales, Educational and Psychological Measurement 20, 1960). Clearly best moves
then have nearly all of the probability, and moves with nearly equal scores share it.
"""

import functools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from rulebots.game import CHANCE, Bools, Floats, Game, Ints
from rulebots.game.chance import probability_kernel
from rulebots.game.compiled import view_kernel
from rulebots.game.dtypes import records
from rulebots.game.position import Position
from rulebots.game.random_numbers import below, next_luck
from rulebots.kernel import Kernel, kernel
from rulebots.play.deals import opening_plies_of
from rulebots.play.loop import finish_kernel
from rulebots.play.stepper import Stepper
from rulebots.players import RulePlayer
from rulebots.rules import RuleSet, Weights
from rulebots.rules.scoring import ROUNDING, scorer
from rulebots.search.player import ranked

#: The share of decisions, beyond those of chance, in which the softmax agrees with the player.
KAPPA = 0.5
#: Decisions that are fitted, in games with random openings; and games at most.
DECISIONS = 200
GAMES = 100
#: Temperatures that are tried: from the smallest difference between scores times this, to the largest times that.
TRIED = 60
NARROWEST = 1e-2
WIDEST = 1e2
#: The fit is this exact.
HALVINGS = 20


class PolicyArrays(NamedTuple):
    """The arrays of a policy's kernels besides the position."""

    #: float64[2, rules]: early and late weights.
    weights: Floats
    #: float64[rules]: scratch, the weights at this stage of the game.
    blended: Floats
    #: float64[move_count]: scratch, the scores of the moves.
    scores: Floats
    #: float64[1]: what scores are multiplied by before the softmax.
    inverse_temperature: Floats
    #: Records[2] of the rule set, or of the game's view without one; the second is blank.
    views: Any
    #: float64[move_count]: scratch, the probabilities of the moves of a rollout.
    probabilities: Floats
    #: int64[1]: scratch, the random state of a rollout.
    luck: Ints


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
        probabilities=np.zeros(game.move_count),
        luck=np.ones(1, np.int64),
    )


@functools.cache
def policy_kernel(game: Game, rules: RuleSet | None) -> Kernel[..., None]:
    """A kernel `(state, moves, n, luck, arrays, probabilities)` that writes the probabilities of moves[:n].

    `arrays` are `PolicyArrays`; `probabilities` is float64[move_count], of which the first n sum to 1.
    Without rules all moves are equally likely. Where chance is to move, these are the odds of its outcomes.
    """
    chance = game.chance
    spread = probability_kernel(game)
    if rules is None:

        @kernel(inlines=False)
        def even(state: Any, moves: Any, n: int, luck: int, arrays: Any, probabilities: Any) -> None:
            if chance and state.mover == CHANCE:
                spread(state, moves, n, probabilities)
            else:
                for i in range(n):
                    probabilities[i] = 1.0 / n

        return even
    score = scorer(rules)
    look = view_kernel(game)

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
def rollout_kernel(game: Game, rules: RuleSet | None) -> Kernel[..., int]:
    """A kernel `(state, moves, luck, arrays) -> luck`: plays to the end of the game, or to its ply cap from here.

    Moves are drawn by `policy_kernel(game, rules)`; they and the outcomes of chance come from one stream.
    """
    if rules is None:

        @kernel
        def random_move(state: Any, moves: Any, n: int, row: int, arrays: Any) -> int:
            luck = arrays.luck
            luck[0] = next_luck(luck[0])
            return moves[below(luck[0], n)]

        finish = finish_kernel(game, random_move)
    else:
        policy = policy_kernel(game, rules)

        @kernel
        def drawn_move(state: Any, moves: Any, n: int, row: int, arrays: Any) -> int:
            luck = arrays.luck
            probabilities = arrays.probabilities
            luck[0] = next_luck(luck[0])
            policy(state, moves, n, luck[0], arrays, probabilities)
            rest = luck[0] / 2**32
            chosen = 0
            while chosen < n - 1 and rest >= probabilities[chosen]:
                rest -= probabilities[chosen]
                chosen += 1
            return moves[chosen]

        finish = finish_kernel(game, drawn_move)

    @kernel(inlines=False)
    def roll_out(state: Any, moves: Any, luck: int, arrays: Any) -> int:
        arrays.luck[0] = luck
        finish(state, 0, moves, arrays.luck, 0, arrays)
        return arrays.luck[0]

    return roll_out


def temperature_of(player: RulePlayer) -> float:
    """The temperature for a player's scores; the same player always has the same one.

    1 where the player tells no moves apart. Where its moves are not those of the best score (`RuleSet.decide`) and no
    temperature agrees that well, the one that agrees best.
    """
    return _temperature(player.rules, player.weights.tobytes())


@functools.lru_cache(maxsize=256)
def _temperature(rules: RuleSet, weights: bytes) -> float:
    decisions = list(_decisions(RulePlayer(rules, np.frombuffer(weights, np.float64).reshape(2, -1).copy())))
    if not decisions:
        return 1.0
    scores = np.full((len(decisions), max(len(own) for own, _ in decisions)), -np.inf)
    chosen = np.zeros(scores.shape, np.bool_)
    for row, (own, best) in enumerate(decisions):
        scores[row, : len(own)] = own
        chosen[row, : len(own)] = best
    return fitted(scores, chosen)


def fitted(scores: Floats, chosen: Bools) -> float:
    """The largest temperature at which the softmax of the scores agrees with what was chosen to a kappa of KAPPA.

    `scores` is float64[decisions, moves], -inf where there is no move; `chosen` is bool[decisions, moves].
    """
    below_best = scores - scores.max(axis=1, keepdims=True)
    differences = -below_best[np.isfinite(below_best) & (below_best < -ROUNDING)]
    if not len(differences):
        return 1.0
    tried = np.geomspace(differences.min() * NARROWEST, differences.max() * WIDEST, TRIED)
    kappas = np.array([agreement(below_best, chosen, float(one)) for one in tried])
    enough = np.flatnonzero(kappas >= KAPPA)
    if not len(enough) or enough[-1] == TRIED - 1:
        return float(tried[kappas.argmax()])
    low = float(tried[enough[-1]])
    high = float(tried[enough[-1] + 1])
    for _ in range(HALVINGS):
        middle = (low * high) ** 0.5
        if agreement(below_best, chosen, middle) >= KAPPA:
            low = middle
        else:
            high = middle
    return low


def agreement(scores: Floats, chosen: Bools, temperature: float) -> float:
    """Cohen's kappa between a draw from the softmax of each row of scores and what was chosen there."""
    shares = np.exp(scores / temperature)
    shares /= shares.sum(axis=1, keepdims=True)
    by_chance = float((chosen.sum(axis=1) / np.isfinite(scores).sum(axis=1)).mean())
    return (float((shares * chosen).sum(axis=1).mean()) - by_chance) / (1.0 - by_chance)


def _decisions(player: RulePlayer) -> Iterator[tuple[Floats, Bools]]:
    """The scores of the legal moves, and which of them the player takes, where it tells some apart."""
    game = player.game
    left = DECISIONS
    for number in range(GAMES):
        position = Position(game, seed=number, compiled=True)
        opening = opening_plies_of(game, game.option_values())
        # Of these small states the first outcome is uneven, and the second is not: too little to move what is fitted.
        stepper = Stepper(position, next_luck(number + 1))
        for _ in stepper.decisions():
            if not left:
                return
            stepper.chance = next_luck(stepper.chance)
            if position.plies < opening:
                moves = position.legal_moves
                position.play(int(moves[stepper.chance % len(moves)]))
                continue
            move, moves, scores = ranked(player, position)
            finite = np.isfinite(scores)
            scores[~finite] = -np.inf
            best = finite & (scores >= scores.max() - ROUNDING)
            if player.rules.decide is not None:
                best = moves == move
            left -= 1
            if finite.any() and best.any() and not best[finite].all():
                yield scores, best
            position.play(int(moves[best].min(initial=game.move_count) if best.any() else moves[0]))
