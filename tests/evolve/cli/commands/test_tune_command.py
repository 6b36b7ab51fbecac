"""`evolve tune`, `resume` of its runs, and `evolve gate`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from evolve_command import evolve

from evolve.cli.tuning import _digits
from rulebots.cli.interrupts import INTERRUPTED

ARENA = """
import os

import numpy as np

def play(first, second, seed):
    if os.path.exists("stop"):
        os.remove("stop")
        raise KeyboardInterrupt
    if os.path.exists("break"):
        raise ValueError("the board is gone")
    weak = [40 * (side["speed"] - 3) ** 2 for side in (first, second)]
    luck = np.random.default_rng([seed, *map(int, weak)]).random()
    with open("played", "a") as stream:
        print(seed, file=stream)
    if len(open("played").readlines()) == int(os.environ.get("STOP_AT", 0)):
        open("stop", "w").close()
    return float(luck < 1 / (1 + 10 ** ((weak[0] - weak[1]) / 400)))
"""
FLAGS = ("--match", "arena.py:play", "--params", "weights.json", "--jobs", "1", "--games", "100", "--fresh", "40")
WEIGHTS = '{"name": "a",\n "speed": 1.0}\n'


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    Path("arena.py").write_text(ARENA)
    Path("weights.json").write_text(WEIGHTS)


@pytest.fixture
def command(capsys, monkeypatch):
    return lambda *words: evolve(capsys, monkeypatch, *words)


def test_a_file_of_numbers_is_tuned_and_the_run_stays(command) -> None:
    code, out, err = command("tune", *FLAGS, "--run-dir", "run")
    assert code == 0, err
    for line in (
        "the run lives in run; trying",
        "tried: ",
        "forecast: ",
        "after 100 games",
        "in 40 fresh games",
        "wrote weights-tuned.json; as arguments: speed=",
    ):
        assert line in out
    text = Path("weights-tuned.json").read_text()
    assert text.startswith('{"name": "a",\n "speed": ')
    assert json.loads(text)["speed"] != 1.0
    assert Path("run/result.json").read_text() == text
    begin = json.loads(Path("run/log.jsonl").read_text().splitlines()[0])
    assert begin["command"] == " ".join(["evolve", "tune", *FLAGS, "--run-dir", "run"])
    assert len(Path("run/pairs.jsonl").read_text().splitlines()) == 50 + 1 + 20
    code, out, _ = command("watch", "run", "--once")
    assert code == 0
    assert out.splitlines()[-2].startswith("100 % of its games: too few games so far against the start")
    assert out.splitlines()[-1].endswith(" in 40 fresh games"), "it ends with the verdict"
    code, out, _ = command("resume", "run")
    assert (code, "was finished: its result is" in out) == (0, True)
    code, _, err = command("tune", *FLAGS, "--run-dir", "run")
    assert code == 2
    assert "or resume that run: evolve resume run" in err


def test_a_time_is_divided_into_search_and_fresh_games_and_stays_so_when_resumed(command, monkeypatch) -> None:
    flags = (*FLAGS[:6], "--time", "2s", "--run-dir", "run")
    monkeypatch.setattr("evolve.tuning.run.time.perf_counter", lambda: _games_of(0.005))
    monkeypatch.setenv("STOP_AT", "250")
    assert command("tune", *flags)[0] == INTERRUPTED
    code, out, err = command("resume", "run", "--jobs", "1")
    assert code == 0, err
    assert "with 100 fresh games 2 s" in out
    assert "after 260 games" in out
    assert "in 100 fresh games" in out
    code, _, err = command("tune", *flags[:-1], "other", "--games", "100")
    assert (code, "--games and --time each say how long it is" in err) == (2, True)


def test_a_time_that_is_too_short_is_refused_before_the_trials(command, monkeypatch) -> None:
    monkeypatch.setattr("evolve.tuning.run.time.perf_counter", lambda: _games_of(10.0))
    code, _, err = command("tune", *FLAGS[:6], "--time", "2s", "--run-dir", "run")
    assert (code, Path("run").exists()) == (2, False)
    assert "at 0.1 games a second 2 s are too short for a search and fresh games" in err


def _games_of(seconds: float) -> float:
    """A clock that stands between games."""
    return seconds * len(Path("played").read_text().splitlines()) if Path("played").exists() else 0.0


def test_a_function_gets_the_numbers_that_stay(command) -> None:
    Path("weights.json").write_text('{"speed": 1.0, "depth": 3, "deep": {"x": 2.5}}')
    arena = Path("arena.py").read_text()
    Path("arena.py").write_text(
        arena.replace("    weak =", '    assert (first["depth"], second["deep.x"]) == (3, 2.5)\n    weak =')
    )
    code, _, err = command("tune", *FLAGS, "--param", "speed=:0..6", "--run-dir", "run")
    assert code == 0, err
    assert '"depth": 3, "deep": {"x": 2.5}}' in Path("weights-tuned.json").read_text()


def test_slow_pairs_which_are_written_one_by_one_leave_checkpoints(command, monkeypatch: pytest.MonkeyPatch) -> None:
    def seconds() -> float:
        return 2.0 * len(Path("played").read_text().splitlines()) if Path("played").exists() else 0.0

    monkeypatch.setattr("evolve.tuning.storage.time", SimpleNamespace(monotonic=seconds))
    monkeypatch.setenv("STOP_AT", "90")
    assert command("tune", *FLAGS, "--run-dir", "run")[0] == INTERRUPTED
    saved = json.loads(Path("run/checkpoint.json").read_text())["content"]
    assert saved["state"]["search"]["games_played"] > 0


@pytest.mark.slow
def test_ctrl_c_and_resume_give_the_same_bytes(command, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = command("tune", *FLAGS, "--run-dir", "whole", "--quiet", "--out", "whole.json")
    assert whole[:2] == (0, "whole.json\n")
    games = len(Path("played").read_text().splitlines())
    for at, where in ((games // 2, "after "), (games - 20, "after 100"), (3, "in the trials")):
        name = f"run{at}"
        Path("played").unlink()
        monkeypatch.setenv("STOP_AT", str(at))
        code, _, err = command("tune", *FLAGS, "--run-dir", name, "--out", f"{name}.json")
        assert code == INTERRUPTED
        assert f"interrupted {where}" in err
        assert f"continue with: evolve resume {name}" in err
        monkeypatch.delenv("STOP_AT")
        code, out, err = command("resume", name, "--jobs", "1", "--quiet")
        assert (code, out) == (0, f"{name}.json\n"), err
        assert Path(f"{name}.json").read_bytes() == Path("whole.json").read_bytes()
        assert Path(name, "pairs.jsonl").read_bytes() == Path("whole/pairs.jsonl").read_bytes()


@pytest.mark.slow
def test_a_killed_run_goes_on_to_the_same_bytes(command) -> None:
    assert command("tune", *FLAGS, "--run-dir", "whole", "--quiet", "--out", "whole.json")[0] == 0
    Path("played").unlink()
    arena = Path("arena.py").read_text()
    # Of another length: Python takes its cached code for a file of the same size and second.
    Path("arena.py").write_text(arena.replace("raise KeyboardInterrupt", "os.kill(os.getpid(), 9)  # at once"))
    program = [sys.executable, "-c", "import sys; from evolve.cli.main import main; sys.exit(main())"]
    died = subprocess.run(
        [*program, "tune", *FLAGS, "--run-dir", "run", "--out", "run.json"],
        env={**os.environ, "STOP_AT": "150"}, capture_output=True, check=False,
    )  # fmt: skip
    assert died.returncode == -signal.SIGKILL
    with Path("run/pairs.jsonl").open("a") as pairs:
        pairs.write('{"phase": 1, "pai')  # cut short
    Path("arena.py").write_text(arena)
    code, _, err = command("resume", "run", "--jobs", "1", "--quiet")
    assert code == 0, err
    assert Path("run.json").read_bytes() == Path("whole.json").read_bytes()


def test_a_run_that_somebody_else_began_starts_no_program(
    command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("STOP_AT", "60")
    assert command("tune", *FLAGS, "--run-dir", "run")[0] == INTERRUPTED
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "elsewhere"))
    code, _, err = command("resume", "run")
    assert code == 2
    assert "a file starts no program: confirm it with --import" in err
    monkeypatch.delenv("STOP_AT")
    assert command("resume", "run", "--jobs", "1", "--import", f"{tmp_path}/arena.py:play")[0] == 0


@pytest.mark.parametrize("at", ["60", "140"])
def test_a_program_that_breaks_later_loses_nothing(at: str, command, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the search, and in the fresh games at the end."""
    arena = Path("arena.py").read_text()
    Path("arena.py").write_text(arena.replace('open("stop", "w")', 'open("break", "w")'))
    monkeypatch.setenv("STOP_AT", at)
    code, _, err = command("tune", *FLAGS, "--run-dir", "run")
    assert code == 1
    assert "warning: a pair of games was lost: " in err
    assert "the board is gone" in err
    assert "nothing that was played is lost: continue with: evolve resume run" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["./bot"], "expected a program and its --game, --match with a command that plays, or --clop"),
        (
            ["./bot {speed}", "--game", "tictactoe", "--protocol", "uci"],
            "no protocol 'uci'; there are: rulebots",
        ),
        (
            ["./bot {sped}", "--game", "tictactoe"],
            "no placeholder '{sped}' of the program's command; did you mean '{speed}'?",
        ),
        (["./bot", "--game", "tictactoe"], "parameter 'speed' does not reach the program"),
        (["./bot {speed}", "--game", "chess"], "no game 'chess'"),
        (["--match", "./play {first}"], "there is no {second} in './play {first}'"),
        (["--match", "./play {first} {second}"], "'./play' cannot be started"),
        (["--match", "arena.py:play", "--environment"], "--environment and --option go with --game"),
        (["--match", "arena.py:play", "--time-limit", "3"], "a Python function has to end by itself"),
        (["--match", "arena.py:paly"], "no function 'paly'; did you mean 'play'?"),
        (["--match", "arena.py:play", "--clop", "x"], "--match and --clop each say what plays"),
        (
            ["--match", "arena.py:play", "--params", "weights.json", "--param", "tempo=1"],
            "no number 'tempo' of the file",
        ),
        (["--match", "arena.py:play", "--param", "x=0:1..2"], "expected its start within its range"),
    ],
)
def test_a_slip_is_one_line(words: list[str], message: str, command) -> None:
    parameter = [] if {"--params", "--param"} & set(words) else ["--param", "speed=1.0"]
    code, _, err = command("tune", *words, *parameter, "--jobs", "1")
    assert code in (1, 2)
    assert message in err
    assert len(err.splitlines()) == 1


