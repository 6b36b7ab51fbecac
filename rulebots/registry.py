"""Which games there are, and the modules of each: found by folder and entry point, imported when asked for."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import pkgutil
from importlib import metadata
from types import ModuleType

from rulebots.errors import UsageError, unknown


def game_names() -> tuple[str, ...]:
    """The names of all games found, sorted."""
    return tuple(sorted(packages()))


def module_of(game: str, part: str, *needed: str) -> ModuleType:
    """The module of that name in a game's package.

    Raises:
        UsageError: there is no such game or module, or the module lacks one of the needed names or leaves it empty.
    """
    if game not in packages():
        raise UsageError(unknown("game", game, packages()))
    path = f"{packages()[game]}.{part}"
    try:
        module = importlib.import_module(path)
    except ImportError as error:
        raise UsageError(f"the game '{game}' needs a module {path}: {error}") from None
    for name in needed:
        if not getattr(module, name, None):
            raise UsageError(f"{module.__file__}: expected a name '{name}' that is not empty")
    return module


def optional_module_of(game: str, part: str) -> ModuleType | None:
    """Likewise; None where the package has no such module."""
    path = f"{packages()[game]}.{part}"
    return importlib.import_module(path) if importlib.util.find_spec(path) else None


@functools.cache
def packages() -> dict[str, str]:
    """Game name -> importable package: the folders of `rulebots/games`, then the entry points `rulebots.games`."""
    import rulebots.games

    own = (m.name for m in pkgutil.iter_modules(rulebots.games.__path__) if m.ispkg)
    found = {name.replace("_", "-"): f"rulebots.games.{name}" for name in own}
    for point in metadata.entry_points(group="rulebots.games"):
        found.setdefault(point.name, point.value)
    return found
