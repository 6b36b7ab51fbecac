"""The player `threats:seconds=1`: it proves forced wins, and else searches by alpha-beta."""

from __future__ import annotations

from rulebots.errors import UsageError
from rulebots.games.gomoku.game import game
from rulebots.games.gomoku.threats.search import TABLE_MEGABYTES, ThreatResult, ThreatSearch, check_search
from rulebots.players import RulePlayer
from rulebots.players.names import make_player
from rulebots.search.minimax.limits import Limits
from rulebots.search.minimax.player import LimitedPlayer


class ThreatLimits(Limits):
    """When a search for threats stops: the first limit reached ends it. Raises UsageError as `Limits` does."""

    kind = "threats"


class ThreatPlayer(LimitedPlayer[ThreatResult]):
    """Proves forced wins, and else searches by alpha-beta, with its own tables for each game.

    Raises:
        UsageError: the guide is a player of other rules than `patterns`, or a table out of range.
    """

    def __init__(
        self, limits: Limits, guide: RulePlayer, megabytes: float = TABLE_MEGABYTES, name: str = "threats"
    ) -> None:
        super().__init__(game, name, limits, guide, megabytes)
        check_search(guide, megabytes)

    def new_search(self, guide: RulePlayer, megabytes: float) -> ThreatSearch:
        """A search with empty tables."""
        return ThreatSearch(guide, megabytes)


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
