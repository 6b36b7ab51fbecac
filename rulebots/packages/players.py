"""Players by name, those of population files too: a name means the same everywhere.

A player that a person names by its code is a class, a function that makes a player, or a player itself. A class or
function gets the `game` and the `name`, if it takes them; its other parameters are the settings that its name may have:
`h4.py:H4:depth=3,greedy=yes`.
"""

import contextlib
import copy
import functools
import importlib
import inspect
import shlex
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, field, fields as fields_of, make_dataclass
from pathlib import Path
from typing import Any

from rulebots.errors import UsageError, demand, did_you_mean, nearest
from rulebots.files import InputError, is_file, is_standard, read_text
from rulebots.game import Game
from rulebots.game.checks import check_kernel
from rulebots.kernel.user_code import place_of
from rulebots.packages import DEFAULT_GAME, PLAYERS, entry_points, game_names, load_game, loaded_entry_point, package_of
from rulebots.packages.games import path_of_game
from rulebots.packages.named_code import brought, code_name, is_program, load, name_program
from rulebots.packages.population import FORMAT, Entry, Population, find_player, load_population
from rulebots.packages.rule_sets import load_rules
from rulebots.players import CompiledPlayer, Player, PlayerFault, RandomPlayer, RulePlayer
from rulebots.players.player import failure_in_words, name_of
from rulebots.players.specs import settings_of
from rulebots.rules import RuleSet

#: The shipped player that is the strongest one made of rules.
CHAMPION = "champion"
#: Opponents by strength, the weakest first: see levels.py.
LEVELS = ("beginner", "casual", "club", "strong", "expert")
_PACKAGE = Path(__file__).resolve().parents[1]
#: Types of settings, as an annotation writes them.
_TYPES: Mapping[str, Any] = {
    text: kind
    for simple in (bool, int, float, str)
    for text, kind in (
        (simple.__name__, simple),
        (f"{simple.__name__} | None", simple | None),
        (f"Optional[{simple.__name__}]", simple | None),
    )
}
#: Kinds of players with settings (see specs.py), for any game: kind -> the module with its
#: `player_of(spec, game, seats)`.
KINDS: Mapping[str, str] = {
    **dict.fromkeys(("careless", "level", *LEVELS), "rulebots.packages.levels"),
    "mcts": "rulebots.search.mcts.player",
    "minimax": "rulebots.search.minimax.player",
    "openspiel": "rulebots.bridges.openspiel_player",
    "perfect": "rulebots.search.exact.tablebase",
    "rollout": "rulebots.search.rollout.player",
    "piskvork": "rulebots.protocols.program_player",
    "program": "rulebots.protocols.program_player",
}


class BredPlayer(RulePlayer):
    """The first player of a population file, or with `path.yaml#player` the one of that name.

    `rule_sets` are known in addition to those of the installed games, for rules written in a script.

    Raises:
        PopulationError: the file is not a population.
        UsageError: the file lacks that player.
    """

    def __init__(self, spec: str | Path, rule_sets: Iterable[RuleSet] = (), name: str | None = None) -> None:
        path, player = split_spec(str(spec))
        population, own_name, entry = _entry(path, player, rule_sets)
        super().__init__(population.rules, entry.weights, name or own_name)

    def identity(self) -> object:
        """What decides how the player plays: it is the rule player that the file describes, however it was read."""
        parts = {name: value for name, value in vars(self).items() if name != "name"}
        return (RulePlayer if type(self) is BredPlayer else type(self)), parts


def split_spec(spec: str) -> tuple[str, str | None]:
    """`path.yaml#player` as path and player. The player is None without a `#`, or if a file has the whole name.

    A folder's name may have a `#` as well: the longest path that is a file counts.
    """
    if "#" not in spec or is_file(spec):
        return spec, None
    for place in range(len(spec) - 1, 0, -1):
        if spec[place] == "#" and is_file(spec[:place]):
            return spec[:place], spec[place + 1 :]
    mark = next((suffix for suffix in (".yaml#", ".yml#") if suffix in spec), "#")
    path, player = spec.split(mark, 1)
    return path + mark[:-1], player


