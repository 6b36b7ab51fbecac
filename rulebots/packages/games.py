"""Finds games by name: folders of rulebots/games, entry points of installed packages, and what a user brings.

Rule sets and players that other packages add to a game are entry points too, named GAME/NAME.
"""

from __future__ import annotations

import functools
import importlib.util
import pkgutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rulebots.errors import UsageError, listed, nearest, unknown
from rulebots.files import is_file, is_folder
from rulebots.kernel.user_code import CodeError
from rulebots.packages.game_package import GamePackage
from rulebots.packages.importing import imported, module_at, package_at
from rulebots.packages.named_code import code_name, inside_data, load, refuse_in_data

if TYPE_CHECKING:
    from rulebots.game import Game

#: The package whose folders are games, and the group of entry points that name further ones.
GAMES = "rulebots.games"
#: The groups of entry points of rule sets and players for a game, each named GAME/NAME.
RULES = "rulebots.rules"
PLAYERS = "rulebots.players"
#: The game that commands use if none is named.
DEFAULT_GAME = "lost-cities"


@dataclass(frozen=True)
class Brought:
    """A game that a user brought in this process: what it was named by, and the name that means the same anywhere."""

    package: GamePackage
    text: str
    place: str


#: By the names of the games.
_brought: dict[str, Brought] = {}
_of_game: dict[Any, GamePackage] = {}


def load_game(name: str) -> Game:
    """The game of that name, or one of your own: in a folder, `./nim`, or by `module:name` or `path.py:name`.

    One of your own is known by its own name from then on, in this process.

    Raises:
        UsageError: there is none of that name (with the nearest one).
        CodeError: your own has a mistake, or the name of another game.
    """
    return load_package(name).game


def package_of(game: Game) -> GamePackage:
    """All that belongs to a game: its rule sets, players, drawing and settings; nothing, for one without a package.

    Raises as `load_game` does.
    """
    from rulebots.game import Game  # which loads NumPy: finding names does without

    if not isinstance(game, Game):
        raise UsageError(f"expected a game, such as load_game('kalah'), not {game!r}")
    if game not in _of_game:
        known = game.name in _brought or game.name in packages()
        _of_game[game] = load_package(game.name) if known else GamePackage(game.moves.__module__, game)
    return _of_game[game]


def load_package(name: str) -> GamePackage:
    """The package of the game of that name. Raises as `load_game` does."""
    if not isinstance(name, str):
        raise UsageError(f"expected the name of a game, such as 'kalah', not {name!r}")
    if is_place(name):
        return _bring(name)
    if name in _brought:
        return _brought[name].package
    known = packages()
    if name not in known:
        brings = f" (--game ./{name} brings it)" if inside_data() else ""
        here = f"; there is a folder: ./{name}{brings}" if is_file(_game_folder(Path(name)) / "game.py") else ""
        own = "" if here or nearest(name, game_names()) else "; one of your own is named by its folder: ./NAME"
        raise UsageError(unknown("game", name, game_names()) + here + own)
    if len(offers := _offers().get(name, {})) > 1:
        raise UsageError(f"several installed packages offer a game '{name}': {', '.join(offers)}; keep one of them")
    path, _, attribute = known[name].partition(":")
    module = imported(path)
    if module is None:
        raise UsageError(f"the game '{name}' needs a module {path}: there is none")
    package = _package_in(module, attribute)
    if package.game.name != name:
        raise UsageError(f"{module.__file__}: expected a game named '{name}', not '{package.game.name}'")
    return package


def game_names() -> tuple[str, ...]:
    """The names of all games, sorted."""
    return tuple(sorted({*packages(), *_brought}))


def _package_in(module: ModuleType, name: str = "") -> GamePackage:
    """The `package` of a module; or its `game`, for one that has nothing else. Raises CodeError."""
    for known in (name,) if name else ("package", "game"):
        if (package := _as_package(getattr(module, known, None), module.__name__)) is not None:
            return package
    file = module.__file__ or f"{module.__path__[0]}/__init__.py"
    raise CodeError(f"{file}: expected `{name or 'package'} = GamePackage(__name__, game=game, ...)`")


def _as_package(thing: Any, module: str) -> GamePackage | None:
    """A game's package from what a module has by some name; None for anything else."""
    from rulebots.game import Game

    if isinstance(thing, GamePackage):
        return thing
    if not isinstance(thing, Game):
        return None
    parent = sys.modules.get(module.rpartition(".")[0])
    beside = (getattr(place, "package", None) for place in (sys.modules[module], parent))
    own = (package for package in beside if isinstance(package, GamePackage) and package.game is thing)
    return next(own, GamePackage(module, thing))


@functools.cache
def packages() -> dict[str, str]:
    """Game name -> `module` or `module:name` of its package, found without an import: one may be broken."""
    return {name: next(iter(offers)) for name, offers in _offers().items()}


@functools.cache
def _offers() -> dict[str, dict[str, None]]:
    """By the name of a game what offers it: its folder in this package, else the entry points of others."""
    spec = importlib.util.find_spec(GAMES)
    folders = spec.submodule_search_locations if spec else None
    own = [module.name for module in pkgutil.iter_modules(folders) if module.ispkg]
    offers = {name.replace("_", "-"): {f"{GAMES}.{name}": None} for name in sorted(own)}
    shipped = set(offers)
    for point in _entry_points(GAMES):
        if point.name not in shipped:
            offers.setdefault(point.name, {})[point.value] = None
    return offers


