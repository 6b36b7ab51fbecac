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
from rulebots.players.names import make_player
from rulebots.servers.connections import ConnectionLimits, host_and_port
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
            client.send([f"@{match[1]} mo", f"ve {pit}"])
            client.send(f"@{match[1]} yield")
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
        (b"mode freeplay", "sent a binary message: expected text: no game"),
        ("hallo<", "expected [id][@ref] name arguments: no game"),
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
        ("a.example:5", ("a.example", 5)),
        ("[::1]:61676", ("::1", 61676)),
        ("quiz://127.0.0.1:80/", ("127.0.0.1", 80)),
        ("a.example", None),
        ("a:0", None),
        ("a:65536", None),
        ("a b:1", None),
    ],
)
def test_an_address(address, parts):
    if parts is None:
        with pytest.raises(UsageError, match="expected HOST:PORT with a port from 1 to 65535"):
            host_and_port(address)
    else:
        assert host_and_port(address) == parts
