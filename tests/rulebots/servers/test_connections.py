"""Addresses, and connections in lines over TCP and WebSockets."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import websockets.sync.server

from rulebots.errors import UsageError
from rulebots.protocols import ProtocolError
from rulebots.servers.connections import Address, ConnectionEnded, ConnectionLimits, WebSocketConnection


@contextmanager
def websocket_server(attend: Callable[[Any], None]) -> Iterator[Address]:
    with websockets.sync.server.serve(attend, "127.0.0.1", 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = server.socket.getsockname()[1]
        yield Address.read(f"ws://127.0.0.1:{port}/socket", {"ws": 80})


async def received(address: Address, count: int) -> list[str]:
    client = await WebSocketConnection.connect(address, ConnectionLimits(idle_seconds=10), 100)
    try:
        return [await client.receive() for _ in range(count)]
    finally:
        await client.close()


def test_lines_over_websockets_are_a_stream() -> None:
    """Some servers write pieces of a line, some take each message for a line."""

    def attend(socket: Any) -> None:
        for piece in ("1", " one", "\r\n2 tw", "o\r\n3 three\n4", b" four\n"):
            socket.send(piece)

    with websocket_server(attend) as address:
        assert asyncio.run(received(address, 4)) == ["1 one", "2 two", "3 three", "4 four"]


def test_each_line_is_a_message_that_ends_in_cr_lf() -> None:
    heard: list[object] = []
    ended = threading.Event()

    def attend(socket: Any) -> None:
        heard.extend(socket)
        ended.set()

    async def send(address: Address) -> None:
        client = await WebSocketConnection.connect(address, ConnectionLimits(), 100)
        await client.send(["1 one", "2 two"])
        await client.close()

    with websocket_server(attend) as address:
        asyncio.run(send(address))
        assert ended.wait(600)
    assert heard == ["1 one\r\n", "2 two\r\n"]


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        (["x" * 200], "sent what is not a WebSocket message of at most 102 bytes"),
        (["x" * 60, "x" * 60], "sent a line of more than 100 bytes"),
        ([b"\xff\xff\n"], "expected text in UTF-8"),
        (["1 mode"], "closed the connection; it sent b'1 mode' without the end of a line"),
        ([], "closed the connection"),
    ],
)
def test_what_is_not_a_line_breaks_the_protocol(messages: list[str | bytes], said: str) -> None:
    def attend(socket: Any) -> None:
        for message in messages:
            socket.send(message)

    with websocket_server(attend) as address, pytest.raises(ProtocolError) as raised:
        asyncio.run(received(address, 1))
    assert said in str(raised.value)
    assert isinstance(raised.value, ConnectionEnded) == said.startswith("closed")


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
