"""Run files: what is written reads back, and every mistake has its place."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import jsonschema
import pytest
import yaml

from evolve.cli import main as cli
from evolve.settings import Settings, load_run_file, run_file_schema, run_file_text
from rulebots.errors import UsageError
from rulebots.files import InputError

FULL = Settings(
    game="kalah",
    rules="standard",
    strategy="ga:winners=0.2",
    generations=7,
    opponents=("hand-tuned", "minimax:depth=2", "odd name.yaml#x: y"),
    start="a b/ü.yaml",
    options={"pits": 4, "stones": 3},
    opening_plies=2,
    schedule="swiss:rounds=3",
    margin=1e-05,
)


def read(path: Path, text: str) -> dict:
    path.write_text(text)
    return load_run_file(path)


@pytest.mark.parametrize("settings", [Settings(), FULL], ids=["usual", "full"])
def test_what_is_written_reads_back(settings: Settings, tmp_path: Path) -> None:
    text = run_file_text(settings)
    assert Settings(**read(tmp_path / "run.yaml", text)) == settings
    jsonschema.validate(yaml.safe_load(text), run_file_schema())


def test_what_is_left_out_has_its_usual_value(tmp_path: Path) -> None:
    found = read(tmp_path / "run.yaml", "format: rulebots-run/1\ngame: kalah\nopening_plies:\nrules:\n")
    assert found == {"game": "kalah", "opening_plies": None, "rules": ""}


MISTAKES = {
    "generation: 5": "2:1: no key 'generation' of a run file; did you mean 'generations'?",
    "generations: many": "2:14: expected a whole number from 1 to 1,000,000, not 'many'",
    "generations: 0": "2:14: expected a whole number from 1 to 1,000,000, not '0'",
    "generations: '5'": "2:14: expected a whole number from 1 to 1,000,000, not the text '5'",
    "margin: .nan": "2:9: expected a number from 0 to 1, not '.nan'",
    "game: kala": "2:7: no game 'kala'; did you mean 'kalah'?",
    "rules: [a]": "2:8: expected a name, not a list of 1",
    "rules: standart": "2:8: no rule set 'standart' of lost-cities; did you mean 'standard'?",
    "strategy: gaa": "2:11: no strategy 'gaa'; did you mean 'ga'?",
    "strategy: cma-es:sigma=1e300": "2:11: sigma: expected a number from 0.0001 to 10, not 1e+300",
    "strategy: ga:sigma=1": "2:11: 'ga:sigma=1': ",
    "schedule: swis": "2:11: no schedule 'swis'; did you mean 'swiss'?",
    "opponents: shelly": "2:12: expected a list of players, such as [hand-tuned, champion], not 'shelly'",
    "opponents: [[]]": "2:13: expected the name of a player, not an empty list",
    "opponents: [none]": "2:13: no player 'none' of lost-cities. A player is one of",
    "partners: [champion, nobody]": "2:22: no player 'nobody' of lost-cities. A player is one of",
    "from: mine.yaml": "2:1: no key 'from' of a run file; here it is called 'start'",
    "option: {suits: 6}": "2:1: no key 'option' of a run file; here it is called 'options'",
    "margin: 1e300": "2:9: expected a number from 0 to 1, not '1e300'",
    "options: {suits: x}": "2:18: expected a whole number for 'suits', not 'x'",
    "options: {suits: 99}": "2:10: option 'suits' of lost-cities takes a whole number from",
    "options: {nothing: 1}": "2:10: no option 'nothing' of lost-cities",
    "opening_plies: x": "2:16: expected a whole number from 0 to 1,000,000, not 'x'",
    "seed: 1\nseed: 2": "3:1: 'seed' is there twice, first on line 2",
    "seed: !!int 1": "2:7: 'tag:yaml.org,2002:int' is a tag",
    "seed: [": "the file ends too early",
}


@pytest.mark.parametrize("line", MISTAKES, ids=str)
def test_a_mistake_has_its_place(line: str, tmp_path: Path) -> None:
    path = tmp_path / "run.yaml"
    with pytest.raises(UsageError) as caught:
        read(path, f"format: rulebots-run/1\n{line}\n")
    assert str(caught.value).startswith(f"{path}:")
    assert MISTAKES[line] in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2, "as the same mistake in a flag"


def test_a_run_file_that_cannot_be_read_is_no_mistake_in_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file") as caught:
        load_run_file(tmp_path / "none.yaml")
    assert caught.value.exit_code == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: the file is empty: expected a run file"),
        (
            "game: kalah\n",
            "1:1: expected the key 'format', which is missing; write for example 'format: rulebots-run/1'",
        ),
        ("game: kalah\nfromat: rulebots-run/1\n", "2:1: no key 'fromat' of a run file; did you mean 'format'?"),
        ("format: rulebots-run/1\noptions:\noptions: {}\n", "3:1: 'options' is there twice, first on line 2"),
        ("format: rulebots-population/1\n", "1:9: expected the format 'rulebots-run/1', not"),
        ("- 1\n", "1:1: expected a run file, which begins with 'format: rulebots-run/1', not a list of 1"),
    ],
)
def test_another_file_is_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        read(tmp_path / "run.yaml", text)
    assert message in str(caught.value)


def test_the_schema_knows_every_setting() -> None:
    assert list(run_file_schema()["properties"]) == ["format", *(f.name for f in fields(Settings))]
    for wrong in ({"generations": 0}, {"nothing": 1}, {"strategy": "gaa"}, {"opponents": "x"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({"format": "rulebots-run/1", **wrong}, run_file_schema())


def evolve(capsys, monkeypatch, *words: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["evolve", *words])
    code = cli.main()
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def test_the_command_prints_the_schema(capsys, monkeypatch) -> None:
    code, out, _ = evolve(capsys, monkeypatch, "schema")
    assert code == 0
    assert json.loads(out) == run_file_schema()


#: A run that is over in seconds, interpreted too.
TINY = """format: rulebots-run/1
game: tictactoe
generations: 1
population: 4
opponent_deals: 2
runoff_deals: 2
held_out_deals: 10
verdict_deals: 20
"""


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "import sys; from evolve.cli import main as cli; sys.exit(cli.main())"]
    return subprocess.run([*command, "run", "--quiet", *words], cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_a_run_is_bred_again_from_its_file_and_flags_override_it(tmp_path: Path) -> None:
    (tmp_path / "tiny.yaml").write_text(TINY)
    tiny = ("--config", "tiny.yaml", "--deals", "1", "--option", "size=3", "--save-config", "r.yaml")
    assert run(tmp_path, *tiny, "--out", "a.yaml").returncode == 0
    assert run(tmp_path, "--config", "r.yaml", "--out", "b.yaml").returncode == 0
    assert (tmp_path / "a.yaml").read_bytes() == (tmp_path / "b.yaml").read_bytes()
    changed = ("--config", "r.yaml", "--seed", "9", "--option", "win=3", "--save-config", "s.yaml", "--out", "c.yaml")
    assert run(tmp_path, *changed).returncode == 0
    first, second = load_run_file(tmp_path / "r.yaml"), load_run_file(tmp_path / "s.yaml")
    assert second == {**first, "seed": 9, "options": {"size": 3, "win": 3}}
    refused = run(tmp_path, *tiny, "--out", "d.yaml")
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
    assert "'r.yaml' exists already" in refused.stderr
    assert not (tmp_path / "d.yaml").exists()


def test_a_wrong_file_ends_in_one_line(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r.yaml").write_text("format: rulebots-run/1\nseed: x\n")
    code, out, err = evolve(capsys, monkeypatch, "run", "--config", "r.yaml")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("evolve: r.yaml:2:7: expected a whole number")
    assert (
        evolve(capsys, monkeypatch, "run", "--config", "none.yaml")[2] == "evolve: none.yaml: there is no such file\n"
    )
