"""Games with other parts than those of their packages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from rulebots.game import Game
from rulebots.packages import games, package_of

STRANGERS = Path(__file__).with_name("strangers")


def with_parts(game: Game, **parts: Any) -> Game:
    """The same game, with other parts beside its law."""
    copy = replace(game)
    games._of_game[copy] = replace(package_of(game), game=copy, **parts)
    return copy


def with_text(game: Game, **text: Any) -> Game:
    """The same game, read or written in another way."""
    return replace(game, text=replace(game.text, **text))


def stranger(kind: str, name: str, where: Path) -> Path:
    """A stranger's game, of tests/strangers, in a new folder `where`/`name`; its package is in there."""
    package = where / name / name.replace("-", "_")
    package.mkdir(parents=True)
    for file in sorted((STRANGERS / kind).glob("*.py")):
        text = file.read_text().replace("new-game", name).replace("new_game", package.name)
        (package / file.name).write_text(text.replace("New game", name.replace("-", " ").capitalize()))
    return where / name
