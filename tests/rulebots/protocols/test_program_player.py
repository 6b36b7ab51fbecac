"""Programs as players: the bots of the guide in matches and tournaments, and each mistake that a program can make."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import CHECKOUT

from rulebots.errors import UsageError
from rulebots.kernel.fingerprint import fingerprint
from rulebots.kernel.user_code import CodeError
from rulebots.packages import load_game
from rulebots.packages.named_code import names_from_data
from rulebots.packages.players import bring_player, make_player
from rulebots.play.match import play_match
from rulebots.players import PlayerFault
from rulebots.players.specs import split_specs
from rulebots.protocols.program_player import ProgramPlayer
from rulebots.tournaments.tournament import play_tournament

PAGE = CHECKOUT / "docs" / "protocols" / "programs.md"
#: How the bots of the guide are started, and what has to be there for it.
BOTS = {
    "bot.py": (f"{sys.executable} bot.py", None, None),
    "bot.js": ("node bot.js", "node", None),
    "bot.c": ("./bot", "cc", ["cc", "-O1", "-Wall", "-Werror", "-o", "bot", "bot.c"]),
}
#: The first move of each position, unless something is put in the place of the answer.
BOT = """
import json, sys, time, os
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{{"type":"hello","protocol":"rulebots-player/1"}}', flush=True)
    elif message["type"] == "choose":
        moves = message["moves"]
        {}
        print(json.dumps({{"type": "move", "move": moves[0]["move"]}}), flush=True)
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forget) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


def bot(instead: str = "pass", settings: str = "", name: str = "bot.py") -> str:
    Path(name).write_text(BOT.format(instead))
    return f"program:{sys.executable} {name}{settings and ':' + settings}"


def first(game: str = "kalah"):
    """Our own player that does what the bots do."""
    Path("first.py").write_text(
        "from rulebots.players import Player\n"
        "class First(Player):\n"
        "    def choose(self, seen, moves):\n"
        "        return int(moves[0])\n"
    )
    return make_player("first.py:First", load_game(game))


@pytest.mark.slow
@pytest.mark.parametrize("file", BOTS)
def test_a_bot_of_the_guide_has_at_most_20_lines_and_plays_its_games(file):
    command, needed, build = BOTS[file]
    if needed is not None and shutil.which(needed) is None:
        pytest.skip(f"{needed} is not installed")
    (text,) = re.findall(rf"^<!-- file: {file} -->\n```\w+\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    assert len(text.splitlines()) <= 20
    Path(file).write_text(text)
    if build:
        subprocess.run(build, check=True)
    for name, opponent in (("kalah", "random"), ("lost-cities", "discard")):
        game = load_game(name)
        other = make_player(opponent, game)
        theirs = play_match(make_player(f"program:{command}", game), other, deals=1)
        assert theirs.summary() == play_match(first(name), other, deals=1).summary()


def test_programs_play_in_several_threads_and_are_used_again():
    Path("count.txt").touch()
    game = load_game("kalah")
    spec = bot("open('count.txt', 'a').write(f'{os.getpid()}\\n')")
    result = play_match(make_player(spec, game), make_player(spec, game), deals=6, jobs=3)
    assert result.games == 12
    assert 2 <= len(set(Path("count.txt").read_text().split())) <= 6


FAULTS = {
    "raise ValueError('oh')": r"ended \(exit code 1\); its stderr ends 'ValueError: oh' \(all of it: ",
    "moves = [{'move': 77}]": "chose 77; legal moves are",
    "print('thinking')": "sent 'thinking': expected a JSON object on one line",
    "print('{', end='', flush=True); time.sleep(60)": "; it sent '{' without the end of a line",
    'print(2 * (\'{"type":"move","move":%d}\\n\' % moves[0][\'move\']), flush=True)': "expected nothing: it was not",
    "time.sleep(60)": r"thought for more than its 0\.2 s",
    "print('x' * 10_000_000)": "sent a line of more than 1,000,000 bytes",
    "os.close(1); time.sleep(60)": "closed its output",
    "os.kill(os.getpid(), 9)": "was ended by SIGKILL",
    "a = bytearray(10**9)": "MemoryError",
}


@pytest.mark.slow
@pytest.mark.parametrize("mistake", FAULTS)
def test_a_mistake_of_a_program_is_one_line_in_a_match_and_a_lost_game_in_a_tournament(mistake):
    game = load_game("kalah")
    player = make_player(bot(mistake, "seconds=0.2,memory=300" if "sleep" in mistake else "memory=300"), game)
    with pytest.raises(PlayerFault, match=FAULTS[mistake]) as caught:
        play_match(player, make_player("random", game), deals=1)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(f"player '{player.name}', ply ")
    result = play_tournament([player, make_player("random", game)], deals=2)
    assert [row["faults"] for row in result.rows() if row["player"] == player.name] == [4]


def test_a_program_that_says_no_hello_is_asked_what_it_speaks_and_whether_it_flushes():
    game = load_game("kalah")
    Path("mute.py").write_text("import time; time.sleep(60)")
    player = make_player(f"program:{sys.executable} mute.py:start=0.2", game)
    with pytest.raises(PlayerFault, match=r"no hello for 0\.2 s: does it speak lines of JSON \(a Pis.*flush"):
        play_match(player, make_player("random", game), deals=1)


def test_a_silent_program_is_told_of_once_while_it_has_time(monkeypatch, caplog):
    monkeypatch.setattr("rulebots.protocols.program_player.SOON", 0.1)
    game = load_game("kalah")
    Path("mute.py").write_text("import time; time.sleep(60)")
    player = make_player(f"program:{sys.executable} mute.py:start=2", game)
    for _ in range(2):
        with pytest.raises(PlayerFault, match="no hello for 2 s"):
            play_match(player, make_player("random", game), deals=1)
    [line] = caplog.messages
    assert "mute.py' said no hello for 0.1 s" in line
    assert "does it speak lines of JSON (a Piskvork engine does not: piskvork:COMMAND, or --protocol piskvork)" in line
    assert line.endswith("flush what it prints? It has 2 s")


def test_the_time_of_a_whole_game_is_limited():
    game = load_game("kalah")
    player = make_player(bot("time.sleep(0.05)", "game_seconds=0.2"), game)
    with pytest.raises(PlayerFault, match="thought for more than its "):
        play_match(player, make_player("random", game), deals=1)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("program:", "expected a command after 'program:', such as program:./mybot"),
        ("program:./none", r"no program './none': there is no such file"),
        ("program:'python", "no closing quotation in the command"),
        ("program:cat:second=1", "no setting 'second' of program:cat; did you mean 'seconds'"),
        ("program:cat:seconds=0", "seconds: expected a number from 0.001 to 1,000,000, not 0"),
        ("program:cat:memory=x", "expected a whole number for 'memory'"),
    ],
)
def test_a_wrong_name_says_what_is_wrong(spec, message):
    with pytest.raises(UsageError, match=message):
        make_player(spec, load_game("kalah"))