def test_a_dead_parameter_is_refused_by_name(command) -> None:
    words = (
        "--match",
        "arena.py:play",
        "--param",
        "speed=1.0",
        "--param",
        "tempo=3:int",
        "--games",
        "40",
        "--jobs",
        "1",
    )
    words = (*words, "--run-dir", "runs/mine")
    code, _, err = command("tune", *words)
    assert code == 2
    assert "evolve: nothing changes with tempo" in err
    assert not Path("runs/mine").exists()
    code, out, _ = command("tune", *words, "--keep-dead")
    assert code == 0
    assert "WARNING: nothing changes with tempo" in out


def test_a_run_whose_result_cannot_be_written_stays(command) -> None:
    Path("arena.py").write_text(ARENA.replace("    weak =", "    open('mine.json', 'w').close()\n    weak ="))
    code, _, err = command("tune", *FLAGS, "--run-dir", "run", "--out", "mine.json")
    assert code == 1
    assert "mine.json" in err
    assert json.loads(Path("run/result.json").read_text())["name"] == "a"


def test_the_result_as_json(command) -> None:
    code, out, _ = command("tune", *FLAGS, "--json")
    result = json.loads(out)
    assert code == 0
    assert result["values"].keys() == {"speed"}
    assert result["verdict"]["word"] in ("better", "undecided", "worse")
    assert result["verdict"]["games"] == 40


