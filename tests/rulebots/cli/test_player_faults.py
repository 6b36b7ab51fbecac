"""What commands make of a player in Python that fails: one line, and nothing of what was played is lost."""

from __future__ import annotations

import io
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from contenders import Scripted

from rulebots.cli import main as cli
from rulebots.game import Game, Moves
from rulebots.packages import load_game, package_of
from rulebots.records import check, load_record

Command = Callable[..., tuple[int, str, str]]


def first_move(_: Any, moves: Moves) -> int:
    return int(moves[0])


def cheating_late(_: Any, moves: Moves) -> int:
    return 9999 if len(moves) <= 5 else int(moves[0])


def leaving(_: Any, __: Moves) -> int:
    sys.exit(0)


def sleeping(_: Any, moves: Moves) -> int:
    time.sleep(0.05)
    return int(moves[0])


def abroad(game: Game) -> None:
    raise FileNotFoundError(f"no model for {game.name}")


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    """Run `rulebots` in this process, tic-tac-toe having players of a stranger's."""
    game = load_game("tictactoe")
    for name, choose in (("cheat", cheating_late), ("leaves", leaving), ("sleeps", sleeping), ("first", first_move)):
        monkeypatch.setitem(package_of(game).players, name, lambda c=choose, n=name: Scripted(game, c, n))
    monkeypatch.setitem(package_of(game).players, "unmade", lambda: abroad(game))
    monkeypatch.setitem(package_of(game).players, "exits", sys.exit)
    monkeypatch.setitem(package_of(game).players, "number", lambda: 5)
    monkeypatch.chdir(tmp_path)

    def run(*words: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["rulebots", *words])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = cli.main()
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def line_of(outcome: tuple[int, str, str], code: int = 1) -> str:
    assert outcome[0] == code
    assert outcome[2].count("\n") == 1
    assert outcome[2].startswith("rulebots: ")
    return outcome[2]


MATCH = ("match", "--game", "tictactoe", "--deals", "4", "--jobs", "1")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "message"),
    [
        (("cheat", "random"), "player 'cheat', ply 5: chose 9999; legal moves are"),
        (("random", "leaves"), "player 'leaves', ply 4: raised SystemExit: 0 ("),
        (
            ("sleeps", "random", "--move-seconds", "0.01"),
            "player 'sleeps', ply 3: thought for more than the 0.01 s of a",
        ),
        (
            ("unmade", "random"),
            "player 'unmade' cannot be made: it raised FileNotFoundError: no model for tictactoe",
        ),
        (("exits", "random"), "player 'exits' cannot be made: it raised SystemExit"),
        (("number", "random"), "player 'number' cannot be made: expected a Player from number, not int"),
    ],
    ids=lambda case: case[0] if isinstance(case, tuple) else "",
)
def test_a_match_ends_with_one_line(command: Command, players: tuple[str, ...], message: str) -> None:
    outcome = command(*MATCH, *players)
    assert message in line_of(outcome)
    assert outcome[1] == ""


def test_a_match_that_is_recorded_keeps_its_games(command: Command) -> None:
    line = line_of(command(*MATCH, "cheat", "random", "--record", "games.txt"))
    assert line.endswith("; the games so far are in games.txt\n")
    record = load_record("games.txt")
    assert [replayed.number for replayed in check(record)] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert all(g.result.points is None or g.plies > 4 for g in record.games)
    code, out, _ = command("replay", "games.txt")
    assert (code, "unfinished" in out) == (0, True)


def test_where_nothing_was_played_nothing_is_recorded(command: Command) -> None:
    line = line_of(command(*MATCH, "leaves", "leaves", "--record", "games.txt"))
    assert line.endswith("; games.txt was not written\n")
    assert not Path("games.txt").exists()


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "1e9", "soon"])
def test_a_limit_that_is_none_is_refused(command: Command, seconds: str) -> None:
    line = line_of(command(*MATCH, "first", "random", "--move-seconds", seconds), 2)
    assert f"--move-seconds: expected a number from 0.001 to 1,000,000, not '{seconds}'" in line


TOURNAMENT = ("tournament", "--game", "tictactoe", "cheat", "random", "first", "leaves", "--deals", "3")


def test_in_a_tournament_the_others_go_on_and_faults_are_counted(command: Command) -> None:
    code, out, err = command(*TOURNAMENT, "--ladder", "ladder.yaml", "--csv", "ladder.csv")
    assert (code, "Traceback" in err) == (0, False)
    told = out.splitlines()
    assert [line.split(";")[0] for line in told if "by fault" in line][-1] == "leaves lost 18 games by fault"
    (cheat,) = (line for line in told if line.startswith("cheat lost "))
    assert "games by fault; the first: player 'cheat', ply 5: chose 9999; legal moves are" in cheat
    assert not any(line.startswith(("random lost", "first lost")) for line in told)
    found = json.loads(command(*TOURNAMENT, "--json")[1])
    faults = {row["player"]: row["faults"] for row in found["players"]}
    assert faults["leaves"] == 18
    assert faults["cheat"] > faults["random"] == faults["first"] == 0
    first_faults = {row["player"]: row["first_fault"] for row in found["players"]}
    assert first_faults["leaves"].startswith("player 'leaves', ply 4: raised SystemExit")
    assert first_faults["random"] is None
    assert {row["player"]: row["win_rate"] for row in found["players"]}["leaves"] == 0.0
    assert command("tournament", "--rerun", "ladder.yaml")[0] == 0


def test_a_limit_of_time_holds_in_a_tournament(command: Command) -> None:
    words = ("tournament", "--game", "tictactoe", "sleeps", "random", "--deals", "1", "--move-seconds", "0.01")
    assert "sleeps lost 2 games by fault; the first: player 'sleeps', ply 3: thought for more" in command(*words)[1]


PLAY = ("play", "tictactoe", "--seed", "3")


def test_a_game_in_the_terminal_is_kept(command: Command) -> None:
    outcome = command(*PLAY, "--player", "first", "--against", "cheat")
    line = line_of(outcome)
    assert "player 'cheat', ply 6: chose 9999; legal moves are" in line
    assert line.endswith(
        "; it loses; the game so far is in tictactoe-unfinished.txt; to continue against another player: "
        "rulebots play --resume tictactoe-unfinished.txt --against ...\n"
    )
    (game,) = load_record("tictactoe-unfinished.txt").games
    assert (game.plies, game.result.points) == (5, None)
    assert "tictactoe-unfinished-2.txt" in line_of(command(*PLAY, "--player", "first", "--against", "cheat"))
    code, out, _ = command("play", "--resume", "tictactoe-unfinished.txt", "--against", "first")
    assert (code, " won" in out or "draw" in out) == (0, True)


def test_a_limit_of_time_holds_in_the_terminal(command: Command) -> None:
    line = line_of(command(*PLAY, "--player", "sleeps", "--against", "first", "--move-seconds", "0.01"))
    assert "player 'sleeps', ply 1: thought for more than the 0.01 s of a move" in line


def test_a_hint_of_a_player_that_fails_is_its_line_and_the_game_goes_on(command: Command) -> None:
    code, out, _ = command(*PLAY, "--against", "first", typed="hint leaves\nquit\n")
    assert code == 0
    assert "player 'leaves', ply 1: raised SystemExit: 0" in out
    assert out.endswith("You left the game\n")
