"""The server's side of the Kalah Game Protocol, by text alone."""

from __future__ import annotations

import pytest
from kgp_questions import KALAH, START, asked, small

from rulebots.game.position import Position
from rulebots.players.player import Shown
from rulebots.protocols import Answer, Clock, ProtocolError
from rulebots.servers.kgp.referee import KgpReferee


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
