"""`--json` is one object on standard output and nothing else; `-` is standard input and output."""

from __future__ import annotations

import io
import json
import shlex
import sys
from pathlib import Path

import pytest
from checkout import CHECKOUT, POPULATIONS

from evolve.cli import commands as of_evolve
from rulebots.cli import commands as of_rulebots
from rulebots.cli.app import load_commands, name_of, run_app

APPS = {"rulebots": of_rulebots.app, "evolve": of_evolve.app}
for package in (of_rulebots, of_evolve):
    load_commands(package)
#: A command with --json, and keys of its object.
QUICK = {
    "rulebots games": "games broken",
    "rulebots games kalah": "name title options players rule_sets",
    "rulebots doctor": "python system numba extras",
    "rulebots players kalah": "game players searches",
    "rulebots rules kalah": "game rule_sets",
    "rulebots check tictactoe --perft 2": "perft",
    "rulebots match random random --game tictactoe --deals 2": "win_rate games",
    "rulebots tournament random careful standard --game tictactoe --deals 2": "players meetings",
    "rulebots replay games.txt": "game games",
    "rulebots replay games.txt 1": "game games",
    "rulebots why standard --game tictactoe --seed 1 --ply 3": "ply seat played move moves reasons",
    "rulebots why standard --game tictactoe --position 'XO1/1X1/2O X'": "seat move moves reasons",
    "rulebots solve kalah --pits 1 --stones 1": "value line nodes",
    "evolve show champion": "player weights",
    "evolve check champion mine.yaml": "checked",
    "evolve diff champion shelly": "a b rules",
}
SLOW = {
    "rulebots check tictactoe --games 2": "checked",
    "rulebots accuracy random --game tictactoe --option size=3 --positions 5": "kept asked",
    "evolve run --game tictactoe --generations 1 --population 4 --deals 1 --strategy ga --opponents none "
    "--out bred.yaml --run-dir runs/one": "file run measured",
    "evolve resume runs/one": "file run finished",
    "evolve tune --match arena.py:play --param a=0:-1..1 --games 8 --fresh 20 --run-dir runs/tuned": "values verdict",
    "evolve gate --match arena.py:newer --base old --head new": "accepted games elo",
    "evolve ablate standard.yaml --deals 4 --opponents none --jobs 1": "player rules pruned",
    "evolve exploit careful --game tictactoe --games 24 --population 4 --strategy ga --deals 4 -j 1": "result rules",
    "evolve styles tictactoe --by corners,length --cells 3 --games 100 --deals 4 --jobs 1": "styles",
    "evolve report tictactoe --deals 40 --players random,careful,standard --generations 1 --jobs 1": "parts",
}
#: Matches: the larger number wins, or the newer version.
ARENA = """
def play(first, second, seed):
    return int(first["a"] > second["a"])

def newer(first, second, seed):
    return int(first == "new")
"""


def run(monkeypatch, capsys, line: str, given: bytes = b"") -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    program, *words = shlex.split(line)
    code = run_app(APPS[program], program, words)
    return code, *capsys.readouterr()


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text((POPULATIONS / "lost_cities" / "champion.yaml").read_text())
    assert (
        run(monkeypatch, capsys, "rulebots match random random --game tictactoe --deals 1 --record games.txt")[0] == 0
    )

    def go(line: str, given: bytes = b"") -> tuple[int, str, str]:
        return run(monkeypatch, capsys, line, given)

    return go


