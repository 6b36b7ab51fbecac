"""Players that search each position within limits; the one that decides by minimax."""

from __future__ import annotations

import copy
from abc import abstractmethod
from dataclasses import replace
from typing import Any, Generic, TypeVar

from rulebots.game import Game, Moves
from rulebots.game.position import Position
from rulebots.players import Needs, Player, RulePlayer
from rulebots.search.minimax.limits import Limits
from rulebots.search.minimax.search import DRIVERS, TABLE_MEGABYTES, Minimax, MinimaxResult, check_driver

#: What a search finds: `move` is the best one.
R = TypeVar("R")


class LimitedPlayer(Player, Generic[R]):
    """Searches every position it moves in, with tables of its own for each game.

    A subclass makes the search, which has `best(position, limits)` and `stop()`. `result` is the result of the last
    search, None before the first one.
    """

    needs = Needs.POSITION

    def __init__(self, game: Game, name: str, limits: Limits, guide: RulePlayer | None, megabytes: float) -> None:
        super().__init__(game, name)
        self._arguments = (limits, guide, megabytes)
        self._search: Any = None
        self.result: R | None = None

    @abstractmethod
    def new_search(self, guide: Any, megabytes: float) -> Any:
        """A search with empty tables."""

    def identity(self) -> object:
        """What decides how it plays, and not what it has worked out or searched."""
        return type(self), self.game, self._arguments

    def choose(self, seen: Position, moves: Moves) -> int:
        """The best move found within the limits; no chance is involved."""
        limits, clock = self._arguments[0], self.clock_seconds
        if clock is not None:
            limits = replace(limits, seconds=min(clock, limits.seconds or clock))
        result = self._ready().best(seen, limits)
        self.result = result
        return int(result.move)

    def stop(self) -> None:
        """End the running search, if any; call it from any thread."""
        if self._search is not None:
            self._search.stop()

    def for_one_game(self) -> Player:
        """The same player with tables of its own, compiled: that is not part of the time for a move."""
        player = copy.copy(self)
        player.result = player._search = None  # noqa: SLF001 - of the same class
        player._ready()  # noqa: SLF001
        return player

    def _ready(self) -> Any:
        """The search, made when it is first needed."""
        if self._search is None:
            self._search = self.new_search(*self._arguments[1:])
        return self._search


class MinimaxPlayer(LimitedPlayer[MinimaxResult]):
    """Searches every position it moves in, with one table per game.

    `guide`, `megabytes` and `driver` are those of `Minimax`.

    Raises:
        UsageError: the game hides something; no such driver, or MTD(f) without a table.
    """

    def __init__(
        self,
        game: Game,
        limits: Limits,
        guide: RulePlayer | None = None,
        megabytes: float = TABLE_MEGABYTES,
        name: str = "minimax",
        *,
        driver: str = DRIVERS[0],
    ) -> None:
        check_driver(driver, megabytes)
        super().__init__(game, name, limits, guide, megabytes)
        self.driver = driver

    def identity(self) -> object:
        """What decides how it plays, and not what it has worked out or searched."""
        return super().identity(), self.driver

    def new_search(self, guide: RulePlayer | None, megabytes: float) -> Minimax:
        """A search with an empty table."""
        return Minimax(self.game, guide, megabytes, self.driver)
