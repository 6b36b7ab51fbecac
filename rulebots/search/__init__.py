"""Players that look ahead: minimax, Monte Carlo tree search, rollouts, and exact play.

Each folder has its `player`, with the settings of its name, and its `search`.
"""

import contextlib
import threading
from collections.abc import Iterator

from rulebots.errors import demand
from rulebots.game import Game
from rulebots.game.position import Position


def check_game(game: Game, position: Position) -> None:
    """Raise UsageError unless the position is one of this game."""
    demand(position.game is game, f"expected a position of {game.title}, not of {position.game.title}")


def check_root(game: Game, position: Position) -> None:
    """Raise UsageError unless the position is one of this game in which a seat is to move."""
    check_game(game, position)
    demand(not position.over, "the game is over: there is nothing to search")
    demand(not position.chance_to_move, "chance is to move: there is nothing to decide")


def check_open(game: Game) -> None:
    """Raise UsageError for a game with hidden information."""
    demand(not game.hidden, f"this search reads the position, but {game.title} hides cards: choose another player")


@contextlib.contextmanager
def alone(busy: threading.Lock) -> Iterator[None]:
    """Hold the lock of a search while it runs. Raises UsageError if it runs in another thread."""
    demand(busy.acquire(blocking=False), "this search is busy in another thread: give each thread its own")
    try:
        yield
    finally:
        busy.release()
