"""The value of a position at the horizon, and the order in which moves are tried.

Every function here makes one of two kernels:

- `evaluate(state, side, arrays) -> int`: the value for a side, in units. It is not called where chance is to move.
- `order(state, depth, moves, n, arrays)`: writes a score for each of moves[:n] into `arrays.scores`; the move with the
  best score is tried first.

`arrays` are the `SearchArrays` of search.py.

Two seats against each other are *paired*: each is a side. At any other table the searcher is side 0, and all others
are side 1, which plays against it; in a cooperative game all are on side 0.
"""

import functools
from typing import Any

from rulebots.game import CHANCE, Game
from rulebots.game.compiled import view_kernel
from rulebots.game.seats import seats_kernel
from rulebots.kernel import Kernel, kernel
from rulebots.play.loop import finish_kernel
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
#: The element that holds the seat that searches, where seats are not paired.
SEARCHER = 3


@functools.cache
def side_kernel(game: Game, *, paired: bool) -> Kernel[..., int]:
    """A kernel `(state, control) -> int`: side to move; at a chance node the searcher's, else seat 0's."""
    chance = game.chance
    together = game.together(game.most_seats)

    @kernel
    def side(state: Any, control: Any) -> int:
        if paired:
            return max(state.mover, 0) if chance else state.mover
        return int(not (together or state.mover == control[SEARCHER] or state.mover == CHANCE))

    return side


@functools.cache
def standing_kernel(game: Game, *, paired: bool) -> Kernel[..., int]:
    """A kernel `(state, side, control) -> int`: the lead of a side in points, in units.

    The searcher's lead is over the best of the others. Where points count, it is the searcher's points.
    """
    points = game.points
    seats_of = seats_kernel(game)
    counted = game.in_points(game.most_seats)

    @kernel
    def standing(state: Any, side: int, control: Any) -> int:
        if paired:
            return UNITS_PER_POINT * (int(points(state, side)) - int(points(state, 1 - side)))
        ahead = int(points(state, control[SEARCHER]))
        best = 0
        seats = seats_of(state)
        if not counted and seats > 1:
            first = True
            for seat in range(seats):
                if seat != control[SEARCHER]:
                    own = int(points(state, seat))
                    best = own if first or own > best else best
                    first = False
        value = UNITS_PER_POINT * (ahead - best)
        return value if side == 0 else -value

    return standing


def points_evaluation(game: Game, *, paired: bool) -> Kernel[..., int]:
    """`evaluate` by the difference of points."""
    standing = standing_kernel(game, paired=paired)

    @kernel
    def evaluate(state: Any, side: int, arrays: Any) -> int:
        return standing(state, side, arrays.control)

    return evaluate


def history_order(game: Game) -> Kernel[..., None]:
    """`order` by the cutoffs of a move so far, weighted by their depth.

    Schaeffer, The History Heuristic, ICCA Journal 6(3), 1983.
    """

    @kernel
    def order(state: Any, depth: int, moves: Any, n: int, arrays: Any) -> None:
        for i in range(n):
            arrays.scores[i] = arrays.history[state.mover, moves[i]]

    return order


def guided_kernels(style: Style, *, paired: bool) -> tuple[Kernel[..., int], Kernel[..., None]]:
    """`evaluate` and `order` for a rule set."""
    assert style.rules is not None
    evaluate = (
        rollout_evaluation(style, paired=paired)
        if style.rules.point is None
        else best_score_evaluation(style.rules, paired=paired)
    )
    return evaluate, score_order(style.rules)


def best_score_evaluation(rules: RuleSet, *, paired: bool) -> Kernel[..., int]:
    """`evaluate` for a rule set whose scores are points: the margin plus the score of the mover's best move.

    The score of a move rates the position after it, so this sees one ply further than points alone.
    """
    assert rules.point is not None
    score_moves = score_kernel(rules)
    moves_of = rules.game.moves
    standing = standing_kernel(rules.game, paired=paired)
    side_of = side_kernel(rules.game, paired=paired)
    column = rules.columns[rules.point[0]]
    point = rules.point[1]

    @kernel
    def evaluate(state: Any, side: int, arrays: Any) -> int:
        scores = arrays.scores
        n = moves_of(state, arrays.scratch)
        score_moves(state, arrays.scratch, n, arrays)
        best = -MOST_POINTS
        score_of_point = arrays.blended[column] * point
        if score_of_point > 0.0:
            for i in range(n):
                # NaN does not count.
                best = max(best, scores[i] / score_of_point) if scores[i] == scores[i] else best
        else:
            best = 0.0
        value = int(UNITS_PER_POINT * min(best, MOST_POINTS))
        return standing(state, side, arrays.control) + (value if side_of(state, arrays.control) == side else -value)

    return evaluate


def rollout_evaluation(style: Style, *, paired: bool) -> Kernel[..., int]:
    """`evaluate` for any other rule set: the margin at the end of a rollout in which its player moves for all seats.

    The weights of such rules tell which move is better, not how good a position is. Outcomes of chance are drawn.
    """
    game = style.game
    choose = style.choose
    standing = standing_kernel(style.game, paired=paired)
    look = view_kernel(game)

    @kernel
    def decide(state: Any, moves: Any, n: int, row: int, arrays: Any) -> int:
        look(state, arrays.views, 1)
        return choose(arrays.views[0], moves, n, arrays.weights, arrays.blended, arrays.scores)

    finish = finish_kernel(game, decide)

    @kernel
    def evaluate(state: Any, side: int, arrays: Any) -> int:
        finish(state, 0, arrays.scratch, arrays.control, LUCK, arrays)
        return standing(state, side, arrays.control)

    return evaluate


def score_order(rules: RuleSet) -> Kernel[..., None]:
    """`order` by the rules' scores; by history near the horizon, where scores would cost more than they save."""
    score_moves = score_kernel(rules)
    by_history = history_order(rules.game)

    @kernel
    def order(state: Any, depth: int, moves: Any, n: int, arrays: Any) -> None:
        if depth < SCORE_ORDER_DEPTH:
            by_history(state, depth, moves, n, arrays)
            return
        score_moves(state, moves, n, arrays)
        scores = arrays.scores
        for move in range(n):
            # NaN comes last.
            scores[move] = scores[move] if scores[move] == scores[move] else -1e300

    return order


@functools.cache
def score_kernel(rules: RuleSet) -> Kernel[..., None]:
    """A kernel `(state, moves, n, arrays)` that writes the rules' scores of moves[:n] into `arrays.scores`."""
    score = scorer(rules)
    look = view_kernel(rules.game)

    @kernel
    def score_moves(state: Any, moves: Any, n: int, arrays: Any) -> None:
        look(state, arrays.views, 1)
        score(arrays.views[0], moves, n, arrays.weights, arrays.blended, arrays.scores)

    return score_moves
