"""The file of solved games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulebots.errors import FileError
from rulebots.registry import load_game
from rulebots.search.exact.solved_table import SolvedTable
from rulebots.search.exact.solving import Solution

KALAH = load_game("kalah")
ONE, TWO = {"pits": 1, "stones": 1, "empty_capture": 1}, {"pits": 2, "stones": 1, "empty_capture": 0}
SOLUTION = Solution(2, ("1", "0"), 5, 0.25)


def test_what_was_added_is_read_again_in_order_of_the_options(tmp_path: Path) -> None:
    path = tmp_path / "kalah.json"
    table = SolvedTable(path, KALAH)
    assert ONE not in table
    table.add(TWO, SOLUTION)
    table.add(ONE, Solution(0, (), 1, 0.0))
    again = SolvedTable(path, KALAH)
    assert (again[TWO], again[ONE]) == (SOLUTION, Solution(0, (), 1, 0.0))
    content = json.loads(path.read_text())
    assert [entry["options"] for entry in content["solved"]] == [ONE, TWO]
    assert content["solved"][1] == {"options": TWO, "value": 2, "line": ["1", "0"], "nodes": 5, "seconds": 0.25}
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "expected values of kalah solved before"),
        ('{"format": "rulebots-solved/1", "game": "chess", "solved": []}', "it is 'rulebots-solved/1' of 'chess'"),
        (
            '{"format": "rulebots-solved/1", "game": "kalah", "solved": [{"value": "2"}]}',
            "'value' is '2'; name another file",
        ),
    ],
)
def test_a_file_of_something_else_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(FileError, match=r"other\.json: ") as caught:
        SolvedTable(path, KALAH)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
