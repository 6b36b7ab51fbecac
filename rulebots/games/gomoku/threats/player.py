"""The player `threats:seconds=1`: it proves forced wins, and else searches by alpha-beta."""

from __future__ import annotations

from dataclasses import replace

from rulebots.errors import UsageError
from rulebots.game import Moves
from rulebots.games.gomoku.game import game
from rulebots.games.gomoku.threats.search import TABLE_MEGABYTES, ThreatResult, ThreatSearch, check_search
from rulebots.players import Needs, Player, RulePlayer
from rulebots.players.names import make_player
from rulebots.position import Position
from rulebots.search.minimax.limits import Limits


class ThreatLimits(Limits):
    """When a search for threats stops: the first limit reached ends it. Raises UsageError as `Limits` does."""

    kind = "threats"


class ThreatPlayer(Player):
    """Searches every position it moves in, with its own tables for each game.

    `result` is the result of the last search, None before the first one.

    Raises:
        UsageError: the guide is a player of other rules than `patterns`, or a table out of range.
    """

    needs = Needs.POSITION

    def __init__(
        self, limits: Limits, guide: RulePlayer, megabytes: float = TABLE_MEGABYTES, name: str = "threats"
    ) -> None:
        super().__init__(game, name)
        check_search(guide, megabytes)
        self._arguments = (limits, guide, megabytes)
        self._search: ThreatSearch | None = None
        self.result: ThreatResult | None = None

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

    def for_one_game(self) -> ThreatPlayer:
        """The same player with tables of its own, compiled: that is not part of the time for a move."""
        player = ThreatPlayer(*self._arguments, name=self.name)
        player._ready()
        return player

    def _ready(self) -> ThreatSearch:
        """The search, made when it is first needed."""
        if self._search is None:
            self._search = ThreatSearch(*self._arguments[1:])
        return self._search


def threats(
    name: str,
    seconds: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    rules: str = "champion",
    table: float = TABLE_MEGABYTES,
) -> ThreatPlayer:
    """The player of the name `threats:...`; `rules` is the player whose weights it searches with.

    Raises:
        UsageError: values out of range, no limit, or a player of other rules.
    """
    guide = make_player(rules, game)
    if not isinstance(guide, RulePlayer):
        raise UsageError(f"'{name}': expected the name of a rule player, such as hand_tuned, not '{rules}'")
    return ThreatPlayer(ThreatLimits(depth, nodes, seconds), guide, table, name)
