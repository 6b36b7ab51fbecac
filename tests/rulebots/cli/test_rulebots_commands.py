"""`rulebots`, as its user meets it: matches, what there is to play, and every way to ask wrongly."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from checkout import POPULATIONS
from cli_output import without_compiling

from rulebots.cli import main as cli
from rulebots.files import plain_yaml
from rulebots.packages import load_game, players
from rulebots.packages.players import make_player
from rulebots.play.match import play_match

PROGRAM = str(Path(sys.executable).with_name("rulebots"))
SHIPPED = POPULATIONS / "lost_cities" / "shelly.yaml"
KEYS = ["wins", "draws", "losses", "stalled", "games", "win_rate", "win_rate_95", "points", "opponent_points", "margin"]
KEYS += [
    "margin_95",
    "elo",
    "elo_95",
    "superiority",
    "pentanomial",
    "plies",
    "behaviour",
    "distinct_deals",
    "effective_deals",
]


def rulebots(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.slow
def test_match_json_has_exactly_the_promised_keys_and_the_same_games_every_time():
    arguments = ("match", "shelly", "dumb", "--deals", "20", "--seed", "4", "--json")
    first, second = rulebots(*arguments, "--jobs", "1"), rulebots(*arguments, "--jobs", "2")
    assert (first.returncode, without_compiling(first.stderr)) == (0, "")
    assert first.stdout == second.stdout
    result = json.loads(first.stdout)
    assert list(result) == KEYS
    assert result["wins"] + result["draws"] + result["losses"] + result["stalled"] == result["games"] == 40
    low, high = result["win_rate_95"]
    assert low < result["win_rate"] < high


@pytest.mark.slow
def test_a_file_brings_its_game_along_and_plays_like_the_player_it_describes(capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["rulebots", "match", f"{SHIPPED}#hand", "risk", "--deals", "4", "--json"])
    assert cli.main() == 0
    game = load_game("lost-cities")
    expected = play_match(make_player("shelly", game), make_player("risk", game), deals=4)
    assert json.loads(capsys.readouterr().out)["points"] == expected.points


@pytest.mark.slow
def test_a_match_is_a_plain_table_in_a_pipe():
    played = rulebots("match", "shelly", "discard", "--deals", "5", "--option", "suits=6")
    title, *lines = played.stdout.splitlines()
    assert title == "shelly against discard at Lost Cities: 5 deals, seed 1"
    assert [line.split()[0] for line in lines][:5] == ["wins", "draws", "losses", "stalled", "games"]
    assert "\x1b" not in played.stdout


def test_a_file_that_is_named_twice_is_parsed_once(capsys, monkeypatch):
    parsed, parse = [], yaml.parse
    monkeypatch.setattr(yaml, "parse", lambda text, **more: parsed.append(text) or parse(text, **more))
    plain_yaml.parse.cache_clear()
    players._population.cache_clear()
    monkeypatch.setattr(sys, "argv", ["rulebots", "match", str(SHIPPED), f"{SHIPPED}#hand", "--deals", "1"])
    assert cli.main() == 0
    assert len(parsed) == 1


BAD = {
    ("match", "shelly"): (2, "expected another player, the opponent"),
    ("match", "shelly", "dum"): (2, "no player 'dum' of lost-cities; did you mean 'dumb'?"),
    ("match", "shelly", "none.yaml"): (1, "none.yaml: there is no such file"),
    ("match", "shelly", f"{SHIPPED}#nobody"): (2, "no player 'nobody'"),
    ("match", "shelly", "dumb", "--deals", "0"): (2, "--deals: expected a whole number from 1 to 1,000,000, not '0'"),
    ("match", "shelly", "dumb", "--deals", "5", "--until", "1%"): (
        2,
        "--deals and --until each say when the match ends",
    ),
    ("match", "shelly", "dumb", "--sprt", "0", "5", "--seconds", "1"): (2, "--seconds and --sprt each say when"),
    ("match", "shelly", "dumb", "--sprt", "0", "1e308"): (2, "SPRT: expected ELO0 below ELO1, from -1000 to 1000"),
    ("match", "shelly", "dumb", "--sprt", "10", "0"): (
        2,
        "ELO0 below ELO1, from -1000 to 1000, such as 0 10, not 10 0",
    ),
    ("match", "shelly", "dumb", "--sprt", "0", "9", "--alpha", "0.6"): (2, "expected alpha between 0 and 0.5"),
    ("match", "shelly", "dumb", "--alpha", "0.1"): (2, "--alpha and --beta are the risks of a test: give --sprt"),
    ("match", "shelly", "dumb", "--until", "0.5"): (2, "--until: expected a share such as 0.5%, not '0.5'"),
    ("match", "shelly", "dumb", "--until", "60%"): (2, "until: expected a half-width between 0 % and 50 %"),
    ("match", "shelly", "dumb", "--seconds", "0"): (2, "expected a number from 0.01 to 1,000,000, not '0'"),
    ("match", "shelly", "dumb", "--seconds", "nan"): (2, "expected a number from 0.01 to 1,000,000, not 'nan'"),
    ("match", "shelly", "dumb", "--until", "1%", "--record", "x"): (2, "--record needs the number of deals beforehand"),
    ("match", "shelly", "dumb", "--deals", "1.5"): (2, "expected a whole number from 1 to 1,000,000, not '1.5'"),
    ("match", "shelly", "dumb", "--seed", "-1"): (2, "--seed: expected a whole number of at least 0, not '-1'"),
    ("match", "shelly", "dumb", "--jobs", "0"): (2, "expected a whole number from 1 to 1,024, not '0'"),
    ("match", "shelly", "dumb", "--option", "suits=6", "--option", "suits=5"): (2, "'suits' is there twice"),
    ("match", "shelly", "dumb", "--option", "suits=60"): (2, "takes a whole number from 5 to 6, not 60"),
    ("match", "shelly", "dumb", "--game", "zzz"): (2, "no game 'zzz'; there are: "),
    ("match", "shelly", "dumb", "--deal", "3"): (2, "no option '--deal'"),
    ("rules", "lost-cities", "--rules", "shely"): (2, "no rule set 'shely' of lost-cities; did you mean 'shelly'?"),
    ("schema",): (2, "expected a game, as"),
    ("games", "kalahh"): (2, "no game 'kalahh'; did you mean 'kalah'?"),
}


@pytest.mark.parametrize("arguments", BAD, ids=" ".join)
def test_a_mistake_ends_in_one_line_that_names_it(arguments, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["rulebots", *arguments])
    code, message = BAD[arguments]
    assert cli.main() == code
    printed = capsys.readouterr()
    assert printed.err.startswith("rulebots: ")
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == ""


def test_a_program_without_arguments_says_what_most_people_want():
    shown = rulebots()
    assert shown.returncode == 0
    assert shown.stdout.count("  rulebots ") == 4
    assert "  evolve run lost-cities" in shown.stdout
    assert "  rulebots match champion shelly  let two players play a match\n" in shown.stdout
    assert shown.stdout.endswith("All commands: rulebots --help\n")


def test_help_has_groups_of_commands_and_of_many_options():
    shown = rulebots("--help").stdout
    titles = ["Play:", "Measure:", "Look:", "Your own game:", "Serve:"]
    assert [line for line in shown.splitlines() if line in titles] == titles
    assert "..." not in shown.partition("Play:")[2]
    shown = rulebots("match", "--help").stdout
    titles = ["Arguments:", "Options:", "Statistics:", "Advanced:", "Examples:"]
    assert [line for line in shown.splitlines() if line in titles] == titles
    assert "Options:" in rulebots("games", "--help").stdout


@pytest.mark.slow
def test_a_reader_that_leaves_early_is_no_news():
    ended, writing = os.pipe()
    os.close(ended)
    played = subprocess.run([PROGRAM, "rules", "lost-cities"], stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert played.stderr == b""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_line():
    with Path("/dev/full").open("w") as full:
        played = subprocess.run([PROGRAM, "games"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (played.returncode, played.stderr) == (1, "rulebots: No space left on device\n")
