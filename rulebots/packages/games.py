"""Finds games by name: folders of rulebots/games, entry points of installed packages, and what a user brings.

Rule sets and players that other packages add to a game are entry points too, named GAME/NAME.
"""

import functools
import importlib.metadata
import importlib.util
import pkgutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rulebots.errors import UsageError, demand, listed, nearest, shown, unknown
from rulebots.files import is_file, is_folder
from rulebots.kernel.user_code import CodeError
from rulebots.packages.game_package import GamePackage
from rulebots.packages.named_code import (
    Brought,
    CodeName,
    brought,
    code_name,
    import_thing,
    imported,
    inside_data,
    known_thing,
    module_of,
    note_brought,
    package_at,
)

if TYPE_CHECKING:
    from rulebots.game import Game

#: The package whose folders are games, and the group of entry points that name further ones.
GAMES = "rulebots.games"
#: The groups of entry points of rule sets and players for a game, each named GAME/NAME.
RULES = "rulebots.rules"
PLAYERS = "rulebots.players"
#: Where games come from that exist already, `openspiel:NAME`: the modules with their `package(name)`.
SOURCES = {"openspiel": "rulebots.live.openspiel", "pettingzoo": "rulebots.live.pettingzoo"}
#: The game that commands use if none is named.
DEFAULT_GAME = "lost-cities"

_of_game: dict[Any, GamePackage] = {}
#: The games from `SOURCES` that were named in this process, by name.
_sourced: dict[str, GamePackage] = {}


def load_game(name: str) -> "Game":
    """The game of that name, or one of your own: in a folder, `./nim`, or by `module:name` or `path.py:name`.

    One of your own is known by its own name from then on, in this process.

    Raises:
        UsageError: there is none of that name (with the nearest one).
        CodeError: your own has a mistake, or the name of another game.
    """
    return load_package(name).game


def package_of(game: "Game") -> GamePackage:
    """All that belongs to a game: its rule sets, players, drawing and settings; nothing, for one without a package.

    Raises as `load_game` does.
    """
    from rulebots.game import Game  # which loads NumPy: finding names does without

    demand(isinstance(game, Game), f"expected a game, such as load_game('kalah'), not {game!r}")
    if game not in _of_game:
        known = game.name in game_names() or is_sourced(game.name)
        _of_game[game] = load_package(game.name) if known else GamePackage(game.moves.__module__, game)
    return _of_game[game]


def load_package(name: str) -> GamePackage:
    """The package of the game of that name. Raises as `load_game` does."""
    demand(isinstance(name, str), f"expected the name of a game, such as 'kalah', not {name!r}")
    if is_place(name):
        return _bring(name)
    if own := _brought_game(name):
        return own.thing
    if is_sourced(name):
        source, _, rest = name.partition(":")
        if name not in _sourced:
            _sourced[name] = importlib.import_module(SOURCES[source]).package(rest)
        return _sourced[name]
    return _installed(name)


def _installed(name: str) -> GamePackage:
    if name not in packages():
        hint = (
            ""
            if nearest(name, game_names())
            else "; one of your own is named by its folder: ./NAME, one of OpenSpiel's openspiel:NAME"
        )
        if holds_game(name):
            hint = f"; there is a folder: ./{name}" + (f" (--game ./{name} brings it)" if inside_data() else "")
        elif hint and not inside_data() and importlib.util.find_spec("pyspiel"):
            close = nearest(name, importlib.import_module("pyspiel").registered_names())
            demand(not close, f"no game '{shown(name)}' here; did you mean 'openspiel:{close}'?")
        raise UsageError(unknown("game", name, game_names()) + hint)
    if len(offers := _offers().get(name, {})) > 1:
        raise UsageError(f"several installed packages offer a game '{name}': {', '.join(offers)}; keep one of them")
    path, _, attribute = packages()[name].partition(":")
    module = imported(path, f"the game '{name}' needs a module {path}: there is none", UsageError)
    package = _package_in(module, attribute)
    demand(package.game.name == name, f"{module.__file__}: expected a game named '{name}', not '{package.game.name}'")
    return package


def game_names() -> tuple[str, ...]:
    """The names of all games but those from `SOURCES`, sorted."""
    return tuple(sorted({*packages(), *(one.thing.game.name for one in brought() if one.kind == "game")}))


def named_games() -> tuple[str, ...]:
    """The names of all games, and of those from `SOURCES` that were named in this process."""
    return *game_names(), *sorted(_sourced)


def _brought_game(name: str) -> Brought | None:
    return next((one for one in brought() if one.kind == "game" and one.thing.game.name == name), None)


def _package_in(module: ModuleType, name: str = "") -> GamePackage:
    """The `package` of a module; or its `game`, for one that has nothing else. Raises CodeError."""
    for known in (name,) if name else ("package", "game"):
        if package := _as_package(getattr(module, known, None), module.__name__):
            return package
    file = module.__file__ or f"{module.__path__[0]}/__init__.py"
    raise CodeError(f"{file}: expected `{name or 'package'} = GamePackage(__name__, game=game, ...)`")


def _as_package(thing: Any, module: str) -> GamePackage | None:
    """A game's package from what a module has by some name; None for anything else."""
    from rulebots.game.live_loading import as_game

    if isinstance(thing, GamePackage):
        return thing
    game = as_game(thing)
    if game is None:
        return None
    parent = sys.modules.get(module.rpartition(".")[0])
    beside = (getattr(place, "package", None) for place in (sys.modules[module], parent))
    own = (package for package in beside if isinstance(package, GamePackage) and package.game is game)
    return next(own, GamePackage(module, game))


@functools.cache
def packages() -> dict[str, str]:
    """Game name -> `module` or `module:name` of its package, found without an import: one may be broken."""
    return {name: next(iter(offers)) for name, offers in _offers().items()}


