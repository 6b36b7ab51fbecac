"""A rulebots player in a seat of games that another program, a server or a page plays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulebots.errors import UsageError
from rulebots.game import Game, Moves
from rulebots.game.position import Position
from rulebots.game.random_numbers import next_luck
from rulebots.players import CompiledPlayer, Needs, Observed, Player, PlayerFault

#: What a search gets for its first decision, which nobody asks for.
WARM_SECONDS = 0.01


class SeatedPlayer:
    """A player that is asked for one decision after another, in one game after another.

    In each game a copy of it plays, if it follows games. `decide` may run in any thread, and `stop` in another one
    meanwhile.

    Raises:
        UsageError: the player plays another game.
    """

    def __init__(self, player: Player, game: Game) -> None:
        if player.game is not game:
            raise UsageError(f"'{player.name}' plays {player.game.name}, not {game.name}: choose another player")
        self.name = player.name
        self._player = self._playing = player
        self._seat = 0

    def begin(self, seat: int, options: Mapping[str, int]) -> None:
        """A game begins. What fails at that is told when a move is due."""
        self._playing, self._seat = self._player.beginning_a_game(seat, options), seat

    def decide(self, seen: Position | Observed, moves: Moves | None = None, seconds: float | None = None) -> int:
        """A move. Searches think for at most that many seconds.

        `moves`, int64[n], are the legal ones; they are needed where `seen` is not a position.

        Raises:
            PlayerFault: there is no move, or not a legal one.
        """
        player = self._playing
        player.clock_seconds = seconds
        if isinstance(seen, Position):
            return player.decide(seen)
        if player.needs not in {Needs.OBSERVATION, Needs.HISTORY}:
            what = f"player '{self.name}' needs more than its seat observes, which is all that is told here"
            raise PlayerFault(what, seen.seat)
        assert moves is not None
        given = seen if player.needs is Needs.HISTORY else seen.view
        return player.decide_seen(player.game, given, moves, len(seen.history), seen.seat)

    @property
    def result(self) -> Any:
        """The result of the search that made the latest decision; None if there was none."""
        return getattr(self._playing, "result", None)

    @property
    def stops(self) -> bool:
        """Whether it is a search, which can be stopped, and goes on from what it has found when it is asked again."""
        return hasattr(self._playing, "stop")

    @property
    def own_seconds(self) -> float | None:
        """The limit of its own for a decision, in seconds."""
        return self._playing.own_seconds

    def stop(self) -> None:
        """The answer is wanted now: a search that is running ends. From any thread."""
        if self.stops:
            self._playing.stop()  # type: ignore[attr-defined]  # only searches have it

    def end(self, points: tuple[int, ...] | None) -> PlayerFault | None:
        """The game is over; the player is told if the points are known. Gives the fault if it fails at that."""
        playing, self._playing = self._playing, self._player
        return None if points is None else playing.ending_a_game(self._seat, points)


def warm_up(player: Player) -> None:
    """Let a compiled player or a search decide, so that what it needs is compiled before anybody's clock runs.

    A search decides twice: to go on from what it has found needs more than to begin.

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
        for _ in range(2 if hasattr(ready, "stop") else 1):
            ready.decide(position)
        ready.clock_seconds = None
