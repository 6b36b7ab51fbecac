"""TCP with asyncio: connections with limits, a server that stays small, and work in threads of its own."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from rulebots.errors import UsageError
from rulebots.files.ranges import check_numbers, number
from rulebots.protocols.protocol import ProtocolError
from rulebots.servers.lines import Lines

T = TypeVar("T")
#: Bytes that are read at once.
_PIECE = 4096
#: Seconds for which a connection that we end is read, so that our last lines arrive.
_LINGER = 0.5
#: Connections that the system keeps until they are accepted.
_BACKLOG = 1024
#: Seconds until another try, where the system has no room for a connection.
_NO_ROOM = 0.2


@dataclass(frozen=True)
class Limits:
    """What a connection may take."""

    connections: int = number(500, 1, 100_000, "connections at the same time; further ones wait")
    idle_seconds: float = number(60.0, 0.01, 1e6, "seconds until an answer")
    total_seconds: float = number(3600.0, 0.01, 1e6, "seconds for a game")

    def __post_init__(self) -> None:
        check_numbers(self)


class Cut(ProtocolError):
    """The other side has closed the connection."""


class Peer:
    """The other side of a connection, in lines. What it sends unasked waits in the system, not in our memory."""

    #: What ends a line of ours; theirs may end in LF or CR LF.
    line_end = "\n"

    def __init__(self, connection: socket.socket, limits: Limits, longest_line: int) -> None:
        self._connection, self._limits = connection, limits
        self._lines = Lines(longest_line)
        self._writing = asyncio.Lock()
        with contextlib.suppress(OSError):  # lines are short, and each is waited for
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            host, port = connection.getpeername()[:2]
        except OSError:  # it has gone already
            host, port = "?", 0
        self.name = f"{host}:{port}"

    async def open_as_server(self) -> None:
        """Agree on how lines travel, where we were called. Raises ProtocolError; over TCP there is nothing to agree."""

    async def open_as_client(self, address: str) -> None:
        """Agree on how lines travel, where we have called that address. Raises ProtocolError."""

    async def receive(self, *, patient: bool = False) -> str:
        """The next line; who is `patient` waits for it without a limit of its own.

        Raises:
            Cut: the connection has ended. ProtocolError: nothing came in time, or no line of the protocol.
        """
        seconds = None if patient else self._limits.idle_seconds
        try:
            async with asyncio.timeout(seconds):
                while (line := self._lines.next()) is None:
                    await self._feed()
        except TimeoutError:
            raise ProtocolError(f"said nothing for {seconds:g} s") from None
        return line

    async def _feed(self) -> None:
        """Wait for some more of what lines are made of. Raises Cut."""
        self._lines.feed(await self._read())

    async def _read(self) -> bytes:
        """The bytes that come next, at least one. Raises Cut."""
        try:
            data = await asyncio.get_running_loop().sock_recv(self._connection, _PIECE)
        except OSError:
            raise Cut("cut the connection") from None
        if not data:
            raise Cut("closed the connection")
        return data

    @property
    def gone(self) -> bool:
        """Whether the other side is known to have gone, with nothing left to read."""
        try:
            return not self._connection.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        except OSError:
            return True

    async def send(self, lines: Iterable[str]) -> None:
        """Send lines. Raises ProtocolError where the other side does not take them, and Cut where it has gone."""
        await self._write("".join(f"{line}{self.line_end}" for line in lines).encode("utf-8", "backslashreplace"))

    async def _write(self, data: bytes) -> None:
        try:
            async with asyncio.timeout(self._limits.idle_seconds), self._writing:  # tasks do not mix their lines
                await asyncio.get_running_loop().sock_sendall(self._connection, data)
        except TimeoutError:
            raise ProtocolError(f"read nothing for {self._limits.idle_seconds:g} s") from None
        except OSError:
            raise Cut("cut the connection") from None

    async def close(self) -> None:
        """End the connection. A moment is left for what is on its way: what we do not read would cut it off."""
        loop = asyncio.get_running_loop()
        try:
            self._connection.shutdown(socket.SHUT_WR)
            async with asyncio.timeout(_LINGER):
                while await loop.sock_recv(self._connection, _PIECE):
                    pass
        except (OSError, TimeoutError):
            pass
        finally:
            self.cut()

    def cut(self) -> None:
        """End the connection at once, if it has not ended yet."""
        self._connection.close()


class CrLfPeer(Peer):
    """The other side of a connection whose protocol wants CR LF after each line."""

    line_end = "\r\n"


def listening(bind: str, port: int) -> socket.socket:
    """A socket that listens; port 0 is any free one.

    Raises:
        UsageError: no such address, or it is taken.
    """
    try:
        family = socket.getaddrinfo(bind, port, type=socket.SOCK_STREAM)[0][0]
        found = socket.create_server((bind, port), family=family, backlog=_BACKLOG)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot listen at {bind}, port {port}: {reason}; choose another --port or --bind") from None
    found.setblocking(False)
    return found


async def connected(host: str, port: int, limits: Limits, longest_line: int, transport: type[Peer] = Peer) -> Peer:
    """A connection to a server. Raises ProtocolError where there is none."""
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(limits.idle_seconds):
            places = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            for n, (family, kind, number_of, _, place) in enumerate(places, 1):
                connection = socket.socket(family, kind, number_of)
                connection.setblocking(False)
                try:
                    await loop.sock_connect(connection, place)
                except OSError:
                    connection.close()
                    if n == len(places):
                        raise
                else:
                    return transport(connection, limits, longest_line)
    except TimeoutError:
        raise ProtocolError(f"does not answer within {limits.idle_seconds:g} s") from None
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        if isinstance(error, ConnectionError) and error.errno is not None:
            reason = os.strerror(error.errno)  # asyncio's own words hide it
        raise ProtocolError(f"cannot be reached: {reason}") from None
    raise ProtocolError("cannot be reached: it has no address")


async def accept_until(
    done: asyncio.Event,
    server: socket.socket,
    most: int,
    peer_of: Callable[[socket.socket], Peer],
    attend: Callable[[Peer], Awaitable[None]],
    failed: Callable[[str, Exception], None],
) -> None:
    """Attend to each connection in a task of its own, to `most` at the same time; the others wait outside.

    Once it is `done` no further ones are accepted, and this ends with the last task. When it is cancelled, so are they.
    An exception that `attend` raises ends its connection only; `failed` is told, with the name of the other side. What
    `failed` raises, or a BrokenPipeError, for then nobody reads what we say, ends all and is raised here.
    """
    room, loop = asyncio.Semaphore(most), asyncio.get_running_loop()

    async def attended(connection: socket.socket, name: str) -> None:
        try:
            with connection:
                peer = peer_of(connection)
                await attend(peer)
                await peer.close()
        except BrokenPipeError:
            raise
        except Exception as error:  # noqa: BLE001 - a bug with one client is no reason to end the games of the others
            failed(name, error)
        finally:
            room.release()

    async def accept() -> None:
        while True:
            await room.acquire()
            try:
                connection, place = await loop.sock_accept(server)
            except OSError:
                room.release()
                await asyncio.sleep(_NO_ROOM)
                continue
            connection.setblocking(False)
            tasks.create_task(attended(connection, "{}:{}".format(*place[:2])))

    try:
        async with asyncio.TaskGroup() as tasks:
            accepting = tasks.create_task(accept())
            await done.wait()
            accepting.cancel()
    except ExceptionGroup as group:
        raise group.exceptions[0] from None


async def in_thread(work: Callable[[], T]) -> T:
    """What `work()` returns or raises, from a thread that the end of the program does not wait for."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        if done.cancelled():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]  # without an error there is a result

    def run() -> None:
        result, error = None, None
        try:
            result = work()
        except BaseException as failed:  # noqa: BLE001 - whoever waits gets it
            error = failed if isinstance(failed, Exception) else RuntimeError(repr(failed))
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=run, daemon=True).start()
    return await done


@contextlib.asynccontextmanager
async def until_interrupted() -> AsyncIterator[asyncio.Event]:
    """A block with an event that Ctrl-C, or SIGTERM, sets instead of raising anything; who ignores them goes on so."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    former = {}
    for number_of in (signal.SIGINT, signal.SIGTERM):
        handler = signal.getsignal(number_of)
        if handler is not signal.SIG_IGN and threading.current_thread() is threading.main_thread():
            former[number_of] = handler
            loop.add_signal_handler(number_of, stop.set)
    try:
        yield stop
    finally:
        for number_of, handler in former.items():
            loop.remove_signal_handler(number_of)
            signal.signal(number_of, handler)