@functools.cache
def _offers() -> dict[str, dict[str, None]]:
    """By the name of a game what offers it: its folder in this package, else the entry points of others."""
    folder = str(Path(__file__).parents[1] / "games")
    own = [module.name for module in pkgutil.iter_modules([folder]) if module.ispkg]
    offers = {name.replace("_", "-"): {f"{GAMES}.{name}": None} for name in sorted(own)}
    shipped = set(offers)
    for point in _entry_points(GAMES):
        if point.name not in shipped:
            offers.setdefault(point.name, {})[point.value] = None
    return offers


def is_shipped(game: "Game") -> bool:
    """Whether a game is one of this package, with nothing of it replaced."""
    return packages().get(game.name, "").startswith(f"{GAMES}.") and load_game(game.name) is game


def is_place(name: str) -> bool:
    """Whether a game's name is a folder, a file or a module's name, and not the name of an installed game."""
    is_path = "/" in name or "\\" in name or name in {".", ".."}
    return is_path or (code_name(name) is not None and not is_sourced(name))


def holds_game(folder: str) -> bool:
    """Whether a path is that of a folder of a game, or of a folder around one."""
    return is_file(_game_folder(Path(folder)) / "game.py")


def is_sourced(name: str) -> bool:
    """Whether a game's name is that of one of somebody else's, such as `openspiel:chess`."""
    source, _, rest = name.partition(":")
    return bool(rest) and source in SOURCES


def path_of_game(game: str) -> str:
    """How another process on this machine names a game: its name, or the whole path that it was brought from."""
    own = _brought_game(game)
    return own.named.absolute if own else game


def origin_of_game(game: str) -> str | None:
    """What a person named a game by that is not installed, such as `./nim`; None for an installed one."""
    own = _brought_game(game)
    return own.named.text if own else None


def _bring(text: str) -> GamePackage:
    """The game in a folder such as `./nim`, or what `module:name` or `path.py:name` names. Raises CodeError."""
    named = code_name(text) or _folder_name(text)
    if inside_data():
        return known_thing(named, "game", lambda thing: isinstance(thing, GamePackage))
    package = _package_named(named)
    name = package.game.name
    own = _brought_game(name)
    known = own.thing if own else _installed(name) if name in packages() else package
    if known.game is not package.game:
        where = own.named.absolute if own else f"the package {known.module}"
        raise CodeError(f"{named.absolute}: a second game named '{name}': {where} is one already; rename this one")
    if name not in packages():
        note_brought("game", named, known)
    return known


def _package_named(named: CodeName) -> GamePackage:
    """The package that a place names, imported. Raises CodeError."""
    if named.name or named.is_file:
        thing = import_thing(named, "game", lambda thing: _as_package(thing, __name__) is not None)
        return _as_package(thing, module_of(named).__name__)  # type: ignore[return-value]  # it is one
    folder = Path(named.place)
    demand(
        is_folder(folder),
        f"{folder}: expected the folder of a game; there is {'a file' if is_file(folder) else 'none'}",
        CodeError,
    )
    if not is_file(folder / "game.py"):
        demand(
            not is_file(folder / "log.jsonl"),
            f"{folder}: expected a game, not the folder of a run: name the game; the player is {folder}/champion.yaml",
            CodeError,
        )
        inner = sorted(str(path.parent) for path in folder.glob("*/game.py"))
        hint = f"; there is one in {listed(inner)}" if inner else ""
        raise CodeError(f"{folder}: expected a game.py in the folder of a game{hint}")
    return _package_in(imported(package_at(folder), f"{folder}: it is gone"))


def _game_folder(folder: Path) -> Path:
    """The folder; or the only one in it with a game, as in a folder that `rulebots new` wrote."""
    around = is_folder(folder) and not is_file(folder / "game.py")
    inner = [path.parent for path in folder.glob("*/game.py")] if around else []
    return inner[0] if len(inner) == 1 else folder


def _folder_name(text: str) -> CodeName:
    """The name of a game's folder, or of the only game's folder in it."""
    folder = _game_folder(Path(text))
    if folder == Path(text):
        return CodeName(text)
    return CodeName(str(folder) if folder.is_absolute() else f"./{folder.as_posix()}")


def entry_points(group: str, game: str) -> Mapping[str, importlib.metadata.EntryPoint]:
    """The entry points of a group for a game, by the name after the `/`."""
    return {
        point.name.removeprefix(f"{game}/"): point
        for point in _entry_points(group)
        if point.name.startswith(f"{game}/")
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
def _entry_points(group: str) -> tuple[importlib.metadata.EntryPoint, ...]:
    return tuple(importlib.metadata.entry_points(group=group))


def loaded_entry_point(point: importlib.metadata.EntryPoint, what: str, fits: Callable[[Any], bool]) -> Any:
    """What an entry point of an installed package stands for. Raises CodeError where it fails or does not fit."""
    where = f"entry point '{point.name}' of {point.group}"
    module = imported(point.module, f"{where}: there is no module {point.module}")
    try:
        thing: Any = functools.reduce(getattr, filter(None, point.attr.split(".")), module)
    except AttributeError:
        raise CodeError(f"{where}: {point.module} has no '{point.attr}'") from None
    demand(fits(thing), f"{where}: expected {what} as {point.value}, not a {type(thing).__name__}", CodeError)
    return thing


def broken_entry_points(group: str, game: str, what: str, fits: Callable[[Any], bool]) -> list[str]:
    """A line for each entry point of a group for a game that cannot be used."""
    lines = []
    for point in entry_points(group, game).values():
        try:
            loaded_entry_point(point, what, fits)
        except CodeError as error:
            lines.append(f"{point.name} cannot be used: {error}")
    return lines
