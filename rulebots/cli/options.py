"""The options of commands: how one is declared, those that several commands share, and a game's own as flags.

A command declares an option in a line, as `deals: Annotated[int, whole("Deals of the match.", 1, 1000)] = 100`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulebots.errors import nearest, unknown
from rulebots.play import MOST_JOBS
from rulebots.registry import DEFAULT_GAME, game_names, load_game

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
    """A text as a path. Raises BadParameter for an empty one, which would mean the current folder."""
    if not str(text):
        raise typer.BadParameter("expected the name of a file or folder, not ''")
    return Path(str(text))


def complete_game(begun: str) -> list[str]:
    """The games whose names begin like this, for the completion of a shell."""
    return [name for name in game_names() if name.startswith(begun)]


# Arguments and options of several commands.

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="A game, as `rulebots games` names it.", autocompletion=complete_game)
]
PlayerName = Annotated[str, typer.Argument(metavar="PLAYER", help="A player: a name, path.yaml or path.yaml#player.")]
PlayerFile = Annotated[
    str,
    typer.Argument(
        metavar="FILE", help="path.yaml (its first player), path.yaml#player, or the name of a shipped player."
    ),
]
#: The game of a player that is named beside it, and that of several.
PlayedGame = Annotated[
    str | None, named("GAME", "The game.", default=f"that of the player's file, else {DEFAULT_GAME}")
]
PlayersGame = Annotated[str | None, named("GAME", "The game.", default=f"that of a player's file, else {DEFAULT_GAME}")]
#: Which game a name means, and a game that is not installed.
CustomGame = Annotated[
    str | None, named("GAME", "Which game is meant: kalah for its shipped player, ./nim for your own.")
]
CustomRules = Annotated[
    list[str] | None,
    named("FILE.py:NAME", "A rule set of your own that a player's file needs, or MODULE:NAME; repeatable."),
]
PositionText = Annotated[
    str | None,
    named(
        "TEXT",
        "A position of the game in its text form, which `rulebots replay FILE N` shows: see the game's page.",
        default=False,
    ),
]
OptionTexts = Annotated[
    list[str] | None, named("NAME=VALUE", "An option of the game, such as suits=6 (see `rulebots games`); repeatable.")
]
OpeningPlies = Annotated[
    int | None,
    whole("Random moves at the beginning of each game, the same from every seat.", 0, default="what suits the game"),
]
Jobs = Annotated[int | None, whole("Threads; they share the games.", 1, MOST_JOBS, "--jobs", "-j", default="all cores")]
MoveSeconds = Annotated[
    float | None,
    decimal(
        "Time for a move of a player that is asked in Python, such as a search. A longer one is a fault.",
        0.001,
        MOST_MOVE_SECONDS,
        default="any time",
    ),
]
AsJson = Annotated[bool, switch("--json", "The result as one JSON object.")]
Seed = Annotated[int, whole("The same seed deals the same games.", 0)]
RandomSeed = Annotated[
    int | None,
    whole(
        "The same seed deals the same games, and gives players of chance the same chance.",
        0,
        default="a different one each time",
    ),
]
TotalSeconds = Annotated[float, decimal("The most that a game may take.", 0.01, 1e6)]


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


def bring(game: str | None = None, rules: Iterable[str] | None = None, players: Iterable[str] = ()) -> None:
    """Import the code that a person names, so that data files find it.

    Raises:
        CodeError: there is no such thing, or it has a mistake.
    """
    if game is not None:
        load_game(game)
    for kind, names in (("rules", rules or ()), ("player", players)):
        for name in names:
            from rulebots.players.custom import bring_code

            bring_code(kind, name)


def game_of(name: str | None, players: Iterable[str] = ()) -> Game:
    """The game of that name; without a name that of the first file among the players, else the default.

    Raises:
        UsageError: there is no such game. PopulationError: the file is not a population.
    """
    if name is not None:
        return load_game(name)
    from rulebots.players.names import split_spec
    from rulebots.players.population import load_population

    for spec in players:
        path, wanted = split_spec(spec)
        if Path(path).suffix in (".yaml", ".yml"):
            return load_population(path, wanted=wanted).game
    return load_game(DEFAULT_GAME)


def players_of(specs: Sequence[str], game: str | None, rules: Iterable[str] | None) -> tuple[Game, list[Player]]:
    """The players of those names and their game, with the code that the user names for them.

    Raises:
        UsageError: there is no such game or player. CodeError: the user's code has a mistake.
        PopulationError: a file is not a population.
    """
    from rulebots.players.names import make_player

    bring(game, rules)
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
