"""The output of both command lines: colour in a terminal, plain text in a pipe, a status line for what takes long."""

from __future__ import annotations

import contextlib
import io
import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rulebots.errors import one_line, printable

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

#: Columns of text that is not for a terminal: no table has to fold or cut anything.
WIDE = 10_000


def in_terminal() -> bool:
    """Whether stdout is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def terminal() -> Console:
    """A console that takes every text literally, square brackets included, and writes no text but printable ones."""
    from rich.console import Console
    from rich.segment import Segment

    class Terminal(Console):
        def render(self, *given: Any, **named: Any) -> Iterator[Segment]:
            for text, style, control in super().render(*given, **named):
                yield Segment(text if control else printable(text), style, control)

    return Terminal(markup=False, emoji=False, highlight=False)


def say(text: str) -> None:
    """Text on stdout, at once."""
    sys.stdout.write(f"{printable(text)}\n")
    sys.stdout.flush()


def complain(message: object) -> None:
    """A message as a line on stderr, if there is one; a closed one stops nothing."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(f"{one_line(message)}\n")
            sys.stderr.flush()


def warn(text: object) -> None:
    """A warning on stderr, at once: it is not part of what was asked for."""
    complain(f"warning: {text}")


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


@contextlib.contextmanager
def live_line(*, quiet: bool = False) -> Iterator[Callable[[int, str], None]]:
    """A function to call with (games played, status).

    In a pipe, a line is written whenever the number of games has doubled.
    """
    if quiet:
        yield lambda _, __: None
    elif in_terminal():
        from rich.live import Live
        from rich.text import Text

        text = Text()
        with Live(text, console=terminal(), transient=True):

            def show(_: int, standing: str) -> None:
                text.plain = standing

            yield show
    else:
        due = 100

        def write(games: int, standing: str) -> None:
            nonlocal due
            if games >= due:
                due = 2 * games
                say(standing)

        yield write


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
