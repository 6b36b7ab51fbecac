"""`rulebots replay`, and the records that `rulebots match` writes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rulebots.cli import main as cli
from rulebots.cli.commands.replay import outcome
from rulebots.packages import load_game
from rulebots.records import load_record, parse_record

SHORT = """format: rulebots-record/1
game: tictactoe
player 1: me
player 2: you
games: 1

game 1: player 1 begins
ply 1: 1,1 0,0 0,2 = 0 0
ply 4: 2,0 1,0 1,2
ply 7: 0,1 2,1 2,2
result: 0 0
"""


def rulebots(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["rulebots", *words])
    code = cli.main()
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.mark.slow
def test_a_match_is_recorded_listed_and_shown_and_no_file_is_overwritten(tmp_path: Path, capsys, monkeypatch) -> None:
    file = tmp_path / "games.txt"
    words = ("match", "risk", "dumb", "--deals", "2", "--seed", "4", "--json")
    _, plain, _ = rulebots(capsys, monkeypatch, *words)
    code, recorded, err = rulebots(capsys, monkeypatch, *words, "--record", str(file))
    assert (code, recorded, err) == (0, plain, "")
    assert [path.name for path in tmp_path.iterdir()] == ["games.txt"]

    code, out, _ = rulebots(capsys, monkeypatch, "replay", str(file))
    assert code == 0
    assert [line.split(":")[0] for line in out.splitlines()[:4]] == ["game 1", "game 2", "game 3", "game 4"]
    assert out.endswith("4 games of Lost Cities, played again: all as recorded\n")

    code, out, _ = rulebots(capsys, monkeypatch, "replay", str(file), "2")
    record = load_record(file)
    assert code == 0
    assert out.count("Deserts:") == record.games[1].plies + 1
    assert "game 2 of Lost Cities: dumb (seat 0) against risk (seat 1)" in out

    before = file.read_bytes()
    code, out, err = rulebots(capsys, monkeypatch, *words, "--record", str(file))
    assert (code, out) == (1, "")
    assert err == f"rulebots: '{file}' exists already, and no file is overwritten: choose another name\n"
    assert file.read_bytes() == before


def test_a_record_that_cannot_be_replayed_ends_in_one_line(tmp_path: Path, capsys, monkeypatch) -> None:
    file = tmp_path / "games.txt"
    file.write_text(SHORT.replace("2,0 1,0", "2,0 1,1"))
    for words in (("replay", str(file)), ("replay", str(file), "1")):
        code, out, err = rulebots(capsys, monkeypatch, *words)
        assert code == 1
        assert err.startswith(f"rulebots: {file}:9: game 1: ply 5: ")
        assert err.count("\n") == 1
    assert "ply 4, seat 1: You play a3" in out
    assert rulebots(capsys, monkeypatch, "replay", str(tmp_path / "no.txt"))[0::2] == (
        1,
        f"rulebots: {tmp_path / 'no.txt'}: there is no such file\n",
    )
    assert "expected a game from 1 to 1, not 2" in rulebots(capsys, monkeypatch, "replay", str(file), "2")[2]
    file.write_bytes(b"\xff")
    assert (
        "games.txt:1:1: expected text in UTF-8, not the byte 0xFF"
        in rulebots(capsys, monkeypatch, "replay", str(file))[2]
    )
    assert "expected a record, not a folder" in rulebots(capsys, monkeypatch, "replay", str(tmp_path))[2]


THREE = """format: rulebots-record/1
game: standing:game
player 1: a
player 2: b
options: seats=3
games: 1

game 1: players 1 2 2
ply 1: 1 1 1 1 1
result: 0 0 1
"""


def test_a_game_of_three_is_listed_and_shown(tmp_path: Path, capsys, monkeypatch) -> None:
    file = tmp_path / "three.txt"
    file.write_text(THREE)
    code, out, _ = rulebots(capsys, monkeypatch, "replay", str(file), "--game", "standing:game")
    assert (code, out.splitlines()[0]) == (0, "game 1: a against b against b (2), 5 plies, b (2) wins")
    code, out, _ = rulebots(capsys, monkeypatch, "replay", str(file), "1")
    assert "game 1 of Last One Standing: a (seat 0) against b (seat 1) against b (2) (seat 2)\n" in out
    assert "ply 5, seat 2: b (2) plays 1\n" in out
    assert "after ply 5: b (2) wins\n" in out


@pytest.mark.parametrize(
    ("table", "points", "said"),
    [
        ("standing:game", "1 1 0", "a and b share the first place"),
        ("standing:game", "0 1 1", "b and b (2) share the first place"),
        ("standing:game", "1 1 1", "a draw"),
        ("standing:game", "1 2 3 stalled", "stalled at 1 to 2 to 3"),
        ("tower:game", "9 9 9", "9 points"),
    ],
)
def test_how_a_table_ended_is_told(table: str, points: str, said: str) -> None:
    load_game(table)
    text = THREE.replace("standing:game", table).replace("0 0 1", points)
    assert outcome(parse_record(text).games[0]) == said


def test_a_table_of_several_players_is_recorded(tmp_path: Path, capsys, monkeypatch) -> None:
    file = tmp_path / "table.txt"
    words = ("match", "anyhow", "random", "anyhow", "--game", "standing:game", "--deals", "2", "--jobs", "1")
    _, plain, _ = rulebots(capsys, monkeypatch, *words)
    code, out, err = rulebots(capsys, monkeypatch, *words, "--record", str(file))
    assert (code, out, err) == (0, plain, "")
    record = load_record(file)
    assert record.names == ("anyhow", "random", "anyhow (2)")
    assert len({game.players for game in record.games}) == 6
    code, out, _ = rulebots(capsys, monkeypatch, "replay", str(file))
    assert out.endswith("12 games of Last One Standing, played again: all as recorded\n")
    assert "exists already" in rulebots(capsys, monkeypatch, *words, "--record", str(file))[2]


def test_the_games_before_a_fault_at_a_table_are_kept(tmp_path: Path, capsys, monkeypatch, forget) -> None:
    monkeypatch.chdir(tmp_path)
    Path("late.py").write_text(
        "from rulebots.players import Player\n"
        "class Late(Player):\n"
        "    def choose(self, seen, moves):\n"
        "        return int(moves[0]) if seen.plies < 3 else 99\n"
    )
    words = ("match", "late.py:Late", "random", "anyhow", "--game", "standing:game", "--deals", "1")
    code, _, err = rulebots(capsys, monkeypatch, *words, "--record", "table.txt")
    assert code == 1
    assert err.endswith("; the games so far are in table.txt\n")
    assert all(game.result.points is None or game.plies >= 4 for game in load_record("table.txt").games)
    assert rulebots(capsys, monkeypatch, *words)[2].count("\n") == 1
