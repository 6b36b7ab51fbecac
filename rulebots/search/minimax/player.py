"""The player that decides by minimax, and its names: `minimax:depth=6`, `minimax:seconds=0.1,rules=champion.yaml`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rulebots.game import Game, Moves
from rulebots.game.position import Position
from rulebots.players import Needs, Player, RulePlayer
from rulebots.players.specs import number, settings_of
from rulebots.search.guide import rule_player
from rulebots.search.minimax.search import DRIVERS, TABLE_MEGABYTES, Limits, Minimax, MinimaxResult, check_driver


class MinimaxPlayer(Player):
    """Searches every position it moves in, with one table per game.

    `guide`, `megabytes` and `driver` are those of `Minimax`. `result` is the result of the last search, None before the
    first one.

    Raises:
        UsageError: the game hides something; no such driver, or MTD(f) without a table.
    """

    needs = Needs.POSITION

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
        super().__init__(game, name)
        self.driver = driver
        self._arguments = (limits, guide, megabytes)
        self.own_seconds = limits.seconds
        self._search: Minimax | None = None
        self.result: MinimaxResult | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_search": None, "result": None}

    def identity(self) -> object:
        """What decides how it plays, and not what it has worked out or searched."""
        return type(self), self.game, self._arguments, self.driver

    def choose(self, seen: Position, moves: Moves) -> int:
        """The best move found within the limits; no chance is involved."""
        limits = self._arguments[0]
        clock = self.clock_seconds
        if clock is not None:
            limits = replace(limits, seconds=min(clock, limits.seconds or clock))
        self.result = self._ready().best(seen, limits)
        return self.result.move

    def stop(self) -> None:
        """End the running search, if any; call it from any thread."""
        if self._search is not None:
            self._search.stop()

    def for_one_game(self) -> Player:
        """The same player with a table of its own, compiled: that is not part of the time for a move."""
        limits, guide, megabytes = self._arguments
        player = MinimaxPlayer(self.game, limits, guide, megabytes, self.name, driver=self.driver)
        player._ready()
        return player

    def _ready(self) -> Minimax:
        """The search, made when it is first needed."""
        if self._search is None:
            self._search = Minimax(self.game, *self._arguments[1:], self.driver)
        return self._search


@dataclass(frozen=True)
class MinimaxSpec(Limits):
    """The settings that a name may have; it needs at least one limit."""

    #: The name of a rule player whose rules and weights guide the search.
    rules: str | None = None
    table: float = number(TABLE_MEGABYTES, 0.0, 4096.0, "megabytes of the transposition table")
    #: How an iteration finds its value: one of DRIVERS.
    driver: str = DRIVERS[0]


def player_of(spec: str, game: Game) -> MinimaxPlayer:
    """The player of that name.

    Raises:
        UsageError: unknown settings, values out of range or no limit; see MinimaxPlayer.
    """
    named = settings_of(spec, MinimaxSpec)
    guide = None if named.rules is None else rule_player(spec, named.rules, game)
    limits = Limits(named.depth, named.nodes, named.seconds)
    return MinimaxPlayer(game, limits, guide, named.table, name=spec, driver=named.driver)
