"""What a browser may name: players that start no program, and files inside the served folder, links followed."""

import contextlib
import copy
import functools
import itertools
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rulebots.errors import UsageError, demand, did_you_mean, shown, unknown
from rulebots.files import InputError, is_file
from rulebots.game import Game
from rulebots.packages import load_game, named_games, package_of
from rulebots.packages.levels import LEVEL, level_players
from rulebots.packages.named_code import names_from_data
from rulebots.packages.players import LEVELS, make_player, player_names, shipped_files, split_spec
from rulebots.packages.population import (
    FORMAT as POPULATION_FORMAT,
    Entry,
    Population,
    PopulationError,
    check_population,
    find_player,
    load_population,
)
from rulebots.players import Player
from rulebots.players.specs import quoted, split_list
from rulebots.records import Record, load_record
from rulebots.records.record import FORMAT
from rulebots.tournaments.ladder import Ladder, load_ladder

#: Where the page keeps its games and ladders, below the folder.
GAMES = "games"
LADDERS = "ladders"
#: A game's file with the ladder of its levels.
LEVELS_FILE = "levels.yaml"
#: The most seconds that a search may think about a move, and what else bounds it: kind -> setting -> most.
MOST_SECONDS = 30.0
SEARCHES: Mapping[str, Mapping[str, float]] = {
    "mcts": {"seconds": MOST_SECONDS, "nodes": 2_000_000},
    "minimax": {"seconds": MOST_SECONDS, "table": 64},
    "rollout": {"seconds": MOST_SECONDS},
    "perfect": {},
}
#: A search that names none of these has no limit: `make_player` says so.
_LIMITS = {
    "mcts": {"iterations", "seconds", "power"},
    "minimax": {"depth", "nodes", "seconds"},
    "rollout": {"simulations", "seconds"},
    "perfect": set[str](),
}
#: Settings of searches whose value is the name of a rule player.
GUIDES = ("guide", "rollout", "prior", "rules")
#: The most population files or records that are listed, and the largest record, in bytes.
MOST_FILES = 200
MOST_RECORD_BYTES = 2_000_000
#: The bytes of a population file in which its format and game are looked for.
MOST_HEAD = 10_000
POPULATION = POPULATION_FORMAT.encode()
_HEAD = re.compile(rb"^(format|game): *[\"']?([^\s\"'#]+)", re.MULTILINE)
_LONGEST_NAME = 300
#: How a person brings the page what it lacks, by its kind.
REMEDIES = {"player": "rulebots web --offer {}", "rules": "rulebots web --import {}", "game": "rulebots web --game {}"}
_PLAIN = re.compile(r"[A-Za-z0-9_.+-]{1,40}")
_ENDINGS = (".yaml", ".yml")


class NotFound(UsageError):
    """There is no such game, trial or ladder."""


class ProblemsError(UsageError):
    """A file that cannot be read, with everything that is wrong with it, as `evolve check` says it."""

    def __init__(self, problems: list[InputError]) -> None:
        super().__init__(str(problems[0]))
        self.problems = problems


@dataclass(frozen=True)
class FilePlayer:
    """A player of a population file: `spec` is FILE or FILE#PLAYER; `game` is the one that ships the file, or ""."""

    spec: str
    game: str
    file: Path
    population: Population
    name: str
    entry: Entry


def game_of(name: str) -> Game:
    """The game of that name, one that is installed or was named when the server was started. Raises UsageError."""
    if name not in named_games():
        raise NotFound(unknown("game", name, named_games()))
    with names_from_data(**REMEDIES):
        return load_game(name)


def games_here() -> tuple[list[Game], list[str]]:
    """All games that can be played, open ones and short ones first, and a line for each that cannot be loaded."""
    games = []
    broken = []
    for name in named_games():
        try:
            games.append(game_of(name))
        except UsageError as error:
            broken.append(f"{name}: {error}")
    return sorted(games, key=_order), broken


def _order(game: Game) -> tuple[bool, bool, float]:
    ladder = ladder_of(game)
    return game.hidden, game.chance, (ladder and ladder.plies) or math.inf


def ladder_of(game: Game) -> Ladder | None:
    """The ladder of a game's levels, None where there is none of its present levels."""
    file = package_of(game).folder / LEVELS_FILE
    try:
        ladder = _read(file, file.stat().st_mtime_ns)
    except (OSError, UsageError):
        return None
    same = ladder.game == game.name and set(ladder.players) == {f"{LEVEL}:{level}" for level in level_players(game)}
    return ladder if same else None


