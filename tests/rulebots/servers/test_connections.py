"""Connections in lines, over TCP and WebSockets."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import websockets.sync.client
import websockets.sync.server
from kgp_hosting import KALAH, Served

from rulebots.errors import UsageError
from rulebots.packages.players import make_player
from rulebots.servers.connections import Address, ConnectionLimits
from rulebots.servers.kgp.host import host_over_websockets


def play(
    client: websockets.sync.client.ClientConnection, lines: Iterator[Any] | None = None, plies: int | None = None
) -> Iterator[Any]:
    """Plays the leftmost pits, to the end or for this many moves; the lines of the server that are still to come."""
    if lines is None:
        client.send("1 mode freeplay\r\n")
        lines = iter(client)
    for line in lines:
        if match := re.match(r"(\d+) state <(.*)>", str(line)):
            pits = [int(number) for number in match[2].split(",")][3:6]
            pit = next(k for k, stones in enumerate(pits, 1) if stones)
            client.send([f"@{match[1]} mo", f"ve {pit}\r\n"])
            client.send(f"@{match[1]} yield\r\n")
            if plies is not None and (plies := plies - 1) == 0:
                break
    return lines


def test_a_client_of_another_library_plays_over_websockets() -> None:
    served = Served(host_over_websockets, player=make_player("leftmost", KALAH), games=1)
    with websockets.sync.client.connect(f"ws://127.0.0.1:{served.port}/socket") as client:
        play(client)
    assert served.line("game 1: ")
    served.thread.join(10)
    assert not served.thread.is_alive()


@pytest.mark.parametrize(
    ("behave", "said"),
    [
        (
            lambda raw: raw.sendall(b"hello\r\n\r\n"),
            "opened no WebSocket: ",
        ),
        (lambda raw: raw.sendall(b"GET / HTTP/1.1\r\n\r\n"), "opened no WebSocket: "),
        (lambda raw: raw.sendall(b"x" * 9000), "opened no WebSocket: "),
        (lambda raw: raw.recv(1), "said nothing for 0.3 s: no game"),
    ],
)
def test_what_is_no_websocket_is_one_line(raw: Any, behave: Callable[[socket.socket], object], said: str) -> None:
    served = Served(
        host_over_websockets, player=make_player("leftmost", KALAH), limits=ConnectionLimits(idle_seconds=0.3)
    )
    behave(raw(served.port))
    assert "\n" not in served.line(said)


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("x" * 20_000, "sent what is not a WebSocket message of at most 16,386 bytes: no game"),
        (b"\xff\xff\n", "expected text in UTF-8: no game"),
        ("x" * 16_386 + "x", "sent what is not"),
        ("hallo<\r\n", "expected [id][@ref] name arguments: no game"),
    ],
)
def test_a_bad_message_ends_its_own_game_only(message: str | bytes, said: str) -> None:
    options = {"pits": 3, "stones": 6}
    served = Served(host_over_websockets, player=make_player("leftmost", KALAH), games=2, options=options)
    with websockets.sync.client.connect(f"ws://127.0.0.1:{served.port}/") as good:
        lines = play(good, plies=1)  # its game has begun
        with websockets.sync.client.connect(f"ws://127.0.0.1:{served.port}/") as bad:
            bad.send(message)
            served.line(said)
        assert not [line for line in served.said if line.startswith("game ")], "the other game is not over"
        play(good, lines)
    served.thread.join(10)
    assert not served.thread.is_alive()
    games = [line for line in served.said if re.fullmatch(r"game \d: leftmost against .*, \d+ to \d+", line)]
    assert len(games) == 2, served.said


def test_lines_over_tcp_end_in_cr_lf(raw: Any) -> None:
    served = Served(player=make_player("leftmost", KALAH))
    client = raw(served.port)
    client.sendall(b"mode freeplay\n")
    with client.makefile("rb") as lines:
        assert next(lines) == b"2 kgp 1 0 1\r\n"
        assert next(lines) == b"4 ok\r\n"


@pytest.mark.parametrize(
    ("address", "parts"),
    [
        ("quiz://a.example:5", ("a.example:5", "", "")),
        ("quiz://[::1]:61676", ("[::1]:61676", "", "")),
        ("quiz://127.0.0.1:80/", ("127.0.0.1:80", "", "/")),
        ("ws://a/b?c=1", ("a:80", "", "/b?c=1")),
        ("ws://t:0@[::1]:7/", ("[::1]:7", "t:0", "/")),
        ("quiz://a.example", None),
        ("quiz://a:0", None),
        ("quiz://a:65536", None),
        ("quiz://a b:1", None),
        ("quiz://[a:1", None),
        ("quiz://a:1/b", None),
        ("kgp://a:1", None),
        ("a:1", None),
    ],
)
def test_an_address(address: str, parts: tuple[str, str, str] | None) -> None:
    if parts is None:
        with pytest.raises(UsageError, match="expected quiz://HOST:PORT, ws://HOST:PORT/PATH, with a port from 1 to "):
            Address.read(address, {"quiz": 0, "ws": 80})
    else:
        read = Address.read(address, {"quiz": 0, "ws": 80})
        assert (read.place, read.token, read.path) == parts


def test_lines_over_websockets_are_a_stream_and_end_in_cr_lf() -> None:
    """As clients of the protocol's authors do: some write pieces of a line, some take each message for a line."""
    served = Served(host_over_websockets, player=make_player("leftmost", KALAH), games=1)
    with websockets.sync.client.connect(f"ws://127.0.0.1:{served.port}/socket") as client:
        for piece in ("1", " set", ' info:name "in pieces"', "\r\n3 mode freeplay\r\n5 hal", "lo\r\n"):
            client.send(piece)
        for line in client:
            assert re.fullmatch(r"[^\r\n]+\r\n", str(line))
            if match := re.match(r"(\d+) state <3,\d+,\d+,(\d+),(\d+),", str(line)):
                pit = 1 if match[2] != "0" else 2 if match[3] != "0" else 3
                client.send(f"@{match[1]} move {pit}\n@{match[1]} yield\n")
    assert served.line("game 1: leftmost against in pieces")


def test_a_line_without_an_end_is_told() -> None:
    served = Served(host_over_websockets, player=make_player("leftmost", KALAH))
    with websockets.sync.client.connect(f"ws://127.0.0.1:{served.port}/socket") as client:
        client.send("1 mode freeplay")
    assert served.line("closed the connection; it sent b'1 mode freeplay' without the end of a line: no game")
