"""A game's options are flags of the commands that play and solve it."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import typer
from cli_output import without_compiling

from rulebots.cli import commands
from rulebots.cli.app import load_commands
from rulebots.cli.lookup import chosen_options, chosen_ranges, flags_of
from rulebots.cli.main import main
from rulebots.errors import UsageError
from rulebots.game import Option
from rulebots.packages import game_names, load_game
from rulebots.packages.population import Entry, Population, population_text
from rulebots.packages.rule_sets import load_rules

load_commands(commands)
CIRCLES = load_game("circles")


def given(*words: str) -> SimpleNamespace:
    return SimpleNamespace(args=list(words), command=SimpleNamespace(params=[]))


@pytest.mark.parametrize(
    "words",
    [
        ("--size", "9", "--eliminate", "2", "--last-loses"),
        ("--size=9", "--last-loses", "--eliminate=2"),
        ("-s", "9", "-e", "2", "-l"),
        ("-s9", "-e=2", "-l"),
    ],
)
def test_options_are_read_from_long_and_short_flags(words: tuple[str, ...]) -> None:
    assert chosen_options(CIRCLES, given(*words)) == {"size": 9, "eliminate": 2, "last_wins": 0}


def test_a_range_is_read_where_one_is_taken() -> None:
    assert chosen_ranges(CIRCLES, given("-s", "2-4", "--eliminate", "3", "--last-wins")) == {
        "size": range(2, 5),
        "eliminate": range(3, 4),
        "last_wins": range(1, 2),
    }
    with pytest.raises(UsageError, match="-s: expected a whole number, not '2-4'"):
        chosen_options(CIRCLES, given("-s", "2-4"))


def test_the_short_flag_of_a_switch_is_for_what_is_not_the_default() -> None:
    assert flags_of("fast", Option(0, 0, 1, "", flag="-x")) == {"--fast": 1, "--no-fast": 0, "-x": 1}
    assert flags_of("last_wins", Option(1, 0, 1, "", off="last_loses", flag="-l"))["-l"] == 0


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("command", ["play", "solve"])
def test_no_flag_of_a_game_is_the_commands_own(name: str, command: str) -> None:
    own = {flag for p in typer.main.get_command(commands.app).commands[command].params for flag in p.opts} | {"-h"}
    options = load_game(name).options
    flags = [flag for key, option in options.items() for flag in flags_of(key, option)]
    assert len(flags) == len(set(flags)) >= len(options)
    assert not own & set(flags)


@pytest.mark.parametrize(("words", "said"), [
    ((), "as mine.txt was bred: --option seats=4\n"), (("--option", "seats=2"), ""),
])  # fmt: skip
def test_a_file_is_played_with_the_options_that_it_was_bred_for(
    words: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    rules = load_rules(game=load_game("cant-stop"))
    bred = {"options": {"seats": 4}}
    text = population_text(Population(rules.game, rules, {"hand": Entry(rules.hand_tuned())}, bred))
    Path("mine.txt").write_text(text)
    monkeypatch.setattr(sys, "argv", ["rulebots", "match", "random", "mine.txt", "--deals", "1", "--json", *words])
    assert main() == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["games"] == (8 if said else 2)
    assert without_compiling(printed.err) == said


@pytest.fixture
def of_four(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of a player that was bred for a table of four, by an earlier law."""
    monkeypatch.chdir(tmp_path)
    rules = load_rules(game=load_game("cant-stop"))
    bred = {"options": {"seats": 4}}
    path = Path("mine.yaml")
    path.write_text(
        population_text(Population(rules.game, rules, {"hand": Entry(rules.hand_tuned())}, bred, law="of_old"))
    )
    return path


def test_why_too_asks_at_the_table_that_a_file_was_bred_for(
    of_four: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.setattr(sys, "argv", ["rulebots", "why", str(of_four), "--seed", "1", "--ply", "1"])
    assert main() == 0
    assert capsys.readouterr().out.startswith("as mine.yaml was bred: --option seats=4\n")


def test_a_person_sits_down_at_the_table_that_a_file_was_bred_for(
    of_four: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.setattr(sys, "argv", ["rulebots", "play", "cant-stop", "--against", str(of_four), "--seed", "1"])
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert main() == 0
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first == "as mine.yaml was bred: --option seats=4"
    assert second.endswith(", seats 4, seed 1: you begin against mine.yaml, mine.yaml (2) and mine.yaml (3)")


@pytest.mark.slow
def test_what_is_noted_of_a_file_is_said_once(of_four: Path) -> None:
    begin = "import sys; from rulebots.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", begin, "match", str(of_four), "random", "--deals", "1"]
    interpreted = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=interpreted, check=True)
    assert done.stderr.count("has changed") == 1
