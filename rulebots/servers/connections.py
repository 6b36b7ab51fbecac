"""Connections in lines, over TCP and WebSockets: asyncio's streams and the library `websockets`.

At the end: what clients are asked for, and what a server and a client need of the event loop.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import functools
import logging
import os
import signal
import ssl
import threading
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self, TypeVar
from urllib.parse import urlsplit

from rulebots.errors import UsageError, optional_module, shown
from rulebots.players import Player
from rulebots.protocols import LineTooLong, ProtocolError, bytes_of, line_of

T = TypeVar("T")
#: Seconds for which a connection that we end is read, so that our last lines arrive.
_LINGER = 0.5
#: Bytes that are read at once.
_PIECE = 4096
#: Connections that the system keeps until they are accepted.
_BACKLOG = 1024
#: Bytes that a WebSocket message may have beyond a line: its end.
_LINE_END = 2
#: Schemes of addresses with a path.
_WITH_PATH = ("ws", "wss")


@dataclass(frozen=True)
class ConnectionLimits:
    """At most this many connections at the same time, seconds until an answer, and seconds for a game."""

    connections: int = 500
    idle_seconds: float = 60.0
    total_seconds: float = 3600.0


class ConnectionEnded(ProtocolError):
    """The other side has closed or cut the connection."""


class Connection(ABC):
    """The other side of a connection, in lines."""

    #: What ends a line that we send; the other side may end its lines by LF or CR LF.
    line_end = "\r\n"

    def __init__(self, peer: tuple[Any, ...] | None, limits: ConnectionLimits, longest_line: int) -> None:
        self.host, port = (peer or ("?", 0))[:2]  # a peer that has gone already has no address
        self.name = f"{self.host}:{port}"
        self._limits, self._longest_line = limits, longest_line

    async def receive(self, *, patient: bool = False) -> str:
        """The next line; within `idle_seconds`, or whenever it comes if we are `patient`.

        Raises:
            ConnectionEnded, or ProtocolError: nothing came in time, or not a line of the protocol.
        """
        seconds = None if patient else self._limits.idle_seconds
        await asyncio.sleep(0)  # lines that have come already would leave other clients no turn
        try:
            async with asyncio.timeout(seconds):
                return line_of(await self._receive())
        except TimeoutError:
            raise ProtocolError(f"said nothing for {seconds:g} s") from None

    async def send(self, lines: Sequence[str]) -> None:
        """Send lines. Raises ConnectionEnded, or ProtocolError if the other side does not take them."""
        try:
            async with asyncio.timeout(self._limits.idle_seconds):
                await self._send([bytes_of([line], self.line_end) for line in lines])
        except TimeoutError:
            raise ProtocolError(f"read nothing for {self._limits.idle_seconds:g} s") from None

    @abstractmethod
    async def _receive(self) -> bytes: ...

    @abstractmethod
    async def _send(self, lines: Sequence[bytes]) -> None: ...

    @property
    def gone(self) -> bool:
        """Whether the other side is known to have gone, with nothing left to read."""
        return False

    @abstractmethod
    async def close(self) -> None:
        """End the connection. What we have sent has a moment to arrive."""

    @abstractmethod
    def cut(self) -> None:
        """End the connection at once, if it has not ended yet."""

    @staticmethod
    @abstractmethod
    async def listen(server: Listener) -> tuple[str, Callable[[], None]]:
        """Accept connections: where, and what stops that.

        Raises:
            OSError, UnicodeError; UsageError: a library is missing.
        """

    @classmethod
    async def connect(cls, address: Address, limits: ConnectionLimits, longest_line: int) -> Self:
        """Call a server. Raises ProtocolError."""
        try:
            async with asyncio.timeout(limits.idle_seconds):
                return await cls._opened(address, limits, longest_line)
        except TimeoutError:
            raise ProtocolError(f"does not answer within {limits.idle_seconds:g} s") from None
        except ssl.SSLCertVerificationError as error:
            raise ProtocolError(f"shows a certificate that is not to be trusted: {error.verify_message}") from None
        except ssl.SSLError as error:
            raise ProtocolError(f"speaks no TLS: {error.reason or error}") from None
        except ConnectionResetError:
            raise ConnectionEnded("cut the connection") from None
        except (OSError, UnicodeError, EOFError) as error:
            raise ProtocolError(f"cannot be reached: {reason(error)}") from None

    @classmethod
    @abstractmethod
    async def _opened(cls, address: Address, limits: ConnectionLimits, longest_line: int) -> Self: ...


@dataclass(frozen=True)
class Listener:
    """Where a server listens, and what it does with each connection: `attend`, or for a failed one `refuse`."""

    bind: str
    port: int
    limits: ConnectionLimits
    longest_line: int
    attend: Callable[[Connection], Awaitable[None]]
    refuse: Callable[[str, str], None]


class TcpConnection(Connection):
    """A connection over TCP, by asyncio's streams, which read ahead of us twice the longest line at most."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, limits: ConnectionLimits, longest_line: int
    ) -> None:
        super().__init__(writer.get_extra_info("peername"), limits, longest_line)
        self._reader, self._writer = reader, writer
        # asyncio reads 256 KB at once, which many bad clients make much memory, and one makes a long turn.
        writer.transport.max_size = _PIECE  # type: ignore[attr-defined]

    async def _receive(self) -> bytes:
        try:
            return await self._reader.readuntil()
        except asyncio.LimitOverrunError:
            raise LineTooLong(self._longest_line) from None
        except asyncio.IncompleteReadError:
            raise ConnectionEnded("closed the connection") from None
        except OSError:
            raise ConnectionEnded("cut the connection") from None

    async def _send(self, lines: Sequence[bytes]) -> None:
        try:
            self._writer.writelines(lines)
            await self._writer.drain()
        except OSError:
            raise ConnectionEnded("cut the connection") from None

    @property
    def gone(self) -> bool:
        """Whether it is known to have gone."""
        return self._reader.at_eof() or self._reader.exception() is not None

    async def close(self) -> None:
        """End the connection, and read on for a moment: what is not read would cut off what was sent."""
        with contextlib.suppress(OSError, TimeoutError):
            self._writer.write_eof()
            async with asyncio.timeout(_LINGER):
                while await self._reader.read(_PIECE):
                    pass
        self.cut()

    def cut(self) -> None:
        """End the connection at once."""
        self._writer.transport.abort()

    @classmethod
    async def listen(cls, server: Listener) -> tuple[str, Callable[[], None]]:
        """Accept connections."""

        async def accepted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await server.attend(cls(reader, writer, server.limits, server.longest_line))

        made = await asyncio.start_server(
            accepted, server.bind, server.port, limit=server.longest_line, backlog=_BACKLOG
        )
        return "{}:{}".format(*made.sockets[0].getsockname()[:2]), made.close

    @classmethod
    async def _opened(cls, address: Address, limits: ConnectionLimits, longest_line: int) -> Self:
        reader, writer = await asyncio.open_connection(address.host, address.port, limit=longest_line)
        return cls(reader, writer, limits, longest_line)