def test_a_command_may_have_colons():
    game = load_game("kalah")
    player = make_player("program:cat minimax:depth=2 -x:seconds=3", game)
    assert isinstance(player, ProgramPlayer)
    assert (player.command, player.settings.seconds) == (("cat", "minimax:depth=2", "-x"), 3.0)
    player = make_player("program:cat a:depth=2:", game)
    assert isinstance(player, ProgramPlayer)
    assert player.command == ("cat", "a:depth=2")


def test_a_list_of_players_keeps_the_settings_of_a_program():
    assert split_specs("program:./a -x:seconds=1,memory=5,shelly") == ["program:./a -x:seconds=1,memory=5", "shelly"]


def test_a_name_in_a_data_file_starts_nothing_unless_a_person_names_it():
    game = load_game("kalah")
    with names_from_data(player="--player {}"), pytest.raises(CodeError, match=r"--player 'program:cat -u' brings it"):
        make_player("program:cat -u", game)
    bring_player("program:cat -u")
    with names_from_data(player="--player {}"):
        make_player("program:cat -u", game)
        with pytest.raises(CodeError):
            make_player("program:cat", game)


def test_the_identity_is_the_command_with_what_is_in_its_files():
    game = load_game("kalah")
    spec = bot()
    before = fingerprint(make_player(spec, game))
    assert fingerprint(make_player(spec, game)) == before
    assert fingerprint(make_player(f"{spec}:seconds=3", game)) != before
    bot("moves = moves[::-1]")
    assert fingerprint(make_player(spec, game)) != before


@pytest.mark.slow
def test_nothing_is_left_running_when_the_players_are_forgotten():
    game = load_game("kalah")
    player = make_player(bot(), game)
    play_match(player, make_player("random", game), deals=1)
    assert isinstance(player, ProgramPlayer)
    children = [program.process for program in player._programs._waiting]
    assert children
    del player
    import gc

    gc.collect()
    assert all(child.returncode is not None for child in children)


@pytest.mark.slow
def test_a_command_line_leaves_nothing_running_and_says_one_line(tmp_path: Path):
    """A real process, to its end: a fault in the middle of a game, and a program that would not go by itself."""
    Path("pid.txt").touch()
    stubborn = "open('pid.txt', 'a').write(f'{os.getpid()}\\n'); __import__('signal').signal(15, lambda *_: None)"
    spec = bot(f"{stubborn}; message['ply'] > 8 and sys.exit(4)")
    code = "import sys; from rulebots.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "match", spec, "random", "--game", "kalah", "--deals", "1"]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert run.returncode == 1
    assert "ended (exit code 4)" in run.stderr.splitlines()[-1]
    for pid in set(Path("pid.txt").read_text().split()):
        assert not Path(f"/proc/{pid}").exists()


def test_copies_of_a_program_sit_at_a_table_of_three():
    game = load_game("standing:game")
    result = play_match(make_player(bot(), game), first("standing:game"), 1, options={"seats": 3})
    other = play_match(first("standing:game"), make_player(bot(), game), 1, options={"seats": 3})
    assert result.games == other.games == 6
    assert result.win_rate == other.win_rate
