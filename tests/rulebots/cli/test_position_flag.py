"""--position: the same text in play, solve, why and accuracy; a mistake is one line with its place."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from rulebots.cli import commands
from rulebots.cli.app import load_commands, run_app
from rulebots.game.position import Position
from rulebots.packages import load_game
from rulebots.records import load_record, replay
from rulebots.search.exact.tablebase import tablebase_finder

WON = "XO1/XO1/3 X b2"


load_commands(commands)


@pytest.fixture
def run(capsys, monkeypatch):
    """Runs a command: its exit code, what it printed, and its error."""

    def run(*words, stdin=""):
        monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        code = run_app(commands.app, "rulebots", words)
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run


def test_solve(run):
    _, out, _ = run("solve", "tictactoe", "--position", WON)
    assert "value  +1 for seat 0; seat 0 is to move" in out
    assert "line   a1" in out
    _, out, _ = run("solve", "tictactoe", "--position", "XO1/XO1/2X O", "--json")
    assert json.loads(out)["value"] == -1  # O wins: seat 0's margin


def test_accuracy(run):
    found = json.loads(run("accuracy", "standard", "--game", "tictactoe", "--position", WON, "--json")[1])
    assert (found["value"], found["kept"], found["best"]) == (1, True, ["a1"])
    said = run("accuracy", "random", "--game", "circles", "--option", "size=3", "--position", "o/../... 1")[1]
    assert "value" in said
    assert "\nrandom takes the stone on 0,0, which keeps it" in said


SMALL = {"sides": 2, "shortest": 1, "needed": 2}


@pytest.mark.parametrize("text", ["1,0,0/0,2,0/- O dice", "1,0,0/0,2,0/0,0,1 O 1-1-1-2", "0,1,0/0,2,0/0,2,0 X decide"])
def test_a_position_of_a_game_of_chance_has_its_expected_value(run, text):
    game = load_game("cant-stop")
    position = Position.from_text(game, text, SMALL)
    value = tablebase_finder(game)(position).value(position) * (-1 if position.mover == 1 else 1)
    flags = [word for name, number in SMALL.items() for word in (f"--{name}", str(number))]
    code, out, _ = run("solve", "cant-stop", *flags, "--position", text)
    assert code == 0
    assert out.startswith(f"value  {value:+.4f} for seat 0; ")
    flags = [word for name, number in SMALL.items() for word in ("--option", f"{name}={number}")]
    code, out, err = run("accuracy", "champion", "--game", "cant-stop", *flags, "--position", text)
    if position.chance_to_move:
        assert (code, err) == (2, "rulebots: chance is to move: there is nothing to decide\n")
    else:
        assert code == 0
        assert f"value {value * (-1 if position.mover == 1 else 1):+.4f} for seat {position.mover}, to move" in out


def test_why(run):
    said = run("why", "standard", "--game", "tictactoe", "--position", WON)[1]
    assert "Tic-tac-toe: standard to move" in said
    assert "standard would play a1" in said


def test_play_from_a_position_and_go_on(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    said = run("play", "tictactoe", "--position", WON, "--against", "random", stdin="save a.txt\nquit\n")
    assert "saved" in said[1]
    record = load_record("a.txt")
    assert record.games[0].position == WON
    assert replay(record.games[0]).positions[0].to_text() == WON
    said = run("play", "--resume", "a.txt", stdin="a1\n")
    assert "You won" in said[1]
    assert f"--position '{WON}'" in run("replay", "a.txt", "1")[1]


@pytest.mark.parametrize(
    ("game", "player", "option"),
    [
        ("hearts", "standard", "any_club=1"),
        pytest.param("hanabi", "standard", "seats=3", marks=pytest.mark.slow),
    ],
)
def test_where_cards_are_hidden_a_replay_shows_the_text_that_the_others_take(
    tmp_path, monkeypatch, run, game, player, option
):
    monkeypatch.chdir(tmp_path)
    run("match", player, "random", "--game", game, "--option", option, "--deals", "1", "--record", "a.txt")
    shown = run("replay", "a.txt", "1")[1]
    assert f"\n--option {option} --position '" in shown
    text = shown.rpartition("--position '")[2].partition("'")[0]
    deal, _, moves = text.partition(" / ")
    earlier = f"{deal} / {' '.join(moves.split()[:14])}"
    asked = ("why", player, "--game", game, "--option", option, "--position", earlier)
    ply = run("why", player, "--replay", "a.txt", "--number", "1", "--ply", "15")[1]
    assert run(*asked)[1].partition("would play")[2] == ply.partition("would play")[2] != ""
    run("play", game, "--position", earlier, "--option", option, "--against", player, stdin="save b.txt\nquit\n")
    played = load_record("b.txt").games[0]
    assert replay(played).positions[0].to_text() == earlier
    assert played.deal == load_record("a.txt").games[0].deal


@pytest.mark.slow
def test_why_shows_what_the_mover_knew_and_no_card_of_its_hand(run):
    said = run("why", "standard", "--game", "hanabi", "--seed", "7", "--ply", "5")[1]
    data = run("why", "standard", "--game", "hanabi", "--seed", "7", "--ply", "5", "--json")[1]
    assert "meant: play" in said  # what a hint would mean is known to all
    [seen] = re.findall("Player 1  ((?:[RYGWB][1-5] *)+)", said)
    for told in (said, data):
        cards = {f"{colour[0].upper()}{rank}" for colour, rank in re.findall("the ([a-z]+) ([1-5])", told)}
        assert cards <= {*seen.split()}


def test_a_record_with_a_wrong_position_names_its_line(tmp_path, run):
    file = tmp_path / "a.txt"
    file.write_text(
        "format: rulebots-record/1\ngame: tictactoe\nplayer 1: a\nplayer 2: b\ngames: 1\n\n"
        "game 1: player 1 begins\nposition: 3/3/4 X\nresult: unfinished\n"
    )
    _, _, said = run("replay", str(file), "1")
    assert f"{file}:8: game 1: position '3/3/4 X', character 5: expected a row of 3 points" in said


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("solve", "tictactoe", "--position", "3/3 X"), "position '3/3 X', character 1: expected 3 rows"),
        (("solve", "tictactoe", "--position", "XXX/OO1/3 O"), "the game is over"),
        (("play", "tictactoe", "--position", "XXX/OO1/3 O"), "the game is over there"),
        (
            ("play", "lost-cities", "--position", "x"),
            "position 'x', character 1: expected the deal, 60 words such as '",
        ),
        (("play", "kalah", "--position", ""), "position '', character 1: expected both sides and the seat to move"),
        (("why", "shelly", "--position", "x"), "position 'x', character 1: expected the deal, 60 words such as '"),
    ],
)
def test_a_mistake_is_one_line(words, line, run):
    code, _, error = run(*words)
    assert code == 2
    assert line in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ("why", "standard", "--game", "tictactoe", "--position", WON, "--ply", "3"),
        ("solve", "tictactoe", "--table", "--position", WON),
        ("play", "--resume", "a.txt", "--position", WON),
    ],
)
def test_flags_that_contradict_it(words, run):
    assert run(*words)[0] == 2


def test_the_python_way_is_the_same():
    position = Position.from_text(load_game("tictactoe"), WON)
    position.push(position.read("a1"))
    assert position.over


def test_no_file_is_left_behind(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    run("solve", "tictactoe", "--position", WON)
    assert list(Path().iterdir()) == []
