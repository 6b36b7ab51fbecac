"""A command line: its help, its commands, and its errors, each as one line with an exit code.

Help is plain text in groups, as wide as the terminal: Typer's own help pages take twice as long, in which Rich loads.
"""

import contextlib
import copy
import importlib
import importlib.util
import inspect
import io
import itertools
import logging
import os
import pkgutil
import re
import shutil
import sys
import textwrap
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import metadata
from types import ModuleType
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException
from typer.models import CommandInfo

from rulebots.cli.console import complain, free_stdout, in_terminal, read_stdin, say, warn, write_stdout
from rulebots.cli.interrupts import INTERRUPTED
from rulebots.cli.lookup import game_name, means_game
from rulebots.cli.options import Spread
from rulebots.errors import FileError, UsageError, demand, did_you_mean, nearest, shown, unknown
from rulebots.files.reading import DASH, dash_is_standard
from rulebots.packages import game_names

#: Where the library says at level INFO that it begins what takes long, such as compiling, and how long that may take.
LONG_WORK = ("rulebots.compile", "rulebots.records")
#: Known everywhere, because it has to work before anything is loaded.
DEBUG = "--debug"
#: What other programs call a command or an option.
SYNONYMS = {
    **dict.fromkeys(("list", "ls"), "games"),
    **dict.fromkeys(("version", "-v"), "--version"),
    **dict.fromkeys(("breed", "train"), "run"),
    **dict.fromkeys(("--games", "--rounds"), "--deals"),
    "--seconds": "--time",
    "--import": "--rules",
}
#: The programs, each with the package of its commands.
PROGRAMS = {"rulebots": "rulebots.cli.commands", "evolve": "evolve.cli.commands"}
#: The groups of commands, in this order.
GROUPS = ("Play", "Breed", "Measure", "Look", "Your own game", "Serve")
#: The options of a command with many, by purpose. The everyday ones are none of these, and come first.
PURPOSES: Mapping[str, str] = {
    "Statistics": "until sprt alpha beta tolerance",
    "Breeding": "strategy population opponent_deals partners lessons rollouts schedule hall_of_fame",
    "Advanced": "imports opening_plies move_seconds jobs backend address drop_missing config save_config run_dir "
    "tensorboard clop environment protocol time_limit keep_dead bind mirrored connections idle_seconds total_seconds",
}
#: How Typer begins to speak of a wrong value and of a word too many.
_BAD_VALUE = re.compile(r"^Invalid value(?: for '\[?([^'\]]*)\]?'(?: / '[^']*')*)?: ")
_TOO_MANY = re.compile(r"^Got unexpected extra arguments?(?:\(s\))? \((.*)\)$")
#: A command with more options than this shows them by purpose.
_MANY = 10
#: Columns of the longest line, and of the names of options or commands.
_WIDEST = 78
_NAMES = 24

Row = tuple[str, str]


class Interrupted(TyperException):
    """Ctrl-C has ended a command; the message says what there is all the same."""

    exit_code = INTERRUPTED


class App(typer.Typer):
    """A command line with its greeting and commands to copy."""

    def __init__(self, meaning: str, *examples: str, first: Mapping[str, str] | None = None) -> None:
        super().__init__(cls=Program, rich_markup_mode=None, context_settings={"help_option_names": ["-h", "--help"]})
        self.first = first or {}
        self.callback(help=meaning, epilog="\n".join(examples))(_program)

    def with_examples(
        self, *examples: str, group: str, name: str | None = None, **more: Any
    ) -> Callable[[Callable[..., None]], Callable[..., None]]:
        """Register a command of a group; its help ends with commands to copy. `more` is as for typer's `command`."""
        more |= {"epilog": "\n".join(examples), "rich_help_panel": group}
        register = self.command(name, cls=Command, **more)

        def add(command: Callable[..., None]) -> Callable[..., None]:
            register(Spread(command))
            return command

        return add

    def greeting(self, program: str) -> str:
        """What the program says without a command: what most people want, and where the rest is."""
        width = max(map(len, self.first)) + 2
        lines = [f"  {command:{width}}{meaning}" for command, meaning in self.first.items()]
        return "\n".join(["To begin with:", "", *lines, "", f"All commands: {program} --help"])


def _show_version(context: typer.Context, version: bool) -> None:
    if version:
        say(f"{context.info_name} {metadata.version('rulebots')}")
        raise typer.Exit


