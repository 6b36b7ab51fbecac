"""Connections in lines, over TCP and WebSockets: asyncio's streams and the library `websockets`.

At the end: what a server and a client need of the event loop.
"""

import asyncio
import concurrent.futures
import contextlib
import logging
import os
import signal
import ssl
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self, TypeVar
from urllib.parse import urlsplit

from rulebots.errors import UsageError, optional_module, shown
from rulebots.players import Player
from rulebots.protocols import LineTooLong, ProtocolError, bytes_of, line_of

T = TypeVar("T")
#: Seconds for which we keep reading a connection that we end, so that our last lines arrive.
_LINGER = 0.5
#: Bytes that are read at once.
_CHUNK = 4096
#: Bytes that a WebSocket message may have beyond a line: CR LF.
_LINE_END = 2
#: Schemes of addresses with a path.
_WITH_PATH = ("ws", "wss")


@dataclass(frozen=True)
class ConnectionLimits:
    """At most this many connections at the same time, seconds until an answer, and seconds for a game."""

    connections: int = 500
    idle_seconds: float = 60.0
    total_seconds: float = 3600.0


@dataclass(frozen=True)
class NetworkSettings:
    """Who plays, and how many games; the player's random states, and a server's deals, come from the `seed`.

    `games` is None by default: at a client one, or any number if the protocol does not tell games apart; at a server
    any number. `say` prints lines for the operator.
    """

    player: Player
    games: int | None = None
    seed: int = 1
    limits: ConnectionLimits = field(default_factory=ConnectionLimits)
    say: Callable[[str], None] = print


@dataclass(frozen=True)
class Address:
    """A server, and our token there: SCHEME://TOKEN@HOST:PORT/PATH."""

    scheme: str
    host: str
    port: int
    token: str = ""
    path: str = ""

    @classmethod
    def read(cls, text: str, ports: Mapping[str, int]) -> Self:
        """Parse an address; `ports` are the schemes with their default ports, 0 where an address must name one.

        Raises:
            UsageError: not an address of these schemes.
        """
        try:
            parts = urlsplit(text)
            port = ports.get(parts.scheme, 0) if parts.port is None else parts.port
        except ValueError:  # a port that is not a number up to 65535, brackets that do not match
            parts = urlsplit("")
            port = 0
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


class ConnectionEnded(ProtocolError):
    """The other side has closed or cut the connection."""


class Connection(ABC):
    """The other side of a connection, in lines that end in LF or CR LF.

    `line_end` ends the lines that we send.
    """

    def __init__(
        self, peer: tuple[Any, ...] | None, limits: ConnectionLimits, longest_line: int, line_end: str = "\r\n"
    ) -> None:
        host, port = (peer or ("?", 0))[:2]  # a peer that has left already has no address
        self.name = f"{host}:{port}"
        self._limits = limits
        self._longest_line = longest_line
        self._line_end = line_end

    async def receive(self, *, patient: bool = False) -> str:
        """The next line, which has to come within `idle_seconds` unless we are `patient`.

        Raises:
            ConnectionEnded, or ProtocolError: nothing came in time, or not a line of the protocol.
        """
        seconds = None if patient else self._limits.idle_seconds
        await asyncio.sleep(0)  # lines that are here already must not starve the other clients
        try:
            async with asyncio.timeout(seconds):
                return line_of(await self._receive())
        except TimeoutError:
            raise ProtocolError(f"said nothing for {seconds:g} s") from None

    async def send(self, lines: Sequence[str]) -> None:
        """Send lines. Raises ConnectionEnded, or ProtocolError if the other side does not read them."""
        try:
            async with asyncio.timeout(self._limits.idle_seconds):
                await self._send([bytes_of([line], self._line_end) for line in lines])
        except TimeoutError:
            raise ProtocolError(f"read nothing for {self._limits.idle_seconds:g} s") from None

    @abstractmethod
    async def _receive(self) -> bytes: ...

    @abstractmethod
    async def _send(self, lines: Sequence[bytes]) -> None: ...

    @abstractmethod
    async def close(self) -> None:
        """End the connection; our last lines get a moment to arrive."""

    @classmethod
    async def connect(
        cls, address: Address, limits: ConnectionLimits, longest_line: int, line_end: str = "\r\n"
    ) -> Self:
        """Connect to a server. Raises ProtocolError."""
        try:
            async with asyncio.timeout(limits.idle_seconds):
                return await cls._open(address, limits, longest_line, line_end)
        except TimeoutError:
            raise ProtocolError(f"does not answer within {limits.idle_seconds:g} s") from None
        except ssl.SSLCertVerificationError as error:
            raise ProtocolError(f"shows a certificate that is not trusted: {error.verify_message}") from None
        except ssl.SSLError as error:
            raise ProtocolError(f"does not speak TLS: {error.reason or error}") from None
        except ConnectionResetError:
            raise ConnectionEnded("cut the connection") from None
        except (OSError, UnicodeError, EOFError) as error:
            raise ProtocolError(f"cannot be reached: {reason(error)}") from None

    @classmethod
    @abstractmethod
    async def _open(cls, address: Address, limits: ConnectionLimits, longest_line: int, line_end: str) -> Self: ...


