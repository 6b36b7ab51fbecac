"""Our side of the Piskvork protocol as an engine: text in, text out."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings, strategies as st

from rulebots.game.position import Position
from rulebots.kernel import compiling
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.play.stepper import SeatedPlayer
from rulebots.protocols import Begin, Bye, Decide, End, Say
from rulebots.protocols.piskvork import PiskvorkEngine

GOMOKU = load_game("gomoku")


class Talk:
    """A manager's lines go in, our lines come out; a player of ours decides."""

    def __init__(self, player: str = "patterns") -> None:
        made = make_player(player, GOMOKU)
        self.engine = PiskvorkEngine(GOMOKU, made)
        self.player = SeatedPlayer(made, GOMOKU)
        self.decided: list[Decide] = []
        self.games: list[Begin | End] = []
        self.left = False

    def __call__(self, *lines: str) -> list[str]:
        said: list[str] = []
        for line in lines:
            for event in self.engine.receive(line):
                match event:
                    case Say():
                        said.append(event.line)
                    case Begin():
                        self.games.append(event)
                        self.player.begin(event.seat, event.options)
                    case End():
                        self.games.append(event)
                        self.player.end(event.points)
                    case Decide():
                        self.decided.append(event)
                        said += self.engine.answer(event, self.player.decide(event.seen, event.moves, event.seconds))
                    case Bye():
                        self.left = True
        return said

    @property
    def asked(self) -> Decide:
        return self.decided[-1]

    @property
    def board(self) -> str:
        """The position that was asked about last, as text."""
        assert isinstance(self.asked.seen, Position)
        return self.asked.seen.to_text()


def point(line: str, size: int) -> tuple[int, int]:
    found = re.fullmatch(r"(\d+),(\d+)", line)
    assert found, line
    x, y = int(found[1]), int(found[2])
    assert 0 <= x < size
    assert 0 <= y < size
    return x, y


def test_a_game_from_start_to_end() -> None:
    talk = Talk()
    assert talk("START 15") == ["OK"]
    assert talk("INFO timeout_turn 5000", "INFO time_left 100000", "INFO rule 0") == []
    [first] = talk("BEGIN")
    assert point(first, 15) == (7, 7)
    [second] = talk("TURN 7,6")
    assert point(second, 15) not in {(7, 7), (7, 6)}
    assert talk("END") == []
    assert talk.left
    begin, end = talk.games
    assert isinstance(begin, Begin)
    assert (begin.seat, begin.options) == (0, {"size": 15, "exactly": 0})
    assert end == End(None)


def test_points_count_from_the_upper_left() -> None:
    """`0,0` is our a15 on 15 x 15, and `14,0` is o15."""
    talk = Talk()
    talk("START 15", "TURN 0,0")
    assert talk.board == "X14/15/15/15/15/15/15/15/15/15/15/15/15/15/15 O a15"
    talk("START 15", "TURN 14,0")
    assert talk.board.startswith("14X/15/")
    talk("START 15", "TURN 0,14")
    assert talk.board.endswith("/X14 O a1")


def test_a_board_replaces_the_position_and_we_are_to_move() -> None:
    talk = Talk()
    talk("START 7", "BEGIN")
    talk("BOARD", "3,3,2", "4,4,1", "2,3,2", "DONE")
    assert talk.board == "7/7/7/2XX3/4O2/7/7 O c4"
    assert talk.games[-1] == Begin(1, {"size": 7, "exactly": 0})
    talk("BOARD", "3,3,1", "4,4,2", "DONE")
    assert talk.board == "7/7/7/3X3/4O2/7/7 X e3"
    assert talk.games[-1] == Begin(0, {"size": 7, "exactly": 0})


def test_a_board_with_a_mistake_leaves_the_position_as_it_was() -> None:
    talk = Talk()
    talk("START 15", "BEGIN")
    for board in (["0,0,1", "1,1,3"], ["0,0,1"], ["0,0,2", "0,0,1"]):
        assert talk("BOARD", *board, "DONE")[0].startswith("ERROR ")
    assert talk("SWAP2BOARD", "0,0", "DONE")[0].startswith("ERROR ")
    talk("TURN 0,0")
    assert talk.engine.stones[:2] == [("h8", 1), ("a15", 2)]


