"""OpenSpiel's Monte Carlo tree search as a player: `openspiel:mcts:simulations=1000`."""

from __future__ import annotations

from dataclasses import dataclass

from rulebots.errors import UsageError
from rulebots.files.extras import optional_module
from rulebots.files.ranges import check_numbers, number
from rulebots.game import Game
from rulebots.players.specs import settings_of

#: The searches of OpenSpiel that are players.
SEARCHES = ("mcts",)


@dataclass(frozen=True)
class SpielMctsSettings:
    """How OpenSpiel's MCTS searches: UCT with random rollouts, that proves what it can."""

    simulations: int = number(1000, 1, 10**9, "simulations per decision")
    c: float = number(2.0, 0.0, 1000.0, "exploration constant")
    rollouts: int = number(1, 1, 10**6, "random games that evaluate a leaf")

    def __post_init__(self) -> None:
        check_numbers(self, "openspiel:mcts")


def player_of(spec: str, game: Game) -> object:
    """The player of that name.

    Raises:
        UsageError: not `openspiel:mcts:NAME=VALUE,...`, a game that hides something, or OpenSpiel is not installed.
    """
    _, _, rest = spec.partition(":")
    search, _, text = rest.partition(":")
    if search not in SEARCHES:
        raise UsageError(f"'{spec}': expected openspiel:mcts, or openspiel:mcts:simulations=1000")
    settings = settings_of(
        f"openspiel:mcts:{text}" if text else "openspiel:mcts", SpielMctsSettings, head="openspiel:mcts"
    )
    optional_module("pyspiel", "open-spiel", f"'{spec}'")
    from rulebots.bridges.openspiel.player import SpielMctsPlayer

    return SpielMctsPlayer(game, settings, spec)
