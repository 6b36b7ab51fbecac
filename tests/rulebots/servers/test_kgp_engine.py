"""The client's side of the Kalah Game Protocol, by text alone."""

from __future__ import annotations

import pytest

from rulebots.packages import load_game
from rulebots.protocols import Begin, Bye, Decide, End, ProtocolError, Say, Stop
from rulebots.servers.kgp_engine import KgpEngine

KALAH = load_game("kalah")
START = "<3,0,0,2,2,2,2,2,2>"


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


def test_a_game_of_another_name_begins_another_game() -> None:
    client = engine()
    for line in ('4 set game:id "7"', '6 set game:uri "https://example.org/7"', '8 set game:opponent "a\\\\b"'):
        assert client.receive(line) == []
    assert (client.values["game:id"], client.values["game:opponent"]) == ("7", "a\\b")
    assert len(client.receive(f"10 state {START}")) == 2
    assert len(client.receive(f"12 state {START}")) == 1
    client.receive("14 set game:id 8")
    end, begin, _ = client.receive(f"16 state {START}")
    assert (end, begin) == (End(None), Begin(0, {"pits": 3, "stones": 2, "empty_capture": 0}))


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
    assert client.receive('6@9 error "No state associated with id"') == []  # enough
    assert client.receive('6@9 error "Illegal"') == []