def test_the_history_is_that_of_the_board() -> None:
    talk = Talk()
    talk("START 7", "BOARD", "3,3,1", "4,4,2", "2,2,1", "1,1,2", "DONE")
    assert isinstance(talk.asked.seen, Position)
    assert [GOMOKU.text.write(ply.move) for ply in talk.asked.seen.history()] == ["d4", "e3", "c5", "b6"]


def test_takeback_and_restart() -> None:
    talk = Talk()
    talk("START 9", "BEGIN")
    [answer] = talk("TURN 0,0")
    assert talk(f"TAKEBACK {answer}", "TAKEBACK 0,0") == ["OK", "OK"]
    assert talk("TURN 0,0") == [answer]
    assert talk("RESTART", "BEGIN") == ["OK", "4,4"]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["START 4"], "ERROR expected a size from 5 to 22, not '4'"),
        (["START 23"], "ERROR expected a size from 5 to 22, not '23'"),
        (["START"], "ERROR expected a size from 5 to 22, not ''"),
        (["START fifteen"], "ERROR expected a size from 5 to 22, not 'fifteen'"),
        (["RECTSTART 15,15"], "ERROR rectangular boards are not supported"),
        (["BEGIN"], "ERROR expected START before that"),
        (["TURN 1,1"], "ERROR expected START before that"),
        (["BOARD"], "ERROR expected START before that"),
        (["RESTART"], "ERROR expected START before that"),
        (["START 15", "TURN 15,0"], "ERROR expected a point from 0,0 to 14,14, not 15,0"),
        (["START 15", "TURN 1"], "ERROR expected a point x,y, not '1'"),
        (["START 15", "TURN -1,0"], "ERROR expected a point x,y, not '-1,0'"),
        (["START 15", "BEGIN", "BEGIN"], "ERROR BEGIN is for an empty board; RESTART empties it"),
        (["START 15", "BEGIN", "TURN 7,7"], "ERROR there is a stone on 7,7 already"),
        (["START 15", "TAKEBACK 7,7"], "ERROR there is no stone on 7,7"),
        (["START 15", "BOARD", "7,7,3", "DONE"], "ERROR expected x,y,1 or x,y,2 in a BOARD, not '7,7,3'"),
        (["START 15", "BOARD", "7,7", "DONE"], "ERROR expected x,y,1 or x,y,2 in a BOARD, not '7,7'"),
        (
            ["START 15", "BOARD", "7,7,1", "8,8,1", "DONE"],
            "ERROR expected as many stones of mine as of the opponent's, or one more of the opponent's, not 2 and 0",
        ),
        (["START 15", "SWAP2BOARD", "7,7", "DONE"], "ERROR expected 0, 3 or 5 stones in a SWAP2BOARD, not 1"),
        (
            ["START 15", "INFO rule 4", "BEGIN"],
            "ERROR rule '4' is not played here: expected rule 0, freestyle, or 1, exactly five",
        ),
        (
            ["INFO rule x", "START 15"],
            "ERROR rule 'x' is not played here: expected rule 0, freestyle, or 1, exactly five",
        ),
        (["HALLO  there"], "UNKNOWN HALLO  there"),
        (["PLAY 3,3"], "UNKNOWN PLAY 3,3"),
        (["__init__"], "UNKNOWN __init__"),
        (["receive"], "UNKNOWN receive"),
    ],
)
def test_what_cannot_be_followed_is_answered_in_one_line(lines: list[str], said: str) -> None:
    talk = Talk()
    assert talk(*lines)[-1] == said
    assert talk("INFO rule 0", "START 15", "BEGIN") == ["OK", "7,7"]  # and the engine goes on


def test_a_game_that_is_over_has_no_next_move() -> None:
    talk = Talk()
    row = [stone for x in range(4) for stone in (f"{x},0,2", f"{x},5,1")]
    talk("START 9", "BOARD", *row, "DONE")  # we put a fifth stone
    assert "has won" in str(GOMOKU.text.show(after(talk), None))
    assert talk("TURN 4,0") == ["ERROR the game is over: RESTART or START begins another"]


