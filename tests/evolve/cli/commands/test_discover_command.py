"""`evolve discover`: what it writes, and mistakes in the command."""

from __future__ import annotations

from pathlib import Path

import pytest
from evolve_command import evolve

from evolve.analysis.discovery import Discovery, search
from evolve.analysis.discovery.search import Screened
from evolve.evaluation.final import Verdict

LINES = """
from rulebots.registry import load_game
from rulebots.games.tictactoe.game import WIDTH
from rulebots.rules import RuleSet, rule


@rule("put", early=0.05)
def middle_row(view, point):
    \"\"\"It is in the middle row.\"\"\"
    return point // WIDTH == 2


@rule("put", early=0.05)
def middle_column(view, point):
    \"\"\"It is in the middle column.\"\"\"
    return point % WIDTH == 2


lines_only = RuleSet("lines-only", load_game("tictactoe"), (middle_row, middle_column))
"""
PLAYER = """format: rulebots-population/1
game: tictactoe
rules: lines-only
code: {rules: "lines_only.py:lines_only"}
players:
  lines:
    weights:
      put: {middle_row: 0.05, middle_column: 0.05}
"""
SMALL = (
    "discover",
    "lines.yaml",
    "--import",
    "lines_only.py:lines_only",
    "--lessons",
    "80",
    "--deals",
    "20",
    "-j",
    "1",
)


@pytest.mark.slow
def test_what_is_accepted_is_a_rule_set_and_a_file_of_players(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lines_only.py").write_text(LINES)
    Path("lines.yaml").write_text(PLAYER)
    with monkeypatch.context() as patch:
        patch.setattr(Discovery, "_first", lambda *_: None)
        code, out, err = evolve(capsys, patch, *SMALL, "--out", "found.py")
    assert (code, err) == (0, "")
    assert "there is nothing to test" in out
    assert not Path("found.py").exists()

    def passed(self: Discovery, _: object, __: object, ___: object, ranked, ____: object) -> Screened:
        return Screened(ranked[0], 1, 0.001)

    monkeypatch.setattr(Discovery, "_bred", lambda *_: [])
    monkeypatch.setattr(Discovery, "_first", passed)
    monkeypatch.setattr(search, "DECIDING_DEALS", 4)
    monkeypatch.setattr(search, "verdict", lambda *_, **__: Verdict("without", "better", 40, 0.6, 20))
    code, out, err = evolve(capsys, monkeypatch, *SMALL, "--out", "found.py")
    assert (code, err) == (0, "")
    assert "to test: middle_row_and_middle_column (p = 0.001 on the other half)" in out
    assert "kept: middle_row_and_middle_column: better, 60.0 % of 40 games against the player without it" in out
    assert "wrote found.py and found.yaml" in out
    assert "return middle_row(view, item) * middle_column(view, item)" in Path("found.py").read_text()
    code, out, err = evolve(
        capsys,
        monkeypatch,
        "ablate",
        "found.yaml",
        "--import",
        "found.py:discovered",
        "--deals",
        "4",
        "--opponents",
        "none",
    )
    assert (code, err) == (0, "")
    assert "middle_row_and_middle_column" in out


WRONG = {
    ("discover", "champio"): (2, "'champio' is no file: expected path.yaml, path.yaml#player, or"),
    ("discover", "careful", "--game", "tictactoe"): (
        2,
        "'careful' is a player without a file: expected path.yaml, path.yaml#player, or",
    ),
    ("discover", "champion", "--out", "found.yaml"): (2, "expected the name of a file with Python, such as found.py"),
    ("discover", "champion", "--out", "my-rules.py"): (2, "such as found.py, not 'my-rules.py'"),
    ("discover", "champion", "--out", "taken.py"): (1, "taken.yaml"),
    ("discover", "hand-tuned", "--import", "other_lines.py:other_lines", "--game", "kalah"): (
        2,
        "other_lines.py:other_lines: expected rules of kalah, not of tictactoe",
    ),
    ("discover", "champion", "--lessons", "5"): (2, "expected a whole number from 80 to 100,000, not '5'"),
    ("discover", "champion", "--temperature", "0"): (2, "expected a number from 0.0001 to 1,000, not '0'"),
    ("discover", "sheppard"): (2, "no lessons for 'hand': players of the rule set 'sheppard' do not simply take"),
}


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_a_mistake_ends_in_one_line(words, tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("taken.yaml").write_text("mine")
    Path("other_lines.py").write_text(LINES.replace("lines_only", "other_lines").replace("lines-only", "other-lines"))
    code, out, err = evolve(capsys, monkeypatch, *words)
    expected = WRONG[words]
    assert (code, out) == (expected[0], "")
    assert expected[1] in " ".join(err.split())
    assert "Traceback" not in err
    assert Path("taken.yaml").read_text() == "mine"
