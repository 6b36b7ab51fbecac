"""`rulebots tournament`, and its ladder files."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
import yaml

from rulebots.cli import main as cli
from rulebots.tournaments.ladder import load_ladder


def run(capsys, monkeypatch, *arguments: str) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.argv", ["rulebots", "tournament", *arguments])
    code = cli.main()
    printed = capsys.readouterr()
    return code, printed.out, printed.err


PLAYERS = ("discard", "dumb", "discard")


@pytest.mark.slow
def test_a_ladder_plays_the_tournament_again_or_names_what_differs(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(capsys, monkeypatch, *PLAYERS, "--deals", "2", "--ladder", "l.yaml", "--csv", "l.csv")
    assert code == 0
    assert "Lost Cities: round-robin, 2 deals a meeting, seed 1" in out
    code, again, _ = run(capsys, monkeypatch, "--rerun", "l.yaml")
    assert code == 0
    assert again == out + "l.yaml: every meeting has the same result\n"
    rows = list(csv.DictReader(io.StringIO(Path("l.csv").read_text())))
    assert [row["rank"] for row in rows] == ["1", "2", "3"]
    assert [row["distinct_deals"] for row in rows] == ["4"] * 3
    assert {row["elo_low"] for row in rows} == {""}, "two deals allow no interval"
    text = Path("l.yaml").read_text()
    content = load_ladder("l.yaml").players["dumb"]["content"]
    for name, change, message in [
        ("a", (content, "f" * 16), f"player 'dumb': its content was {'f' * 16}, now {content}"),
        (
            "b",
            ('[discard, "discard (2)", 0,', '[discard, "discard (2)", 1,'),
            "discard against discard (2): was 1 4 0 0, now 0 4 0 0",
        ),
        ("c", ("law: ", "law: x #"), "the law of lost-cities: its code is not the one of the file"),
    ]:
        Path(f"{name}.yaml").write_text(text.replace(*change))
        code, _, err = run(capsys, monkeypatch, "--rerun", f"{name}.yaml")
        assert code == 1
        said = "other results" if name == "b" else "the same results by other code"
        assert err.startswith(f"rulebots: {name}.yaml gives {said}: ")
        assert message in err
    other = yaml.safe_load(text)
    other["versions"]["numba"] = "0.1"
    Path("d.yaml").write_text(yaml.safe_dump(other, sort_keys=False))
    assert run(capsys, monkeypatch, "--rerun", "d.yaml")[0] == 0
    other["meetings"][0][2] += 1
    Path("e.yaml").write_text(yaml.safe_dump(other, sort_keys=False))
    assert "version of numba: was 0.1, now" in run(capsys, monkeypatch, "--rerun", "e.yaml")[2]


@pytest.mark.slow
def test_json_has_everything(capsys, monkeypatch) -> None:
    _, out, _ = run(capsys, monkeypatch, "dumb", "discard", "--gauntlet", "random", "--deals", "1", "--json")
    found = json.loads(out)
    assert (found["game"], found["system"], found["deals"]) == ("lost-cities", "gauntlet", 1)
    assert [(m["first"], m["second"]) for m in found["meetings"]] == [("random", "dumb"), ("random", "discard")]
    assert {row["player"] for row in found["players"]} == {"dumb", "discard", "random"}
    assert found["one_sided"] is True
    assert found["players"][0]["elo_95"] == [None, None], "one deal allows no interval"
    assert [row["distinct_deals"] for row in found["players"]] == [row["games"] // 2 for row in found["players"]]


BAD = {
    ("shelly",): (2, "expected a game or at least 2 players, not 1. For example: rulebots tournament kalah"),
    ("kalha",): (2, "not 1; did you mean 'kalah'? For example: rulebots tournament kalah"),
    (): (2, "expected a game or at least 2 players, not 0. For example: rulebots tournament kalah"),
    ("shelly", "shely"): (2, "no player 'shely' of lost-cities; did you mean 'shelly'?"),
    ("shelly", "dumb", "--deals", "0"): (2, "--deals: expected a whole number from 1 to 1,000,000, not '0'"),
    ("shelly", "dumb", "--swiss", "1", "--gauntlet", "dumb"): (2, "--swiss and --gauntlet each say who meets whom"),
    ("shelly", "dumb", "--nash", "--swiss", "1"): (
        2,
        "--nash needs the win rates of all pairs: a round robin",
    ),
    ("shelly", "dumb", "risk", "--swiss", "9"): (2, "swiss: 3 players need 2 to 3 rounds, not 9"),
    ("shelly", "dumb", "--plot", "p.pdf"): (2, "'p.pdf': expected the name of a picture, FILE.png or FILE.svg"),
    ("shelly", "dumb", "--csv", "taken"): (1, "'taken' exists already"),
    ("shelly", "dumb", "--deals", "100000", "--csv", "no/such.csv"): (
        1,
        "cannot write 'no/such.csv': there is no folder 'no'",
    ),
    ("shelly", "dumb", "--rerun", "taken"): (
        2,
        "--rerun plays what the file says: only FILE.py:NAME or program:COMMAND goes with it",
    ),
    ("--rerun", "none.yaml"): (1, "none.yaml: there is no such file"),
    ("--rerun", "taken"): (
        1,
        "taken:1:1: expected the key 'format', which is missing; write for example 'format: rulebots-ladder/1'",
    ),
    ("--rerun", "broken"): (1, "broken:1:6: the file ends too early"),
    ("--rerun", "half"): (
        1,
        "half:1:1: expected the key 'game', which is missing; write for example 'game: lost-cities'",
    ),
    ("--game", "kalah", "shelly", "random"): (2, "no player 'shelly' of kalah"),
}


@pytest.mark.parametrize("arguments", BAD, ids=" ".join)
def test_a_mistake_ends_in_one_line_that_names_it(arguments, tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("taken").write_text("a: 1\n")
    Path("broken").write_text("a: [1\n")
    Path("half").write_text("format: rulebots-ladder/1\n")
    code, message = BAD[arguments]
    found, out, err = run(capsys, monkeypatch, *arguments)
    assert (found, out, err.count("\n")) == (code, "", 1)
    assert err.startswith("rulebots: ")
    assert message in err
