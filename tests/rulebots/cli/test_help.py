"""Help pages at every width, and options that mean one thing in all commands."""

from __future__ import annotations

import pytest
import typer
from checkout import CHECKOUT

from evolve.cli import commands as of_evolve
from rulebots.cli import commands as of_rulebots
from rulebots.cli.app import PURPOSES, load_commands, name_of, summary

PACKAGES = {"rulebots": of_rulebots, "evolve": of_evolve}
for package in PACKAGES.values():
    load_commands(package)
PROGRAMS = {name: typer.main.get_command(package.app) for name, package in PACKAGES.items()}
NAMES = [
    (program, name_of(command)) for program, package in PACKAGES.items() for command in package.app.registered_commands
]


def help_page(monkeypatch: pytest.MonkeyPatch, columns: int, program: str, name: str = "") -> str:
    monkeypatch.setenv("COLUMNS", str(columns))
    command = PROGRAMS[program].commands[name] if name else PROGRAMS[program]
    return command.get_help(typer.Context(command, info_name=f"{program} {name}".strip()))


@pytest.mark.parametrize("columns", [40, 80, 200])
@pytest.mark.parametrize(("program", "name"), [*NAMES, ("rulebots", ""), ("evolve", "")])
def test_no_line_is_wider_than_the_terminal_and_no_word_is_cut(program, name, columns, monkeypatch) -> None:
    shown = help_page(monkeypatch, columns, program, name)
    whole = help_page(monkeypatch, 10_000, program, name)
    for line in shown.partition("Examples:")[0].splitlines():
        assert len(line) <= columns or len(line.split()) == 1, line
    assert shown.split() == whole.split()


@pytest.mark.parametrize(("program", "name"), NAMES)
def test_a_summary_fits_its_line(program, name, monkeypatch) -> None:
    line = next(line for line in help_page(monkeypatch, 80, program).splitlines() if line.startswith(f"  {name} "))
    assert line.split(maxsplit=1)[1] == summary(PROGRAMS[program].commands[name].help)


def test_every_purpose_is_that_of_options_that_exist() -> None:
    known = {
        one.name for program in PROGRAMS.values() for command in program.commands.values() for one in command.params
    }
    assert not {name for names in PURPOSES.values() for name in names.split()} - known - {"help"}


@pytest.fixture
def option_table(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(CHECKOUT / "docs" / "hooks"))
    import option_table

    return option_table


def test_no_option_means_two_things(option_table) -> None:
    found = option_table.by_flag()
    assert option_table.differences(found) == []
    assert len(found) > 80
    assert {use.command for use in found["--seed"]} >= {"match", "run"}


def test_a_second_meaning_value_or_short_flag_is_found(option_table) -> None:
    first = option_table.Use("rulebots", "match", ("--size", "-s"), "N", "whole", "How big.")
    for other in (
        first._replace(meaning="How many."),
        first._replace(value="K"),
        first._replace(reader="number"),
        first._replace(flags=("--size",)),
    ):
        assert (
            "match and evolve run differ"
            in option_table.differences({"--size": [first, other._replace(program="evolve", command="run")]})[0]
        )
    short = option_table.Use("evolve", "run", ("--seed", "-s"), "N", "whole", "The seed.")
    assert option_table.differences({"--size": [first], "--seed": [short]}) == ["-s is --size and --seed"]


def test_a_meaning_is_the_first_sentence(option_table) -> None:
    assert option_table.first_sentence("A file, path.yaml, say. More of it.") == "A file, path.yaml, say."
    assert option_table.first_sentence("Without an end") == "Without an end"


def test_the_table_has_every_option_of_every_command(option_table) -> None:
    lines = option_table.table().splitlines()
    assert len(lines) == 2 + len(option_table.by_flag())
    assert any(line.startswith("| `--without KIND\\|MOVE` | Restricted play") for line in lines)
    assert all(line.count("|") - line.count("\\|") == 4 for line in lines)
