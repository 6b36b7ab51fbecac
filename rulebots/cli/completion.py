"""What a shell offers for TAB: games, players, rule sets, players of a file. Names of other files are its own business.

A shell runs the program for each TAB, so nothing is compiled here; what cannot be read is not offered.
"""

from __future__ import annotations

import glob
from typing import Any

import typer

from rulebots.errors import UsageError
from rulebots.packages import DEFAULT_GAME, game_names, load_game, package_of
from rulebots.packages.rule_sets import rule_sets_of

_ENDINGS = (".yaml", ".yml")


def complete_game(begun: str) -> list[str]:
    """The games whose names begin like this."""
    return [name for name in game_names() if name.startswith(begun)]


def complete_player(context: typer.Context, begun: str) -> list[str]:
    """The players whose names begin like this, of the game that the command names: its own, files, players of a file.

    Of a list with commas, the last one is completed.
    """
    from rulebots.packages.players import KINDS, player_names, shipped_files

    before, comma, last = begun.rpartition(",")
    path, mark, _ = last.rpartition("#")
    try:
        game = load_game(_game_of(context))
        if mark:
            names = [f"{path}#{name}" for name in _players_in(str(shipped_files(game).get(path, path)))]
        else:
            files = [name for ending in _ENDINGS for name in sorted(glob.glob(f"{glob.escape(last)}*{ending}"))]  # noqa: PTH207 - as it was typed
            names = [*player_names(game), *package_of(game).searches, *KINDS, *files]
    except UsageError:
        return []
    return [before + comma + name for name in names if name.startswith(last)]


def complete_rules(context: typer.Context, begun: str) -> list[str]:
    """The rule sets of the game that the command names, whose names begin like this."""
    try:
        return [name for name in rule_sets_of(load_game(_game_of(context))) if name.startswith(begun)]
    except UsageError:
        return []


def _game_of(context: typer.Context) -> str:
    game: Any = context.params.get("game")
    arguments = [one.name for one in context.command.params if one.param_type_name == "argument"]
    if not game and arguments[:1] == ["game"]:  # where the value of an option is not typed yet, arguments wait
        game = context.args[:1]
    return (game[-1] if isinstance(game, list | tuple) and game else game) or DEFAULT_GAME


def _players_in(path: str) -> list[str]:
    from rulebots.packages.population import load_population

    return list(load_population(path).players)
