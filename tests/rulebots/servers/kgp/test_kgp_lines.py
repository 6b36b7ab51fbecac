"""Both sides of the Kalah Game Protocol by text alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_kalah import NaiveGame

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.players.player import Shown
from rulebots.protocols import Answer, Begin, Bye, Clock, Decide, End, ProtocolError, Say, Stop
from rulebots.registry import load_game
from rulebots.servers.kgp.engine import KgpEngine
from rulebots.servers.kgp.lines import KgpCommand, board_of, position_of, quoted
from rulebots.servers.kgp.referee import KgpReferee

KALAH = load_game("kalah")
START = "<3,0,0,2,2,2,2,2,2>"


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("kgp 1 0 1", KgpCommand(0, 0, "kgp", ("1", "0", "1"))),
        ("2 kgp 1 0 1", KgpCommand(2, 0, "kgp", ("1", "0", "1"))),
        ("15@12 move 6", KgpCommand(15, 12, "move", ("6",))),
        ("@12 move 6", KgpCommand(0, 12, "move", ("6",))),
        ("goodbye", KgpCommand(0, 0, "goodbye", ())),
        ('3 set info:name "a \\"b\\" c"', KgpCommand(3, 0, "set", ("info:name", '"a \\"b\\" c"'))),
        ("4 state <3, 0,0,2,2,2,2,2,2>", KgpCommand(4, 0, "state", ("<3, 0,0,2,2,2,2,2,2>",))),
        ("7 set time:clock 2.5", KgpCommand(7, 0, "set", ("time:clock", "2.5"))),
    ],
)
def test_lines_are_commands(line: str, command: KgpCommand) -> None:
    assert KgpCommand.read(line) == command


@pytest.mark.parametrize("line", ["", "12", "12 ", "@ move", "1@2@3 move 1", 'set "a', "state <3,0", "state <a>", "é"])
def test_what_is_no_command_breaks_the_protocol(line: str) -> None:
    with pytest.raises(ProtocolError, match="sent '"):
        KgpCommand.read(line)


@given(st.text(alphabet='ab "\\', max_size=10))
def test_quoted_strings_are_read_back(text: str) -> None:
    assert KgpCommand.read(f"set key {quoted(text)}").text(1) == " ".join(text.split())


def test_a_board_is_seen_from_both_sides() -> None:
    position = Position.from_text(KALAH, "1,2,3,4/5,6,0,3 0", {"pits": 3, "stones": 4})
    assert board_of(position.to_text(), 0) == "<3,4,3,1,2,3,5,6,0>"
    assert board_of(position.to_text(), 1) == "<3,3,4,5,6,0,1,2,3>"
    assert position_of(KALAH, "<3,4,3,1,2,3,5,6,0>").to_text() == "1,2,3,4/5,6,0,3 0"


@pytest.mark.parametrize(
    ("board", "said"),
    [
        ("3,0,0", "expected a board <n,S,N,s1..sn,n1..nn>"),
        ("<4,4>", "expected 2 * 4 pits on the board, not 0"),
        ("<0>", "expected 2 * 0 pits on the board, not 0"),
        ("<3,0,0,2,2>", "expected 2 * 3 pits on the board, not 2"),
        ("<3,0,1,2,2,2,2,2,2>", "expected the same number of stones in each of 6 pits at first, not 2 and a rest"),
        ("<13,0,0" + ",1" * 26 + ">", "option 'pits' of kalah takes a whole number from 1 to 12, not 13"),
        ("<0,0,0>", "option 'pits' of kalah takes a whole number from 1 to 12, not 0"),
        ("<1,0,0,13,13>", "option 'stones' of kalah takes a whole number from 1 to 12, not 13"),
        ("<2,0,2,1,0,0,1>", ""),
    ],
)
def test_a_board_that_our_kalah_does_not_have(board: str, said: str) -> None:
    if not said:
        assert position_of(KALAH, board).to_text() == "1,0,0/0,1,2 0"
        return
    with pytest.raises(UsageError) as raised:
        position_of(KALAH, board)
    assert said in str(raised.value)


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(pits=st.integers(1, 8), stones=st.integers(1, 12), seed=st.integers(0, 2**32 - 1))
def test_games_go_by_the_rule_of_capture_of_the_protocol(pits: int, stones: int, seed: int) -> None:
    """Against an oracle: no capture of one's own last stone alone, and both sides collect their own at the end."""
    rng, naive = np.random.default_rng(seed), NaiveGame(pits, stones, empty_capture=False)
    position = Position(KALAH, {"pits": pits, "stones": stones, "empty_capture": 0})
    while not position.over:
        south = position.mover
        here = position_of(KALAH, board_of(position.to_text(), south))
        assert here.legal_moves.tolist() == position.legal_moves.tolist()
        move = int(rng.choice(position.legal_moves))
        position.push(move)
        here.push(move)
        naive.play(move)
        assert here.points == (position.points[south], position.points[1 - south])
    assert position.points == (naive.points(0), naive.points(1))


