"""The options of commands: how one is declared, those that several commands share, and a game's own as flags.

A command declares an option in a line, as `deals: Annotated[int, shared("--deals", "Of the match.")] = 100`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from rulebots.cli import console
from rulebots.cli.completion import complete_game, complete_player, complete_rules
from rulebots.errors import UsageError, nearest, unknown
from rulebots.files.ranges import Range, whole_of
from rulebots.files.reading import DASH, is_standard
from rulebots.packages import DEFAULT_GAME, load_game
from rulebots.play import MOST_DEALS, MOST_JOBS

if TYPE_CHECKING:
    from rulebots.game import Game, Option
    from rulebots.players import Player

#: More seconds than anyone waits for a move.
MOST_MOVE_SECONDS = 1_000_000
#: `context_settings` of a command that takes a game's options as flags: it lets through words that it does not know.
TAKES_GAME_OPTIONS: Mapping[str, Any] = {"allow_extra_args": True, "ignore_unknown_options": True}
#: What the shell completes, by the name that the help gives to a value.
_COMPLETERS: Mapping[str, Callable[..., list[str]]] = {
    "GAME": complete_game,
    "SET": complete_rules,
    **dict.fromkeys(("A", "B", "C ...", "FILE", "PLAYER", "PLAYER,...", "PLAYERS..."), complete_player),
}


# How an option is declared: its help, the name of its value, its flags where the parameter's name does not give them,
# and `default`, what the help says of the default where that is not the parameter's own.


def option(
    meaning: str,
    value: str,
    *flags: str,
    read: Callable[[str], Any] | None = None,
    default: str | bool = True,
) -> Any:
    """An option whose value is read by `read`, which raises UsageError; without it, a text."""
    completer = None if read else _COMPLETERS.get(value)
    return typer.Option(
        *flags, parser=parser(read), metavar=value, help=meaning, show_default=default, autocompletion=completer
    )


def argument(value: str, meaning: str, *, read: Callable[[str], Any] | None = None) -> Any:
    """An argument, as `option`."""
    completer = None if read else _COMPLETERS.get(value.strip("[]"))
    return typer.Argument(
        parser=parser(read), metavar=value, help=meaning, show_default=False, autocompletion=completer
    )


def parser(read: Callable[[str], Any] | None) -> Callable[[object], Any] | None:
    """A reader of texts as Typer wants it: typer 0.28 drops the message of any error but its own."""
    if read is None:
        return None

    def parse(text: object) -> Any:
        try:
            return read(str(text))
        except UsageError as error:
            raise typer.BadParameter(str(error)) from None

    parse.__qualname__ = getattr(read, "__qualname__", "")
    return parse


def whole(
    meaning: str, low: float, high: float = float("inf"), *flags: str, value: str = "N", default: str | bool = True
) -> Any:
    """An option with a whole number."""
    return option(meaning, value, *flags, read=Range(low, high, whole=True).read, default=default)


def decimal(meaning: str, low: float, high: float, *, value: str = "S", default: str | bool = True) -> Any:
    """An option with a number from `low` to `high`, such as seconds."""
    return option(meaning, value, read=Range(low, high).read, default=default)


def share(meaning: str, *, default: str | bool = True) -> Any:
    """An option with a percentage: `0.5%` is 0.005."""
    return option(meaning, "X%", read=percentage, default=default)


def path_to(value: str, meaning: str, *flags: str, default: str | bool = True) -> Any:
    """An option with the name of a file or folder."""
    return option(meaning, value, *flags, read=named_path, default=default)


def file_read(meaning: str, *flags: str) -> Any:
    """An option with the name of a file that is read; `-` is standard input."""
    return option(f"{meaning} `-` is standard input.", "FILE", *flags, read=read_path)


def file_written(meaning: str, *flags: str, default: str | bool = True) -> Any:
    """An option with the name of a file that is written; `-` is standard output."""
    return option(f"{meaning} `-` is standard output.", "FILE", *flags, read=written_path, default=default)


def named(value: str, meaning: str, *flags: str, default: str | bool = True) -> Any:
    """An option with a text, such as the name of a player."""
    return option(meaning, value, *flags, default=default)


def switch(*flags_and_meaning: str) -> Any:
    """An option that is on or off: its flags, and then its help."""
    return typer.Option(*flags_and_meaning[:-1], help=flags_and_meaning[-1])


def percentage(text: str) -> float:
    """`0.5%` as 0.005. Raises UsageError for anything else."""
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,6})?%", text):
        raise UsageError(f"expected a share such as 0.5%, not '{text}'")
    return float(text[:-1]) / 100


def named_path(text: str) -> Path:
    """A text as a path. Raises UsageError for `-`, and for "", which would mean the current folder."""
    if text in ("", DASH):
        raise UsageError(f"expected the name of a file or folder, not '{text}'")
    return Path(text)


def read_path(text: str) -> Path:
    """A text as the path of a file that is read, `-` for standard input. Raises UsageError for an empty one."""
    return Path(DASH) if text == DASH else named_path(text)


def written_path(text: str) -> Path:
    """A text as the path of a new file, `-` for standard output, which then has nothing else.

    Raises:
        UsageError: it is empty; standard output is taken already.
    """
    if text != DASH:
        return named_path(text)
    console.reserve_stdout("a file called '-'")
    return Path(DASH)


# Options of several commands. What an option means is said here, once: the first sentence of its help is the same in
# every command that has it, and so is its value. A command adds what it does with it.


class Shared(NamedTuple):
    """What an option is in every command: the name of its value, its meaning, and the range of a number."""

    value: str
    meaning: str
    low: float = 0
    high: float = float("inf")


SHARED: Mapping[str, Shared] = {
    "--against": Shared("PLAYER", "The player on the other side."),
    "--bind": Shared("ADDRESS", "The address to listen on."),
    "--deals": Shared("N", "Deals to play, each from every seat.", 1, MOST_DEALS),
    "--game": Shared("GAME", "The game: its name, such as kalah, or the folder of your own, such as ./nim."),
    "--games": Shared("N", "Games to play.", 1),
    "--move-seconds": Shared("S", "The most time for a move, in seconds.", 0.001, MOST_MOVE_SECONDS),
    "--opponents": Shared(
        "PLAYER,...", "Further opponents: names or files with commas between, or `none`; repeatable."
    ),
    "--option": Shared("NAME=VALUE", "An option of the game, such as suits=6 (see `rulebots games`); repeatable."),
    "--out": Shared("FILE", "The file for the result."),
    "--player": Shared("PLAYER", "The player on this side."),
    "--plot": Shared("FILE", "Draw a picture into a new file, FILE.png or FILE.svg."),
    "--port": Shared("N", "The port to listen on; 0 is any free one.", 0, 65_535),
    "--protocol": Shared("NAME", "The protocol."),
    "--rules": Shared("SET", "The rule set: a name that `rulebots rules GAME` shows, or FILE.py:NAME of your own."),
    "--seconds": Shared("S", "Time to spend, in seconds.", 0.1, MOST_MOVE_SECONDS),
    "--seed": Shared("N", "The same seed gives the same result."),
}


def shared(
    flag: str,
    more: str = "",
    low: float | None = None,
    high: float | None = None,
    *,
    default: str | bool = True,
) -> Any:
    """An option of several commands: `more` is what this one does with it; other ends of its range."""
    value, meaning, *ends = SHARED[flag]
    allowed = Range(ends[0] if low is None else low, ends[1] if high is None else high, whole=value == "N")
    read = {"N": allowed.read, "S": allowed.read, "FILE": named_path}.get(value)
    return option(f"{meaning} {more}".rstrip(), value, flag, read=read, default=default)


def out_option(more: str, *, default: str) -> Any:
    """`--out` of a command that writes one file, which may be standard output."""
    return file_written(f"{SHARED['--out'].meaning} {more}", "--out", default=default)


GameName = Annotated[str, argument("GAME", "A game, as `rulebots games` names it.")]
PlayerName = Annotated[str, argument("PLAYER", "A player: a name, path.yaml or path.yaml#player.")]
PlayerFile = Annotated[
    str, argument("FILE", "path.yaml (its first player), path.yaml#player, or the name of a shipped player.")
]
#: The game of a player that is named beside it, and that of several.
PlayedGame = Annotated[str | None, shared("--game", default=f"that of the player's file, else {DEFAULT_GAME}")]
PlayersGame = Annotated[str | None, shared("--game", default=f"that of a player's file, else {DEFAULT_GAME}")]
#: Which game a name means, and a game that is not installed.
CustomGame = Annotated[str | None, shared("--game", "Only needed where a name or a file does not tell.")]
Imports = Annotated[
    list[str] | None,
    named(
        "FILE.py:NAME", "A rule set or player of your own that a file names, or MODULE:NAME; repeatable.", "--import"
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
OptionTexts = Annotated[list[str] | None, shared("--option")]
OpeningPlies = Annotated[
    int | None,
    whole("Random moves at the beginning of each game, the same from every seat.", 0, default="what suits the game"),
]
Jobs = Annotated[int | None, whole("Threads; they share the games.", 1, MOST_JOBS, "--jobs", "-j", default="all cores")]
MoveSeconds = Annotated[
    float | None,
    shared(
        "--move-seconds",
        "Of a player that is asked in Python, such as a search; a later move is a fault.",
        default="any time",
    ),
]
Seed = Annotated[int, shared("--seed", "It deals the games.")]
RandomSeed = Annotated[
    int | None,
    shared("--seed", "It deals the games, and players draw their chance from it.", default="a different one each time"),
]
TotalSeconds = Annotated[float, decimal("The most that a game may take, in seconds.", 0.01, 1e6)]


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


@dataclass(frozen=True)
class Setup:
    """How the games of a command are set up and played."""

    option: OptionTexts = None
    opening_plies: OpeningPlies = None
    jobs: Jobs = None

    @property
    def options(self) -> dict[str, int]:
        """The options of the game. Raises BadParameter."""
        return options_of(self.option)

    @property
    def threads(self) -> int:
        """The number of threads."""
        return threads_of(self.jobs)

    def arguments(self) -> dict[str, Any]:
        """The arguments of what plays matches."""
        return {"options": self.options, "opening_plies": self.opening_plies, "jobs": self.threads}


def threads_of(jobs: int | None) -> int:
    """The number of threads: those asked for, or one for each core."""
    if jobs is None:
        import joblib

        return int(joblib.cpu_count())
    return jobs


def options_of(texts: Sequence[str] | None) -> dict[str, int]:
    """`["suits=6"]` as `{"suits": 6}`; the game checks names and ranges. Raises BadParameter for another form."""
    options: dict[str, int] = {}
    for text in texts or ():
        name, _, number = text.partition("=")
        value = whole_of(number)
        if not name or value is None:
            _refuse_option(f"expected NAME=VALUE with a whole number, such as suits=6, not '{text}'")
        elif name in options:
            _refuse_option(f"'{name}' is there twice")
        else:
            options[name] = value
    return dict(sorted(options.items()))


def _refuse_option(why: str) -> None:
    raise typer.BadParameter(why, param_hint="'--option'")


def bring(game: str | None = None, imports: Iterable[str] | None = None, players: Iterable[str] = ()) -> None:
    """Import the code that the user names, so that data files find it.

    Raises:
        CodeError: there is no such thing, or it has a mistake.
    """
    if game is not None:
        load_game(game)
    for kind, names in (("code", imports or ()), ("player", players)):
        for name in names:
            from rulebots.packages.players import bring_code

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
        path, player = split_spec(spec)
        if is_standard(path) or Path(path).suffix in (".yaml", ".yml"):
            return load_population(path, wanted=player).game
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


def at_most_one(options: Mapping[str, object], what: str) -> None:
    """Raise BadParameter where several of these options were given, by flag, which each say `what`."""
    flags = [flag for flag, value in options.items() if value not in (None, False, [])]
    if len(flags) > 1:
        raise typer.BadParameter(f"{' and '.join(flags)} each say {what}: give one of them")


# A game's options as flags of a command: `--size 9`, `--last-loses`, and short ones such as `-s 9`.


def chosen_ranges(game: Game, context: typer.Context, *, ranges: bool = True) -> dict[str, range]:
    """The game's options among the words that a command did not know, such as `--pits 1-4`; the game checks the values.

    A single number is a range of one; without `ranges` it is all that may stand there.

    Raises:
        BadParameter: a word that is not a flag of the game, a flag twice, or anything but whole numbers after it.
    """
    chosen = {}
    for name, flag, text, value in _game_flags(game, context):
        ends = re.fullmatch(r"([-+]?[0-9]{1,9})(?:-([0-9]{1,9}))?", text if value is None else str(value))
        if ends is None or (ends[2] and not (ranges and int(ends[1]) <= int(ends[2]))):
            more = ", or a range such as 1-4," if ranges else ","
            raise typer.BadParameter(f"expected a whole number{more} not '{text}'", param_hint=f"'{flag}'")
        chosen[name] = range(int(ends[1]), int(ends[2] or ends[1]) + 1)
    return chosen


def chosen_options(game: Game, context: typer.Context, texts: Sequence[str] | None = None) -> dict[str, int]:
    """The game's options as flags, a number each, and as the `texts` of `--option`.

    Raises:
        BadParameter: as `chosen_ranges` and `options_of`; an option in both ways.
    """
    flags = {name: values[0] for name, values in chosen_ranges(game, context, ranges=False).items()}
    options = options_of(texts)
    for name in options.keys() & flags.keys():
        _refuse_option(f"'{name}' is there twice")
    return options | flags


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
    short = [option.flag] if option.flag else []
    if not is_switch(option):
        return dict.fromkeys([long, *short])
    off = f"--{(option.off or f'no_{name}').replace('_', '-')}"
    return {long: 1, off: 0, **dict.fromkeys(short, 1 - option.default)}


def _game_flags(game: Game, context: typer.Context) -> Iterator[tuple[str, str, str, int | None]]:
    """Each option among the words: its name, the flag, the text after it, and the value that the flag stands for."""
    known = {flag: (name, value) for name, o in game.options.items() for flag, value in flags_of(name, o).items()}
    words = list(context.args)
    taken = set[str]()
    while words:
        flag, text = _split(words.pop(0))
        if flag not in known:
            own = [flag for parameter in context.command.params for flag in parameter.opts if flag.startswith("--")]
            close = nearest(flag, [*known, *own])
            raise typer.BadParameter(unknown("option", flag, [close] if close else known, game.name))
        name, value = known[flag]
        if name in taken:
            raise typer.BadParameter("it is there twice", param_hint=f"'{flag}'")
        taken.add(name)
        if value is not None and text is not None:
            raise typer.BadParameter(f"it takes no value, not '{text}'", param_hint=f"'{flag}'")
        if value is None and text is None:
            text = words.pop(0) if words else ""
        yield name, flag, text or "", value


def _split(word: str) -> tuple[str, str | None]:
    """A flag and the value that is joined to it: `--size=9`, `-s9`."""
    if word.startswith("--") or not word.startswith("-"):
        flag, equals, text = word.partition("=")
        return flag, text if equals else None
    return word[:2], word[2:].removeprefix("=") or None
