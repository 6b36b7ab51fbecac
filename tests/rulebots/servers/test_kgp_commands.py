"""Lines and boards of the Kalah Game Protocol, and that no line raises anything but a breach of it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from rulebots.errors import UsageError
from rulebots.packages import load_game
from rulebots.protocols import ProtocolError
from rulebots.servers.kgp_engine import KgpCommand, KgpEngine, position_of, quoted

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


def test_a_board_is_a_position_with_the_client_as_south() -> None:
    assert position_of(KALAH, "<3,4,3,1,2,3,5,6,0>").to_text() == "1,2,3,4/5,6,0,3 0"


@pytest.mark.parametrize(
    ("board", "said"),
    [
        ("3,0,0", "expected a board <n,S,N,s1..sn,n1..nn>"),
        ("<4,4>", "not 1 numbers after n = 4"),
        ("<0>", "not 0 numbers after n = 0"),
        ("<3,0,0,2,2>", "not 4 numbers after n = 3"),
        ("<3,0,1,2,2,2,2,2,2>", "expected the same number of stones in each of 6 pits at first, not 2 and a rest"),
        ("<13,0,0" + ",1" * 26 + ">", "option 'pits' of kalah takes a whole number from 1 to 12, not 13"),
        ("<0,0,0>", "not 2 numbers after n = 0"),
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
    engine = KgpEngine(KALAH, "x")
    told = []
    for line in said:
        try:
            engine.receive(line)
        except ProtocolError as error:
            told.append(str(error))
    assert "\n" not in "".join(told)
