"""The help pages of both programs: plain text in groups, as wide as the terminal, and readable at 40 columns."""

from __future__ import annotations

import inspect
import os
import re
import shutil
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from rulebots.cli.console import in_terminal

#: The groups of commands, in this order.
GROUPS = ("Play", "Breed", "Measure", "Look", "Your own game", "Serve")
#: The options of a command with many, by purpose. Those that stand nowhere here are the command's own, and come first.
PURPOSES: Mapping[str, str] = {
    "What is played": "game option opening_plies position",
    "Breeding": "strategy lessons rollouts schedule hall_of_fame start drop_missing",
    "Chance, time and cores": "seed seconds games move_seconds jobs backend address",
    "Files and output": "config save_config run_dir out record ladder csv plot tensorboard as_json quiet help",
}
#: A command with more options than this shows them by purpose.
_MANY = 10
#: No line is longer, however wide the terminal; in one narrower than `_TWO_COLUMNS` a meaning stands below its option.
_WIDEST, _TWO_COLUMNS = 78, 60
#: Columns for the names of options or commands.
_NAMES = 24

Row = tuple[str, str]


class Program(TyperGroup):
    """A program, whose help has its commands in groups."""

    def get_help(self, ctx: Any) -> str:
        """The help page."""
        shown = [(name, command) for name, command in self.commands.items() if not command.hidden]
        sections = {
            group: [(name, summary(command.help)) for name, command in shown if _group(command) == group]
            for group in GROUPS
        }
        return page(ctx, self.help, {"Options": [_row(one, ctx) for one in self.get_params(ctx)], **sections})


class Command(TyperCommand):
    """A command, whose help has its options by purpose where it has many."""

    def get_help(self, ctx: Any) -> str:
        """The help page."""
        found = self.get_params(ctx)
        options = [one for one in found if one.param_type_name == "option"]
        sections: dict[str, list[Row]] = {"Arguments": [], "Options": [], **{purpose: [] for purpose in PURPOSES}}
        for one in found:
            purpose = next((title for title, names in PURPOSES.items() if one.name in names.split()), "Options")
            title = purpose if one in options and len(options) > _MANY else "Options"
            sections[title if one in options else "Arguments"].append(_row(one, ctx))
        return page(ctx, self.help, sections)


def summary(text: str | None) -> str:
    """The first paragraph of a help text, on one line."""
    return " ".join(inspect.cleandoc(text or "").partition("\n\n")[0].split())


def page(ctx: Any, text: str | None, sections: Mapping[str, Sequence[Row]]) -> str:
    """A help page: how to call the command, what it does, its sections, and its examples."""
    width = min(shutil.get_terminal_size().columns - 2, _WIDEST)
    words = [_called(one) for one in ctx.command.params if one.param_type_name == "argument"]
    words += ["COMMAND ..."] * isinstance(ctx.command, TyperGroup)
    parts = [_filled(" ".join(["Usage:", ctx.command_path, "[OPTIONS]", *words]), width, "    ")]
    parts += [_filled(part, width, "", "  ") for part in inspect.cleandoc(text or "").split("\n\n")]
    parts += [f"{_heading(title)}\n{_rows(rows, width)}" for title, rows in sections.items() if rows]
    if ctx.command.epilog:
        lines = [_example(line.strip(), width) for line in ctx.command.epilog.splitlines()]
        parts.append("\n".join([_heading("Examples"), *lines]))
    return "\n\n".join(parts)


def _called(argument: Any) -> str:
    """An argument in the line that says how to call a command."""
    name = str(argument.metavar or argument.name.upper())
    return name if argument.required or name.startswith("[") else f"[{name}]"


def _group(command: Any) -> str:
    return getattr(command, "rich_help_panel", None) or ""


def _row(parameter: Any, ctx: Any) -> Row:
    """A parameter's names with the name of its value, and its meaning with its default."""
    if parameter.param_type_name == "argument":
        return parameter.metavar or parameter.name.upper(), parameter.help or ""
    flags = ", ".join(sorted([*parameter.opts, *parameter.secondary_opts], key=len))
    return f"{flags} {parameter.metavar or ''}".rstrip(), f"{parameter.help or ''} {default_of(parameter)}".rstrip()


def default_of(parameter: Any) -> str:
    """`[default: 1]`, `[required]`, or nothing."""
    if parameter.required:
        return "[required]"
    shown = parameter.show_default
    if not shown or (shown is True and parameter.default in (None, False, ())):
        return ""
    return f"[default: {parameter.default if shown is True else shown}]"


def _heading(title: str) -> str:
    bold = in_terminal() and "NO_COLOR" not in os.environ
    return typer.style(f"{title}:", bold=True) if bold else f"{title}:"


def _filled(text: str, width: int, hanging: str, indent: str = "") -> str:
    return textwrap.fill(
        " ".join(text.split()),
        width,
        initial_indent=indent,
        subsequent_indent=indent + hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _rows(rows: Iterable[Row], width: int) -> str:
    """Names on the left, meanings on the right; below each other where that is too narrow."""
    rows = list(rows)
    column = min(max(len(name) for name, _ in rows), _NAMES) + 4
    lines = []
    for name, meaning in rows:
        if width < _TWO_COLUMNS:
            lines += [_filled(name, width, "  ", "  "), *([_filled(meaning, width, "", "      ")] * bool(meaning))]
            continue
        filled = _filled(meaning, width, "", " " * column)
        fits = len(name) + 4 <= column
        lines.append(f"  {name}".ljust(column) + filled[column:] if fits else f"  {name}\n{filled}")
    return "\n".join(line.rstrip() for line in lines)


def _example(line: str, width: int) -> str:
    """A command to copy; one that is too long goes on in the next line as a shell takes it."""
    words = re.findall(r"(?:'[^']*'|\"[^\"]*\"|\S)+", line)
    lines = [f"  {words[0]}"]
    for place, word in enumerate(words[1:], 2):
        room = width - (2 if place < len(words) else 0)
        if len(lines[-1]) + 1 + len(word) > room:
            lines[-1] += " \\"
            lines.append(f"      {word}")
        else:
            lines[-1] += f" {word}"
    return "\n".join(lines)
