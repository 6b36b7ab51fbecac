"""Our players where an engine is asked: a decision becomes a move."""

from __future__ import annotations

from typing import Any

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.game.random_numbers import next_luck
from rulebots.players import CompiledPlayer, Needs, Observed, Player, PlayerFault
from rulebots.protocols.protocol import Begin, Decide, End


class Seats:
    """A player of ours in the games of one connection: a copy of its own in each game, if it follows games.

    Raises:
        UsageError: the player plays another game.
    """

    def __init__(self, player: Player, game: Game) -> None:
        if player.game is not game:
            raise UsageError(f"'{player.name}' plays {player.game.name}, not {game.name}: choose another player")
        self.player = player
        self._playing: dict[int, tuple[Player, int]] = {}

    def begin(self, begin: Begin) -> None:
        """A game begins."""
        self._playing[begin.game] = self.player.beginning_a_game(begin.seat, begin.options), begin.seat

    def decide(self, asked: Decide) -> tuple[int, Any]:
        """The player's move, and the result of its search if it made one.

        Raises:
            PlayerFault: it has none.
        """
        player = self._playing.get(asked.game, (self.player, 0))[0]
        player.clock_seconds = asked.seconds
        move = player.decide(asked.seen) if isinstance(asked.seen, Position) else _observing(player, asked)
        return move, getattr(player, "result", None)

    def stop(self, asked: Decide) -> None:
        """The answer is wanted now: a search that is running ends. From any thread."""
        stop = getattr(self._playing.get(asked.game, (self.player, 0))[0], "stop", None)
        if stop is not None:
            stop()

    def end(self, end: End) -> PlayerFault | None:
        """A game is over; the player is told, where the points are known."""
        player, seat = self._playing.pop(end.game, (self.player, 0))
        return None if end.points is None else player.ending_a_game(seat, end.points)


#: What a search gets for its first decision, which nobody asks for.
WARM_SECONDS = 0.01


def warm_up(player: Player) -> None:
    """Let a compiled player or a search decide once, so that what it needs is compiled before anybody's clock runs.

    Raises:
        PlayerFault: it fails at that.
    """
    if player.has_hooks or not (isinstance(player, CompiledPlayer) or player.needs is Needs.POSITION):
        return
    ready = player.for_one_game()
    ready.clock_seconds = WARM_SECONDS
    position = Position(player.game, compiled=True)
    luck = 1
    while position.chance_to_move:
        luck = next_luck(luck)
        position.play(position.drawn(luck))
    if not position.over:
        ready.decide(position)
        ready.clock_seconds = None


def _observing(player: Player, asked: Decide) -> int:
    """The move of a player that is given what its seat observes, and not a position."""
    seen = asked.seen
    assert isinstance(seen, Observed)
    if player.needs not in {Needs.OBSERVATION, Needs.HISTORY}:
        what = f"player '{player.name}' needs more than its seat observes, which is all that is told here"
        raise PlayerFault(what, seen.seat)
    given = seen if player.needs is Needs.HISTORY else seen.view
    return player.decide_seen(player.game, given, asked.moves, len(seen.history), seen.seat)
