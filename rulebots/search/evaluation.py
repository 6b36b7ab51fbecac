"""What a position at the horizon of a search is worth, and in which order moves are tried."""

from __future__ import annotations

from typing import Any

from rulebots.game import Game
from rulebots.kernel import Kernel, kernel
from rulebots.players import Style
from rulebots.scoring import scorer

#: Values are whole numbers; this many make one point.
UNIT = 1024
#: Plies to the horizon from which rules order the moves.
ORDERED_FROM = 2


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
    """`evaluate` and `order` of a rule set's players.

    A position at the horizon is worth the points at the end of the game that the rule player plays on
    for both sides: its weights say which move is better, not what a position is worth. With plies
    enough below, its scores order the moves; nearer to the horizon they would cost more than they save.
    """
    game, choose, rules = style.game, style.choose, style.rules
    assert rules is not None
    score, margin, by_cuts = scorer(rules), margin_of(game), by_history(game)
    observe, over, moves_of, play, cap = game.observe, game.over, game.moves, game.play, game.ply_cap

    @kernel
    def evaluate(state: Any, seat: int, views: Any, moves: Any, weights: Any, blended: Any, scores: Any) -> int:
        view = views[0]
        for _ in range(cap):
            if over(state):
                break
            views[0] = views[1]
            observe(state, view)
            view.luck = 1
            n = moves_of(state, moves)
            play(state, choose(view, moves, n, weights, blended, scores))
        return margin(state, seat)

    @kernel
    def order(
        state: Any, depth: int, views: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any, history: Any
    ) -> None:
        if depth < ORDERED_FROM:
            by_cuts(state, depth, views, moves, n, weights, blended, scores, history)
            return
        views[0] = views[1]
        view = views[0]
        observe(state, view)
        view.luck = 1
        score(view, moves, n, weights, blended, scores)
        for move in range(n):
            # A score that is no number comes last.
            scores[move] = scores[move] if scores[move] == scores[move] else -1e300

    return evaluate, order
