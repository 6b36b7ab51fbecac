"""A status line for long matches: kept up to date in a terminal, written now and then in a pipe."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from rulebots.cli.console import in_terminal, say, terminal


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
