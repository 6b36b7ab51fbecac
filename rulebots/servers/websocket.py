"""WebSockets (RFC 6455): lines as text messages. The library speaks the protocol, and the sockets are ours.

A client may speak it over TLS (wss://): Python's `ssl` turns bytes into bytes there, and the sockets are ours as well.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from rulebots.errors import UsageError, optional_module, shown
from rulebots.protocols.protocol import ProtocolError
from rulebots.servers.network import Cut, Limits, Peer

if TYPE_CHECKING:
    from websockets.protocol import Protocol

T = TypeVar("T")
#: Bytes that are decrypted at once: a record of TLS.
_RECORD = 16_384
#: Bytes that a frame may have beyond a line: its end.
_LINE_END = 2


def library(module: str) -> Any:
    """A module of the library. Raises UsageError where it is not installed."""
    return optional_module(f"websockets.{module}", "websocket", "WebSockets")


class WebSocketPeer(Peer):
    """The other side of a WebSocket. Each message holds a line; memory stays below the longest one and one piece."""

    def __init__(self, connection: socket.socket, limits: Limits, longest_line: int) -> None:
        super().__init__(connection, limits, longest_line)
        self._most = longest_line + _LINE_END
        self._protocol: Protocol | None = None
        self._closed = False

    async def open_as_server(self) -> None:
        """Answer the handshake of a client. Raises ProtocolError."""
        protocol = self._protocol = library("server").ServerProtocol(max_size=self._most)
        request = await self._first_event()
        protocol.send_response(protocol.accept(request))
        await self._flush()
        self._refuse_failed(protocol)

    async def open_as_client(self, address: str) -> None:
        """Shake hands with a server, at ws://HOST:PORT/PATH or wss://HOST:PORT/PATH.

        Raises:
            ProtocolError: it speaks no WebSocket. UsageError: no such address.
        """
        try:
            uri = library("uri").parse_uri(address)
        except library("exceptions").InvalidURI as error:
            raise UsageError(f"expected ws://HOST:PORT/PATH, not '{shown(address)}': {error}") from None
        protocol = self._protocol = library("client").ClientProtocol(uri, max_size=self._most)
        protocol.send_request(protocol.connect())
        await self._flush()
        await self._first_event()

    async def send(self, lines: Iterable[str]) -> None:
        """Send lines, a message each. Raises ProtocolError, Cut as over TCP."""
        assert self._protocol is not None
        for line in lines:
            try:
                self._protocol.send_text(line.encode("utf-8", "backslashreplace"))
            except library("exceptions").InvalidState:
                raise Cut("closed the connection") from None
        await self._flush()

    async def close(self) -> None:
        """End the connection, with the word for it."""
        protocol = self._protocol
        with contextlib.suppress(ProtocolError, library("exceptions").InvalidState):
            if protocol is not None:
                protocol.send_close()
                await self._flush()
        await super().close()

    async def _first_event(self) -> Any:
        """The other side's part of the handshake; what follows it becomes lines. Raises ProtocolError."""
        protocol, seconds = self._protocol, self._limits.idle_seconds
        assert protocol is not None
        try:
            async with asyncio.timeout(seconds):
                while not (events := protocol.events_received()):
                    protocol.receive_data(await self._read())
                    self._refuse_failed(protocol)
        except TimeoutError:
            raise ProtocolError(f"said nothing for {seconds:g} s") from None
        self._take(events[1:])
        return events[0]

    async def _feed(self) -> None:
        """Wait for some more. Raises Cut, and ProtocolError for what is no text message of the right length."""
        protocol = self._protocol
        assert protocol is not None
        if self._closed:
            raise Cut("closed the connection")
        protocol.receive_data(await self._read())
        await self._flush()  # a ping is answered
        if protocol.parser_exc is not None:
            raise ProtocolError(f"sent what is no WebSocket message of at most {self._most:,} bytes")
        self._take(protocol.events_received())

    def _take(self, frames: list[Any]) -> None:
        """Lines of frames; a message may come in several. Raises ProtocolError."""
        kinds = library("frames").Opcode
        for frame in frames:
            if frame.opcode is kinds.CLOSE:
                self._closed = True  # what was said before it counts
            if frame.opcode is kinds.BINARY:
                raise ProtocolError("sent a binary message: expected text")
            if frame.opcode in (kinds.TEXT, kinds.CONT):
                self._lines.feed(bytes(frame.data) + (b"\n" if frame.fin else b""))

    async def _flush(self) -> None:
        assert self._protocol is not None
        await self._write(b"".join(self._protocol.data_to_send()))

    @staticmethod
    def _refuse_failed(protocol: Protocol) -> None:
        if protocol.handshake_exc is not None:
            raise ProtocolError(f"opened no WebSocket: {protocol.handshake_exc}")


class TlsWebSocketPeer(WebSocketPeer):
    """A server's side of a WebSocket over TLS, whose certificate has to be one that the system trusts."""

    def __init__(self, connection: socket.socket, limits: Limits, longest_line: int) -> None:
        super().__init__(connection, limits, longest_line)
        self._received, self._to_send = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls: ssl.SSLObject | None = None

    async def open_as_client(self, address: str) -> None:
        """Check who the server is, then shake hands as without TLS.

        Raises:
            ProtocolError: it does not show that it is that server, or speaks no WebSocket. UsageError: no such address.
        """
        context, host = ssl.create_default_context(), urlsplit(address).hostname
        self._tls = context.wrap_bio(self._received, self._to_send, server_hostname=host)
        try:
            async with asyncio.timeout(self._limits.idle_seconds):
                await self._done(self._tls.do_handshake)
        except TimeoutError:
            raise ProtocolError(f"said nothing for {self._limits.idle_seconds:g} s") from None
        await super().open_as_client(address)

    async def _done(self, step: Callable[[], T]) -> T:
        """What a step of TLS gives, once all that it needs has come. Raises Cut, ProtocolError."""
        while True:
            try:
                return step()
            except ssl.SSLWantReadError:
                await self._send_encrypted()
                self._received.write(await super()._read())
            except ssl.SSLCertVerificationError as error:
                raise ProtocolError(f"shows a certificate that is not to be trusted: {error.verify_message}") from None
            except ssl.SSLZeroReturnError:
                raise Cut("closed the connection") from None
            except ssl.SSLError as error:
                raise ProtocolError(f"speaks no TLS: {error.reason or error}") from None

    async def _read(self) -> bytes:
        tls = self._tls
        assert tls is not None
        return await self._done(lambda: tls.read(_RECORD))

    async def _write(self, data: bytes) -> None:
        assert self._tls is not None
        if data:
            self._tls.write(data)
        await self._send_encrypted()

    async def _send_encrypted(self) -> None:
        await super()._write(self._to_send.read())
