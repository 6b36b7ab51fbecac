"""Players that look ahead: minimax, Monte Carlo tree search, rollouts, and exact play.

Each folder has its `player` (with the settings of its name) and its `search`.
"""

from __future__ import annotations

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position


def check_game(game: Game, position: Position) -> None:
    """Raise UsageError unless the position is one of this game."""
    if position.game is not game:
        raise UsageError(f"expected a position of {game.title}, not of {position.game.title}")


def check_root(game: Game, position: Position) -> None:
    """Raise UsageError unless the position is one of this game, not over, and a seat is to move."""
    check_game(game, position)
    if position.over:
        raise UsageError("the game is over: there is nothing to search")
    if position.chance_to_move:
        raise UsageError("chance is to move: there is nothing to decide")
