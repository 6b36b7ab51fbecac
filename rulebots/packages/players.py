"""Players by name, those of population files too: a name means the same everywhere."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from rulebots.errors import UsageError, nearest
from rulebots.files import is_file, is_standard
from rulebots.game import Game
from rulebots.packages import DEFAULT_GAME, PLAYERS, entry_points, game_names, load_game, loaded_entry_point, package_of
from rulebots.packages.named_code import code_name, is_program, load, name_program
from rulebots.packages.own_players import check_choice, makes_players, player_from
from rulebots.packages.population import Entry, Population, find_player, load_population
from rulebots.players import Player, PlayerFault, RandomPlayer, RulePlayer
from rulebots.players.player import failure_in_words
from rulebots.rules import RuleSet

#: The shipped player that is the strongest one made of rules.
CHAMPION = "champion"
#: The power of the search that a person meets by default.
POWER = 3
_PACKAGE = Path(__file__).resolve().parents[1]
#: Kinds of players with settings (see specs.py), for any game: kind -> the module with its `player_of(spec, game)`.
KINDS: Mapping[str, str] = {
    "careless": "rulebots.packages.levels",
    "level": "rulebots.packages.levels",
    "mcts": "rulebots.search.mcts.player",
    "minimax": "rulebots.search.minimax.player",
    "openspiel": "rulebots.bridges.openspiel_player",
    "perfect": "rulebots.search.exact.player",
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
        path, wanted = split_spec(str(spec))
        population, found, entry = _entry(path, wanted, rule_sets)
        super().__init__(population.rules, entry.weights, name or found)

    def identity(self) -> object:
        """What decides how the player plays: it is the rule player that the file describes, however it was read."""
        held = {name: value for name, value in vars(self).items() if name != "name"}
        return (RulePlayer if type(self) is BredPlayer else type(self)), held


def split_spec(spec: str) -> tuple[str, str | None]:
    """`path.yaml#player` as path and player. The player is None without a `#`, or if a file has the whole name.

    A folder's name may have a `#` as well: the longest path that is a file counts.
    """
    if "#" not in spec or is_file(spec):
        return spec, None
    for place in range(len(spec) - 1, 0, -1):
        if spec[place] == "#" and is_file(spec[:place]):
            return spec[:place], spec[place + 1 :]
    for suffix in (".yaml#", ".yml#"):
        if suffix in spec:
            path, player = spec.split(suffix, 1)
            return path + suffix[:-1], player
    path, player = spec.split("#", 1)
    return path, player


def make_player(spec: str, game: Game) -> Player:
    """The player of that name.

    Built in, shipped, of an installed package, `kind:name=value,...`, `path.yaml`, `path.yaml#player`, or one of your
    own: `module:name` or `path.py:name` (see custom.py).

    Raises:
        UsageError: there is no such player (the message suggests the nearest name), or the file lacks the player or
            is for another game.
        PopulationError: the file is not a population.
        CodeError: your own has a mistake.
        PlayerFault: the function that makes the player fails.
    """
    if not isinstance(spec, str) or not isinstance(game, Game):
        raise UsageError(
            f"expected the name of a player and a game, as in make_player('random', load_game('kalah')), "
            f"not {spec!r} and {game!r}"
        )
    if spec in package_of(game).players:
        return _own_player(spec, game)
    if spec == "random":
        return RandomPlayer(game)
    kind = spec.partition(":")[0]
    if kind in KINDS:
        if is_program(spec):
            name_program(spec)
        player: Player = importlib.import_module(KINDS[kind]).player_of(spec, game)
        return player
    if (search := package_of(game).searches.get(kind)) is not None:
        return player_from(search, game, spec, kind, spec.partition(":")[2])
    if (point := entry_points(PLAYERS, game.name).get(kind)) is not None:
        maker = loaded_entry_point(point, "a player, or what makes one", makes_players)
        return player_from(maker, game, spec, kind, spec.partition(":")[2])
    if (named := code_name(spec)) is not None:
        return player_from(load(named.text, "player", makes_players), game, spec, named.text, named.rest)
    path, wanted = split_spec(spec)
    shipped = shipped_files(game).get(path)
    if shipped is None and not _looks_like_a_file(path):
        raise UsageError(_unknown(spec, game))
    source = str(shipped or path)
    bred = BredPlayer(source if wanted is None else f"{source}#{wanted}", name=spec)
    if bred.game is not game:
        raise UsageError(f"{path}: expected players of {game.name}, not of {bred.game.name}")
    return bred


def file_of(spec: str, game: str = DEFAULT_GAME) -> tuple[str, str | None]:
    """The population file and the player that a name means where a file is needed; `champion` is the shipped file.

    Several games ship a player of that name: the one of `game` comes first.
    """
    path, wanted = split_spec(spec)
    if not path:
        raise UsageError(f"expected the name of a file, not '{spec}'")
    if not _looks_like_a_file(path):
        for name in sorted(game_names(), key=lambda name: name != game):
            if path in (shipped := shipped_files(load_game(name))):
                return str(shipped[path]), wanted
    return path, wanted


def entry_of(spec: str, game: str | None = None) -> tuple[Population, str, Entry]:
    """A player in a file with its population and its name, by anything that `file_of` accepts.

    `game`, if it is said, is a name that `load_game` accepts. It must be the player's, and says whose `champion` is
    meant where several games ship one.

    Raises:
        UsageError: no name of a file, the file lacks the player, or is for another game. CodeError: no such game.
        PopulationError: there is no such file, or it is not a population.
    """
    played = None if game is None else load_game(game)
    meant = load_game(DEFAULT_GAME) if played is None else played
    path, wanted = file_of(spec, meant.name)
    if not _looks_like_a_file(path):
        has = "a player without a file" if path in player_names(meant) else "no file"
        shipped = ", ".join(shipped_files(meant)) or "none"
        raise UsageError(f"'{path}' is {has}: expected path.yaml, path.yaml#player, or a shipped file ({shipped})")
    found = _entry(path, wanted)
    if played is not None and found[0].game is not played:
        raise UsageError(f"{spec}: expected players of {played.name}, not of {found[0].game.name}")
    return found


def _entry(path: str, wanted: str | None, rule_sets: Iterable[RuleSet] = ()) -> tuple[Population, str, Entry]:
    """The player of that name in a file, or the first one, with its population. Raises as `entry_of` does."""
    population = load_population(path, rule_sets, wanted=wanted)
    try:
        return population, *find_player(population, wanted)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def player_names(game: Game) -> list[str]:
    """The names that need no path: built-in players first, then shipped ones, then those of packages."""
    offered = entry_points(PLAYERS, game.name)
    return list(dict.fromkeys([*package_of(game).players, "random", *shipped_files(game), *offered]))


def content_hash(subject: Player | Game) -> str:
    """A hash of all that decides what a player or a game does: weights, settings, code; ask before it has played."""
    from rulebots.kernel.fingerprint import fingerprint

    return fingerprint(subject)


def shipped_files(game: Game) -> dict[str, Path]:
    """The population files that come with the package, by name without `.yaml`, sorted."""
    # They are inside an installed package, but beside it in a checkout.
    folders = (parent / "populations" / game.name.replace("-", "_") for parent in (_PACKAGE, _PACKAGE.parent))
    folder = next((folder for folder in folders if folder.is_dir()), None)
    return {path.stem: path for path in sorted(folder.glob("*.yaml"))} if folder else {}


def default_opponent(game: Game) -> str:
    """The name of a person's opponent by default: a search, or the champion where something is hidden."""
    return champion_of(game) if game.hidden else f"mcts:power={POWER}"


