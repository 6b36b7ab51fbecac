"""Files of parameters: only the numbers change, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from evolve.tuning.parameter_files import own_file, read_numbers, read_template
from evolve.tuning.parameters import chosen_parameters
from rulebots.errors import UsageError

JSON = (
    '{\n\t"king": {"safety": 40, "on": true},\r\n  "tempo":1.50,"name" : "a 7",\n "list":[ -2, 3e2 ], "text": "8"}\n\n'
)
YAML = "# weights 1\nking:\n  safety: 40   # centipawns\nlist: [1.5, x]\nwhen: 2026-01-01\nversion: '1.0'\n"
INI = "; 1\n[king]\nsafety = 40 ; pawns\r\nname = 7 of 9\n[more]\ntempo: -1.5e-3\n"


@pytest.mark.parametrize(
    ("suffix", "text", "numbers"),
    [
        (".json", JSON, {"king.safety": 40, "tempo": 1.5, "list.0": -2, "list.1": 300.0}),
        (".json", "\ufeff" + JSON, {"king.safety": 40, "tempo": 1.5, "list.0": -2, "list.1": 300.0}),
        (".yaml", YAML, {"king.safety": 40, "list.0": 1.5}),
        (".ini", INI, {"king.safety": 40, "more.tempo": -0.0015}),
    ],
)
def test_numbers_are_found_and_nothing_else_changes(
    suffix: str, text: str, numbers: dict[str, float], tmp_path: Path
) -> None:
    path = tmp_path / f"weights{suffix}"
    path.write_text(text, "utf-8", newline="")
    file, parameters = read_numbers(path)
    assert {one.name: one.start for one in parameters} == numbers
    assert [one.whole for one in parameters] == [isinstance(number, int) for number in numbers.values()]
    assert file.filled({}) == text
    assert file.filled({"king.safety": 7}) == text.replace("40", "7")


def test_a_file_without_numbers_or_of_another_format_is_refused(tmp_path: Path) -> None:
    for name, text, message in (
        ("a.json", '{"a": "1"}', "there is no number in it"),
        ("a.json", '{"a": 1, "a": 2}', "'a' is there twice"),
        ("a.json", '{"a": ', "ends too early"),
        ("a.toml", "a = 1", "expected a file of numbers, .json, .yaml"),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(UsageError, match=message):
            read_numbers(tmp_path / name)


def test_a_template_has_every_parameter_and_keeps_other_braces(tmp_path: Path) -> None:
    path = tmp_path / "engine.cfg"
    path.write_text("set x {x}\nfunction {other} { return {y}; }\n")
    assert read_template(path, ["x", "y"]).filled({"x": 1, "y": 2.0}) == "set x 1\nfunction {other} { return 2.0; }\n"
    with pytest.raises(UsageError, match=r"there is no \{z\} in it"):
        read_template(path, ["x", "z"])


def test_a_program_without_a_file_gets_json() -> None:
    parameters = chosen_parameters(["depth=3:int", "style=calm|wild"])
    assert own_file(parameters).filled({"depth": 4, "style": "wild"}) == '{\n  "depth": 4,\n  "style": "wild"\n}\n'
