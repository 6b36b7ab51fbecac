"""Our side of the Piskvork protocol as a manager: what an engine is told, and what is made of its answers."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.play.deals import draw_deals
from rulebots.play.match import play_deals, play_match
from rulebots.players import PlayerFault
from rulebots.players.player import Shown
from rulebots.players.policy import PolicyPlayer
from rulebots.protocols import Answer, Clock, ProtocolError
from rulebots.protocols.piskvork import PiskvorkReferee

GOMOKU = load_game("gomoku")
SMALL = {"size": 5, "exactly": 0}


def shown(position: Position, *, history: bool = True) -> Shown:
    known = position.history(position.mover) if history else None
    return Shown(position.mover, position.view(), known, position.plies, position.text(), position.to_text(), ())


def begun(seat: int = 0, options: Any = SMALL, clock: Clock | None = None, **more: Any) -> PiskvorkReferee:
    referee = PiskvorkReferee(GOMOKU, **more)
    referee.begin(seat, options, clock or Clock())
    return referee


def asked(referee: PiskvorkReferee, position: Position, *, history: bool = True) -> list[str]:
    lines = referee.ask(shown(position, history=history), position.legal_moves, Clock())
    assert lines[-1] == "DONE" or lines[-1].startswith(("BEGIN", "TURN "))
    return [line for line in lines if not line.startswith("INFO ")]


def at(options: Any, *moves: str) -> Position:
    position = Position(GOMOKU, options)
    for move in moves:
        position.push(position.read(move))
    return position


def test_an_engine_says_hello_by_following_start() -> None:
    referee = PiskvorkReferee(GOMOKU)
    assert referee.greet() == ["START 20"]
    assert not referee.ready
    assert referee.receive("MESSAGE loading") is None
    assert not referee.ready
    assert referee.receive("OK - everything is good\r") is None
    assert referee.ready


def test_an_engine_that_knows_another_size_only_is_refused_where_that_size_is_played() -> None:
    referee = PiskvorkReferee(GOMOKU)
    assert referee.receive("ERROR only 15") is None
    assert referee.ready
    referee.begin(0, {"size": 19, "exactly": 0}, Clock())
    assert not referee.ready
    with pytest.raises(ProtocolError, match="sent 'ERROR only 15': expected OK, or a point x,y on a board of 19 x 19"):
        referee.receive("ERROR only 15")


def test_what_an_engine_is_told_of_a_game() -> None:
    referee = PiskvorkReferee(GOMOKU, memory=2_000_000_000)
    lines = referee.begin(1, {"size": 19, "exactly": 1}, Clock(2.5, 60))
    assert lines[0] == "START 19"
    assert set(lines[1:]) == {
        "INFO game_type 1",
        "INFO rule 1",
        "INFO timeout_turn 2500",
        "INFO timeout_match 60000",
        "INFO max_memory 2000000000",
    }
    lines = PiskvorkReferee(GOMOKU).begin(0, SMALL, Clock())
    assert set(lines) == {"START 5", "INFO game_type 1", "INFO rule 0", "INFO timeout_match 0"}


def test_what_is_left_of_the_time_comes_before_every_question() -> None:
    clock = Clock(1, 10, used=4.0)
    referee = begun(clock=clock)
    position = at(SMALL)
    assert referee.ask(shown(position), position.legal_moves, clock)[0] == "INFO time_left 6000"
    assert begun().ask(shown(position), position.legal_moves, Clock())[0] == "INFO time_left 2147483647"


@pytest.mark.parametrize("history", [True, False])
def test_a_game_is_begin_or_board_and_then_turns(history: bool) -> None:
    referee = begun()
    assert asked(referee, at(SMALL), history=history) == ["BEGIN"]
    assert referee.receive("2,2") == Answer(GOMOKU.text.read("c3", Position(GOMOKU, SMALL).state))
    assert asked(referee, at(SMALL, "c3", "a5"), history=history) == ["TURN 0,0"]
    referee.receive("4,4")
    assert asked(referee, at(SMALL, "c3", "a5", "e1", "b5"), history=history) == ["TURN 1,0"]


def test_an_opening_comes_as_a_board_in_its_order() -> None:
    assert asked(begun(1), at(SMALL, "c3", "a5", "e1")) == ["BOARD", "2,2,2", "0,0,1", "4,4,2", "DONE"]
    lines = asked(begun(0), at(SMALL, "c3", "a5"), history=False)
    assert lines[0] == "BOARD"
    assert sorted(lines[1:-1]) == ["0,0,2", "2,2,1"]


def test_the_first_move_of_the_other_side_comes_as_a_board() -> None:
    assert asked(begun(1), at(SMALL, "c3")) == ["BOARD", "2,2,2", "DONE"]


def test_a_position_that_does_not_follow_begins_the_board_again() -> None:
    """As where a person takes moves back."""
    referee = begun()
    asked(referee, at(SMALL))
    referee.receive("2,2")
    assert asked(referee, at(SMALL, "b2", "a5")) == ["START 5", "BOARD", "1,3,1", "0,0,2", "DONE"]
    referee.receive("4,4")
    assert asked(referee, at(SMALL)) == ["START 5", "BEGIN"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ERROR out of ideas", "sent 'ERROR out of ideas': expected OK, or a point x,y on a board of 5 x 5"),
        ("5,0", "sent '5,0': expected an empty point of a board of 5 x 5"),
        ("2,2", "sent '2,2': expected an empty point of a board of 5 x 5"),
        ("c3", "sent 'c3': expected a point x,y"),
        ("1,1 2,2", "sent '1,1 2,2': expected a point x,y"),
        ("SUGGEST", "sent 'SUGGEST': expected a point x,y"),
        ("SUGGEST 2,2", "sent 'SUGGEST 2,2': expected a point x,y"),
        ("-1,0", "sent '-1,0': expected a point x,y"),
    ],
)
def test_what_is_no_move_breaks_the_protocol(line: str, said: str) -> None:
    referee = begun(1)
    asked(referee, at(SMALL, "c3"))
    with pytest.raises(ProtocolError) as raised:
        referee.receive(line)
    assert str(raised.value) == said


def test_remarks_are_no_answers_and_the_last_one_is_shown() -> None:
    referee = begun()
    asked(referee, at(SMALL))
    for line in ("", "MESSAGE depth 3", "DEBUG x", "UNKNOWN command INFO time_left", "message depth 4"):
        assert referee.receive(line) is None
    answer = referee.receive(" 0 , 4 ")
    assert answer == Answer(GOMOKU.text.read("a1", Position(GOMOKU, SMALL).state), "depth 4")


BRAIN = """
import sys
size, taken = 0, set()
def say(text):
    print(text, flush=True)