class LfConnection(TcpConnection):
    """A connection whose protocol wants LF after each line."""

    line_end = "\n"


class WebSocketConnection(Connection):
    """A connection over WebSockets (RFC 6455), as a stream: a message may hold a part of a line, or several.

    Each of our messages is one line with its end, which suits clients that read streams, and those that take each
    message for a line. A client may call a server over TLS.
    """

    def __init__(self, socket: Any, limits: ConnectionLimits, longest_line: int) -> None:
        super().__init__(socket.remote_address, limits, longest_line)
        self._socket, self._rest = socket, b""

    async def _receive(self) -> bytes:
        while b"\n" not in self._rest:
            if len(self._rest) > self._longest_line:
                raise LineTooLong(self._longest_line)
            try:
                self._rest += await self._socket.recv(decode=False)
            except websockets("exceptions").ConnectionClosed as error:
                if error.rcvd is None and error.sent is not None:  # the library has refused something
                    most = f"{self._longest_line + _LINE_END:,}"
                    raise ProtocolError(f"sent what is not a WebSocket message of at most {most} bytes") from None
                begun = f"; it sent {self._rest[:20]!r} without the end of a line" if self._rest else ""
                raise ConnectionEnded(f"closed the connection{begun}") from None
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    async def _send(self, lines: Sequence[bytes]) -> None:
        try:
            for line in lines:
                await self._socket.send(line, text=True)
        except websockets("exceptions").ConnectionClosed:
            raise ConnectionEnded("closed the connection") from None

    async def close(self) -> None:
        """End the connection, as the protocol does."""
        await self._socket.close()

    def cut(self) -> None:
        """End the connection at once."""
        self._socket.transport.abort()

    @staticmethod
    def _settings(limits: ConnectionLimits, longest_line: int) -> dict[str, Any]:
        quiet = logging.Logger("websockets", logging.CRITICAL + 1)  # noqa: LOG001 - a private one
        settings = {"max_size": longest_line + _LINE_END, "open_timeout": limits.idle_seconds, "logger": quiet}
        return settings | {"close_timeout": _LINGER, "compression": None, "ping_interval": None}

    @classmethod
    async def listen(cls, server: Listener) -> tuple[str, Callable[[], None]]:
        """Accept connections."""
        library = websockets("asyncio.server")

        class Reporting(library.ServerConnection):  # type: ignore[misc, name-defined]  # installed or not
            """A connection that tells of a failed handshake, which the library only logs."""

            async def handshake(self, *given: Any, **named: Any) -> None:
                name = "{}:{}".format(*(self.remote_address or ("?", 0))[:2])
                try:
                    await super().handshake(*given, **named)
                except asyncio.CancelledError:
                    server.refuse(name, f"said nothing for {server.limits.idle_seconds:g} s")
                    raise
                finally:
                    if self.protocol.handshake_exc is not None:
                        server.refuse(name, f"opened no WebSocket: {self.protocol.handshake_exc}")

        async def accepted(socket: Any) -> None:
            await server.attend(cls(socket, server.limits, server.longest_line))

        settings = cls._settings(server.limits, server.longest_line)
        made = await library.serve(
            accepted, server.bind, server.port, create_connection=Reporting, backlog=_BACKLOG, **settings
        )
        place = "{}:{}".format(*made.sockets[0].getsockname()[:2])
        return place, functools.partial(made.close, close_connections=False)

    @classmethod
    async def _opened(cls, address: Address, limits: ConnectionLimits, longest_line: int) -> Self:
        settings = cls._settings(limits, longest_line)
        try:
            socket = await websockets("asyncio.client").connect(address.url, proxy=None, **settings)
        except websockets("exceptions").WebSocketException as error:
            raise ProtocolError(f"opened no WebSocket: {error}") from None
        return cls(socket, limits, longest_line)