def _program(
    version: Annotated[
        bool, typer.Option("--version", "-V", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
    debug: Annotated[
        bool, typer.Option(DEBUG, help="Run interpreted, with bounds and every call of a law and a rule checked: slow.")
    ] = False,
) -> None:
    """Stand for the program itself, before any command."""


def load_commands(package: ModuleType) -> App:
    """Import each module of a package of commands, and each one named in its `BESIDE` that is installed.

    Such a module adds its commands to the package's app, which is returned.
    """
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    for name in getattr(package, "BESIDE", ()):
        if importlib.util.find_spec(name.partition(".commands")[0]) is not None:
            importlib.import_module(name)
    app: App = package.app
    app.registered_commands.sort(key=name_of)
    return app


def name_of(command: CommandInfo) -> str:
    """What a command is called."""
    return command.name or command.callback.__name__  # type: ignore[union-attr]  # a command has one of them


def run_app(app: App, program: str, arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code: 0, 1 for a failure, 2 for wrong use, 130 for Ctrl-C.

    Every user error ends as one line on stderr, `program: what was expected and what came`.

    Raises:
        KeyboardInterrupt: on Ctrl-C.
    """
    if sys.stdout is None:
        complain(f"{program}: standard output is closed: expected a terminal, a file or a pipe")
        return FileError.exit_code
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdin, io.TextIOWrapper):  # a person may type anything, and gets an answer to it
        sys.stdin.reconfigure(errors="surrogateescape")
    warnings.showwarning = lambda message, *_, **__: warn(message)
    words = _as_commands(app, _without_debug(list(sys.argv[1:] if arguments is None else arguments)))
    message = ""
    try:
        if not words and app.first and f"_{program.upper()}_COMPLETE" not in os.environ:  # as a shell sets it
            say(app.greeting(program))
            return 0
        with _long_work_announced(), _dashes(words):
            code = _command(app, words).main(args=words or ["--help"], prog_name=program, standalone_mode=False)
        sys.stdout.flush()
    except Exception as error:
        explanation = _explained(error)
        if explanation is None:
            raise
        code, message = explanation
        _abandon_stdout()
    finally:
        free_stdout()
    if code == INTERRUPTED and not message:
        raise KeyboardInterrupt
    if message:
        complain(f"{program}: {message}")
    return int(code or 0)


def _dashes(words: Sequence[str]) -> contextlib.AbstractContextManager[None]:
    """A block in which `-` is standard input and output, where the user typed it, or `-#NAME`."""
    typed = any(word == DASH or word.startswith(f"{DASH}#") or word.endswith(f"={DASH}") for word in words)
    return dash_is_standard(read_stdin, write_stdout) if typed else contextlib.nullcontext()


def _command(app: App, words: Sequence[str]) -> Any:
    """The command line as typer runs it, with only the command that the words name: all of them cost 0.05 s."""
    short = copy.copy(app)
    named = [command for command in app.registered_commands if name_of(command) in words[:1]]
    if words and not named and not words[0].startswith("-"):
        if elsewhere := _elsewhere(app, words[0]):
            raise UsageError(f"no command '{shown(words[0])}'; did you mean '{elsewhere}'?")
        raise UsageError(unknown("command", words[0], [*map(name_of, app.registered_commands), "help"]))
    short.registered_commands = named or app.registered_commands
    return typer.main.get_command(short)


def _as_commands(app: App, words: list[str]) -> list[str]:
    """The words with `help COMMAND` or `COMMAND help` as `COMMAND --help`, and a synonym as what it means."""
    if words and words[0] in ("help", "--help", "-h"):
        words = [*words[1:], "--help"]
    elif words[1:] == ["help"]:
        words = [words[0], "--help"]
    meant = [_meant(app, word) or word for word in words[:1]]
    rest = words[1:]
    return meant + rest[rest[:1] == meant and words[:1] != meant :]  # `list games` is `games`


def _meant(app: typer.Typer, word: str) -> str:
    """The command that a word means: its name, the singular of one that lists, or a synonym; "" if there is none.

    Not the plural: `evolve runs` asks for runs, and must not begin one.
    """
    known = {"--version", *(name_of(command) for command in app.registered_commands)}
    return next((one for one in (word, f"{word}s", SYNONYMS.get(word)) if one in known), "")


def _elsewhere(app: App, word: str) -> str:
    """The command of another program that a word means, for a game the first of this one; "" if there is none."""
    if (game := game_name(word)) in game_names():
        return " ".join([*next(iter(app.first), "rulebots play").split()[:2], game])
    if word in PROGRAMS:
        return f"{word} --help"
    for program, commands in PROGRAMS.items():
        there = importlib.util.find_spec(program) is not None
        if there and (name := _meant(load_commands(importlib.import_module(commands)), word)):
            return f"{program} {name}"
    near = nearest(word, [*map(name_of, app.registered_commands), *game_names()])
    return _elsewhere(app, near) if near in game_names() else ""


def _without_debug(words: list[str]) -> list[str]:
    """The words without `--debug`, wherever it stands; with it, everything runs interpreted from here on."""
    end = words.index("--") if "--" in words else len(words)
    if DEBUG in words[:end]:
        os.environ["RULEBOTS_DEBUG"] = "1"
    return [word for i, word in enumerate(words) if word != DEBUG or i >= end]


def _explained(error: Exception) -> tuple[int, str] | None:
    match error:
        case TyperException():
            return error.exit_code, _told(error)
        case UsageError():
            return error.exit_code, str(error)
        case BrokenPipeError():
            return FileError.exit_code, ""
        case MemoryError():
            about = f" ({error})" if str(error) else ""
            return FileError.exit_code, f"not enough memory{about}: ask for fewer deals or players"
        case OSError():
            place = f"{error.filename}: " if error.filename else ""
            return FileError.exit_code, f"{place}{error.strerror or error}"
    return None


def _told(error: Any) -> str:
    """Typer's message; of words that are unknown, missing or too many, with what is meant or a command to copy."""
    command, message = getattr(error, "cmd", None), error.format_message()
    if command is None or (isinstance(error, typer.BadParameter) and error.message):
        return _BAD_VALUE.sub(lambda match: f"{match[1]}: " if match[1] else "", message)
    path = error.ctx.command_path
    flag = getattr(error, "option_name", "")
    if hasattr(error, "possibilities"):  # Typer's own guesses are wilder
        flags = [known for one in command.params for known in one.opts if known.startswith("-")]
        close = did_you_mean(SYNONYMS.get(flag, flag), flags)
        return f"no option '{flag}'{close or f'; all options: {path} --help'}"
    unasked = [name for name in game_names() if f"({name})" not in message]
    message = _TOO_MANY.sub(lambda word: f"did not expect '{word[1]}'{did_you_mean(word[1], unasked)}", message)
    if flag:  # its value is missing, or it is a switch that got one
        value = next(one.metavar for one in command.params if flag in one.opts)
        message = f"expected {value} after {flag}" if value else f"{flag} takes no value"
    if missing := getattr(error, "param", None):
        named = missing.param_type_name == "argument"
        meaning = f"{missing.help[:1].lower()}{missing.help[1:]}".partition(";")[0]
        message = f"expected {meaning}" if named else f"expected {missing.opts[0]}, {meaning}"
    examples = [line for line in [*(command.epilog or "").splitlines(), f"{path} --help"] if line.startswith(path)]
    example = min(examples, key=lambda line: f" {flag} " not in line)  # the first with the option, if it is one
    game = f" --game {error.game}" if getattr(error, "game", "") and " --game " not in example else ""
    return f"{message.removesuffix('.')}. For example: {example}{game}".replace("?.", "?")


def _abandon_stdout() -> None:
    """Stop Python from complaining a second time of a stdout that is closed or full."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def _long_work_announced() -> Iterator[None]:
    """While the block runs, a line on stderr says when something takes long: the first minute is never silent."""
    handler = _ToStderr()
    levels = {logger: logger.level for logger in map(logging.getLogger, LONG_WORK)}
    for logger in levels:
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        for logger, level in levels.items():
            logger.setLevel(level)
            logger.removeHandler(handler)


class _ToStderr(logging.Handler):
    """A program's own words, on the standard error of the moment."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print a message."""
        complain(record.getMessage())


class Program(TyperGroup):
    """A program, whose help has its commands in groups."""

    def get_help(self, ctx: Any) -> str:
        """The help page."""
        sections: dict[str, list[Row]] = {group: [] for group in GROUPS}
        sections["Options"] = [_row(one) for one in self.get_params(ctx)]
        for name, command in self.commands.items():
            sections[command.rich_help_panel].append((name, summary(command.help)))  # type: ignore[attr-defined]  # all are `Command`
        return page(ctx, sections)


class Command(TyperCommand):
    """A command, whose help has its options by purpose where it has many."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As Typer does, but a game that is an option may be a word of its own, as in `match kalah champion standard`.

        Alone it stands for its champion, as in `why kalah`.
        """
        kinds = {(str(one.metavar).strip("[]"), one.param_type_name) for one in self.params}
        self._refuse_slips(ctx, args, counts=("N", "argument") in kinds)
        takes = ("GAME", "option") in kinds and not kinds & {("GAME", "argument"), ("NAME...", "argument")}
        takes = takes and "--game" not in {arg.partition("=")[0] for arg in args}
        valued = {flag for one in self.params if not getattr(one, "is_flag", False) for flag in one.opts}
        words = [after for before, after in itertools.pairwise(["", *args]) if before not in valued]
        if game := next(filter(means_game, words if takes else ()), ""):
            about = [one.metavar for one in self.params if one.param_type_name == "argument" and one.required]
            alone = [word for word in words if not word.startswith("-")] == [game]
            alone &= about in (["PLAYER"], ["FILE"]) and self.name != "replay"
            at = args.index(game)
            args = [*args[:at], "--game", *args[at:], *["champion"] * (alone and not ctx.resilient_parsing)]
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            vars(error).update(ctx=ctx, cmd=self, game=game)  # Typer does not always say where it was
            raise

    def _refuse_slips(self, ctx: Any, args: Sequence[str], *, counts: bool) -> None:
        """Raise UsageError for `-deals`, and for a number after a switch unless an argument `counts`."""
        long = {flag: one for one in self.get_params(ctx) for flag in one.opts if flag.startswith("--")}
        for word, after in itertools.pairwise([*args[: [*args, "--"].index("--")], ""]):
            if f"-{word}" in long:
                raise UsageError(f"no option '{word}'{did_you_mean(word, long)}")
            switch = not counts and getattr(long.get(word), "is_flag", False)
            demand(not (switch and after.isdecimal()), f"{word} takes no value: leave out '{after}'")

    def get_help(self, ctx: Any) -> str:
        """The help page."""
        parameters = self.get_params(ctx)
        options = [one for one in parameters if one.param_type_name == "option"]
        purposes = {name: title for title, names in PURPOSES.items() for name in names.split()}
        sections: dict[str, list[Row]] = {"Arguments": [], "Options": [], **{purpose: [] for purpose in PURPOSES}}
        sections["Arguments"] = [_row(one) for one in parameters if one not in options]
        for one in options:
            purpose = purposes.get(str(one.name), "Options") if len(options) > _MANY else "Options"
            sections[purpose].append(_row(one))
        return page(ctx, sections)


def summary(text: str | None) -> str:
    """The first paragraph of a help text, on one line."""
    return " ".join(inspect.cleandoc(text or "").partition("\n\n")[0].split())


def page(ctx: Any, sections: Mapping[str, Sequence[Row]]) -> str:
    """A help page: how to call the command, what it does, its sections, and its examples."""
    command = ctx.command
    width = min(shutil.get_terminal_size().columns - 2, _WIDEST)
    words = ["Usage:", ctx.command_path, "[OPTIONS]"]
    for one in command.params:
        if one.param_type_name == "argument":
            name = str(one.metavar or one.name.upper())
            words.append(name if one.required or name.startswith("[") else f"[{name}]")
    words += ["COMMAND ..."] * isinstance(command, TyperGroup)
    parts = [_filled(" ".join(words), width, "", "    ")]
    parts += [_filled(part, width, "  ", "  ") for part in inspect.cleandoc(command.help or "").split("\n\n")]
    parts += [f"{_heading(title)}\n{_rows(rows, width)}" for title, rows in sections.items() if rows]
    if command.epilog:  # commands to copy, which stay on one line
        parts.append("\n  ".join([_heading("Examples"), *command.epilog.splitlines()]))
    return "\n\n".join(parts)


def _row(parameter: Any) -> Row:
    if parameter.param_type_name == "argument":
        return parameter.metavar or parameter.name.upper(), parameter.help or ""
    flags = ", ".join(sorted([*parameter.opts, *parameter.secondary_opts], key=len))
    shown = parameter.default if parameter.show_default is True else parameter.show_default
    default = "" if shown in (None, False, (), "") else f" [default: {shown}]"
    meaning = f"{parameter.help or ''}{' [required]' if parameter.required else default}"
    return f"{flags} {parameter.metavar or ''}".rstrip(), meaning


def _heading(title: str) -> str:
    bold = in_terminal() and "NO_COLOR" not in os.environ
    return typer.style(f"{title}:", bold=True) if bold else f"{title}:"


def _rows(rows: Sequence[Row], width: int) -> str:
    column = min(max(len(name) for name, _ in rows), _NAMES, width // 3) + 4
    lines = []
    for name, meaning in rows:
        beside = f"  {name}".ljust(column)
        if len(name) + 4 > column or not meaning:
            lines.append(f"  {name}")
            beside = " " * column
        if meaning:
            lines.append(_filled(meaning, width, beside, " " * column))
    return "\n".join(lines)


def _filled(text: str, width: int, first: str, rest: str) -> str:
    """A text in lines of that width: the first begins with `first`, the others with `rest`."""
    return textwrap.fill(
        " ".join(text.split()),
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
