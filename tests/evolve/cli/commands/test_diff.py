"""`evolve diff`."""

from __future__ import annotations

import json
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from evolve.cli import main as cli
from rulebots.packages.rule_sets import load_rules

HEAD = "format: rulebots-population/1\ngame: lost-cities\nrules: shelly\nplayers:\n"


ONE = HEAD + "  one:\n    weights:\n      play: {in_sequence: [0.5, 1], low_card: 1}\n      keep: {singleton: -1}\n"


TWO = HEAD + "  two:\n    weights:\n      play: {in_sequence: [1, -1], low_card: 1, high_card: 0.25}\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("one.yaml").write_text(ONE)
    Path("two.yaml").write_text(TWO)


def evolve(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["evolve", *words])
    code = cli.main()
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.mark.slow
def test_the_table_the_data_and_the_picture(capsys, monkeypatch) -> None:
    code, out, err = evolve(capsys, monkeypatch, "diff", "one.yaml", "two.yaml", "--plot", "w.png")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "one.yaml and two.yaml, of lost-cities"
    assert lines[2].split()[:6] == ["play.in_sequence", "0.5,", "1", "1,", "-1", "2.5"]
    assert lines[3].split()[6] == "A"
    assert lines[-1] == "wrote w.png"
    assert Path("w.png").read_bytes().startswith(b"\x89PNG")
    before = Path("w.png").read_bytes()
    assert evolve(capsys, monkeypatch, "diff", "one.yaml", "two.yaml", "--plot", "w.png")[0] == 1
    assert Path("w.png").read_bytes() == before

    for name in ("1.svg", "2.svg"):
        assert evolve(capsys, monkeypatch, "diff", "one.yaml", "two.yaml", "--plot", name)[0] == 0
    svg = Path("1.svg").read_text()
    assert svg == Path("2.svg").read_text()
    assert "<svg" in svg

    code, out, _ = evolve(capsys, monkeypatch, "diff", "one.yaml", "two.yaml", "--json")
    data = json.loads(out)
    assert data["rules"][0] == {"rule": "play.in_sequence", "a": [0.5, 1.0], "b": [1.0, -1.0], "difference": 2.5}
    assert data["game"] == "lost-cities"


@pytest.mark.slow
def test_a_picture_of_many_rules_fits_on_a_screen(capsys, monkeypatch) -> None:
    """The largest differences, and the rest in a line."""
    assert evolve(capsys, monkeypatch, "diff", "champion", "shelly", "--game", "lost-cities", "--plot", "w.png")[0] == 0
    width, height = struct.unpack(">2I", Path("w.png").read_bytes()[16:24])
    assert width <= 1920
    assert height <= 1080
    assert evolve(capsys, monkeypatch, "diff", "champion", "shelly", "--game", "lost-cities", "--plot", "w.svg")[0] == 0
    said = re.search(r">(\d+) more rules differ by at most [\d.]+<", Path("w.svg").read_text())
    assert said is not None
    _, out, _ = evolve(capsys, monkeypatch, "diff", "champion", "shelly", "--game", "lost-cities", "--json")
    assert int(said[1]) == len(json.loads(out)["rules"]) - 32


@pytest.mark.slow
def test_matplotlib_is_imported_for_a_picture_only() -> None:
    code = (
        "import sys; from evolve.cli import main as cli; sys.argv = ['evolve', 'diff', 'one.yaml', 'two.yaml'];"
        "cli.main(); sys.exit('matplotlib' in sys.modules or 'numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, timeout=60).returncode == 0


def test_the_game_is_that_of_the_file(capsys, monkeypatch) -> None:
    Path("own.yaml").write_text(
        "format: rulebots-population/1\ngame: kalah\nrules: standard\nplayers: {own: {weights: {win: {captures: 1}}}}"
    )
    for pair in (("own.yaml", "champion"), ("champion", "own.yaml")):
        code, out, _ = evolve(capsys, monkeypatch, "diff", *pair)
        assert (code, out.splitlines()[0]) == (0, f"{pair[0]} and {pair[1]}, of kalah")


WRONG = {
    ("one.yaml", "no.yaml"): (1, "no.yaml: there is no such file"),
    ("one.yaml", "two.yaml#three"): (2, "two.yaml: no player 'three'"),
    ("one.yaml", "circles.yaml"): (2, "circles.yaml: expected players of lost-cities, not of circles"),
    ("one.yaml", "two.yaml", "--plot", "w.gif"): (2, "'w.gif': expected the name of a picture, FILE.png or FILE.svg"),
}


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_a_mistake_ends_in_one_line(words, capsys, monkeypatch) -> None:
    from rulebots.packages import load_game

    rules = load_rules(game=load_game("circles")).name
    head = HEAD.replace("lost-cities", "circles").replace("rules: shelly", f"rules: {rules}")
    Path("circles.yaml").write_text(head + "  it: {weights: {}}\n")
    code, message = WRONG[words]
    found, out, err = evolve(capsys, monkeypatch, "diff", *words)
    assert (found, out) == (code, "")
    assert message in err
    assert err.count("\n") == 1