def make_player(spec: str, game: Game, seats: int | None = None) -> Player:
    """The player of that name, for tables of that many seats: see `shipped_files`.

    Built in, shipped, of an installed package, `kind:name=value,...`, `path.yaml`, `path.yaml#player`, or one of your
    own: `module:name` or `path.py:name`.

    Raises:
        UsageError: there is no such player (the message suggests the nearest name), or the file lacks the player or
            is for another game.
        PopulationError: the file is not a population.
        CodeError: your own has a mistake.
        PlayerFault: the function that makes the player fails.
    """
    if maker := package_of(game).players.get(spec):
        return player_from(maker, game, spec, spec)
    if spec == "random":
        return RandomPlayer(game)
    kind = spec.partition(":")[0]
    if kind in KINDS and not (kind in LEVELS and kind in player_names(game)):
        if is_program(spec):
            name_program(spec)
        return importlib.import_module(KINDS[kind]).player_of(spec, game, seats)
    if search := package_of(game).searches.get(kind):
        return player_from(search, game, spec, kind)
    if point := entry_points(PLAYERS, game.name).get(kind):
        maker = loaded_entry_point(point, "a player, or what makes one", makes_players)
        return player_from(maker, game, spec, kind)
    if named := code_name(spec):
        return player_from(load(named.text, "player", makes_players), game, spec, named.text)
    path, wanted = split_spec(spec)
    shipped = shipped_files(game, seats).get(path)
    if shipped is None and not _looks_like_a_file(path):
        raise UsageError(_unknown(spec, game))
    source = str(shipped or path)
    bred = BredPlayer(source if wanted is None else f"{source}#{wanted}", name=spec)
    demand(bred.game is game, f"{path}: expected players of {game.name}, not of {bred.game.name}")
    return bred


def file_of(spec: str, game: str = DEFAULT_GAME, seats: int | None = None) -> tuple[str, str | None]:
    """The population file and the player that a name means where a file is needed; `champion` is the shipped file.

    Several games ship a player of that name: the one of `game` comes first. `seats` are those of its table.
    """
    path, wanted = split_spec(spec)
    demand(path, f"expected the name of a file, not '{spec}'")
    if not _looks_like_a_file(path):
        for name in sorted(game_names(), key=lambda name: name != game):
            if path in (shipped := shipped_files(load_game(name), seats)):
                return str(shipped[path]), wanted
    return path, wanted


def entry_of(spec: str, game: str | None = None, seats: int | None = None) -> tuple[Population, str, Entry]:
    """A player in a file with its population and its name, by anything that `file_of` accepts.

    `game`, if it is said, is a name that `load_game` accepts. It must be the player's, and says whose `champion` is
    meant where several games ship one; `seats` are those of its table.

    Raises:
        UsageError: no name of a file, the file lacks the player, or is for another game. CodeError: no such game.
        PopulationError: there is no such file, or it is not a population.
    """
    played = None if game is None else load_game(game)
    meant = load_game(DEFAULT_GAME) if played is None else played
    path, wanted = file_of(spec, meant.name, seats)
    if not _looks_like_a_file(path):
        shipped = shipped_files(meant)
        what = "a player without a file" if path in player_names(meant) else "not a file"
        there = f"path.yaml, path.yaml#player, or a shipped file ({', '.join(shipped) or 'none'})"
        raise UsageError(f"'{path}' is {what}: expected {there}{did_you_mean(path, shipped)}")
    population, name, entry = _entry(path, wanted)
    demand(
        played in (None, population.game), f"{spec}: expected players of {meant.name}, not of {population.game.name}"
    )
    return population, name, entry


@functools.lru_cache(maxsize=2)  # a tournament names each player of a file
def _population(
    path: str, text: str, wanted: str | None, rule_sets: tuple[RuleSet, ...], known: tuple[int, ...]
) -> tuple[Population, list[str]]:
    """The population in a file with this text, while these things of a user's are known, and what is noted of it."""
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        population = load_population(path, rule_sets, wanted=wanted)
    return population, [str(note.message) for note in notes]


def _entry(path: str, wanted: str | None, rule_sets: Iterable[RuleSet] = ()) -> tuple[Population, str, Entry]:
    """The player of that name in a file, or the first one, with its population. Raises as `entry_of` does."""
    text = ""
    with contextlib.suppress(InputError):  # which `load_population` says
        text = read_text(path)
    own = FORMAT in text  # other layouts may read the part after the `#`
    known = tuple(id(named.thing) for named in brought())
    population, notes = _population(path, text, None if own else wanted, tuple(rule_sets), known)
    for note in notes:
        warnings.warn(note, stacklevel=1)  # of this line: said once, however often a file is loaded
    return population, *find_player(population, wanted, path)


