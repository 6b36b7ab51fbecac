"""Games with other parts than those of their packages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulebots.game import Game
from rulebots.packages import games, package_of


def with_parts(game: Game, **parts: Any) -> Game:
    """The same game, with other parts beside its law."""
    copy = replace(game)
    games._of_game[copy] = replace(package_of(game), game=copy, **parts)
    return copy


def with_text(game: Game, **text: Any) -> Game:
    """The same game, read or written in another way."""
    return replace(game, text=replace(game.text, **text))