REFEREE = """
import sys

import numpy as np

def play(first, second, seed):
    if "broken" in (first, second):
        sys.exit("cannot load broken")
    strength = {"strong": 0.9, "weak": 0.1, "even": 0.5}
    share = strength[first] / (strength[first] + strength[second])
    return [float(luck < share) for luck in np.random.default_rng([seed, len(first)]).random(20)]

if __name__ == "__main__":
    print(play(sys.argv[1], sys.argv[2], int(sys.argv[3])))
"""


@pytest.mark.parametrize(
    ("head", "more", "code", "said"),
    [
        ("strong", [], 0, "passed: the head is stronger (H1, +10 Elo or more)"),
        ("weak", [], 1, "failed: the head is not stronger (H0, +0 Elo or less)"),
        ("even", ["--games", "40"], 1, "failed: undecided"),
    ],
)
def test_a_gate_is_an_exit_code(head: str, more: list[str], code: int, said: str, command) -> None:
    Path("referee.py").write_text(REFEREE)
    versions = ("--base", "even", "--head", head)
    found, out, err = command("gate", "--match", "referee.py:play", *versions, "--jobs", "1", *more)
    assert (found, out[: len(said)]) == (code, said), err


def test_ctrl_c_shows_the_games_of_a_gate(command) -> None:
    Path("even.py").write_text(
        "def play(first, second, seed):\n"
        "    if seed > 4:\n"
        "        raise KeyboardInterrupt\n"
        "    return 0.5 if seed % 2 else 1\n"
    )
    code, out, err = command("gate", "--match", "even.py:play", "--base", "a", "--head", "b", "--jobs", "1")
    assert (code, err) == (130, "evolve: interrupted after 8 games\n")
    assert out == "failed: undecided: +0 Elo (-432 to +432) in 8 games\n"


def test_a_gate_ends_with_a_program_that_fails(command) -> None:
    Path("referee.py").write_text(REFEREE)
    match = f"{sys.executable} referee.py {{first}} {{second}} {{seed}}"
    code, _, err = command("gate", "--match", match, "--base", "even", "--head", "broken", "--jobs", "1")
    assert code == 1
    assert "its stderr ends 'cannot load broken'" in err
    assert command("gate", "--base", "a", "--head", "b")[0] == 2


def test_a_value_has_as_many_digits_as_its_interval_is_worth() -> None:
    assert _digits(74.4248, 69.2013, 77.0366) == "74.4"
    assert _digits(0.0123456, 0.0119, 0.0125) == "0.01235"
    assert _digits(1234.5, 900.0, 1600.0) == "1230.0"
    assert (_digits(20, 19, 22), _digits("fast", "fast", "slow"), _digits(0.25, 0.25, 0.25)) == ("20", "fast", "0.25")