def player_names(game: Game) -> list[str]:
    """The names that need no path: built-in players first, then shipped ones, then those of packages."""
    return list(
        dict.fromkeys([*package_of(game).players, "random", *shipped_files(game), *entry_points(PLAYERS, game.name)])
    )


def content_hash(subject: Player | Game) -> str:
    """A hash of all that decides what a player or a game does: weights, settings, code; ask before it has played."""
    from rulebots.kernel.fingerprint import fingerprint

    return fingerprint(subject)


def shipped_files(game: Game, seats: int | None = None) -> dict[str, Path]:
    """The population files that come with the package, by name without `.yaml`, sorted.

    At a table of that many seats, by default the game's usual number, `champion` is `champion_4.yaml` if four play and
    there is such a file, else `champion.yaml`; likewise every name.
    """
    # They are inside an installed package, but beside it in a checkout.
    folders = (parent / "populations" / game.file_name for parent in (_PACKAGE, _PACKAGE.parent))
    folder = next((folder for folder in folders if folder.is_dir()), None)
    files = {path.stem: path for path in sorted(folder.glob("*.yaml"))} if folder else {}
    table = game.seats_with({}) if seats is None else seats
    return {name: files.get(f"{name}_{table}", path) for name, path in files.items()}


def champion_of(game: Game) -> str:
    """The name of a strong player made of rules: the shipped champion, else the hand-tuned player."""
    return CHAMPION if CHAMPION in shipped_files(game) else package_of(game).references[0]


def file_in(spec: str) -> tuple[str, str | None] | None:
    """The file that a name clearly means, whatever the game, and the player in it; None for any other name."""
    if spec.partition(":")[0] in KINDS or code_name(spec) is not None:
        return None
    path, player = split_spec(spec)
    plain = "." not in path and is_file(path)  # which may be a player's name as well
    return (path, player) if _looks_like_a_file(path) and not plain else None


def files_among(specs: Iterable[str]) -> Iterator[tuple[str, Population]]:
    """The files that names of players clearly mean, each with what it holds. Raises as `entry_of` does."""
    for spec in specs:
        if named := file_in(spec):
            yield named[0], entry_of(spec)[0]


def options_among(specs: Iterable[str], game: Game) -> tuple[str, dict[str, int]]:
    """The first file of a game that these names mean, and the options that its players were bred for."""
    files = ((path, population) for path, population in files_among(specs) if population.game is game)
    return next(((path, population.options) for path, population in files), ("", {}))


def _looks_like_a_file(path: str) -> bool:
    yaml = path.lower().endswith((".yaml", ".yml"))
    return yaml or is_standard(path) or "/" in path or "\\" in path or is_file(path)


def _unknown(spec: str, game: Game) -> str:
    names = [*player_names(game), *LEVELS]
    there = f". A player is one of {', '.join(names)}, a file, path.yaml or path.yaml#player, or your own, path.py:NAME"
    if close := did_you_mean(spec, names):
        there = f"{close} All: rulebots players {game.name}"
    elif meant := nearest(spec, game_names()):
        there = f"; did you mean the game '{meant}'? Name it first, or as --game {meant}"
    return f"no player '{spec}' of {game.name}{there}"


def bring_code(kind: str, name: str) -> None:
    """Import what a person names; `kind` is one of `named_code.KINDS`. Raises CodeError.

    A program, `program:./mybot`, is not started before it plays.
    """
    if kind == "game":
        load_game(name)
    elif kind == "rules":
        load_rules(name)
    elif is_program(str(name)):
        name_program(name)
    elif kind == "player":
        load(name, kind, makes_players)
    elif isinstance(load(name, kind, lambda thing: isinstance(thing, RuleSet) or makes_players(thing)), RuleSet):
        load_rules(name)


def bring_player(text: str) -> None:
    """Import a player of your own, so that the names of a data file find it. Raises CodeError."""
    bring_code("player", text)


