"""Output of both command lines: colour in a terminal, plain text in a pipe, one line for an error."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import io
import json
import logging
import math
import os
import pkgutil
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import metadata
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.exceptions import TyperException

from rulebots.errors import FileError, UsageError

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

#: Columns of text that is not for a terminal: no table has to fold or cut anything.
WIDE = 10_000
#: Where the library says at level INFO that it begins to compile something, and how long that may take.
COMPILING = "rulebots.compile"
FAILURE = FileError.exit_code
#: Known everywhere, because it has to work before anything is loaded.
DEBUG = "--debug"
#: What an app's callback declares, so that the help shows it.
DebugOption = Annotated[
    bool, typer.Option(DEBUG, help="Run interpreted, with bounds and every call of a law and a rule checked: slow.")
]
#: What typer makes of Ctrl-C.
_INTERRUPTED = 130


def new_app() -> typer.Typer:
    """An empty command line. Its help has colour and boxes in a terminal only."""
    return typer.Typer(
        rich_markup_mode="rich" if in_terminal() else None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def load_commands(package: ModuleType) -> None:
    """Import each module of a package of commands, and each one named in its `BESIDE` that is installed.

    Such a module adds its command to the package's app.
    """
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    for name in getattr(package, "BESIDE", ()):
        if importlib.util.find_spec(name.partition(".commands")[0]) is not None:
            importlib.import_module(name)


def examples(*lines: str) -> str:
    """The end of a help page: commands to copy, each on its line."""
    if in_terminal():
        return "\n".join(["[bold]Examples[/bold]", *(f"  {line}" for line in lines)])
    return "\b\n" + "\n".join(["Examples:", *(f"  {line}" for line in lines)])


def version_option(program: str) -> Callable[[bool], None]:
    """What `--version` does."""

    def show_version(wanted: bool) -> None:
        if wanted:
            say(f"{program} {metadata.version('rulebots')}")
            raise typer.Exit

    return show_version


def run_app(app: typer.Typer, program: str, arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code: 0, 1 for a failure, 2 for wrong use.

    Every error of the user's ends as one line on stderr, `program: what was expected and what came`.

    Raises:
        KeyboardInterrupt: on Ctrl-C.
    """
    if sys.stdout is None:
        _complain(program, "standard output is closed: expected a terminal, a file or a pipe")
        return FAILURE
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdin, io.TextIOWrapper):  # a person may type anything, and gets an answer to it
        sys.stdin.reconfigure(errors="surrogateescape")
    warnings.showwarning = _one_line_warning
    with _compilations_announced():
        return _run(app, program, arguments)


def _run(app: typer.Typer, program: str, arguments: Sequence[str] | None) -> int:
    given = _without_debug(list(sys.argv[1:] if arguments is None else arguments))
    try:
        command = typer.main.get_command(app)
        code = command.main(args=given or ["--help"], prog_name=program, standalone_mode=False)
        sys.stdout.flush()
    except Exception as error:
        found = _explained(error)
        if found is None:
            raise
        code, message = found
        _abandon_stdout()
    else:
        if code == _INTERRUPTED:
            raise KeyboardInterrupt
        message = ""
    if message:
        _complain(program, message)
    return int(code or 0)


def _without_debug(given: list[str]) -> list[str]:
    """The arguments without `--debug`, wherever it stands, which lets everything after this run interpreted."""
    end = given.index("--") if "--" in given else len(given)
    if DEBUG in given[:end]:
        os.environ["RULEBOTS_DEBUG"] = "1"
    return [word for i, word in enumerate(given) if word != DEBUG or i >= end]


def in_terminal() -> bool:
    """Whether stdout is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def terminal() -> Console:
    """A console that takes every text literally, square brackets included."""
    from rich.console import Console

    return Console(markup=False, emoji=False, highlight=False)


def say(text: str) -> None:
    """A line of text on stdout, at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def say_json(result: Any) -> None:
    """A result as a line of JSON on stdout; a number that is not finite is null, for JSON knows no infinity."""
    say(json.dumps(_finite(result)))


def show(thing: RenderableType, title: str = "") -> None:
    """A table on stdout, under its title; nothing of it is ever cut off."""
    if in_terminal():
        console = terminal()
        if title:
            console.print(title, style="bold")
        console.print(thing)
        return
    from rich.console import Console

    text = io.StringIO()
    Console(file=text, width=WIDE, color_system=None, markup=False, emoji=False, highlight=False).print(thing)
    say("\n".join([title] * bool(title) + [line.rstrip() for line in text.getvalue().splitlines()]))


def one_line(text: object) -> str:
    """A message without line breaks."""
    return " ".join(str(text).split())


def _complain(program: str, message: str) -> None:
    """A line on stderr, if there is one."""
    if sys.stderr is None:
        return
    with contextlib.suppress(BrokenPipeError):
        sys.stderr.write(f"{program}: {one_line(message)}\n")
        sys.stderr.flush()


def _explained(error: Exception) -> tuple[int, str] | None:
    """Exit code and message for an error of the user's or the system's; None for a bug, which keeps its traceback."""
    if isinstance(error, TyperException):
        return error.exit_code, error.format_message()
    if isinstance(error, UsageError):
        return error.exit_code, str(error)
    if isinstance(error, BrokenPipeError):
        return FAILURE, ""
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return FAILURE, f"{place}{error.strerror or error}"
    if isinstance(error, MemoryError):
        return FAILURE, f"not enough memory ({error}): ask for fewer deals or players"
    return None


def _abandon_stdout() -> None:
    """Stop Python from complaining a second time of a stdout that is closed or full."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _one_line_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"warning: {one_line(message)}\n")


@contextlib.contextmanager
def _compilations_announced() -> Iterator[None]:
    """While the block runs, a line on stderr says when something is compiled: the first minute is never silent."""
    logger, handler = logging.getLogger(COMPILING), _ToStderr(logging.INFO)
    former = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.setLevel(former)
        logger.removeHandler(handler)


class _ToStderr(logging.Handler):
    """Writes a line to what is stderr at that moment: a progress display may have replaced it."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write it; a closed stderr stops nothing."""
        if sys.stderr is None:
            return
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(f"{one_line(record.getMessage())}\n")
            sys.stderr.flush()


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