def after(talk: Talk) -> object:
    assert isinstance(talk.asked.seen, Position)
    twin = talk.asked.seen.copy()
    twin.push(twin.read(talk.engine.stones[-1][0]))
    return twin.state


def test_commands_in_any_case_and_blank_lines() -> None:
    talk = Talk()
    assert talk("", "  ", "start 15", "Begin") == ["OK", "7,7"]


def test_about_is_one_line() -> None:
    [line] = Talk("patterns")("ABOUT")
    assert re.fullmatch(
        r'name="rulebots patterns", version="[^"]+", author="[^"]+", country="-", www="-", email="-"', line
    )


@pytest.mark.parametrize(
    ("info", "seconds"),
    [
        ([], None),
        (["timeout_turn 1000"], 0.97),
        (["timeout_turn 0"], 0.01),
        (["timeout_turn 1000", "time_left 2147483647"], 0.97),
        (["timeout_turn 30000", "time_left 10030"], 0.5),
        (["timeout_match 20030"], 1.0),
        (["timeout_match 0", "timeout_turn 530"], 0.5),
        (["time_left -5"], 0.01),
        (["timeout_turn soon", "max_memory 1000", "game_type 1", "evaluate 1,1", "folder /tmp"], None),
    ],
)
def test_the_time_of_a_move_is_what_the_manager_allows(info: Sequence[str], seconds: float | None) -> None:
    talk = Talk()
    talk("START 15", *(f"INFO {line}" for line in info), "BEGIN")
    assert talk.asked.seconds == (None if seconds is None else pytest.approx(seconds))


def test_exactly_five_is_a_rule() -> None:
    talk = Talk()
    talk("START 15", "INFO rule 1", "BEGIN")
    assert talk.games == [Begin(0, {"size": 15, "exactly": 1})]


def test_swap2() -> None:
    talk = Talk()
    talk("START 15")
    [opening] = talk("SWAP2BOARD", "DONE")
    three = opening.split(" ")
    assert len({point(text, 15) for text in three}) == 3
    [fourth] = talk("SWAP2BOARD", *three, "DONE")
    assert point(fourth, 15) not in {point(text, 15) for text in three}
    assert talk.asked.seen.mover == 1  # type: ignore[union-attr]
    [sixth] = talk("SWAP2BOARD", *three, "0,0", "1,1", "DONE")
    point(sixth, 15)
    board = [f"{text},{1 + i % 2}" for i, text in enumerate([*three, fourth])]
    assert len(talk("BOARD", *board, "DONE")) == 1
    assert talk("START 5", "SWAP2BOARD", "DONE")[1:] == ["2,2 3,2 4,4"]


COMMANDS = (
    "START",
    "RESTART",
    "BEGIN",
    "TURN",
    "BOARD",
    "DONE",
    "SWAP2BOARD",
    "TAKEBACK",
    "INFO",
    "ABOUT",
    "RECTSTART",
)
ARGUMENTS = (
    "",
    "5",
    "15",
    "0,0",
    "1,2",
    "3,3,1",
    "3,3,2",
    "4 , 4",
    "99,0",
    "timeout_turn 5",
    "rule 1",
    "rule 8",
    "é\x00",
)
lines = st.one_of(
    st.tuples(st.sampled_from(COMMANDS), st.sampled_from(ARGUMENTS)).map(" ".join),
    st.sampled_from(ARGUMENTS),
    st.text(max_size=20),
)


@settings(max_examples=200 if compiling() else 20, deadline=None)
@given(st.lists(lines, max_size=30))
def test_no_line_ends_the_conversation(said: list[str]) -> None:
    talk = Talk("random")
    for line in said:
        for answer in talk(line):
            assert "\n" not in answer
            assert len(answer) < 200
    assert not talk.left or any(line.strip().upper().startswith("END") for line in said)
    assert talk("DONE", "INFO rule 0", "START 15", "BEGIN")[-2] == "OK"
