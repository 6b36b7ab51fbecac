"""`minimax:depth=6`, `minimax:seconds=0.1,rules=champion.yaml`: see docs/reference/search-settings.md."""

from __future__ import annotations

from dataclasses import dataclass

from rulebots.game import Game, UsageError
from rulebots.players import RulePlayer
from rulebots.roster import make_player
from rulebots.search.minimax import TABLE_MEGABYTES, Limits
from rulebots.search.minimax_player import MinimaxPlayer
from rulebots.specs import settings_of

MOST_MEGABYTES = 4096


@dataclass(frozen=True)
class Named:
    """What may stand behind `minimax:`; at least one of the first three."""

    #: Plies to look ahead, nodes and seconds a decision; whatever ends first.
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    #: The name of a rule player whose rules and weights guide the search.
    rules: str | None = None
    #: Megabytes of the transposition table.
    table: float = TABLE_MEGABYTES


def player_of(spec: str, game: Game) -> MinimaxPlayer:
    """The player of that name. Raises UsageError for settings that are none, or out of range."""
    named = settings_of(spec, Named)
    try:
        limits = Limits(named.depth, named.nodes, named.seconds)
    except UsageError as error:
        raise UsageError(f"'{spec}': {error}") from None
    if not 0 <= named.table <= MOST_MEGABYTES:
        raise UsageError(f"'{spec}': expected a 'table' of 0 to {MOST_MEGABYTES} megabytes, not {named.table:g}")
    guide = None if named.rules is None else make_player(named.rules, game)
    if guide is not None and not isinstance(guide, RulePlayer):
        raise UsageError(f"'{spec}': expected a player that is made of rules, not '{named.rules}'")
    return MinimaxPlayer(game, limits, guide, named.table, name=spec)
