"""Lines of a conversation, and the clock of a seat."""

from __future__ import annotations

import pytest

from rulebots.protocols import LAG, Answer, Clock, LineTooLong, ProtocolError, bytes_of, line_of, sent


def test_a_line_ends_in_lf_or_cr_lf() -> None:
    assert [line_of(data) for data in (b"a b\n", b"a b\r\n", b"a b", b"\n", b"a\r b\n")] == [
        "a b", "a b", "a b", "", "a\r b",
    ]  # fmt: skip
    assert bytes_of(["a", "b\udcff"]) == b"a\nb\\udcff\n"
    assert bytes_of(["a"], "\r\n") == b"a\r\n"


def test_what_breaks_a_protocol_is_told_in_one_line() -> None:
    with pytest.raises(ProtocolError, match=r"sent b'\\xff\\xfe\\n': expected text in UTF-8"):
        line_of(b"\xff\xfe\n")
    assert line_of(b'\xef\xbb\xbf{"type":"hello"}\r\n') == '{"type":"hello"}'  # as some programs begin
    assert str(ProtocolError("two\nlines\x07")) == "two?lines?"
    assert str(sent("hallo", "hello")) == "sent 'hallo': expected hello"
    assert len(str(sent("x" * 10_000, "hello"))) < 300
    assert str(LineTooLong(1024)) == "sent a line of more than 1,024 bytes"


def test_a_clock_counts_what_decisions_take() -> None:
    clock = Clock(move_seconds=5.0, game_seconds=8.0)
    assert (clock.allowed, clock.start(100.0)) == (5.0, 105.0 + LAG)
    clock.stop(104.0)
    assert (clock.left, clock.allowed) == (4.0, 4.0)
    assert clock.start(200.0) == 204.0 + LAG
    clock.stop(209.0)
    assert (clock.left, clock.start(300.0)) == (0.0, 300.0), "nothing is left, and no lag is given"


def test_a_clock_without_limits_never_ends() -> None:
    clock = Clock()
    assert (clock.allowed, clock.left, clock.start(7.0)) == (None, None, None)
    clock.stop(9.0)
    assert clock.used == 2.0


def test_what_a_player_says_of_its_move_is_told_in_words() -> None:
    assert Answer(3).effort == ()
    assert Answer(3, "a good one", 0.25).effort == ("evaluation 0.25", "a good one")
