"""The player's name `perfect`, which has no settings."""

from __future__ import annotations

from dataclasses import dataclass

from rulebots.game import Game
from rulebots.players.specs import settings_of
from rulebots.search.exact.player import PerfectPlayer


@dataclass(frozen=True)
class PerfectSpec:
    """No settings."""


def player_of(spec: str, game: Game) -> PerfectPlayer:
    """The player of that name.

    Raises:
        UsageError: any setting, or a game that hides something.
    """
    settings_of(spec, PerfectSpec)
    return PerfectPlayer(game, spec)
