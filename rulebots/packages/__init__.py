"""Packages: all that belongs to a game, and what there is by name.

`game_package` has `GamePackage`, `games` finds them, `rule_sets` and `players` find what plays them, `population` reads
their files, `named_code` imports what `module:name` and `path.py:name` stand for, and `scaffold` copies the example
packages for `rulebots new`.
"""

from rulebots.kernel.user_code import CodeError, in_users_terms
from rulebots.packages.game_package import ForcedWins, GamePackage
from rulebots.packages.games import (
    DEFAULT_GAME,
    PLAYERS,
    broken_entry_points,
    entry_points,
    game_names,
    is_place,
    is_shipped,
    is_sourced,
    load_game,
    loaded_entry_point,
    misnamed_entry_points,
    named_games,
    origin_of_game,
    package_of,
    packages,
    path_of_game,
)

__all__ = [
    "DEFAULT_GAME",
    "PLAYERS",
    "CodeError",
    "ForcedWins",
    "GamePackage",
    "broken_entry_points",
    "entry_points",
    "game_names",
    "in_users_terms",
    "is_place",
    "is_shipped",
    "is_sourced",
    "load_game",
    "loaded_entry_point",
    "misnamed_entry_points",
    "named_games",
    "origin_of_game",
    "package_of",
    "packages",
    "path_of_game",
]
