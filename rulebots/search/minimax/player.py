"""The player that decides by minimax, and its names: `minimax:depth=6`, `minimax:seconds=0.1,rules=champion.yaml`."""

import functools
from dataclasses import dataclass, replace

from rulebots.game import Game, Moves
from rulebots.game.position import Position
from rulebots.players import Needs, RulePlayer
from rulebots.players.specs import number, settings_of
from rulebots.search.minimax.search import DRIVERS, TABLE_MEGABYTES, Limits, Minimax, MinimaxResult, check_driver
from rulebots.search.player import SearchPlayer, rule_player


class MinimaxPlayer(SearchPlayer):
    """Searches every position it moves in, with one table per game.

    `guide`, `megabytes` and `driver` are those of `Minimax`. `result` is the result of the last search, None before the
    first one.

    Raises:
        UsageError: the game hides something; no such driver, or MTD(f) without a table.
    """

    needs = Needs.POSITION
    result: MinimaxResult | None = None

    def __init__(
        self,
        game: Game,
        limits: Limits,
        guide: RulePlayer | None = None,
        megabytes: float = TABLE_MEGABYTES,
        driver: str = DRIVERS[0],
        name: str = "minimax",
    ) -> None:
        check_driver(driver, megabytes)
        super().__init__(game, name, (game, limits, guide, megabytes, driver), limits.seconds)

    @functools.cached_property
    def search(self) -> Minimax:
        """The search, made when it is first needed."""
        game, _, *rest = self._arguments
        return Minimax(game, *rest)

    def choose(self, seen: Position, moves: Moves) -> int:
        """The best move within the limits; no chance is involved."""
        limits = self._arguments[1]
        clock = self.clock_seconds
        if clock is not None:
            limits = replace(limits, seconds=min(clock, limits.seconds or clock))
        self.result = self.search.best(seen, limits)
        return self.result.move

    def prepare(self) -> None:
        """Make the search, with a table of its own."""
        self.search  # noqa: B018 - made now


@dataclass(frozen=True)
class MinimaxSpec(Limits):
    """The settings that a name may have; it needs at least one limit."""

    #: The name of a rule player whose rules and weights guide the search.
    rules: str | None = None
    table: float = number(TABLE_MEGABYTES, 0.0, 4096.0, "megabytes of the transposition table")
    #: How an iteration finds its value: one of DRIVERS.
    driver: str = DRIVERS[0]


def player_of(spec: str, game: Game, seats: int | None = None) -> MinimaxPlayer:
    """The player of that name.

    Raises:
        UsageError: unknown settings, values out of range or no limit; see MinimaxPlayer.
    """
    named = settings_of(spec, MinimaxSpec)
    guide = None if named.rules is None else rule_player(spec, named.rules, game, seats)
    return MinimaxPlayer(game, Limits(named.depth, named.nodes, named.seconds), guide, named.table, named.driver, spec)
