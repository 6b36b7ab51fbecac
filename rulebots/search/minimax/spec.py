"""The player's name with settings: `minimax:depth=6`, `minimax:seconds=0.1,rules=champion.yaml`."""

from __future__ import annotations

from dataclasses import dataclass

from rulebots.errors import UsageError
from rulebots.files.ranges import number
from rulebots.game import Game
from rulebots.players import RulePlayer
from rulebots.players.names import make_player
from rulebots.players.specs import settings_of
from rulebots.search.minimax.limits import Limits
from rulebots.search.minimax.player import MinimaxPlayer
from rulebots.search.minimax.search import DRIVERS, TABLE_MEGABYTES


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
    guide = None if named.rules is None else make_player(named.rules, game)
    if guide is not None and not isinstance(guide, RulePlayer):
        raise UsageError(f"'{spec}': expected the name of a rule player, such as hand_tuned, not '{named.rules}'")
    limits = Limits(named.depth, named.nodes, named.seconds)
    return MinimaxPlayer(game, limits, guide, named.table, name=spec, driver=named.driver)
