"""A player that decides by minimax."""

from __future__ import annotations

from dataclasses import replace

from rulebots.game import Game, Moves
from rulebots.players import Needs, Player, RulePlayer
from rulebots.position import Position
from rulebots.search.minimax.limits import Limits
from rulebots.search.minimax.search import TABLE_MEGABYTES, Minimax, MinimaxResult


class MinimaxPlayer(Player):
    """Searches every position it moves in, with one table per game; `guide` and `megabytes` are those of `Minimax`.

    `result` is the result of the last search, None before the first one.

    Raises:
        UsageError: the game hides something.
    """

    needs = Needs.POSITION

    def __init__(
        self,
        game: Game,
        limits: Limits,
        guide: RulePlayer | None = None,
        megabytes: float = TABLE_MEGABYTES,
        name: str = "minimax",
    ) -> None:
        super().__init__(game, name)
        self._arguments = (limits, guide, megabytes)
        self._search: Minimax | None = None
        self.result: MinimaxResult | None = None

    def identity(self) -> object:
        """What decides how it plays, and not what it has worked out or searched."""
        return type(self), self.game, self._arguments

    def choose(self, seen: Position, moves: Moves) -> int:
        """The best move found within the limits; no chance is involved."""
        limits, clock = self._arguments[0], self.clock_seconds
        if clock is not None:
            limits = replace(limits, seconds=min(clock, limits.seconds or clock))
        self.result = self._ready().best(seen, limits)
        return self.result.move

    def stop(self) -> None:
        """End the running search, if any; call it from any thread."""
        if self._search is not None:
            self._search.stop()

    def for_one_game(self) -> MinimaxPlayer:
        """The same player with a table of its own, compiled: that is not part of the time for a move."""
        player = MinimaxPlayer(self.game, *self._arguments, name=self.name)
        player._ready()
        return player

    def _ready(self) -> Minimax:
        """The search, made when it is first needed."""
        if self._search is None:
            _, guide, megabytes = self._arguments
            self._search = Minimax(self.game, guide, megabytes)
        return self._search
