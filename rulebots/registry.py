"""Finds the games, and the modules of each: by folder and by entry point, imported when needed."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import pkgutil
from importlib import metadata
from types import ModuleType

from rulebots.errors import UsageError, unknown
from rulebots.user_code import CodeError, in_users_terms, place_of_module

#: The package whose folders are games, and the group of entry points that name further ones.
GAMES = "rulebots.games"
#: The game that commands use if none is named.
DEFAULT_GAME = "lost-cities"


def game_names() -> tuple[str, ...]:
    """The names of all games, sorted."""
    return tuple(sorted(packages()))


def module_of(game: str, part: str, *needed: str) -> ModuleType:
    """The module of that name in a game's package.

    Raises:
        UsageError: there is no such game or module, or one of the `needed` names is missing or empty in the module.
    """
    if game not in packages():
        raise UsageError(unknown("game", game, packages()))
    path = f"{packages()[game]}.{part}"
    try:
        module = importlib.import_module(path)
    except UsageError:
        raise
    except ModuleNotFoundError as error:
        if error.name is None or not f"{path}.".startswith(f"{error.name}."):
            raise CodeError(in_users_terms(error) or str(error)) from error
        raise UsageError(f"the game '{game}' needs a module {path}: {error}") from None
    except Exception as error:
        told = in_users_terms(error)
        if told is None:
            raise
        raise CodeError(told) from error
    for name in needed:
        if not getattr(module, name, None):
            raise UsageError(f"{place_of_module(module)}: expected a name '{name}' that is not empty")
    return module


def optional_module_of(game: str, part: str) -> ModuleType | None:
    """The module of that name in a game's package; None if the package has none."""
    path = f"{packages()[game]}.{part}"
    return importlib.import_module(path) if importlib.util.find_spec(path) else None


@functools.cache
def packages() -> dict[str, str]:
    """Game name -> importable package: the folders of `rulebots/games`, then the entry points `rulebots.games`."""
    # Found without an import: a broken game does not stop the others from being found.
    spec = importlib.util.find_spec(GAMES)
    folders = spec.submodule_search_locations if spec else None
    own = (module.name for module in pkgutil.iter_modules(folders) if module.ispkg)
    found = {name.replace("_", "-"): f"{GAMES}.{name}" for name in own}
    for point in metadata.entry_points(group=GAMES):
        found.setdefault(point.name, point.value)
    return found