def the_object(printed: str) -> dict:
    """What a command printed, which is one line of JSON without infinities."""
    assert printed.count("\n") == 1
    assert printed.endswith("\n")
    found = json.loads(printed, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("line", QUICK)
def test_a_command_prints_one_object(line, in_folder) -> None:
    code, out, _ = in_folder(f"{line} --json")
    assert code == 0
    assert the_object(out).keys() >= set(QUICK[line].split())


@pytest.mark.slow
@pytest.mark.compiled
def test_commands_that_breed_and_search_print_one_object(in_folder) -> None:
    from rulebots import load_game, load_rules
    from rulebots.packages.population import Entry, Population, population_text

    rules = load_rules("standard", load_game("tictactoe"))
    Path("standard.yaml").write_text(
        population_text(Population(rules.game, rules, {"standard": Entry(rules.hand_tuned())}))
    )
    Path("arena.py").write_text(ARENA)
    for line, keys in SLOW.items():
        code, out, err = in_folder(f"{line} --json")
        assert code == 0, f"{line}: {err}"
        assert the_object(out).keys() >= set(keys.split()), line


def test_every_command_with_the_flag_is_among_these() -> None:
    flagged = {
        f"{program} {name_of(command)}"
        for program, app in APPS.items()
        for command in app.registered_commands
        if "as_json" in command.callback.__annotations__
    }
    assert {" ".join(line.split()[:2]) for line in [*QUICK, *SLOW]} == flagged


def test_what_fails_prints_no_object(in_folder) -> None:
    code, out, err = in_folder("rulebots match shelly nobody --json")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    code, out, err = in_folder("evolve check mine.yaml nowhere.yaml --json")
    assert code == 1
    assert [one["ok"] for one in the_object(out)["checked"]] == [True, False]
    assert "nowhere.yaml: there is no such file" in err


def test_a_mistake_of_several_players_is_one_line_and_each_is_in_the_object(in_folder) -> None:
    players = "".join(f"  {name}: {{weights: {{win: {{nope: 1, bad: 2}}}}}}\n" for name in "abc")
    Path("alike.yaml").write_text(f"format: rulebots-population/1\ngame: kalah\nrules: standard\nplayers:\n{players}")
    code, out, _ = in_folder("evolve check alike.yaml")
    first, second = out.splitlines()
    assert (code, first.partition(" no rule")[0], second.partition(" no rule")[0]) == (
        1,
        "alike.yaml:5:23:",
        "alike.yaml:5:32:",
    )
    assert first.endswith(" (and 2 more times, the last on line 7)")
    assert in_folder("rulebots check alike.yaml")[1].splitlines()[:2] == [first, second]
    assert len(the_object(in_folder("evolve check alike.yaml --json")[1])["checked"][0]["problems"]) == 6


def test_a_person_is_told_on_stdout_again_afterwards(in_folder) -> None:
    in_folder("rulebots players kalah --json")
    assert "\nchampion " in in_folder("rulebots players kalah")[1]


def test_a_player_comes_on_standard_input(in_folder) -> None:
    text = Path("mine.yaml").read_bytes()
    assert in_folder("evolve check -", text)[1].startswith("-: ok, ")
    assert "with the rules 'standard'" in in_folder("evolve show -- -#finalist_2", text)[1]
    code, out, _ = in_folder("evolve diff - mine.yaml --json", text)
    assert code == 0
    assert the_object(out)["alike"] == pytest.approx(1)
    assert in_folder("rulebots match - random --deals 1 --json", text)[0] == 0
    other = (CHECKOUT / "populations" / "tictactoe" / "champion.yaml").read_bytes()
    code, out, err = in_folder("rulebots match - random --deals 1", other)
    assert code == 0, err
    assert out.startswith("- against random at Tic-tac-toe: ")
    code, out, err = in_folder("evolve check -", b"game: lost-cities\nrules: [")
    assert (code, out.partition(": ")[0]) == (1, "-:2:9"), err
    assert in_folder("evolve show -", b"\0")[2] == (
        "evolve: -: expected a population file, text in UTF-8, not a binary file\n"
    )
    assert "not more than 2 MB" in in_folder("evolve show -", b" " * 3_000_000)[2]


def test_a_record_goes_to_standard_output_and_comes_back(in_folder) -> None:
    code, record, told = in_folder("rulebots match random random --game tictactoe --deals 1 --seed 5 --record -")
    assert code == 0
    assert "random against random" in told
    assert in_folder("rulebots replay -", record.encode())[1].endswith("all as recorded\n")
    code, out, _ = in_folder("rulebots why standard --replay - --number 1 --ply 2", record.encode())
    assert (code, out.splitlines()[0]) == (0, "game 1 of Tic-tac-toe, ply 2: random (2) to move")


def test_a_ladder_goes_to_standard_output_and_comes_back(in_folder) -> None:
    code, ladder, _ = in_folder("rulebots tournament random careful --game tictactoe --deals 2 --ladder -")
    assert code == 0
    assert in_folder("rulebots tournament --rerun -", ladder.encode())[1].endswith(
        "every meeting has the same result\n"
    )


def test_standard_output_is_given_once_and_not_everywhere(in_folder) -> None:
    for line in (
        "rulebots match random random --game tictactoe --record - --json",
        "rulebots tournament random careful --game tictactoe --ladder - --csv=-",
    ):
        code, out, err = in_folder(line)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "standard output has" in err
    code, _, err = in_folder("evolve diff champion shelly --plot -")
    assert (code, err) == (2, "evolve: --plot: expected the name of a file or folder, not '-'\n")


def test_without_the_word_a_file_may_have_that_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rulebots.files import read_text, write_new

    monkeypatch.chdir(tmp_path)
    write_new("-", "a file")
    assert read_text("-") == "a file"