def makes_players(thing: Any) -> bool:
    """Whether a thing is a player, a class of players, a rule set, or a function that could make a player."""
    if isinstance(thing, type):
        return issubclass(thing, Player) and not inspect.isabstract(thing)
    return isinstance(thing, Player | RuleSet) or (inspect.isfunction(thing) and not thing.__name__.startswith("_"))


def player_from(thing: Any, game: Game, name: str, head: str) -> Player:
    """The player that a thing is, or makes; of a rule set, that with its hand-tuned weights.

    `name` is what a person wrote, `head` that without the settings.

    Raises:
        UsageError: wrong settings, or a player of another game. PlayerFault: it cannot be made.
    """
    if isinstance(thing, RuleSet):
        thing = RulePlayer(thing, thing.hand_tuned(), thing.name)
    demand(
        not isinstance(thing, Player) or name == head, f"'{name}': '{head}' is a player already and takes no settings"
    )
    made = isinstance(thing, Player) or not callable(thing)
    player: object = thing if made else _made(thing, game, name, head)
    if not isinstance(player, Player):
        raise PlayerFault(f"player '{name}' cannot be made: expected a Player from {head}, not {type(player).__name__}")
    if getattr(player, "game", game) is not game:
        its = path_of_game(player.game.name)
        raise UsageError(f"'{name}' plays {its}, not {game.name}: choose another player, or --game {shlex.quote(its)}")
    check_choice(player)
    if name_of(player) != name:  # a name means the same everywhere
        player = copy.copy(player)
        player.name = name
    return player


def check_choice(player: Player) -> None:
    """Raise UsageError for a compiled player whose `choose` is not a kernel with the parameters of `Style.choose`."""
    if isinstance(player, CompiledPlayer) and hasattr(player, "style"):
        check_kernel(name_of(player), "choose", player.style.choose, 6)


def _made(maker: Callable[..., object], game: Game, name: str, head: str) -> object:
    """What a class or function makes, with the settings in the name."""
    try:
        parameters = inspect.signature(maker).parameters
    except (TypeError, ValueError) as error:  # a class that is built in has none
        raise PlayerFault(f"player '{name}' cannot be made: {error}") from None
    where = _place(maker)
    demand(
        not (inspect.isfunction(maker) and "moves" in parameters),
        f"{where}: expected a class or a function that makes the player '{name}', not {head}: it makes no player, "
        "it chooses a move: write a class with it, `class Mine(Player)`, as its `choose`",
    )
    arguments: dict[str, object] = {
        word: value for word, value in (("game", game), ("name", name)) if word in parameters
    }
    others = [
        p
        for word, p in parameters.items()
        if word not in arguments and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
    ]
    record = _settings_record(others, where)
    try:
        settings = settings_of(name, record, head=head)
    except UsageError as error:
        raise UsageError(f"{error} ({where})" if where else str(error)) from None
    arguments |= {f.name: getattr(settings, f.name) for f in fields_of(record)}
    try:
        return maker(**arguments)
    except UsageError:
        raise
    except (Exception, SystemExit) as error:
        raise PlayerFault(f"player '{name}' cannot be made: it {failure_in_words(error)}") from error


def _place(maker: Callable[..., object]) -> str:
    """Where a function stands; of a class its `__init__`, or else its first method."""
    if not isinstance(maker, type):
        return place_of(maker)
    own = {name: value for name, value in vars(maker).items() if inspect.isfunction(value)}
    return place_of(own.get("__init__", next(iter(own.values()), None)))


def _settings_record(parameters: Iterable[inspect.Parameter], where: str) -> type[Any]:
    """The settings that a maker takes, as a dataclass: each of the type that it says, or that its default has.

    A parameter of another type is not a setting, and keeps its default. Raises UsageError where it has none.
    """
    entries: list[tuple[str, Any, Any]] = []
    for p in parameters:
        text = p.annotation if isinstance(p.annotation, str) else inspect.formatannotation(p.annotation)
        if p.annotation is p.empty:
            text = "str" if p.default is None or p.default is p.empty else type(p.default).__name__
        if text in _TYPES:
            entries.append(
                (p.name, _TYPES[text], field(default=MISSING if p.default is p.empty else p.default, kw_only=True))
            )
        elif p.default is p.empty:
            raise UsageError(
                f"{where}: expected a setting of type bool, int, float or str as '{p.name}', or a default for it, "
                f"not {text}"
            )
    return make_dataclass("Settings", entries, frozen=True)
