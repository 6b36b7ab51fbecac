"""What there is, by name: games, the parts of each, and what the user's files define.

`games` finds the games that are installed or were brought, `named_code` what `module:name` and `path.py:name` stand
for, and `importing` imports a person's files.
"""

from rulebots.kernel.user_code import CodeError, in_users_terms
from rulebots.packages.game_parts import GameParts, game_of_rules, parts_of
from rulebots.packages.games import (
    DEFAULT_GAME,
    PLAYERS,
    broken_entry_points,
    brought_places,
    entry_points,
    game_names,
    is_place,
    load_game,
    loaded_entry_point,
    misnamed_entry_points,
    module_of,
    origin_of_game,
    packages,
    path_of_game,
)

__all__ = [
    "DEFAULT_GAME",
    "PLAYERS",
    "CodeError",
    "GameParts",
    "broken_entry_points",
    "brought_places",
    "entry_points",
    "game_names",
    "game_of_rules",
    "in_users_terms",
    "is_place",
    "load_game",
    "loaded_entry_point",
    "misnamed_entry_points",
    "module_of",
    "origin_of_game",
    "packages",
    "parts_of",
    "path_of_game",
]