def engine(token: str = "") -> KgpEngine:
    begun = KgpEngine(KALAH, "champion", token)
    begun.receive("2 kgp 1 0 1")
    return begun


def test_a_client_says_who_it_is_and_chooses_the_mode() -> None:
    assert KgpEngine(KALAH, 'a "b"').receive("2 kgp 1 0 1") == [
        Say('1 set info:name "rulebots a \\"b\\""'),
        Say("3 mode freeplay"),
    ]
    assert KgpEngine(KALAH, "x", "secret").receive("kgp 1 0 1")[1] == Say('3 set auth:token "secret"')
    with pytest.raises(ProtocolError, match=r"speaks version 2\.0\.0 of KGP: expected 1"):
        KgpEngine(KALAH, "x").receive("kgp 2 0 0")
    client = engine()
    with pytest.raises(ProtocolError, match="refused the mode freeplay: Unsupported"):
        client.receive('4@3 error "Unsupported"')


def test_a_position_is_answered_with_a_move_and_the_last_word() -> None:
    client = engine()
    begin, asked = client.receive(f"4 state {START}")
    assert begin == Begin(0, {"pits": 3, "stones": 2, "empty_capture": 0})
    assert isinstance(asked, Decide)
    assert asked.moves.tolist() == [0, 1, 2]
    assert client.answer(asked, 2) == ["5@4 move 3", "7@4 yield"]
    assert client.answer(asked, 2) == []


def test_several_positions_may_be_open_and_stop_closes_one() -> None:
    client = engine()
    [_, first] = client.receive(f"4 state {START}")
    [second] = client.receive("6 state <3,1,0,0,3,2,2,2,2>")
    assert isinstance(first, Decide)
    assert isinstance(second, Decide)
    assert client.receive("8@4 stop") == [Stop(4)]
    assert client.answer(first, 0) == []
    assert client.answer(second, 1) == ["5@6 move 2", "7@6 yield"]
    [end, begin, third] = client.receive("10 state <2,0,0,1,1,1,1>")
    assert end == End(None)
    assert begin == Begin(0, {"pits": 2, "stones": 1, "empty_capture": 0})
    assert isinstance(third, Decide)
    assert client.fail(third, "no idea") == ["9@10 yield"]


@pytest.mark.parametrize(
    ("told", "seconds"),
    [
        ([], None),
        (["set time:clock 8"], 0.395),
        (["set time:mode relative", "set time:clock 8"], 7.9),
        (["set time:mode absolute", "set time:clock 2.1"], 0.1),
        (["set time:mode none", "set time:clock 8"], None),
        (["set time:mode relative", "set time:clock 0"], 0.01),
        (["set time:mode relative", "set time:clock soon"], None),
    ],
)
def test_a_decision_keeps_to_the_clock_of_the_server(told: list[str], seconds: float | None) -> None:
    client = engine()
    for line in told:
        assert client.receive(f"4 {line}") == []
    asked = client.receive(f"6 state {START}")[1]
    assert isinstance(asked, Decide)
    assert asked.seconds == pytest.approx(seconds)


def test_a_server_tells_its_clock() -> None:
    server, position = KgpReferee(), Position(KALAH, {"pits": 3, "stones": 2, "empty_capture": 0})
    seen = Shown(0, position.view(), None, 0, "", position.to_text())
    assert server.begin(0, {}, Clock(5.0)) == ["2 set time:mode relative"]
    assert server.ask(seen, position.legal_moves, Clock(5.0)) == ["4 set time:clock 5", f"6 state {START}"]
    assert server.begin(0, {}, Clock(None, 90.0)) == ["8 set time:mode absolute"]
    assert server.ask(seen, position.legal_moves, Clock(None, 90.0, 20.5))[0] == "10 set time:clock 69"


def test_a_server_says_which_game_comes_next() -> None:
    server = KgpReferee()
    assert server.announce(7, 'a "b"') == ['2 set game:id "7"', '4 set game:opponent "a \\"b\\""']
    assert server.announce(8, "")[1] == '8 set game:opponent ""'


def test_a_game_of_another_name_begins_another_game() -> None:
    client = engine()
    for line in ('4 set game:id "7"', '6 set game:uri "https://example.org/7"', '8 set game:opponent "a\\\\b"'):
        assert client.receive(line) == []
    assert (client.game_id, client.opponent) == ("7", "a\\b")
    assert len(client.receive(f"10 state {START}")) == 2
    assert len(client.receive(f"12 state {START}")) == 1
    client.receive("14 set game:id 8")
    end, begin, _ = client.receive(f"16 state {START}")
    assert (end, begin) == (End(None), Begin(0, {"pits": 3, "stones": 2, "empty_capture": 0}))


def test_a_ping_is_open_until_its_own_answer_comes() -> None:
    server = ready()
    assert server.ping() == ["6 ping"]
    assert server.ping() == []
    for line in ("1@4 pong", "pong", "@6 ok"):
        assert server.receive(line) is None
        assert server.pinged == 6
    server.receive("3@6 pong 12")
    assert server.pinged == 0
    assert server.ping() == ["8 ping"]


