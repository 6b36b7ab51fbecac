"""Matches: what a command may print, and what is said of programs that go wrong."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from evolve.tuning.matches import (
    ClopMatch,
    CommandMatch,
    FunctionMatch,
    MatchError,
    PlayerMatch,
    filled_words,
    output_of,
    points_of,
    result_of,
)
from evolve.tuning.parameter_files import own_file, template
from evolve.tuning.parameters import Parameter
from rulebots.errors import UsageError
from rulebots.players.player import PlayerFault

X = [Parameter("x", 1.0)]
LOW, HIGH = {"x": 1.0}, {"x": 2.0}


def program(tmp_path: Path, text: str) -> str:
    path = tmp_path / "program.py"
    path.write_text(f"import json, sys, time\n{text}\n")
    return f"{sys.executable} {path}"


@pytest.mark.parametrize(
    ("output", "result"),
    [
        ("W", (1.0, 1)),
        ("hello\nD\n\n", (0.5, 1)),
        ("L\r\n", (0.0, 1)),
        ("0.5", (0.5, 1)),
        ("1", (1.0, 1)),
        ("0.62", (0.62, 1)),
        ("12 7", (1.0, 1)),
        ("-3, 7", (0.0, 1)),
        ("4 4", (0.5, 1)),
        ("[1, 0.5, 0, 1]", (0.625, 4)),
        ('{"results": [1, 0]}', (0.5, 2)),
        ('{"wins": 3, "draws": 1, "losses": 0}', (0.875, 4)),
        ('{"points": [12, 7]}', (1.0, 1)),
        ('{"ranks": [2, 1]}', (0.0, 1)),
        ("Score of a vs b: 1 - 0 - 1  [0.750] 2\nfinished", (0.75, 2)),
        ("Score of a vs b: 0 - 1 - 0 [0.0] 1\nScore of a vs b: 1 - 1 - 0  [0.5] 2\nFinished match", (0.5, 2)),
        ("Results of a vs b:\nGames: 4, Wins: 2, Losses: 1, Draws: 1, Points: 2.5 (62.50 %)\nFinished", (0.625, 4)),
    ],
)
def test_a_result_is_read(output: str, result: tuple[float, int]) -> None:
    assert result_of(output) == result


@pytest.mark.parametrize(
    "output",
    [
        "",
        "won",
        "2",
        "-1",
        "nan",
        "[2]",
        "[]",
        '{"wins": 0}',
        '{"wins": 3, "wins": 40}',
        '{"wins": 99999999999}',
        '{"score": 1}',
        "null",
        '"W"x',
        "1 2 3",
        "[[[",
    ],
)
def test_what_is_no_result_is_quoted(output: str) -> None:
    with pytest.raises(MatchError, match="expected W, D or L"):
        result_of(output)


def test_a_function_may_return_what_a_command_prints() -> None:
    assert points_of(np.float64(0.5), "play") == (0.5, 1)
    assert points_of([1, "D"], "play") == (0.75, 2)
    assert points_of(True, "play") == (1.0, 1)
    assert points_of({"points": (3, 1)}, "play") == (1.0, 1)
    for outcome in (None, 3, object(), {}, "win", float("nan"), {"points": [1, 2, 3]}):
        with pytest.raises(MatchError, match="play gave the result"):
            points_of(outcome, "play")


def test_sides_swap_seats_and_share_the_seed(tmp_path: Path) -> None:
    command = program(
        tmp_path, "print(sys.argv[1:], file=sys.stderr); print(float(sys.argv[1]) > float(sys.argv[2]) and 'W' or 'D')"
    )
    match = CommandMatch(command + " {first.x} {second.x} {seed}", own_file(X))
    match.check(["x"])
    played = match.pair(HIGH, LOW, 7)
    assert (played.points, played.games, played.trace) == (0.75, 2, "1.0 0.5")


def test_files_and_commands_reach_a_match(tmp_path: Path) -> None:
    command = program(tmp_path, "print([json.load(open(name))['x'] / 4 for name in sys.argv[1:3]])")
    assert CommandMatch(command + " {first} {second}", own_file(X)).play(LOW, HIGH, 1).points == 0.375
    command = program(tmp_path, "print([float(part.split('=')[1]) / 4 for part in sys.argv[1:]])")
    match = CommandMatch(command + " {first} {second}", own_file(X), "./bot -x={x}")
    assert match.play(LOW, HIGH, 1).points == 0.375
    params = CommandMatch(command + " {first} {second}", template(".txt", "{x}", ["x"]), "./bot {params}")
    with pytest.raises(MatchError, match="IndexError"):
        params.play(LOW, HIGH, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sys.exit('no such book')", "ended with exit code 1; its stderr ends 'no such book'"),
        ("print('loading'); sys.exit(3)", "ended with exit code 3; its output ends 'loading'"),
        ("import os; os.kill(os.getpid(), 9)", "was ended by signal 9"),
        ("print('oops')", "the match gave the result 'oops': expected W, D or L"),
        ("print(7)", "the match gave the result '7': expected W, D or L"),
        ("pass", "the match printed nothing"),
        ("while True: print('x' * 10**6)", "printed more than 50,000,000 bytes; its output ends 'x+'"),
        (
            "print('W', flush=True); __import__('os').close(1); sys.exit('late')",
            "ended with exit code 1; its stderr ends 'late'",
        ),
    ],
)
def test_a_program_that_goes_wrong_is_one_line(text: str, message: str, tmp_path: Path) -> None:
    match = CommandMatch(program(tmp_path, text), own_file(X))
    with pytest.raises(MatchError, match=message) as raised:
        match.play(LOW, HIGH, 1)
    assert "\n" not in str(raised.value)


@pytest.mark.slow
def test_a_program_that_hangs_is_ended_with_its_children(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    child = f"time.sleep(1.5); open({str(mark)!r}, 'w')"
    command = program(
        tmp_path,
        f"import subprocess; subprocess.Popen([sys.executable, '-c', {('import time; ' + child)!r}])\n"
        "print('thinking', flush=True); time.sleep(60)",
    )
    with pytest.raises(
        MatchError, match=r"did not end within 0.7 s \(--time-limit allows more\); its output ends 'thinking'"
    ):
        output_of(filled_words(command, {}), 0.7)
    time.sleep(1.2)
    assert not mark.exists()


def test_a_program_that_is_not_there_or_may_not_run(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"'none-such' cannot be started: No such file.*your own begins with ./"):
        output_of(["none-such"], 1)
    with pytest.raises(UsageError, match=r"'./none' cannot be started: No such file.*see whether it is there"):
        output_of(["./none"], 1)
    plain = tmp_path / "plain"
    plain.write_text("print('W')\n")
    with pytest.raises(UsageError, match=r"make it executable \(chmod \+x\)"):
        output_of([str(plain)], 1)
    plain.chmod(0o755)
    with pytest.raises(UsageError, match="name what runs it first, as in python3"):
        output_of([str(plain)], 1)
    with pytest.raises(UsageError, match="no closing quotation"):
        filled_words("a 'b", {})


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("./play {first} {seed}", r"there is no \{second\} in"),
        ("./play {frist} {second}", r"no placeholder '\{frist\}' of --match; did you mean '\{first\}'"),
        ("./play {first.y} {second.x}", r"no placeholder '\{first.y\}'"),
        ("./play {first} {second.z}", r"parameter 'x' does not reach it: there is no \{second.x\} in './play"),
        ("./play {first} {second} | tail -1", r"--match: no shell reads '\|': put all into sh -c"),
    ],
)
def test_a_command_that_leaves_out_a_side_is_refused(command: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        CommandMatch(command, own_file(X)).check(["x", "z"])


def test_a_player_in_a_match_has_to_get_each_parameter() -> None:
    CommandMatch("./play {first} {second}", own_file(X), "./bot {x}").check(["x"])
    for player, message in (("./bot {y}", r"no placeholder '\{y\}'"), ("./bot", "'x' does not reach the program")):
        with pytest.raises(UsageError, match=message):
            CommandMatch("./play {first} {second}", own_file(X), player).check(["x"])


@pytest.mark.parametrize("how", ["White makes an illegal move", "Black disconnects", "White's connection stalls"])
def test_a_game_that_an_engine_lost_by_failing_is_no_result(how: str) -> None:
    line = f"Finished game 1 (a vs b): 0-1 {{{how}}}"
    with pytest.raises(MatchError, match=re.escape(f"an engine failed: '{line}'")):
        result_of(f"{line}\nGames: 1, Wins: 0, Losses: 1, Draws: 0, Points: 0.0\n")
    assert result_of("Finished game 1 (a vs b): 0-1 {Black mates}\nScore of a vs b: 0 - 1 - 0  [0.000] 1") == (0.0, 1)


def test_clop_scripts_get_processor_seed_and_parameters(tmp_path: Path) -> None:
    command = program(
        tmp_path,
        "_, own, _, seed, name, value = sys.argv\n"
        "assert (own, seed, name) == ('mine', '5', 'x')\n"
        "print('W' if value == '2.0' else 'L')",
    )
    played = ClopMatch(f"{command} mine").pair(HIGH, LOW, 5)
    assert (played.points, played.games) == (1.0, 2)
    assert ClopMatch(f"{command} mine").pair(LOW, LOW, 5).points == 0.5


def test_a_function_that_fails_is_told_with_its_error() -> None:
    def play(first, second, seed):
        return first["y"]

    with pytest.raises(MatchError, match="KeyError"):
        FunctionMatch(play).play(LOW, HIGH, 1)
    with pytest.raises(MatchError, match="raised SystemExit: no book"):
        FunctionMatch(lambda *_: sys.exit("no book")).play(LOW, HIGH, 1)
    with pytest.raises(UsageError, match=r"expected a function as FILE.py:NAME"):
        FunctionMatch("play").play(LOW, HIGH, 1)


BOT = """
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": "rulebots-player/1"}), flush=True)
    elif message["type"] == "choose":
        moves = [one["move"] for one in message["moves"]]
        print(json.dumps({"type": "move", "move": moves[int(ARGUMENT) % len(moves)]}), flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("argument", "rest", "environment"),
    [
        ("sys.argv[1]", " {n}", False),
        ("json.load(open(sys.argv[1]))['n']", " {params}", False),
        ("__import__('os').environ['RULEBOTS_PARAM_n']", "", True),
    ],
)
def test_a_player_gets_its_parameters(argument: str, rest: str, environment: bool, tmp_path: Path) -> None:
    command = program(tmp_path, BOT.replace("ARGUMENT", argument)) + rest
    match = PlayerMatch(command, "tictactoe", {}, own_file([Parameter("n", 0, whole=True)]), environment)
    match.check(["n"])
    alike, other = match.pair({"n": 0}, {"n": 0}, 1), match.pair({"n": 0}, {"n": 1}, 1)
    assert (alike.points, alike.games) == (0.5, 2)
    assert alike.trace == match.pair({"n": 0}, {"n": 0}, 1).trace != other.trace


def test_a_parameter_that_no_player_gets_is_refused() -> None:
    match = PlayerMatch("./bot {n}", "tictactoe", {}, own_file([]))
    with pytest.raises(UsageError, match="parameter 'm' does not reach the program"):
        match.check(["n", "m"])
    with pytest.raises(UsageError, match=r"no placeholder '\{k\}'"):
        PlayerMatch("./bot {k}", "tictactoe", {}, own_file([])).check(["n"])


@pytest.mark.slow
def test_a_player_that_dies_is_told_with_its_last_line(tmp_path: Path) -> None:
    match = PlayerMatch(program(tmp_path, "sys.exit('no weights')"), "tictactoe", {}, own_file([]), seconds=90)
    with pytest.raises(PlayerFault, match=r"seconds=90,start=90.*its stderr ends 'no weights'"):
        match.pair({}, {}, 1)
