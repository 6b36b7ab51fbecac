"""`rulebots solve`: a table that goes on where it stopped, and clear refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rulebots.cli import commands
from rulebots.cli.app import load_commands, run_app
from rulebots.packages import load_game
from rulebots.search.exact.solving import solve

load_commands(commands)
kalah = load_game("kalah")


def run(*arguments: str) -> str:
    result = CliRunner().invoke(commands.app, ["solve", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_options_are_named_as_everywhere() -> None:
    assert run("kalah", "--option", "pits=2", "--stones", "2").splitlines()[0] == "value  -2 for the first player"
    twice = ["solve", "kalah", "--option", "pits=2", "--pits", "2"]
    assert "'pits' is there twice" in str(CliRunner().invoke(commands.app, twice).exception)


def test_a_table_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "k.json"
    run("kalah", "--table", "--pits", "1-2", "--stones", "1", "--out", str(path))
    before = json.loads(path.read_text())
    before["solved"][0]["seconds"] = 123.0
    path.write_text(json.dumps(before))
    shown = json.loads(run("kalah", "--table", "--pits", "1-2", "--stones", "1-2", "--out", str(path), "--json"))
    assert [entry["options"]["pits"] * entry["options"]["stones"] for entry in shown] == [1, 2, 2, 4]
    assert shown[0]["seconds"] == 123.0
    assert {json.dumps(entry) for entry in shown} == {json.dumps(e) for e in json.loads(path.read_text())["solved"]}
    assert [entry["value"] for entry in shown] == [solve(kalah, entry["options"]).value for entry in shown]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["kalah", "--pit", "3"], "no option '--pit' of kalah; did you mean '--pits'?"),
        (["kalah", "--pits"], "--pits: expected a whole number, or a range such as 1-4, not ''"),
        (["kalah", "--pits", "two"], "expected a whole number, or a range such as 1-4, not 'two'"),
        (["kalah", "--pits", "3-1", "--table"], "a range such as 1-4, not '3-1'"),
        (["kalah", "--pits", "1-3"], "--pits: a range needs --table: expected one number"),
        (["kalah", "--pits", "1", "--pits", "2"], "--pits: it is there twice"),
        (["kalah", "--empty-capture=1"], "--empty-capture: it takes no value, not '1'"),
        (["kalah", "--pits", "13"], "option 'pits' of kalah takes a whole number from 1 to 12, not 13"),
        (["kalah", "--out", "x.json"], "--out: it only goes with --table"),
        (["lost-cities"], "Lost Cities is dealt by chance or hides something"),
    ],
)
def test_wrong_use_is_one_clear_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(commands.app, "rulebots", ["solve", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "expected values of kalah solved before"),
        ('{"format": "rulebots-solved/1", "game": "chess"}', "but it is 'rulebots-solved/1' of 'chess'"),
    ],
)
def test_a_file_of_something_else_is_not_replaced(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "other.json").write_text(text)
    assert run_app(commands.app, "rulebots", ["solve", "kalah", "--table", "--out", str(tmp_path / "other.json")]) == 1
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert (tmp_path / "other.json").read_text() == text


def test_the_command_says_value_line_nodes_and_seconds() -> None:
    result = json.loads(run("kalah", "--pits", "2", "--stones", "2", "--no-empty-capture", "--json"))
    assert list(result) == ["value", "line", "nodes", "seconds", "loading_seconds"]
    assert result["value"] == solve(kalah, {"pits": 2, "stones": 2, "empty_capture": 0}).value
    assert f"value  {result['value']:+d} for the first player" in run(
        "kalah", "--pits=2", "--stones=2", "--no-empty-capture"
    )


def test_solve_takes_the_flag_of_the_ruby_program_for_the_other_way_to_win(capsys: pytest.CaptureFixture[str]) -> None:
    small = ("solve", "circles", "--size", "2", "--eliminate", "2", "--json")
    values = [json.loads(run(*small[1:], *flag)) for flag in ([], ["--last-loses"], ["--last-wins"])]
    assert [found["value"] for found in values] == [-1, 1, -1]
    assert values[0].keys() == {"value", "line", "nodes", "seconds", "loading_seconds"}
    assert run_app(commands.app, "rulebots", [*small, "--no-last-wins"]) == 2
    assert "no option '--no-last-wins' of circles; did you mean" in capsys.readouterr().err
