"""A board in the terminal, with what the last move changed marked."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from rulebots.cli.console import in_terminal, say, terminal


class Board:
    """The place where boards are shown, one after another."""

    def __init__(self) -> None:
        self._before = ""

    def show(self, now: str) -> None:
        """Print a board; in a terminal what differs from the one before is marked."""
        if in_terminal():
            from rich.text import Text

            text = Text(now)
            for start, end in changes(self._before, now):
                text.stylize("reverse", start, end)
            terminal().print(text, soft_wrap=True)
        else:
            say(now)
        self._before = now

    def forget(self) -> None:
        """Mark nothing on the next board."""
        self._before = ""


def changes(before: str, now: str) -> Iterator[tuple[int, int]]:
    """Where a board differs from the one before, as pieces of its text; nothing where it has another shape.

    A line of as many words as before is a row of a grid, and compared column by column; along any other line
    things come and go. Blanks are never marked.
    """
    old, new, place = before.split("\n"), now.split("\n"), 0
    if len(old) != len(new):
        return
    for was, line in zip(old, new, strict=True):
        differing = changed_columns if len(was.split()) == len(line.split()) else changed_words
        yield from ((place + start, place + end) for start, end in differing(was, line))
        place += len(line) + 1


def changed_columns(was: str, line: str) -> Iterator[tuple[int, int]]:
    """Where a line has another character than it had in the same column, but for blanks."""
    marks = "".join("x" if now not in (old, " ") else " " for old, now in zip(was.ljust(len(line)), line, strict=False))
    yield from (run.span() for run in re.finditer("x+", marks))


def changed_words(was: str, line: str) -> Iterator[tuple[int, int]]:
    """Where a line has words that have come in, or stand for others."""
    words = list(re.finditer(r"\S+", line))
    match = difflib.SequenceMatcher(None, was.split(), [word[0] for word in words], autojunk=False)
    for kind, _, _, start, end in match.get_opcodes():
        if kind != "equal" and start < end:
            yield words[start].start(), words[end - 1].end()
