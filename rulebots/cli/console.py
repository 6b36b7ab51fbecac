"""The output of both command lines: colour in a terminal, plain text in a pipe, a status line for what takes long."""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TextIO

from rulebots.errors import UsageError, one_line, printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

#: Columns of text that is not for a terminal: no table has to fold or cut anything.
WIDE = 10_000
#: Seconds after which a status in a terminal says for how long it has stood there.
PATIENCE = 3.0
#: Cards such as Q♥, and a hand's suit with its ranks, such as ♦ J 9.
RED_CARDS = re.compile(r"(10|[2-9AKQJ])?[♥♦]( (10|[2-9AKQJ])(?!\S))*")


#: What has standard output to itself: `--json`, or a file that is called `-`. Then people read standard error.
_owner: list[str] = []


def reserve_stdout(what: str) -> bool:
    """From now on, only what `say_json` or `write_stdout` writes is on stdout, and all else on stderr.

    Raises:
        UsageError: something else has it.
    """
    if _owner:
        raise UsageError(f"{what}: standard output has {_owner[0]} already: give a file's name to one of them")
    _owner.append(what)
    return True


def free_stdout() -> None:
    """Stdout is for people again."""
    _owner.clear()


def _for_people() -> TextIO | None:
    return sys.stderr if _owner else sys.stdout


def in_terminal() -> bool:
    """Whether what `say` writes is read in a terminal."""
    stream = _for_people()
    return stream is not None and stream.isatty()


def terminal() -> Console:
    """A console for people, wide enough for everything where they read no terminal. It takes every text literally."""
    from rich.console import Console

    return Console(
        file=_for_people(), width=None if in_terminal() else WIDE, markup=False, emoji=False, highlight=False
    )


def say(text: str) -> None:
    """Text on stdout, at once; on stderr where stdout is reserved."""
    _write(printable(text))


def say_board(text: str) -> None:
    """A board as `say` says text; in a terminal with colours, cards of hearts and diamonds are red."""
    board = printable(text)
    if in_terminal() and "NO_COLOR" not in os.environ:
        board = RED_CARDS.sub("\033[31m\\g<0>\033[39m", board)
    _write(board)


def _write(text: str) -> None:
    stream = _for_people()
    if stream:
        stream.write(f"{text}\n")
        stream.flush()


def complain(message: object) -> None:
    """A message as a line on stderr, if there is one; a closed one stops nothing."""
    if sys.stderr:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(f"{one_line(message)}\n")
            sys.stderr.flush()


def warn(text: object) -> None:
    """A warning on stderr, at once: it is not part of what was asked for."""
    complain(f"warning: {text}")


def say_json(result: Any) -> None:
    """A result as a line of JSON on stdout; a number that is not finite is null, for JSON knows no infinity."""
    finite = json.loads(json.dumps(result, default=dict), parse_constant=lambda _: None)
    write_stdout(f"{json.dumps(finite)}\n".encode())


def write_stdout(content: bytes) -> None:
    """Bytes on stdout, at once and as they are."""
    sys.stdout.flush()
    if hasattr(sys.stdout, "buffer"):
        sys.stdout.buffer.write(content)
    else:  # a notebook's stream takes text
        sys.stdout.write(content.decode())
    sys.stdout.flush()


def read_stdin() -> bytes:
    """All of stdin. Raises OSError where it is closed."""
    if sys.stdin is None:
        raise OSError("it is closed")
    return sys.stdin.buffer.read() if hasattr(sys.stdin, "buffer") else sys.stdin.read().encode()


def show(table: Table, title: str = "") -> None:
    """A table of printable texts as `say` says text, under its title; nothing of it is ever cut off."""
    console = terminal()
    with console.capture() as capture:
        if title:
            console.print(printable(title), style="bold")
        console.print(table)
    _write("\n".join(line.rstrip() for line in capture.get().splitlines()))


@contextlib.contextmanager
def live_line(*, quiet: bool = False) -> Iterator[Callable[[int, str], None]]:
    """A function to call with (games played, status), to which a terminal adds the seconds once they are many.

    In a pipe, a line is written to stderr whenever the number of games has doubled.
    """
    if quiet:
        yield lambda _, __: None
    elif in_terminal():
        from rich.live import Live
        from rich.text import Text

        said, since = "", math.inf

        def render() -> Text:
            waited = time.monotonic() - since
            return Text(f"{printable(said)}{f' … {waited:.0f} s' * (waited >= PATIENCE)}")

        def tell(_: int, standing: str) -> None:
            nonlocal said, since
            said, since = standing, time.monotonic()

        with Live(console=terminal(), transient=True, get_renderable=render):
            yield tell
    else:
        due = 100

        def write(games: int, standing: str) -> None:
            nonlocal due
            if games >= due:
                due = 2 * games
                complain(standing)

        yield write
