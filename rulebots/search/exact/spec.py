"""`perfect`: see docs/reference/search-settings.md."""

from __future__ import annotations

from dataclasses import dataclass

from rulebots.game import Game
from rulebots.players.specs import settings_of
from rulebots.search.exact.player import PerfectPlayer


@dataclass(frozen=True)
class Settings:
    """There are none."""


def player_of(spec: str, game: Game) -> PerfectPlayer:
    """The player of that name. Raises UsageError for settings, and for games that hide something."""
    settings_of(spec, Settings)
    return PerfectPlayer(game, spec)
