"""The files of an export, and the players of levels that can be exported."""

from collections.abc import Callable
from pathlib import Path

from rulebots.export.c import c_file
from rulebots.export.contents import Contents
from rulebots.export.javascript import declarations, javascript_file
from rulebots.export.page import page_files
from rulebots.export.python import python_file
from rulebots.game import Game
from rulebots.packages.levels import level_players
from rulebots.packages.players import KINDS, make_player
from rulebots.players import Player

#: The kind of players of levels that move at random now and then.
CARELESS = "careless"


def files_of(contents: Contents, language: str, out: Path, say: Callable[[str], None] = print) -> dict[Path, str]:
    """The files of an export in a language, as text, by path: `out`, and for "js" its type declarations.

    For "web" it is a folder, and `say` is told what the page does without.

    Raises:
        UsageError: there can be no page of this game.
    """
    if language == "web":
        return page_files(contents, out, say)
    if language in ("python", "c"):
        return {out: {"python": python_file, "c": c_file}[language](contents)}
    types = out.with_suffix(".d.mts" if out.suffix == ".mjs" else ".d.ts")
    return {out: javascript_file(contents), types: declarations(contents)}


def levels_of(game: Game, seats: int) -> tuple[dict[str, Player], dict[str, str]]:
    """The players of a game's levels that can be exported, by level; and of the others, why not."""
    specs = level_players(game)
    refused = {level: why for level in specs if (why := why_not(level, game))}
    return {level: make_player(specs[level], game, seats) for level in specs if level not in refused}, refused


def why_not(spec: str, game: Game) -> str:
    """Why a player cannot be exported, where its name tells: it is not made, for a search compiles; else ""."""
    named = level_players(game).get(spec, spec)
    other = named.partition(":")[0] in {*KINDS} - {CARELESS}
    return f"it is {named}, and only players made of rules can be exported" if other else ""