@functools.lru_cache(maxsize=64)
def _read(file: Path, _changed: int) -> Ladder:
    """The ladder of a file, read once for each change of it."""
    return load_ladder(file)


@dataclass(frozen=True)
class ServedFolder:
    """A folder and the players of its pages; `named` are those that were named when the server was started.

    With `allow_programs` a browser may name any player that the command line could.
    """

    folder: Path
    named: tuple[str, ...] = ()
    allow_programs: bool = False

    def player(self, name: str, game: Game, seats: int | None = None) -> Player:
        """The player of that name, called so, for tables of that many seats.

        Raises:
            UsageError: there is no such player, or a browser may not name it. PlayerFault: it cannot be made.
        """
        text = self.player_text(name, game)
        trusted = self.allow_programs or name in self.named
        with contextlib.nullcontext() if trusted else names_from_data(**REMEDIES):
            player = make_player(text, game, seats)
        if player.name != name:
            player = copy.copy(player)
            player.name = name
        return player

    def player_text(self, name: str, game: Game) -> str:
        """The name that `make_player` gets: files as whole paths, searches with their bounds.

        Raises:
            UsageError: a browser may not name it.
        """
        demand(
            len(name) <= _LONGEST_NAME and name.isprintable(),
            f"a player's name has at most {_LONGEST_NAME} printable letters, not {shown(name)}",
        )
        kind, _, settings = name.partition(":")
        # A level is made of what the game itself names.
        if name in (*player_names(game), *self.named, *LEVELS) or kind == LEVEL:
            return name
        if kind in SEARCHES:
            return self._search(name, kind, settings, game)
        path, player = split_spec(name)
        if path in shipped_files(game):
            return name
        if path.endswith(_ENDINGS):
            return str(self.population_file(path)) + ("" if player is None else f"#{player}")
        if self.allow_programs:
            return name
        offered = *player_names(game), *self.named
        raise UsageError(
            f"'{shown(name)}' is not a player that this page may start"
            + (
                did_you_mean(name, offered)
                or f": expected one of {', '.join(offered)}, or FILE.yaml in the folder; rulebots web --offer NAME "
                "offers further ones"
            )
        )

    def offered(self, game: Game) -> list[str]:
        """Names to choose from: the game's players, searches, and what was named."""
        searches = ["mcts:power=3", "mcts:seconds=1", "minimax:depth=4", "minimax:seconds=1"]
        return [*player_names(game), *(["rollout:seconds=1"] if game.hidden else searches), *self.named]

    def population_file(self, path: str) -> Path:
        """The population file of that name.

        Raises:
            UsageError: it is not in the folder.
        """
        if file := self._inside(path):
            return file
        raise UsageError(
            f"there is no file '{shown(path)}' in the folder that is served"
            + did_you_mean(path, self.population_files())
        )

    def _inside(self, path: str) -> Path | None:
        """The YAML file of that name, None where there is none in the folder."""
        root = self.folder.resolve()
        try:
            file = (root / path).resolve()
        except (OSError, ValueError, RuntimeError):
            return None
        return file if file.is_relative_to(root) and is_file(file) and file.suffix in _ENDINGS else None

    def population_files(self, game: Game | None = None) -> list[str]:
        """The names of the YAML files in the folder and the folders below it, at most `MOST_FILES`.

        Those that say that they hold something else than players are left out; with a game, so are all but those
        that say that they hold its players.
        """
        patterns = ("*.y*ml", "*/*.y*ml", "runs/*/*.y*ml")
        paths = itertools.chain(*(sorted(self.folder.glob(pattern)) for pattern in patterns))
        found = dict.fromkeys(path.relative_to(self.folder).as_posix() for path in paths if path.suffix in _ENDINGS)
        # A form sends no name as it is but a printable one.
        names = (name for name in found if name.isprintable() and not name.startswith((".", f"{LADDERS}/")))
        fitting = (name for name in names if "/." not in name and self._may_hold(name, game))
        return list(itertools.islice(fitting, MOST_FILES))

    def flaws(self) -> dict[str, str]:
        """The population files by name, each with what is wrong with it in one line, "" for nothing."""
        flaws = dict[str, str]()
        for name in self.population_files():
            with contextlib.suppress(OSError):
                flaws[name] = _flaw(self, name, (self.folder / name).stat().st_mtime_ns)
        return flaws

    def _may_hold(self, name: str, game: Game | None) -> bool:
        """Whether a file may hold players, or says that it holds those of a game, by its head."""
        try:
            with (self._inside(name) or self.folder).open("rb") as file:
                head = dict(_HEAD.findall(file.read(MOST_HEAD)))
        except OSError:
            return False
        return (
            head == {b"format": POPULATION, b"game": game.name.encode()}
            if game
            else head.get(b"format", POPULATION) == POPULATION
        )

    def file_player(self, spec: str, game: str = "") -> FilePlayer:
        """The player of that name: of a file in the folder, or with a game's name of one that it ships.

        Raises:
            UsageError: there is no such player.
            ProblemsError: there are mistakes in the file, each with its line and column.
        """
        demand(spec, "expected a player to tune")
        with names_from_data(**REMEDIES):
            path, _, within = spec.partition("#")
            shipped = shipped_files(game_of(game)) if game else {}
            file = shipped.get(path) or self.population_file(path)
            try:
                population = load_population(file, wanted=within or None)
            except PopulationError as error:
                raise ProblemsError(check_population(file) or [error]) from None
        name, entry = find_player(population, within or None)
        return FilePlayer(spec, game if path in shipped else "", file, population, name, entry)

    def record_files(self) -> list[str]:
        """The names of the records in the folder and the folders below it, except those of the page's games."""
        root = self.folder.resolve()
        paths = itertools.chain(sorted(root.glob("*.txt")), sorted(root.glob("*/*.txt")))
        records = (path for path in paths if path.parent != root / GAMES and _is_record(path, root))
        return [path.relative_to(root).as_posix() for path in itertools.islice(records, MOST_FILES)]

    def record(self, name: str) -> Record:
        """The record of that name.

        Raises:
            UsageError: it is not in the folder. RecordError: it is wrong, with the line.
        """
        demand(name in self.record_files(), f"there is no record '{shown(name)}' in the folder that is served")
        with names_from_data(**REMEDIES):
            return load_record(self.folder.resolve() / name)

    def _search(self, name: str, kind: str, text: str, game: Game) -> str:
        settings: dict[str, str] = {}
        for part in split_list(text) if text else ():
            setting, equals, value = (word.strip() for word in part.partition("="))
            if not equals or setting in settings:
                return name  # which make_player refuses, and says why
            settings[setting] = value
        if _LIMITS[kind] and not _LIMITS[kind] & settings.keys():
            return name
        for setting, value in settings.items():
            demand(
                setting not in GUIDES or value.partition(":")[0] not in SEARCHES,
                f"'{shown(name)}': expected the name of a rule player, not '{shown(value)}'",
            )
            if setting in GUIDES:
                settings[setting] = value if value in ("none", "random") else quoted(self.player_text(value, game))
            elif not _PLAIN.fullmatch(value):
                raise UsageError(f"'{shown(name)}': expected a number or a word for '{setting}', not '{shown(value)}'")
        for setting, most in SEARCHES[kind].items():
            if setting not in settings:
                if setting != "table":
                    settings[setting] = f"{most:g}" if setting == "seconds" else str(int(most))
            elif _number(settings[setting]) > most:
                raise UsageError(f"'{shown(name)}': on this page '{setting}' is at most {most:,.12g}")
        return kind + (":" if settings else "") + ",".join(f"{setting}={value}" for setting, value in settings.items())


@functools.lru_cache(maxsize=MOST_FILES)
def _flaw(served: ServedFolder, name: str, _changed: int) -> str:
    """What is wrong with a file, looked for once for each change of it."""
    try:
        served.file_player(name)
    except UsageError as error:
        return str(error)
    return ""


def _number(text: str) -> float:
    """A number, with digits in any form; 0, which exceeds no bound, for a text that `make_player` refuses."""
    try:
        return float(text)
    except ValueError:
        return 0.0


def _is_record(path: Path, root: Path) -> bool:
    """Whether a file begins as a record does, and is one that may be opened."""
    try:
        if not path.resolve().is_relative_to(root) or not path.is_file() or path.stat().st_size > MOST_RECORD_BYTES:
            return False
        with path.open("rb") as file:
            return f"format: {FORMAT}".encode() in file.read(200)
    except OSError:
        return False