def move():
    x, y = next((x, y) for y in range(size) for x in range(size) if (x, y) not in taken)
    taken.add((x, y))
    say(f"{x},{y}")
reading = False
for line in sys.stdin:
    command, _, rest = line.strip().partition(" ")
    if reading:
        if command == "DONE":
            reading = False
            move()
        else:
            taken.add(tuple(map(int, command.split(",")[:2])))
    elif command == "START":
        size, taken = int(rest), set()
        say("OK")
    elif command == "BEGIN":
        move()
    elif command == "TURN":
        taken.add(tuple(map(int, rest.split(","))))
        move()
    elif command == "BOARD":
        reading, taken = True, set()
    elif command == "END":
        break
    elif command != "INFO":
        say("UNKNOWN command")
"""


@pytest.fixture
def brain(tmp_path: Path) -> str:
    """An engine that always takes the first empty point from the upper left."""
    (tmp_path / "pbrain-first").write_text(BRAIN)
    return f"{sys.executable} {tmp_path / 'pbrain-first'}"


class FromTheTop:
    """The same, in this process."""

    def __call__(self, observation: Any, mask: Any) -> int:
        legal = [GOMOKU.text.write(int(move)) for move in np.flatnonzero(mask)]
        best = min(legal, key=lambda name: (-int(name[1:]), name[0]))
        return int(GOMOKU.text.read(best, Position(GOMOKU).state))


@pytest.mark.slow
def test_an_engine_plays_the_games_that_the_same_player_plays_here(brain: str) -> None:
    other, deals = make_player("careful", GOMOKU), draw_deals(GOMOKU, 3, 1, options={"size": 9})
    one, same = (
        play_deals(player, other, deals)
        for player in (make_player(f"piskvork:{brain}", GOMOKU), PolicyPlayer(GOMOKU, "first", FromTheTop()))
    )
    assert one.courses.tolist() == same.courses.tolist()
    assert one.points.tolist() == same.points.tolist()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('    elif command == "TURN":', '    elif command == "TURN":\n        sys.exit(3)'), "ended (exit code 3)"),
        (('    say(f"{x},{y}")', "    say('pass')"), "sent 'pass': expected a point x,y"),
        (('    say(f"{x},{y}")', "    say('9,0')"), "sent '9,0': expected an empty point of a board of 9 x 9"),
        (('    say(f"{x},{y}")', "    import time; time.sleep(60)"), "thought for more than its 0.3 s"),
        (('say("OK")', 'say("ERROR too tired")'), "sent 'ERROR too tired': expected OK"),
        (('say("OK")', "pass"), "said no hello for 0.5 s: does it speak Piskvork,"),
        (('say("OK")', 'say("OK") if size == 20 else None'), "was not ready for a game in 0.5 s"),
    ],
)
def test_an_engine_that_fails_loses_by_fault(brain: str, change: tuple[str, str], said: str) -> None:
    program = Path(brain.split()[1])
    program.write_text(BRAIN.replace(*change))
    start = "0.5" if "0.5 s" in said else "20"
    seconds = "0.3" if "0.3 s" in said else "20"
    engine = make_player(f"piskvork:{brain}:seconds={seconds},start={start}", GOMOKU)
    with pytest.raises(PlayerFault) as raised:
        play_match(engine, make_player("careful", GOMOKU), deals=1, options={"size": 9})
    assert said in str(raised.value)


@pytest.mark.slow
def test_what_an_engine_does_before_it_is_ready_is_not_its_clocks(brain: str) -> None:
    Path(brain.split()[1]).write_text(BRAIN.replace('say("OK")', 'import time; time.sleep(0.6); say("OK")'))
    engine = make_player(f"piskvork:{brain}:seconds=0.5,start=20", GOMOKU)
    assert play_match(engine, make_player("careful", GOMOKU), deals=1, options={"size": 5}).games == 2


def test_only_gomoku_has_such_engines() -> None:
    with pytest.raises(UsageError, match=r"'piskvork:./pbrain-x' plays gomoku, not kalah"):
        make_player("piskvork:./pbrain-x", load_game("kalah"))
    with pytest.raises(UsageError, match=r"no program './pbrain-x': there is no such file"):
        make_player("piskvork:./pbrain-x", GOMOKU)
