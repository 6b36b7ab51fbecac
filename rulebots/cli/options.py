"""The options of commands: how one is declared, those that several commands share, and settings as flags.

A command declares an option in a line, as `deals: Annotated[int, shared("--deals", "Of the match.")] = 100`. Options
that belong together are fields of a dataclass:

    @dataclass(frozen=True)
    class ServeFlags:
        port: Annotated[int, shared("--port")]
        name: Annotated[str | None, option("Its name.", "NAME")] = None

    @app.with_examples("shop serve --port 80", group="Serve")
    def serve(flags: ServeFlags) -> None: ...

A parameter marked with `SettingFlags` takes the settings that were given as flags, by name: their flags follow from
the dataclass that declares them.
"""

import dataclasses
import functools
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar, get_args, get_type_hints

import typer

from rulebots.cli import console
from rulebots.cli.lookup import complete_game, complete_player, complete_rules, game_name, options_of
from rulebots.errors import UsageError, demand
from rulebots.files.ranges import Range, flags_of, ranges_of
from rulebots.files.reading import DASH
from rulebots.packages import DEFAULT_GAME
from rulebots.play import MOST_DEALS, MOST_JOBS

T = TypeVar("T")
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


def percentage(text: str) -> float:
    """`0.5%` as 0.005. Raises UsageError for anything else."""
    demand(re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,6})?%", text), f"expected a share such as 0.5%, not '{text}'")
    return float(text[:-1]) / 100


def named_path(text: str) -> Path:
    """A text as a path. Raises UsageError for `-`, and for "", which would mean the current folder."""
    demand(text not in ("", DASH), f"expected the name of a file or folder, not '{text}'")
    return Path(text)


def player_file(text: str) -> str:
    """A text as the file of a player; the folder of a run stands for the champion in it."""
    champion = Path(text) / "champion.yaml"
    return str(champion) if champion.is_file() else text


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


#: What reads a value, by the name that the help gives to it.
_READERS: Mapping[str, Callable[[str], Any]] = {
    "X%": percentage,
    "DIR": named_path,
    **dict.fromkeys(("A", "B", "FILE", "PLAYER"), player_file),
    "GAME": game_name,
    "PORT": Range(1, 65_535, whole=True).read,
}


# How an option is declared: its help, the name of its value, its flags where the parameter's name does not give them,
# and `default`, what the help says of the default where that is not the parameter's own.


def option(
    meaning: str,
    value: str,
    *flags: str,
    read: Callable[[str], Any] | None = None,
    default: str | bool = True,
    complete: Callable[..., list[str]] | None = None,
) -> Any:
    """An option whose value is read by `read`, which raises UsageError; without it as its name says, else a text."""
    return typer.Option(
        *flags,
        parser=parser(read or _READERS.get(value)),
        metavar=value,
        help=meaning,
        show_default=default,
        autocompletion=complete or (None if read else _COMPLETERS.get(value)),
    )