class TcpConnection(Connection):
    """A connection over TCP, by asyncio's streams, which buffer at most twice the longest line."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        limits: ConnectionLimits,
        longest_line: int,
        line_end: str = "\r\n",
    ) -> None:
        super().__init__(writer.get_extra_info("peername"), limits, longest_line, line_end)
        self._reader = reader
        self._writer = writer
        # asyncio reads 256 KB at once: with many bad clients that is much memory, and with one a long turn.
        writer.transport.max_size = _CHUNK  # type: ignore[attr-defined]

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
    def has_left(self) -> bool:
        """Whether the other side has reset the connection, or closed it and we have read all that it said before."""
        return self._reader.at_eof() or self._writer.transport.is_closing()

    async def close(self) -> None:
        """End the connection, and read for another moment: unread input would cut off what was sent."""
        with contextlib.suppress(OSError, TimeoutError):
            self._writer.write_eof()
            async with asyncio.timeout(_LINGER):
                while await self._reader.read(_CHUNK):
                    pass
        self.cut()

    def cut(self) -> None:
        """End the connection at once."""
        self._writer.transport.abort()

    @classmethod
    async def _open(cls, address: Address, limits: ConnectionLimits, longest_line: int, line_end: str) -> Self:
        reader, writer = await asyncio.open_connection(address.host, address.port, limit=longest_line)
        return cls(reader, writer, limits, longest_line, line_end)


class WebSocketConnection(Connection):
    """A client's connection over WebSockets (RFC 6455), as a stream: a message may hold part of a line, or several.

    Each of our messages is one line with its end, for servers that read streams and for those that take a message for
    a line.
    """

    def __init__(self, socket: Any, limits: ConnectionLimits, longest_line: int, line_end: str) -> None:
        super().__init__(socket.remote_address, limits, longest_line, line_end)
        self._socket = socket
        self._rest = b""

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
        """End the connection by the closing handshake."""
        await self._socket.close()

    @classmethod
    async def _open(cls, address: Address, limits: ConnectionLimits, longest_line: int, line_end: str) -> Self:
        try:
            socket = await websockets("asyncio.client").connect(
                address.url,
                proxy=None,
                compression=None,
                max_size=longest_line + _LINE_END,
                open_timeout=limits.idle_seconds,
                close_timeout=_LINGER,
                ping_interval=None,
                logger=logging.Logger("websockets", logging.CRITICAL + 1),  # noqa: LOG001 - a private, silent one
            )
        except websockets("exceptions").WebSocketException as error:
            raise ProtocolError(f"opened no WebSocket: {error}") from None
        return cls(socket, limits, longest_line, line_end)


def websockets(module: str) -> Any:
    """A module of the library. Raises UsageError if it is not installed."""
    return optional_module(f"websockets.{module}", "websocket", "WebSockets")


def reason(error: Exception) -> object:
    """The system's own words for an OSError, which asyncio's hide."""
    number = getattr(error, "errno", None) or 0
    return os.strerror(number) if number > 0 else getattr(error, "strerror", None) or error


async def in_thread(work: Callable[[], T]) -> T:
    """What `work()` returns or raises, in a daemon thread, which does not keep the program from ending."""
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
    """Run coroutines until one of them ends, or Ctrl-C or SIGTERM comes, unless ignored; then cancel the others.

    Returns whether they were interrupted; raises what one of them raises.
    """
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    former = {}
    for number in (signal.SIGINT, signal.SIGTERM):
        handler = signal.getsignal(number)
        if handler is not signal.SIG_IGN and threading.current_thread() is threading.main_thread():
            former[number] = handler
            # Not `add_signal_handler`, which Windows does not have.
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))
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
        for number, handler in former.items():
            signal.signal(number, handler)