def champion_of(game: Game) -> str:
    """The name of a strong player made of rules: the shipped champion, else the hand-tuned player."""
    return CHAMPION if CHAMPION in shipped_files(game) else package_of(game).references[0]


def _own_player(name: str, game: Game) -> Player:
    """The player that the game's `PLAYERS` makes; a stranger's may be wrong in any way."""
    where = f"player '{name}' of {game.name} cannot be made"
    try:
        player = package_of(game).players[name]()
    except UsageError:
        raise
    except (Exception, SystemExit) as error:
        raise PlayerFault(f"{where}: it {failure_in_words(error)}") from error
    if not isinstance(player, Player):
        raise PlayerFault(f"{where}: expected a Player from PLAYERS['{name}'](), not {type(player).__name__}")
    check_choice(player)
    return player


def _looks_like_a_file(path: str) -> bool:
    return path.endswith((".yaml", ".yml")) or is_standard(path) or "/" in path or "\\" in path or is_file(path)


def _unknown(spec: str, game: Game) -> str:
    names = player_names(game)
    close = nearest(spec, names)
    hint = f"; did you mean '{close}'?" if close else "."
    return (
        f"no player '{spec}' of {game.name}{hint} A player is one of {', '.join(names)}, "
        "a file, path.yaml or path.yaml#player, or your own, path.py:NAME"
    )