def argument(value: str, meaning: str, *, read: Callable[[str], Any] | None = None) -> Any:
    """An argument, as `option`."""
    name = value.strip("[]")
    return typer.Argument(
        parser=parser(read or _READERS.get(name)),
        metavar=value,
        help=meaning,
        show_default=False,
        autocompletion=None if read else _COMPLETERS.get(name),
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


def file_read(meaning: str, *flags: str) -> Any:
    """An option with the name of a file that is read; `-` is standard input."""
    return option(f"{meaning} `-` is standard input.", "FILE", *flags, read=read_path)


def file_written(meaning: str, *flags: str, default: str | bool = True) -> Any:
    """An option with the name of a file that is written; `-` is standard output."""
    return option(f"{meaning} `-` is standard output.", "FILE", *flags, read=written_path, default=default)


def switch(*flags_and_meaning: str) -> Any:
    """An option that is on or off: its flags, and then its help."""
    return typer.Option(*flags_and_meaning[:-1], help=flags_and_meaning[-1])


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
    "--game": Shared("GAME", "The game, such as kalah, or the folder of your own, such as ./nim."),
    "--games": Shared("N", "Games to play.", 1),
    "--move-seconds": Shared("S", "The most time for a move, in seconds.", 0.001, MOST_MOVE_SECONDS),
    "--opponents": Shared(
        "PLAYER,...",
        "Further opponents: names or files with commas between, `\\,` for one in a name, or `none`; repeatable.",
    ),
    "--option": Shared("NAME=VALUE", "An option of the game, such as suits=6 (see `rulebots games GAME`); repeatable."),
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
    flag: str, more: str = "", low: float | None = None, high: float | None = None, *, default: str | bool = True
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
#: The game of one player, or of several.
PlayedGame = Annotated[str | None, shared("--game", default=f"the game of the player's file, else {DEFAULT_GAME}")]
#: The game that a name belongs to, or one that is not installed.
CustomGame = Annotated[str | None, shared("--game", "Only needed where a name or a file does not tell.")]
Imports = Annotated[
    list[str] | None,
    option(
        "A rule set or player of your own that a file names, or MODULE:NAME; repeatable.", "FILE.py:NAME", "--import"
    ),
]
PositionText = Annotated[
    str | None,
    option(
        "A position of the game in its text form, which `rulebots replay FILE N` shows: see the game's page.",
        "TEXT",
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
    shared("--move-seconds", "Of a player in Python, such as a search; a later move is a fault.", default="any time"),
]
Seed = Annotated[int, shared("--seed", "It deals the games.")]
RandomSeed = Annotated[
    int | None,
    shared("--seed", "It deals the games, and players draw their chance from it.", default="a different one each time"),
]
TotalSeconds = Annotated[float, decimal("The most that a game may take, in seconds.", 0.01, 1e6)]


def _only_json(context: typer.Context, as_json: bool) -> bool:
    context.call_on_close(console.free_stdout)
    return as_json and console.reserve_stdout("--json")


AsJson = Annotated[
    bool,
    typer.Option(
        "--json", callback=_only_json, help="Print the result as one JSON object; all else goes to standard error."
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
        """The options of the game. Raises UsageError."""
        return options_of(self.option)

    @property
    def threads(self) -> int:
        """The number of threads."""
        return threads_of(self.jobs)

    def arguments(self, bred: Mapping[str, int] | None = None) -> dict[str, Any]:
        """The arguments of what plays matches; `bred` are options where none is chosen (see `bred_options`)."""
        return {"options": {**(bred or {}), **self.options}, "opening_plies": self.opening_plies, "jobs": self.threads}


def threads_of(jobs: int | None) -> int:
    """The number of threads: those asked for, or one for each core."""
    if jobs is None:
        import joblib

        return int(joblib.cpu_count())
    return jobs


def need(value: T | None, flag: str, what: str) -> T:
    """The value of an option that a command cannot do without here. Raises UsageError where it was not given."""
    if value is None:
        raise UsageError(f"{flag}: expected {what}")
    return value


def refuse(options: Mapping[str, object], why: str) -> None:
    """Raise UsageError for the first of these options, by its flag, that was given."""
    for flag, value in options.items():
        demand(value is None or value == [], f"{flag}: {why}")


def at_most_one(options: Mapping[str, object], what: str) -> None:
    """Raise UsageError where several of these options were given, by flag, which each say `what`."""
    flags = [flag for flag, value in options.items() if value not in (None, False, [])]
    demand(len(flags) <= 1, f"{' and '.join(flags)} each say {what}: give one of them")


# Dataclasses and settings as parameters.


class _Bundle(NamedTuple):
    """The parameters that stand for one parameter of a command, and what makes its value from theirs."""

    parameters: Sequence[inspect.Parameter]
    value: Callable[[Mapping[str, Any]], Any]


@dataclasses.dataclass(frozen=True)
class SettingFlags:
    """Marks a parameter that takes settings of a dataclass: those that `defaults` names, with the default in words."""

    settings: type
    defaults: Mapping[str, str]

    def bundle(self) -> _Bundle:
        """A flag for each setting; the value has those that were given."""
        kinds = get_type_hints(self.settings)
        parameters = []
        for name, default in self.defaults.items():
            kind = list[str] if get_args(kinds[name])[1:] == (...,) else kinds[name]
            info = setting_option(self.settings, name, default=default or False)
            parameters.append(_parameter(name, Annotated[kind | None, info], None))
        return _Bundle(
            parameters, lambda flags: {name: flags[name] for name in self.defaults if flags[name] is not None}
        )


def setting_option(settings: type, name: str, more: str = "", *, default: str | bool = True) -> Any:
    """The option of a setting: its flag, range and meaning are those that the field declares."""
    declared = next(f.metadata for f in dataclasses.fields(settings) if f.name == name)
    allowed = ranges_of(settings).get(name)
    flag = flags_of(settings)[name]
    meaning = allowed.meaning if allowed else declared["meaning"]
    sentences = f"{meaning[0].upper()}{meaning[1:]}. {more}".rstrip()
    if flag in SHARED:
        return shared(flag, sentences, *((allowed.low, allowed.high) if allowed else ()), default=default)
    read, complete = allowed.read if allowed else None, declared.get("complete")
    return option(sentences, declared.get("value", "N"), flag, read=read, default=default, complete=complete)


class Spread:
    """A command with its dataclasses spread into parameters, as Typer reads them.

    Typer reads only the command that runs, so nothing is spread before: all commands together cost 0.04 s.
    """

    def __init__(self, command: Callable[..., None]) -> None:
        self.__name__ = command.__name__
        self.__doc__ = command.__doc__
        self._command = command

    @functools.cached_property
    def _bundles(self) -> Mapping[str, _Bundle]:
        hints = get_type_hints(self._command, include_extras=True)
        parameters = inspect.signature(self._command).parameters
        return {name: _bundle(name, hints[name], one.default) for name, one in parameters.items()}

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.Signature([parameter for bundle in self._bundles.values() for parameter in bundle.parameters])

    @property
    def __annotations__(self) -> dict[str, Any]:  # type: ignore[override]  # worked out when it is asked for
        return {name: parameter.annotation for name, parameter in self.__signature__.parameters.items()}

    def __call__(self, **flags: Any) -> None:
        """Run the command with the values of all parameters."""
        self._command(**{name: bundle.value(flags) for name, bundle in self._bundles.items()})


def _bundle(name: str, hint: Any, default: Any) -> _Bundle:
    marker = next((one for one in getattr(hint, "__metadata__", ()) if isinstance(one, SettingFlags)), None)
    if marker:
        return marker.bundle()
    if not (isinstance(hint, type) and dataclasses.is_dataclass(hint)):
        return _Bundle([_parameter(name, hint, default)], lambda flags: flags[name])
    kinds = get_type_hints(hint, include_extras=True)
    fields = dataclasses.fields(hint)
    return _Bundle(
        [_parameter(f.name, kinds[f.name], f.default) for f in fields],
        lambda flags: hint(**{f.name: flags[f.name] for f in fields}),
    )


def _parameter(name: str, kind: Any, default: Any) -> inspect.Parameter:
    default = inspect.Parameter.empty if default is dataclasses.MISSING else default
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
