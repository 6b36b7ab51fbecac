"""The value of a position at the horizon, and the order in which moves are tried.

Every function here makes one of two kernels:

- `evaluate(state, seat, control, views, moves, weights, blended, scores) -> int`: the value for a seat, in units. It is
  not asked where chance is to move.
- `order(state, depth, views, moves, n, weights, blended, scores, history)`: writes a score for each of moves[:n];
  the move with the best score is tried first.

Their arrays are those of `SearchArrays` in search.py; `moves` of `evaluate` is `scratch` there, and `control[LUCK]` a
random state.
"""

from __future__ import annotations

import functools
from typing import Any

from rulebots.game import CHANCE, Game
from rulebots.game.chance import draw_kernel
from rulebots.game.compiled import view_kernel
from rulebots.game.random_numbers import next_luck
from rulebots.kernel import Kernel, kernel
from rulebots.players import Style
from rulebots.rules import RuleSet
from rulebots.rules.scoring import scorer

#: Values are whole numbers: units, this many to a point.
UNITS_PER_POINT = 1024
#: The fewest plies to the horizon at which moves are ordered by the rules' scores.
SCORE_ORDER_DEPTH = 3
#: The largest score of a move in an evaluation, in points, however large the weights are.
MOST_POINTS = 1e6
#: The element of `control` (see alphabeta.py) that holds the random state of rollouts.
LUCK = 2


@functools.cache
def margin_kernel(game: Game) -> Kernel[..., int]:
    """A kernel `(state, seat) -> int`: the points by which a seat is ahead, in units."""
    points = game.points

    @kernel
    def margin(state: Any, seat: int) -> int:
        return UNITS_PER_POINT * (int(points(state, seat)) - int(points(state, 1 - seat)))

    return margin


def points_evaluation(game: Game) -> Kernel[..., int]:
    """`evaluate` by the difference of points."""
    margin = margin_kernel(game)

    @kernel
    def evaluate(
        state: Any, seat: int, control: Any, views: Any, moves: Any, weights: Any, blended: Any, scores: Any
    ) -> int:
        return margin(state, seat)

    return evaluate


def history_order(game: Game) -> Kernel[..., None]:
    """`order` by how often, and how far from the horizon, a move has caused a cutoff.

    Schaeffer, The History Heuristic, ICCA Journal 6(3), 1983.
    """

    @kernel
    def order(
        state: Any, depth: int, views: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any, history: Any
    ) -> None:
        for i in range(n):
            scores[i] = history[state.mover, moves[i]]

    return order


def guided_kernels(style: Style) -> tuple[Kernel[..., int], Kernel[..., None]]:
    """`evaluate` and `order` for a rule set."""
    assert style.rules is not None
    evaluate = rollout_evaluation(style) if style.rules.point is None else best_score_evaluation(style.rules)
    return evaluate, score_order(style.rules)


def best_score_evaluation(rules: RuleSet) -> Kernel[..., int]:
    """`evaluate` for a rule set whose scores can be read as points: the margin plus the score of the mover's best move.

    The score of a move rates the position after it, so this sees one ply further than points alone.
    """
    assert rules.point is not None
    margin, score_moves, moves_of = margin_kernel(rules.game), score_kernel(rules), rules.game.moves
    column, point = rules.columns[rules.point[0]], rules.point[1]

    @kernel
    def evaluate(
        state: Any, seat: int, control: Any, views: Any, moves: Any, weights: Any, blended: Any, scores: Any
    ) -> int:
        n = moves_of(state, moves)
        score_moves(state, views, moves, n, weights, blended, scores)
        best = -MOST_POINTS
        score_of_point = blended[column] * point
        if score_of_point > 0.0:
            for i in range(n):
                # NaN does not count.
                best = max(best, scores[i] / score_of_point) if scores[i] == scores[i] else best
        else:
            best = 0.0
        value = int(UNITS_PER_POINT * min(best, MOST_POINTS))
        return margin(state, seat) + (value if state.mover == seat else -value)

    return evaluate


def rollout_evaluation(style: Style) -> Kernel[..., int]:
    """`evaluate` for any other rule set: the margin at the end of a rollout in which its player moves for both sides.

    The weights of such rules tell which move is better, not how good a position is. Outcomes of chance are drawn.
    """
    game, choose, margin = style.game, style.choose, margin_kernel(style.game)
    look, over, moves_of, play, cap = view_kernel(game), game.over, game.moves, game.play, game.ply_cap
    chance, draw = game.chance, draw_kernel(game)

    @kernel
    def evaluate(
        state: Any, seat: int, control: Any, views: Any, moves: Any, weights: Any, blended: Any, scores: Any
    ) -> int:
        for _ in range(cap):
            if over(state):
                break
            n = moves_of(state, moves)
            if chance and state.mover == CHANCE:
                control[LUCK] = next_luck(control[LUCK])
                play(state, draw(state, moves, n, control[LUCK]))
            else:
                look(state, views, 1)
                play(state, choose(views[0], moves, n, weights, blended, scores))
        return margin(state, seat)

    return evaluate


def score_order(rules: RuleSet) -> Kernel[..., None]:
    """`order` by the rules' scores; by history near the horizon, where scores would cost more than they save."""
    score_moves, by_history = score_kernel(rules), history_order(rules.game)

    @kernel
    def order(
        state: Any, depth: int, views: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any, history: Any
    ) -> None:
        if depth < SCORE_ORDER_DEPTH:
            by_history(state, depth, views, moves, n, weights, blended, scores, history)
            return
        score_moves(state, views, moves, n, weights, blended, scores)
        for move in range(n):
            # NaN comes last.
            scores[move] = scores[move] if scores[move] == scores[move] else -1e300

    return order


@functools.cache
def score_kernel(rules: RuleSet) -> Kernel[..., None]:
    """A kernel `(state, views, moves, n, weights, blended, scores)` that writes the rules' scores of moves[:n]."""
    score, look = scorer(rules), view_kernel(rules.game)

    @kernel
    def score_moves(state: Any, views: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> None:
        look(state, views, 1)
        score(views[0], moves, n, weights, blended, scores)

    return score_moves
