"""The tables of options and settings, made from the code: each option has one spelling, one value and one meaning."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, NamedTuple

import typer

from evolve.settings import Settings
from rulebots.cli.app import load_commands, name_of
from rulebots.files.layout import keys_of
from rulebots.files.ranges import flags_of

PROGRAMS = ("rulebots", "evolve")


class Use(NamedTuple):
    """An option as one command has it: its flags, the name and the reader of its value, and what it means."""

    program: str
    command: str
    flags: tuple[str, ...]
    value: str
    reader: str
    meaning: str


def uses() -> Iterator[Use]:
    """Every option of every command."""
    for program in PROGRAMS:
        package: Any = importlib.import_module(f"{program}.cli.commands")
        load_commands(package)
        commands: Any = typer.main.get_command(package.app)
        for registered in package.app.registered_commands:
            hints = registered.callback.__annotations__
            name = name_of(registered)
            for parameter in commands.commands[name].params:
                if parameter.param_type_name == "option":
                    kind = hints[parameter.name].__origin__
                    info = hints[parameter.name].__metadata__[0]
                    flags = tuple(sorted(parameter.opts, key=len, reverse=True))
                    reader = _reader(info.parser.__qualname__ if info.parser else str(kind))
                    yield Use(program, name, flags, parameter.metavar or "", reader, first_sentence(parameter.help))


def _reader(name: str) -> str:
    """How a value is read: a list reads each as a single one; the help says where a file may be `-`."""
    return re.sub(r"list\[|\]| \| None|<class '|'>", "", re.sub(r"(named|read|written)_path", "path", name))


def first_sentence(text: str) -> str:
    """What an option means in every command; what follows is what one command does with it."""
    return text[: end.end() if (end := re.search(r"\.(?= |$)", text)) else None].strip()


def by_flag() -> dict[str, list[Use]]:
    """The uses of each option, by its long flag."""
    options: dict[str, list[Use]] = {}
    for use in uses():
        options.setdefault(use.flags[0], []).append(use)
    return dict(sorted(options.items()))


def differences(options: dict[str, list[Use]]) -> list[str]:
    """A line for each option that is not the same in two commands, and for two options with one short flag."""
    lines = []
    short = dict[str, str]()
    for flag, (first, *others) in options.items():
        lines += [
            f"{first.program} {first.command} and {use.program} {use.command} differ: {first[2:]}, {use[2:]}"
            for use in others
            if use[2:] != first[2:]
        ]
        for other in first.flags[1:]:
            if short.setdefault(other, flag) != flag:
                lines.append(f"{other} is {short[other]} and {flag}")
    return lines


def table() -> str:
    """The table of options. Raises ValueError where an option means two things."""
    options = by_flag()
    if lines := differences(options):
        raise ValueError("\n".join(lines))
    rows = ["| option | what it means | commands |", "|---|---|---|"]
    for same in options.values():
        first = same[0]
        flags = f"{', '.join(first.flags)} {first.value}".strip()
        commands = "; ".join(
            f"`{program}` {', '.join(use.command for use in same if use.program == program)}"
            for program in PROGRAMS
            if any(use.program == program for use in same)
        )
        rows.append(f"| `{flags.replace('|', chr(92) + '|')}` | {first.meaning} | {commands} |")
    return "\n".join(rows)


def settings_table() -> str:
    """The table of the settings of a run."""
    flags = flags_of(Settings)
    keys = keys_of(Settings)
    default = Settings()
    rows = ["| setting | flag | default | meaning |", "|---|---|---|---|"]
    for f in fields(Settings):
        flag = f"`{flags[f.name]}`" if f.name in flags else ""
        rows.append(f"| `{f.name}` | {flag} | `{getattr(default, f.name)!r}` | {keys[f.name].meaning} |")
    return "\n".join(rows)