def test_a_ping_is_answered_and_what_else_comes_asks_for_nothing() -> None:
    client = engine()
    assert client.receive("8 ping") == [Say("5@8 pong")]
    assert client.receive('10 ping "x y"') == [Say('7@10 pong "x y"')]
    for line in ("", "4@3 ok", 'set game:uri "x"', "4 hallo <1>", '12 error "what?"', "14@99 stop"):
        assert not [event for event in client.receive(line) if not isinstance(event, Stop)]
    assert client.receive("goodbye") == [Bye()]


@pytest.mark.parametrize("board", ["<3,0,0>", "<1,2,2,0,0>", ""])
def test_a_position_that_cannot_be_played_is_answered_with_an_error(board: str) -> None:
    [said] = engine().receive(f"4 state {board}")
    assert isinstance(said, Say)
    assert said.line.startswith('5@4 error "')


def test_a_move_that_came_too_early_is_made_again() -> None:
    """A server that has not yet noted its question refuses the answer; the facts call it a race."""
    client = engine()
    asked = client.receive(f"4 state {START}")[-1]
    assert isinstance(asked, Decide)
    client.answer(asked, 2)
    again = client.receive('6@5 error "No state associated with id"')
    assert again == [Say("9@4 move 3"), Say("11@4 yield")]
    assert client.receive('6@5 error "No state associated with id"') == []
    client.receive('6@9 error "No state associated with id"')
    assert client.receive('6@13 error "No state associated with id"') == []  # enough
    assert client.receive('6@9 error "Illegal"') == []


def asked(referee: KgpReferee, position: Position) -> list[str]:
    seen = Shown(position.mover, position.view(), None, position.plies, "", position.to_text())
    return referee.ask(seen, position.legal_moves, Clock())


def ready() -> KgpReferee:
    referee = KgpReferee()
    assert referee.greet() == ["2 kgp 1 0 1"]
    referee.receive('1 set info:name "bot"')
    assert not referee.ready
    referee.receive("3 mode freeplay")
    assert referee.ready
    assert referee.name == "bot"
    assert referee.replies() == ["4@3 ok"]
    return referee


def small() -> Position:
    return Position(KALAH, {"pits": 3, "stones": 2, "empty_capture": 0})


def test_the_last_move_before_the_yield_counts() -> None:
    referee = ready()
    assert asked(referee, small()) == [f"6 state {START}"]
    assert referee.receive("5@6 move 1") is None
    assert referee.receive("7@6 move 3") is None
    assert referee.receive("9@5 move 2") is None  # of another question
    assert referee.receive("@6 yield") == Answer(2)
    assert referee.receive("@6 move 1") is None  # too late


def test_when_time_is_up_the_last_move_counts_else_a_random_one() -> None:
    referee = ready()
    asked(referee, small())
    referee.receive("5@6 move 2")
    assert referee.late() == (Answer(1), ["8@6 stop"])
    asked(referee, small())
    answer, _ = referee.late()
    assert answer.move in (0, 1, 2)


@pytest.mark.parametrize("move", ["0", "4", "-1", "x", "", '"1 2"', "9999999999"])
def test_an_illegal_move_breaks_the_protocol(move: str) -> None:
    referee = ready()
    asked(referee, small())
    with pytest.raises(ProtocolError, match="expected one of the pits 1, 2, 3"):
        referee.receive(f"5@6 move {move}")


def test_another_mode_is_refused_and_the_client_may_choose_again() -> None:
    referee = KgpReferee()
    referee.greet()
    referee.receive("1 mode eval")
    assert (referee.ready, referee.replies()) == (False, ["4@1 error \"Unsupported mode 'eval'\""])
    with pytest.raises(ProtocolError, match="said goodbye"):
        referee.receive("goodbye")


NAMES = ("kgp", "state", "stop", "ping", "error", "ok", "set", "mode", "move", "yield", "goodbye", "hallo")
WORDS = ("1", "3", "0", START, "<3,0,0,0,0,0,1,1,1>", "<", '"a"', '"', "freeplay", "info:name", "@2", "é")
lines = st.builds(
    lambda head, name, words: " ".join([head, name, *words]).strip(),
    st.sampled_from(["", "2", "4@6", "@6", "@@", "x"]),
    st.sampled_from(NAMES),
    st.lists(st.sampled_from(WORDS), max_size=4),
)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.lists(lines | st.text(max_size=20), max_size=12))
def test_no_line_raises_anything_but_a_breach_of_the_protocol(said: list[str]) -> None:
    sides: list[Any] = [KgpEngine(KALAH, "x"), KgpReferee()]
    asked(sides[1], small())
    told = []
    for line in said:
        for side in sides:
            try:
                side.receive(line)
            except ProtocolError as error:
                told.append(str(error))
    assert "\n" not in "".join(told)