@dataclass(frozen=True)
class Address:
    """Where a server is, and who we are there: SCHEME://TOKEN@HOST:PORT/PATH."""

    scheme: str
    host: str
    port: int
    token: str = ""
    path: str = ""

    @classmethod
    def read(cls, text: str, ports: Mapping[str, int]) -> Address:
        """The address that a text is; `ports` are those of the schemes where it names none, 0 if it has to.

        Raises:
            UsageError: anything else.
        """
        try:
            parts = urlsplit(text)
            port = ports.get(parts.scheme, 0) if parts.port is None else parts.port
        except ValueError:  # a port that is not a number up to 65535, brackets that do not match
            parts, port = urlsplit(""), 0
        path = parts._replace(scheme="", netloc="").geturl()
        wrong = parts.scheme not in ports or not parts.hostname or not port or not text.isprintable() or " " in text
        if wrong or not (parts.scheme in _WITH_PATH or path in ("", "/")):
            forms = ", ".join(f"{scheme}://HOST:PORT{'/PATH' * (scheme in _WITH_PATH)}" for scheme in ports)
            raise UsageError(f"expected {forms}, with a port from 1 to 65535, not '{shown(text)}'")
        return cls(parts.scheme, parts.hostname or "", port, parts.netloc.rpartition("@")[0], path)

    @property
    def place(self) -> str:
        """HOST:PORT."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def url(self) -> str:
        """The address without the token."""
        return f"{self.scheme}://{self.place}{self.path}"


def websockets(module: str) -> Any:
    """A module of the library. Raises UsageError if it is not installed."""
    return optional_module(f"websockets.{module}", "websocket", "WebSockets")


def reason(error: Exception) -> object:
    """Why the system refuses something, in its own words; those of asyncio hide them."""
    number = getattr(error, "errno", None)
    if number is not None and number > 0:
        return os.strerror(number)
    return getattr(error, "strerror", None) or error


@dataclass(frozen=True)
class ClientSettings:
    """What every client is asked for: who plays, and how many games; random states come from the `seed`.

    `games` is None if nobody has said: one, or any number if the protocol does not tell games apart.
    """

    player: Player
    games: int | None = None
    seed: int = 1
    limits: ConnectionLimits = field(default_factory=ConnectionLimits)
    say: Callable[[str], None] = print


async def in_thread(work: Callable[[], T]) -> T:
    """What `work()` returns or raises, from a thread that the end of the program does not wait for."""
    done = concurrent.futures.Future[T]()
    done.set_running_or_notify_cancel()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:  # noqa: BLE001 - the waiting task gets it
            done.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(done)


async def until_interrupted(*work: Coroutine[Any, Any, None]) -> bool:
    """Run coroutines until one of them ends, or Ctrl-C or SIGTERM comes; then the others are cancelled.

    Gives whether they were interrupted.

    Raises:
        Whatever one of them raises.
    """
    async with interruption() as stop:
        tasks = [asyncio.create_task(one) for one in (*work, stop.wait())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            return tasks[-1] in done
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


@contextlib.asynccontextmanager
async def interruption() -> AsyncIterator[asyncio.Event]:
    """A block with an event that Ctrl-C, or SIGTERM, sets instead of raising anything, unless it is ignored."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    former = {}
    for number in (signal.SIGINT, signal.SIGTERM):
        handler = signal.getsignal(number)
        if handler is not signal.SIG_IGN and threading.current_thread() is threading.main_thread():
            former[number] = handler
            loop.add_signal_handler(number, stop.set)
    try:
        yield stop
    finally:
        for number, handler in former.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)
