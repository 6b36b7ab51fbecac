"""The options of commands: how one is declared, those that several commands share, and a game's own as flags.

A command declares an option in a line, as `deals: Annotated[int, whole("Deals of the match.", 1, 1000)] = 100`.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulebots.cli import console
from rulebots.cli.completion import complete_game, complete_player, complete_rules
from rulebots.errors import UsageError, nearest, unknown
from rulebots.files.standard import DASH, is_standard
from rulebots.packages import DEFAULT_GAME, load_game
from rulebots.play import MOST_DEALS, MOST_JOBS

if TYPE_CHECKING:
    from rulebots.game import Game, Option
    from rulebots.players import Player

#: More seconds than anyone waits for a move.
MOST_MOVE_SECONDS = 1_000_000
#: `context_settings` of a command that takes a game's options as flags: it lets through words that it does not know.
TAKES_GAME_OPTIONS: Mapping[str, Any] = {"allow_extra_args": True, "ignore_unknown_options": True}


# How an option is declared: its help, what it accepts, its flags where the parameter's name does not give them, and
# `default`, what the help says of the default where that is not the parameter's own.


def whole(
    meaning: str,
    low: int | None = None,
    high: int | None = None,
    *flags: str,
    metavar: str = "N",
    default: str | bool = True,
) -> Any:
    """An option with a whole number; None leaves an end of the range open."""
    return typer.Option(*flags, parser=whole_number(low, high), metavar=metavar, help=meaning, show_default=default)


def decimal(meaning: str, low: float, high: float, *, metavar: str = "S", default: str | bool = True) -> Any:
    """An option with a number from `low` to `high`, such as seconds."""
    return typer.Option(parser=number(low, high), metavar=metavar, help=meaning, show_default=default)


def share(meaning: str, *, default: str | bool = True) -> Any:
    """An option with a percentage: `0.5%` is 0.005."""
    return typer.Option(parser=percentage, metavar="X%", help=meaning, show_default=default)


def path_to(metavar: str, meaning: str, *flags: str, default: str | bool = True) -> Any:
    """An option with the name of a file or folder."""
    return typer.Option(*flags, parser=named_path, metavar=metavar, help=meaning, show_default=default)


def file_read(meaning: str, *flags: str) -> Any:
    """An option with the name of a file that is read; `-` is standard input."""
    return typer.Option(*flags, parser=read_path, metavar="FILE", help=f"{meaning} `-` is standard input.")


def file_written(meaning: str, *flags: str, default: str | bool = True) -> Any:
    """An option with the name of a file that is written; `-` is standard output."""
    meaning = f"{meaning} `-` is standard output."
    return typer.Option(*flags, parser=written_path, metavar="FILE", help=meaning, show_default=default)


def named(metavar: str, meaning: str, *flags: str, default: str | bool = True, **more: Any) -> Any:
    """An option with a text, such as the name of a player."""
    return typer.Option(*flags, metavar=metavar, help=meaning, show_default=default, **more)


def switch(*flags_and_meaning: str) -> Any:
    """An option that is on or off: its flags, and then its help."""
    return typer.Option(*flags_and_meaning[:-1], help=flags_and_meaning[-1])


def whole_number(low: int | None = None, high: int | None = None) -> Callable[[object], int]:
    """A parser of whole numbers; None leaves an end of the range open."""

    def read(text: object) -> int:
        found = int(str(text)) if re.fullmatch(r"[-+]?[0-9]{1,100}", str(text)) else None
        if found is None or (low is not None and found < low) or (high is not None and found > high):
            ends = "" if low is None else f" of at least {low:,}" if high is None else f" from {low:,} to {high:,}"
            raise typer.BadParameter(f"expected a whole number{ends}, not '{text}'")
        return found

    return read


def number(low: float, high: float) -> Callable[[object], float]:
    """A parser of numbers from `low` to `high`."""

    def read(text: object) -> float:
        try:
            found = float(str(text))
        except ValueError:
            found = math.nan
        if not low <= found <= high:
            raise typer.BadParameter(f"expected a number from {low:,.12g} to {high:,.12g}, not '{text}'")
        return found

    return read


def percentage(text: str) -> float:
    """`0.5%` as 0.005. Raises BadParameter for anything else."""
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,6})?%", text):
        raise typer.BadParameter(f"expected a share such as 0.5%, not '{text}'")
    return float(text[:-1]) / 100


def named_path(text: object) -> Path:
    """A text as a path. Raises BadParameter for `-`, and an empty one, which would mean the current folder."""
    if str(text) in ("", DASH):
        raise typer.BadParameter(f"expected the name of a file or folder, not '{text}'")
    return Path(str(text))


def read_path(text: object) -> Path:
    """A text as the path of a file that is read, `-` for standard input. Raises BadParameter for an empty one."""
    return Path(DASH) if str(text) == DASH else named_path(text)


def written_path(text: object) -> Path:
    """A text as the path of a new file, `-` for standard output, which then has nothing else.

    Raises:
        BadParameter: an empty one; standard output is taken already.
    """
    if str(text) != DASH:
        return named_path(text)
    try:
        console.reserve_stdout("a file called '-'")
    except UsageError as error:  # a ValueError, of which Typer 0.28 keeps no message
        raise typer.BadParameter(str(error)) from None
    return Path(DASH)


def with_more(meaning: str, more: str) -> str:
    """What an option means in every command, and what one command does with it."""
    return f"{meaning} {more}".rstrip()


# Arguments and options of several commands. What an option means is said here, once: the first sentence of its help is
# the same in every command that has it, and so is its value. A command adds what it does with it.

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="A game, as `rulebots games` names it.", autocompletion=complete_game)
]
PlayerName = Annotated[
    str,
    typer.Argument(
        metavar="PLAYER", help="A player: a name, path.yaml or path.yaml#player.", autocompletion=complete_player
    ),
]
PlayerFile = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="path.yaml (its first player), path.yaml#player, or the name of a shipped player.",
        autocompletion=complete_player,
    ),
]


def game_option(more: str = "", *, default: str | bool = True) -> Any:
    """`--game`."""
    meaning = "The game: its name, such as kalah, or the place of your own, such as ./nim."
    return named("GAME", with_more(meaning, more), "--game", default=default, autocompletion=complete_game)


#: The game of a player that is named beside it, and that of several.
PlayedGame = Annotated[str | None, game_option(default=f"that of the player's file, else {DEFAULT_GAME}")]
PlayersGame = Annotated[str | None, game_option(default=f"that of a player's file, else {DEFAULT_GAME}")]
#: Which game a name means, and a game that is not installed.
CustomGame = Annotated[str | None, game_option("Only needed where a name or a file does not tell.")]


def rules_option(more: str = "", *, default: str | bool = True) -> Any:
    """`--rules`."""
    meaning = "The rule set: a name that `rulebots rules GAME` shows, or FILE.py:NAME of your own."
    return named("SET", with_more(meaning, more), "--rules", default=default, autocompletion=complete_rules)


Imports = Annotated[
    list[str] | None,
    named(
        "FILE.py:NAME",
        "A rule set or player of your own that a file names, or MODULE:NAME; repeatable.",
        "--import",
    ),
]
PositionText = Annotated[
    str | None,
    named(
        "TEXT",
        "A position of the game in its text form, which `rulebots replay FILE N` shows: see the game's page.",
        default=False,
    ),
]


def option_texts(more: str = "") -> Any:
    """`--option`."""
    meaning = "An option of the game, such as suits=6 (see `rulebots games`); repeatable."
    return named("NAME=VALUE", with_more(meaning, more), "--option")


OptionTexts = Annotated[list[str] | None, option_texts()]
OpeningPlies = Annotated[
    int | None,
    whole("Random moves at the beginning of each game, the same from every seat.", 0, default="what suits the game"),
]
Jobs = Annotated[int | None, whole("Threads; they share the games.", 1, MOST_JOBS, "--jobs", "-j", default="all cores")]


def deals_option(more: str, low: int = 1, high: int | None = MOST_DEALS, *, default: str | bool = True) -> Any:
    """`--deals`."""
    return whole(with_more("Deals that are played, each from every seat.", more), low, high, default=default)


def games_option(more: str, low: int = 1, high: int | None = None, *, default: str | bool = True) -> Any:
    """`--games`."""
    return whole(with_more("Games that are played.", more), low, high, default=default)


def seconds_option(more: str, low: float = 0.1, *, default: str | bool = True) -> Any:
    """`--seconds`."""
    return decimal(with_more("Time to spend, in seconds.", more), low, MOST_MOVE_SECONDS, default=default)


def move_seconds_option(more: str, *, default: str) -> Any:
    """`--move-seconds`."""
    meaning = "The most time for a move, in seconds."
    return decimal(with_more(meaning, more), 0.001, MOST_MOVE_SECONDS, default=default)


MoveSeconds = Annotated[
    float | None,
    move_seconds_option("Of a player that is asked in Python, such as a search; later is a fault.", default="any time"),
]


def out_option(more: str, *, default: str, dash: bool = False) -> Any:
    """`--out`; with `dash`, `-` is standard output."""
    meaning = with_more("The file for the result.", more)
    return (file_written if dash else functools.partial(path_to, "FILE"))(meaning, "--out", default=default)


def plot_option(more: str) -> Any:
    """`--plot`."""
    return path_to("FILE", with_more("Draw a picture into a new file, FILE.png or FILE.svg.", more), "--plot")


def player_option(more: str = "", *, default: str | bool = True) -> Any:
    """`--player`."""
    meaning = "Who plays on this side."
    return named("PLAYER", with_more(meaning, more), "--player", default=default, autocompletion=complete_player)


def against_option(more: str = "", *, default: str) -> Any:
    """`--against`."""
    meaning = "Who plays on the other side."
    return named("PLAYER", with_more(meaning, more), "--against", default=default, autocompletion=complete_player)


def opponents_option(more: str, *, default: str) -> Any:
    """`--opponents`."""
    meaning = "Further opponents: names or files with commas between, or `none`; repeatable."
    return named("PLAYER,...", with_more(meaning, more), "--opponents", default=default)


def port_option(more: str = "", *, default: str | bool = True) -> Any:
    """`--port`."""
    return whole(with_more("The port to listen on; 0 is any free one.", more), 0, 65_535, default=default)


def bind_option(more: str = "") -> Any:
    """`--bind`."""
    return named("ADDRESS", with_more("The address to listen on.", more), "--bind")


def protocol_option(*, default: str | bool = True) -> Any:
    """`--protocol`."""
    return named("NAME", "The protocol.", "--protocol", default=default)


def seed_option(more: str = "", high: int | None = None, *, default: str | bool = True) -> Any:
    """`--seed`."""
    return whole(with_more("The same seed gives the same result.", more), 0, high, default=default)


def _only_json(context: typer.Context, wanted: bool) -> bool:
    context.call_on_close(console.free_stdout)
    return wanted and console.reserve_stdout("--json")


AsJson = Annotated[
    bool,
    typer.Option(
        "--json",
        callback=_only_json,
        help="Print the result as one JSON object; all else goes to standard error.",
    ),
]
Seed = Annotated[int, seed_option("It deals the games.")]
RandomSeed = Annotated[
    int | None, seed_option("It deals the games, and is the chance of players.", default="a different one each time")
]
TotalSeconds = Annotated[float, decimal("The most that a game may take, in seconds.", 0.01, 1e6)]


# What the values stand for.


def options_of(texts: Sequence[str] | None) -> dict[str, int]:
    """`["suits=6"]` as `{"suits": 6}`; the game checks names and ranges.

    Raises:
        BadParameter: not of that form, or a name twice.
    """
    options: dict[str, int] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not name or not equals or not re.fullmatch(r"[-+]?[0-9]{1,100}", value):
            what = f"expected NAME=VALUE with a whole number, such as suits=6, not '{text}'"
            raise typer.BadParameter(what, param_hint="'--option'")
        if name in options:
            raise typer.BadParameter(f"'{name}' is there twice", param_hint="'--option'")
        options[name] = int(value)
    return dict(sorted(options.items()))


def jobs_of(jobs: int | None) -> int:
    """The number of threads: what was asked for, or else one for each core."""
    if jobs is None:
        import joblib

        return int(joblib.cpu_count())
    return jobs


def bring(game: str | None = None, imports: Iterable[str] | None = None, players: Iterable[str] = ()) -> None:
    """Import the code that a person names, so that data files find it.

    Raises:
        CodeError: there is no such thing, or it has a mistake.
    """
    if game is not None:
        load_game(game)
    for kind, names in (("code", imports or ()), ("player", players)):
        for name in names:
            from rulebots.packages.own_players import bring_code

            bring_code(kind, name)


def game_of(name: str | None, players: Iterable[str] = ()) -> Game:
    """The game of that name; without a name that of the first file among the players, else the default.

    Raises:
        UsageError: there is no such game. PopulationError: the file is not a population.
    """
    if name is not None:
        return load_game(name)
    from rulebots.packages.players import split_spec
    from rulebots.packages.population import load_population

    for spec in players:
        path, wanted = split_spec(spec)
        if is_standard(path) or Path(path).suffix in (".yaml", ".yml"):
            return load_population(path, wanted=wanted).game
    return load_game(DEFAULT_GAME)


def players_of(specs: Sequence[str], game: str | None, imports: Iterable[str] | None) -> tuple[Game, list[Player]]:
    """The players of those names and their game, with the code that the user names for them.

    Raises:
        UsageError: there is no such game or player. CodeError: the user's code has a mistake.
        PopulationError: a file is not a population.
    """
    from rulebots.packages.players import make_player

    bring(game, imports)
    played = game_of(game, specs)
    return played, [make_player(spec, played) for spec in specs]


def refuse(options: Mapping[str, object], why: str) -> None:
    """Raise BadParameter for the first of these options, by its flag, that was given."""
    for flag, value in options.items():
        if value is not None and value != []:
            raise typer.BadParameter(why, param_hint=f"'{flag}'")


# A game's options as flags of a command: `--size 9`, `--last-loses`, and short ones such as `-s 9`.


def chosen_ranges(game: Game, context: typer.Context, *, ranges: bool = True) -> dict[str, range]:
    """The game's options among the words that a command did not know, such as `--pits 1-4`; the game checks the values.

    A single number is a range of one; without `ranges` it is all that may stand there.

    Raises:
        BadParameter: a word that is not a flag of the game, a flag twice, or anything but whole numbers after it.
    """
    found, more = {}, ", or a range such as 1-4," if ranges else ","
    for name, flag, text, value in _game_flags(game, context):
        ends = re.fullmatch(r"([-+]?[0-9]{1,9})(?:-([0-9]{1,9}))?", text if value is None else str(value))
        if ends is None or (ends[2] and not (ranges and int(ends[1]) <= int(ends[2]))):
            raise typer.BadParameter(f"expected a whole number{more} not '{text}'", param_hint=f"'{flag}'")
        found[name] = range(int(ends[1]), int(ends[2] or ends[1]) + 1)
    return found


def chosen_options(game: Game, context: typer.Context, texts: Sequence[str] | None = None) -> dict[str, int]:
    """The game's options as flags, a number each, and as the `texts` of `--option`.

    Raises:
        BadParameter: as `chosen_ranges` and `options_of`; an option in both ways.
    """
    flags = {name: values[0] for name, values in chosen_ranges(game, context, ranges=False).items()}
    named = options_of(texts)
    for name in named.keys() & flags.keys():
        raise typer.BadParameter(f"'{name}' is there twice", param_hint="'--option'")
    return named | flags


def game_before_flags(name: str) -> str:
    """The name of a game, where a command takes its options. Raises BadParameter for a flag in its place."""
    if name.startswith("-"):
        raise typer.BadParameter(f"expected the game first, and its options after it, not '{name}'")
    return name


def is_switch(option: Option) -> bool:
    """Whether an option of a game can only be on or off."""
    return (option.low, option.high) == (0, 1)


def flags_of(name: str, option: Option) -> Mapping[str, int | None]:
    """The flags of a game's option with the value that each stands for; None where a number follows.

    An option that is on or off has two, `--empty-capture` and `--no-empty-capture`; its short flag is for
    the value that is not the default.
    """
    long = f"--{name.replace('_', '-')}"
    if not is_switch(option):
        return dict.fromkeys([long, *([option.flag] if option.flag else [])])
    off = f"--{(option.off or f'no_{name}').replace('_', '-')}"
    return {long: 1, off: 0} | ({option.flag: 1 - option.default} if option.flag else {})


def _game_flags(game: Game, context: typer.Context) -> Iterator[tuple[str, str, str, int | None]]:
    """Each option among the words: its name, the flag, the text after it, and the value that the flag stands for."""
    known = {flag: (name, value) for name, o in game.options.items() for flag, value in flags_of(name, o).items()}
    rest, taken = list(context.args), set[str]()
    while rest:
        flag, text = _split(rest.pop(0))
        if flag not in known:
            commands = [flag for parameter in context.command.params for flag in parameter.opts]
            close = nearest(flag, [*known, *(other for other in commands if other.startswith("--"))])
            raise typer.BadParameter(unknown("option", flag, [close] if close else known, game.name))
        name, value = known[flag]
        if name in taken:
            raise typer.BadParameter("it is there twice", param_hint=f"'{flag}'")
        taken.add(name)
        if value is not None and text is not None:
            raise typer.BadParameter(f"it takes no value, not '{text}'", param_hint=f"'{flag}'")
        if value is None and text is None:
            text = rest.pop(0) if rest else ""
        yield name, flag, text or "", value


def _split(word: str) -> tuple[str, str | None]:
    """A flag and the value that is joined to it: `--size=9`, `-s9`."""
    if word.startswith("--") or not word.startswith("-"):
        flag, equals, text = word.partition("=")
        return flag, text if equals else None
    return word[:2], word[2:].removeprefix("=") or None
