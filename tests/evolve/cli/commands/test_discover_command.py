"""`evolve discover`: mistakes in the command; docs/how-to/discover.md runs it as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from evolve_command import evolve

WRONG = {
    ("discover", "champio"): (1, "champio: there is no such file"),
    ("discover", "careful", "--game", "tictactoe"): (1, "careful: there is no such file"),
    ("discover", "champion", "--out", "found.yaml"): (2, "expected the name of a file with Python, such as found.py"),
    ("discover", "champion", "--out", "my-rules.py"): (2, "such as found.py, not 'my-rules.py'"),
    ("discover", "champion", "--out", "taken.py"): (1, "taken.yaml"),
    ("discover", "champion", "--lessons", "5"): (2, "expected a whole number from 80 to 100,000, not '5'"),
    ("discover", "champion", "--temperature", "0"): (2, "expected a number from 0.0001 to 1,000, not '0'"),
    ("discover", "sheppard"): (2, "no lessons for 'hand': players of the rule set 'sheppard' do not simply take"),
}


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_a_mistake_ends_in_one_line(words, tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("taken.yaml").write_text("mine")
    code, out, err = evolve(capsys, monkeypatch, *words)
    expected = WRONG[words]
    assert (code, out) == (expected[0], "")
    assert expected[1] in " ".join(err.split())
    assert "Traceback" not in err
    assert Path("taken.yaml").read_text() == "mine"