def is_place(name: str) -> bool:
    """Whether a game's name is a folder, a file or a module's name, and not the name of an installed game."""
    return "/" in name or "\\" in name or name in {".", ".."} or code_name(name) is not None


def path_of_game(game: str) -> str:
    """How another process on this machine names a game: its name, or the whole path that it was brought from."""
    return _brought[game].place if game in _brought else game


def brought_places() -> list[str]:
    """The places of all games that were brought in this process."""
    return [brought.place for brought in _brought.values()]


def origin_of_game(game: str) -> str | None:
    """What a person named a game by that is not installed, such as `./nim`; None for an installed one."""
    return _brought[game].text if game in _brought else None


def _bring(place: str) -> GamePackage:
    """The game in a folder such as `./nim`, or what `module:name` or `path.py:name` names. Raises CodeError."""
    named = code_name(place)
    if named is None:
        brought = _brought_folder(place)
    else:
        thing = load(place, "game", lambda thing: _as_package(thing, __name__) is not None)
        module = module_at(Path(named.place)).__name__ if named.is_file else named.place
        package = _as_package(thing, module)
        assert package is not None
        brought = Brought(package, named.text, named.absolute)
    name = brought.package.game.name
    installed = load_package(name) if name not in _brought and name in packages() else None
    if installed is not None and installed is not brought.package:
        where = f"the package {installed.module}"
        raise CodeError(f"{brought.place}: a second game named '{name}': {where} is one already; rename this one")
    known = _brought.setdefault(name, brought) if installed is None else brought
    if known.package.game is not brought.package.game:
        raise CodeError(f"{brought.place}: a second game named '{name}': {known.place} is one already; rename this one")
    return known.package


def _game_folder(folder: Path) -> Path:
    """The folder; or the only one in it with a game, as in a folder that `rulebots new` wrote."""
    around = is_folder(folder) and not is_file(folder / "game.py")
    inner = [path.parent for path in folder.glob("*/game.py")] if around else []
    return inner[0] if len(inner) == 1 else folder


def _brought_folder(place: str) -> Brought:
    """The game of a folder, or of the only game's folder in it; in data also of one of that name elsewhere.

    Raises:
        CodeError: it is not the folder of a game.
    """
    folder = _game_folder(Path(place))
    known = [brought for brought in _brought.values() if brought.place == str(folder.resolve())]
    if not known and inside_data():
        known = [brought for brought in _brought.values() if Path(brought.place).name == folder.resolve().name]
    if len(known) == 1:
        return known[0]
    refuse_in_data(place, "game")
    if not is_folder(folder):
        raise CodeError(f"{folder}: expected the folder of a game; there is {'a file' if is_file(folder) else 'none'}")
    if not is_file(folder / "game.py"):
        inner = sorted(str(path.parent) for path in folder.glob("*/game.py"))
        hint = f"; there is one in {listed(inner)}" if inner else ""
        raise CodeError(f"{folder}: expected a game.py in the folder of a game{hint}")
    module = imported(package_at(folder))
    assert module is not None
    package = _package_in(module)
    text = place if folder == Path(place) else str(folder) if folder.is_absolute() else f"./{folder.as_posix()}"
    return Brought(package, text, str(folder.resolve()))


def entry_points(group: str, game: str) -> Mapping[str, metadata.EntryPoint]:
    """The entry points of a group for a game, by the name after the `/`."""
    return {
        point.name.partition("/")[2]: point
        for point in _entry_points(group)
        if point.name.partition("/")[0] == game and "/" in point.name
    }


def misnamed_entry_points() -> list[str]:
    """A line for each entry point that has the name of a game of this package, or is not named GAME/NAME."""
    taken = [
        f"entry point '{point.name}' of {GAMES}, {point.value}: that game comes with rulebots; choose another name"
        for point in _entry_points(GAMES)
        if packages()[point.name].startswith(f"{GAMES}.") and not point.value.startswith(f"{GAMES}.")
    ]
    return taken + [
        f"entry point '{point.name}' of {group}: expected its name as GAME/NAME, such as {DEFAULT_GAME}/{point.name}"
        for group in (RULES, PLAYERS)
        for point in _entry_points(group)
        if "/" not in point.name
    ]


@functools.cache
def _entry_points(group: str) -> tuple[metadata.EntryPoint, ...]:
    return tuple(metadata.entry_points(group=group))


def loaded_entry_point(point: metadata.EntryPoint, what: str, fits: Callable[[Any], bool]) -> Any:
    """What an entry point of an installed package stands for. Raises CodeError where it fails or does not fit."""
    where = f"entry point '{point.name}' of {point.group}"
    found: Any = imported(point.module)
    if found is None:
        raise CodeError(f"{where}: there is no module {point.module}")
    for name in filter(None, point.attr.split(".")):
        if not hasattr(found, name):
            raise CodeError(f"{where}: {point.module} has no '{point.attr}'")
        found = getattr(found, name)
    if not fits(found):
        raise CodeError(f"{where}: expected {what} as {point.value}, not a {type(found).__name__}")
    return found


def broken_entry_points(group: str, game: str, what: str, fits: Callable[[Any], bool]) -> list[str]:
    """A line for each entry point of a group for a game that cannot be used."""
    lines = []
    for point in entry_points(group, game).values():
        try:
            loaded_entry_point(point, what, fits)
        except CodeError as error:
            lines.append(f"{point.name} cannot be used: {error}")
    return lines
