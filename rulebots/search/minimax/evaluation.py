"""What a position at the horizon of a search is worth, and in which order moves are tried."""

from __future__ import annotations

from typing import Any

from rulebots.game import Game
from rulebots.kernel import Kernel, kernel
from rulebots.players import Style
from rulebots.position import looking
from rulebots.rules import RuleSet
from rulebots.rules.scoring import scorer

#: Values are whole numbers; this many make one point.
UNIT = 1024
#: Plies to the horizon from which rules order the moves.
ORDERED_FROM = 3
#: What a position promises at most, in points, however large a rule set's weights are.
MOST_POINTS = 1e6


def margin_of(game: Game) -> Kernel[..., int]:
    """A kernel `margin(state, seat) -> int`: the points by which a seat is ahead, in units."""
    points = game.points

    @kernel
    def margin(state: Any, seat: int) -> int:
        return UNIT * (int(points(state, seat)) - int(points(state, 1 - seat)))

    return margin


def points_difference(game: Game) -> Kernel[..., int]:
    """A kernel `evaluate(state, seat, views, moves, weights, blended, scores) -> int`: points, and nothing else."""
    margin = margin_of(game)

    @kernel
    def evaluate(state: Any, seat: int, views: Any, moves: Any, weights: Any, blended: Any, scores: Any) -> int:
        return margin(state, seat)

    return evaluate


def by_history(game: Game) -> Kernel[..., None]:
    """A kernel `order(state, depth, views, moves, n, weights, blended, scores, history)`: what cut off most before.

    Schaeffer, The History Heuristic, ICCA Journal 6(3), 1983. `history` is int64[2, move_count].
    """

    @kernel
    def order(
        state: Any, depth: int, views: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any, history: Any
    ) -> None:
        for i in range(n):
            scores[i] = history[state.mover, moves[i]]

    return order


def guided(style: Style) -> tuple[Kernel[..., int], Kernel[..., None]]:
    """`evaluate` and `order` of a rule set's players."""
    assert style.rules is not None
    return played_on(style) if style.rules.point is None else promised(style.rules), by_score(style.rules)


def promised(rules: RuleSet) -> Kernel[..., int]:
    """`evaluate` where scores can be read as points: those so far, and what the mover's best move promises.

    A move's score looks at the position after it, so this sees a ply further than points alone.
    """
    assert rules.point is not None
    game, score, margin = rules.game, scorer(rules), margin_of(rules.game)
    look, moves_of = looking(game), game.moves
    column, point = rules.columns[rules.point[0]], rules.point[1]

    @kernel
    def evaluate(state: Any, seat: int, views: Any, moves: Any, weights: Any, blended: Any, scores: Any) -> int:
        look(state, views, 1)
        n = moves_of(state, moves)
        score(views[0], moves, n, weights, blended, scores)
        best = -MOST_POINTS
        worth = blended[column] * point
        if worth > 0.0:
            for i in range(n):
                # A score that is no number promises nothing.
                best = max(best, scores[i] / worth) if scores[i] == scores[i] else best
        else:
            best = 0.0
        value = int(UNIT * min(best, MOST_POINTS))
        return margin(state, seat) + (value if state.mover == seat else -value)

    return evaluate


def played_on(style: Style) -> Kernel[..., int]:
    """`evaluate` of any other rule set: the points at the end of the game that its player plays on for both sides.

    Its weights say which move is better, not what a position is worth.
    """
    game, choose, margin = style.game, style.choose, margin_of(style.game)
    look, over, moves_of, play, cap = looking(game), game.over, game.moves, game.play, game.ply_cap

    @kernel
    def evaluate(state: Any, seat: int, views: Any, moves: Any, weights: Any, blended: Any, scores: Any) -> int:
        view = views[0]
        for _ in range(cap):
            if over(state):
                break
            look(state, views, 1)
            n = moves_of(state, moves)
            play(state, choose(view, moves, n, weights, blended, scores))
        return margin(state, seat)

    return evaluate


def by_score(rules: RuleSet) -> Kernel[..., None]:
    """`order` by the rules' scores; nearer to the horizon, where they would cost more than they save, by history."""
    game, score, by_cuts = rules.game, scorer(rules), by_history(rules.game)
    look = looking(game)

    @kernel
    def order(
        state: Any, depth: int, views: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any, history: Any
    ) -> None:
        if depth < ORDERED_FROM:
            by_cuts(state, depth, views, moves, n, weights, blended, scores, history)
            return
        look(state, views, 1)
        score(views[0], moves, n, weights, blended, scores)
        for move in range(n):
            # A score that is no number comes last.
            scores[move] = scores[move] if scores[move] == scores[move] else -1e300

    return order
