"""The help pages of both programs: plain text in groups, as wide as the terminal, and readable at 40 columns."""

from __future__ import annotations

import inspect
import os
import re
import shutil
import textwrap
from collections.abc import Mapping, Sequence
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
#: No line is longer, however wide the terminal.
_WIDEST = 78
#: In a terminal narrower than this a meaning stands below its option.
_TWO_COLUMNS = 60
#: Columns for the names of options or commands.
_NAMES = 24

Row = tuple[str, str]


class Program(TyperGroup):
    """A program, whose help has its commands in groups."""

    def get_help(self, ctx: Any) -> str:
        """The help page."""
        sections: dict[str, list[Row]] = {"Options": [_row(one) for one in self.get_params(ctx)]}
        sections |= {group: [] for group in GROUPS}
        for name, command in self.commands.items():
            if not command.hidden:
                sections[command.rich_help_panel].append((name, summary(command.help)))  # type: ignore[attr-defined]
        return page(ctx, sections)


class Command(TyperCommand):
    """A command, whose help has its options by purpose where it has many."""

    def get_help(self, ctx: Any) -> str:
        """The help page."""
        parameters = self.get_params(ctx)
        many = sum(one.param_type_name == "option" for one in parameters) > _MANY
        purposes = {name: title for title, names in PURPOSES.items() for name in names.split() if many}
        sections: dict[str, list[Row]] = {"Arguments": [], "Options": [], **{purpose: [] for purpose in PURPOSES}}
        for one in parameters:
            is_option = one.param_type_name == "option"
            sections[purposes.get(str(one.name), "Options") if is_option else "Arguments"].append(_row(one))
        return page(ctx, sections)


def summary(text: str | None) -> str:
    """The first paragraph of a help text, on one line."""
    return " ".join(inspect.cleandoc(text or "").partition("\n\n")[0].split())


def page(ctx: Any, sections: Mapping[str, Sequence[Row]]) -> str:
    """A help page: how to call the command, what it does, its sections, and its examples."""
    command = ctx.command
    width = min(shutil.get_terminal_size().columns - 2, _WIDEST)
    words = [_called(one) for one in command.params if one.param_type_name == "argument"]
    words += ["COMMAND ..."] * isinstance(command, TyperGroup)
    parts = [_filled(" ".join(["Usage:", ctx.command_path, "[OPTIONS]", *words]), width, "", "    ")]
    parts += [_filled(part, width, "  ", "  ") for part in inspect.cleandoc(command.help or "").split("\n\n")]
    parts += [f"{_heading(title)}\n{_rows(rows, width)}" for title, rows in sections.items() if rows]
    if command.epilog:
        examples = [_example(line.strip(), width) for line in command.epilog.splitlines()]
        parts.append("\n".join([_heading("Examples"), *examples]))
    return "\n\n".join(parts)


def _called(argument: Any) -> str:
    """An argument in the line that says how to call a command."""
    name = str(argument.metavar or argument.name.upper())
    return name if argument.required or name.startswith("[") else f"[{name}]"


def _row(parameter: Any) -> Row:
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


def _rows(rows: Sequence[Row], width: int) -> str:
    """Names on the left, meanings on the right; below each other where that is too narrow."""
    column = min(max(len(name) for name, _ in rows), _NAMES) + 4
    lines = []
    for name, meaning in rows:
        if width < _TWO_COLUMNS:
            lines.append(_filled(name, width, "  ", "    "))
            lines += [_filled(meaning, width, "      ", "      ")] if meaning else []
        elif len(name) + 4 <= column:
            lines.append(_filled(meaning, width, f"  {name}".ljust(column), " " * column) if meaning else f"  {name}")
        else:
            lines += [f"  {name}", _filled(meaning, width, " " * column, " " * column)]
    return "\n".join(lines)


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
