"""Finds the games, and the modules of each: by folder and by entry point, imported when needed.

Rule sets and players that other packages add to a game are entry points too, named GAME/NAME.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rulebots.errors import UsageError, listed, nearest, unknown
from rulebots.files import is_file, is_folder
from rulebots.kernel.user_code import CodeError, place_of_module
from rulebots.packages.importing import import_mistakes, imported, module_at, package_at
from rulebots.packages.named_code import CodeName, code_name, inside_data, load, refuse_in_data

if TYPE_CHECKING:
    from rulebots.game import Game

#: The package whose folders are games, and the group of entry points that name further ones.
GAMES = "rulebots.games"
#: The groups of entry points of rule sets and players for a game, each named GAME/NAME.
RULES, PLAYERS = "rulebots.rules", "rulebots.players"
#: The game that commands use if none is named.
DEFAULT_GAME = "lost-cities"


@dataclass(frozen=True)
class Home:
    """Where a game's modules are: in a package, one for each part, or all parts in a single module.

    `text` is what a person named it by, and `place` that for another folder; both are "" for an installed game.
    """

    module: str
    single: bool = False
    text: str = ""
    place: str = ""

    def path(self, part: str) -> str:
        """The importable name of a part, such as `rules`."""
        return self.module if self.single else f"{self.module}.{part}"


#: Games that persons brought from a folder or a file: name -> where.
_brought: dict[str, Home] = {}


def load_game(name: str) -> Game:
    """The game of that name, or one of your own: in a folder, `./nim`, or by `module:name` or `path.py:name`.

    One of your own is known by its own name from then on, in this process.

    Raises:
        UsageError: there is none of that name (with the nearest one).
        CodeError: your own has a mistake, or the name of another game.
    """
    if not isinstance(name, str):
        raise UsageError(f"expected the name of a game, such as 'kalah', not {name!r}")
    if is_place(name):
        return _brought_game(name)
    module = module_of(name, "game", "game")
    game = module.game
    if not _is_game(game) or game.name != name:
        raise UsageError(f"{module.__file__}: expected a Game named '{name}' as its `game`")
    found: Game = game
    return found


def _is_game(thing: Any) -> bool:
    from rulebots.game import Game

    return isinstance(thing, Game)


def game_names() -> tuple[str, ...]:
    """The names of all games, sorted."""
    return tuple(sorted(homes()))


def homes() -> dict[str, Home]:
    """Where each game that can be named is: the installed ones, and those that were brought in this process."""
    return {**{name: Home(package) for name, package in packages().items()}, **_brought}


def module_of(game: str, part: str, *needed: str) -> ModuleType:
    """The module of that name in a game's package.

    Raises:
        UsageError: there is no such game or module, or one of the `needed` names is missing or empty in the module.
        CodeError: it fails when it is imported.
    """
    known = homes()
    if game not in known:
        brings = f" (--game ./{game} brings it)" if inside_data() else ""
        here = f"; there is a folder: ./{game}{brings}" if is_file(_game_folder(Path(game)) / "game.py") else ""
        own = "" if here or nearest(game, known) else "; one of your own is named by its folder: ./NAME"
        raise UsageError(unknown("game", game, known) + here + own)
    if game in (twice := _offered_twice()):
        raise UsageError(
            f"several installed packages offer a game '{game}': {', '.join(twice[game])}; keep one of them"
        )
    path = known[game].path(part)
    module = imported(path)
    if module is None:
        raise UsageError(f"the game '{game}' needs a module {path}: there is none")
    for name in needed:
        if not getattr(module, name, None):
            raise UsageError(f"{place_of_module(module)}: expected a name '{name}' that is not empty")
    return module


def optional_module_of(game: str, part: str) -> ModuleType | None:
    """The module of that name in a game's package, or the game's only file; None without one. Raises CodeError."""
    home = homes().get(game)
    path = home.path(part) if home else ""
    if not home or not (home.single or importlib.util.find_spec(path)):
        return None
    with import_mistakes(path):
        return importlib.import_module(path)


@functools.cache
def packages() -> dict[str, str]:
    """Game name -> importable package: the folders of `rulebots/games`, then the entry points `rulebots.games`."""
    # Found without an import: a broken game does not stop the others from being found.
    spec = importlib.util.find_spec(GAMES)
    folders = spec.submodule_search_locations if spec else None
    own = (module.name for module in pkgutil.iter_modules(folders) if module.ispkg)
    found = {name.replace("_", "-"): f"{GAMES}.{name}" for name in own}
    for point in _entry_points(GAMES):
        found.setdefault(point.name, point.value)
    return found


@functools.cache
def _offered_twice() -> dict[str, list[str]]:
    """The games that several packages offer under one name; those of this package keep their names."""
    offers: dict[str, set[str]] = {}
    for point in _entry_points(GAMES):
        offers.setdefault(point.name, set()).add(point.value)
    own = [name for name, package in packages().items() if package.startswith(f"{GAMES}.")]
    return {name: sorted(values) for name, values in offers.items() if len(values) > 1 and name not in own}


def is_place(name: str) -> bool:
    """Whether a game's name is a folder, a file or a module's name, and not the name of an installed game."""
    return "/" in name or "\\" in name or name in {".", ".."} or code_name(name) is not None


def path_of_game(game: str) -> str:
    """How another process on this machine names a game: its name, or the whole path that it was brought from."""
    home = _brought.get(game)
    return game if home is None else home.place


def brought_places() -> list[str]:
    """The places of all games that were brought in this process."""
    return [home.place for home in _brought.values()]


def origin_of_game(game: str) -> str | None:
    """What a person named a game by that is not installed, such as `./nim`; None for an installed one."""
    home = _brought.get(game)
    return home.text if home else None


def _brought_game(place: str) -> Game:
    """The game in a folder such as `./nim`, or what `module:name` or `path.py:name` names. Raises CodeError."""
    named = code_name(place)
    if named is None:
        folder = _game_folder(Path(place))
        home = _known_folder(folder) or _new_folder(place, folder)
        with import_mistakes(place):
            module = importlib.import_module(home.path("game"))
        game: Any = getattr(module, "game", None)
        if not _is_game(game):
            raise CodeError(f"{module.__file__}: expected a Game as its 'game'")
    else:
        game, home = load(place, "game", _is_game), _home_of_name(named)
    known = homes().get(game.name)
    if known is None:
        _brought[game.name] = home
    elif known.path("game") != home.path("game"):
        where = known.place or f"the package {known.module}"
        raise CodeError(f"{home.place}: a second game named '{game.name}': {where} is one already; rename this one")
    found: Game = game
    return found


def _game_folder(folder: Path) -> Path:
    """The folder; or the only one in it with a game, as in a folder that `rulebots new` wrote."""
    around = is_folder(folder) and not is_file(folder / "game.py")
    inner = [path.parent for path in folder.glob("*/game.py")] if around else []
    return inner[0] if len(inner) == 1 else folder


def _known_folder(folder: Path) -> Home | None:
    """The folder of a game that was brought before; in data also one of that name that stands elsewhere."""
    places = [home for home in _brought.values() if home.place == str(folder.resolve())]
    if not places and inside_data():
        places = [home for home in _brought.values() if Path(home.place).name == folder.resolve().name]
    return places[0] if len(places) == 1 else None


def _new_folder(place: str, folder: Path) -> Home:
    """A game's folder that a person names for the first time, by its place or by that of the folder around it.

    Raises:
        CodeError: it is not the folder of a game.
    """
    refuse_in_data(place, "game")
    if not is_folder(folder):
        raise CodeError(f"{folder}: expected the folder of a game; there is {'a file' if is_file(folder) else 'none'}")
    if not is_file(folder / "game.py"):
        inner = sorted(str(path.parent) for path in folder.glob("*/game.py"))
        hint = f"; there is one in {listed(inner)}" if inner else ""
        raise CodeError(f"{folder}: expected a game.py in the folder of a game{hint}")
    text = place if folder == Path(place) else str(folder) if folder.is_absolute() else f"./{folder.as_posix()}"
    return Home(package_at(folder), text=text, place=str(folder.resolve()))


def _home_of_name(named: CodeName) -> Home:
    """Where the parts of a game are that was named by its module."""
    module = module_at(Path(named.place)).__name__ if named.is_file else named.place
    package, _, last = module.rpartition(".")
    single = last != "game" or not package
    return Home(module if single else package, single, named.text, named.absolute)


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
