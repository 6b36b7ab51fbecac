"""What there is, by name: games, their modules, and things in a person's own files.

`games` finds the games that are installed or were brought, `named_code` what `module:name` and `path.py:name` stand
for, and `importing` imports a person's files.
"""

from rulebots.registry.game_parts import GameParts, parts_of
from rulebots.registry.games import (
    DEFAULT_GAME,
    GAMES,
    PLAYERS,
    RULES,
    Home,
    bring,
    broken_points,
    brought_places,
    game_names,
    homes,
    is_place,
    load_game,
    loaded_point,
    misnamed_points,
    module_of,
    optional_module_of,
    origin_of_game,
    packages,
    place_of,
    points,
)

__all__ = [
    "DEFAULT_GAME",
    "GAMES",
    "PLAYERS",
    "RULES",
    "GameParts",
    "Home",
    "bring",
    "broken_points",
    "brought_places",
    "game_names",
    "homes",
    "is_place",
    "load_game",
    "loaded_point",
    "misnamed_points",
    "module_of",
    "optional_module_of",
    "origin_of_game",
    "packages",
    "parts_of",
    "place_of",
    "points",
]
