"""The client: `rulebots connect kgp://HOST:PORT --player champion`."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from rulebots.errors import FileError, UsageError, shown
from rulebots.game import Game
from rulebots.protocols.protocol import Begin, Bye, Decide, End, Event, ProtocolError, Say, Stop
from rulebots.protocols.seated_player import SeatedPlayer, warm_up
from rulebots.registry import load_game
from rulebots.servers.connections import (
    ClientSettings,
    Connection,
    CrLfConnection,
    WebSocketConnection,
    host_and_port,
    in_thread,
    until_interrupted,
    websockets,
)
from rulebots.servers.kgp.engine import KgpEngine
from rulebots.servers.kgp.lines import GAME

#: Questions that may wait for the player; a server that asks more floods us.
MOST_WAITING = 1000
#: The transport of a scheme, and its port if an address has none.
TRANSPORTS: Mapping[str, tuple[type[Connection], int]] = {
    "kgp": (CrLfConnection, 2671),
    "ws": (WebSocketConnection, 80),
    "wss": (WebSocketConnection, 443),
}
_ADDRESS = re.compile(r"(kgp|wss?)://(?:([^/@\s]+)@)?([^/\s]+)(/\S*)?")


@dataclass(frozen=True)
class KgpAddress:
    """Where a server is, and who we are there: kgp://TOKEN@HOST:PORT, ws://TOKEN@HOST:PORT/PATH, or wss:// alike."""

    transport: type[Connection]
    host: str
    port: int
    token: str
    #: The address as the transport wants it, without the token.
    url: str

    @classmethod
    def read(cls, text: str) -> KgpAddress:
        """The address that a text is. Raises UsageError."""
        found = _ADDRESS.fullmatch(text)
        if found is None or (found[1] == "kgp" and found[4] not in (None, "/")):
            raise UsageError(f"expected kgp://HOST:PORT, ws://HOST:PORT/PATH or wss://, not '{shown(text)}'")
        transport, default = TRANSPORTS[found[1]]
        host, port = host_and_port(found[3], default)
        url = f"{found[1]}://{found[3]}{found[4] or '/'}"
        if found[1] == "kgp":
            url = f"kgp://[{host}]:{port}" if ":" in host else f"kgp://{host}:{port}"
        return cls(transport, host, port, found[2] or "", url)


def connect(address: str, settings: ClientSettings) -> None:
    """Answer positions at a server until it says goodbye or Ctrl-C comes.

    `address` is kgp://HOST:PORT, or over WebSockets ws://HOST:PORT/PATH or wss://HOST:PORT/PATH; a token stands before
    the host, TOKEN@HOST, and each scheme has a default port.
    Nothing in the protocol says how a game ends, so nobody can ask for a number of games.

    Raises:
        FileError: the server cannot be reached, breaks the protocol, or is cut off. PlayerFault: the player has no
            move. UsageError: the player plays another game, or needs its history; there is no such address; or the
            library for WebSockets is missing.
    """
    place, player = KgpAddress.read(address), settings.player
    if settings.games is not None:
        raise UsageError("KGP does not tell where a game ends: leave out --games; the server or Ctrl-C ends it")
    if place.transport is WebSocketConnection:
        websockets("asyncio.client")
    if player.needs.with_history:
        raise UsageError(f"'{player.name}' needs the moves so far, which KGP does not tell: choose another player")
    warm_up(player)
    asyncio.run(KgpClient(load_game(GAME), place, settings).run())


class KgpClient:
    """One connection: a server that asks, and a player that answers one question after another."""

    def __init__(self, game: Game, place: KgpAddress, settings: ClientSettings) -> None:
        self._place, self._settings = place, settings
        self._engine = KgpEngine(game, settings.player.name, place.token)
        self._player, self._games = SeatedPlayer(settings.player, game), 0
        self._asked: asyncio.Queue[Begin | Decide | End] = asyncio.Queue(MOST_WAITING)
        self._thinking: Decide | None = None
        self.answered = 0

    async def run(self) -> None:
        """Play. Raises FileError, PlayerFault."""
        place, limits = self._place, self._settings.limits
        try:
            server = await place.transport.connect(place.url, limits, self._engine.longest_line)
            self._settings.say(f"connected to {place.host}:{place.port}; Ctrl-C ends it")
            try:
                if await until_interrupted(self._listen(server), self._answer(server)):
                    await server.send(self._engine.leave())
            finally:
                await server.close()
                self._settings.say(f"{self._player.name} has answered {self.answered:,} positions")
        except ProtocolError as error:
            raise FileError(f"the server {place.host}:{place.port} {error}") from None

    async def _listen(self, server: Connection) -> None:
        """Until the server says goodbye. Raises ProtocolError."""
        greeted = False
        while True:
            line = await server.receive(patient=greeted)
            greeted = True
            try:
                events = self._engine.receive(line)
            except ProtocolError as error:
                await server.send(self._engine.complain(error))
                raise
            for event in events:
                if isinstance(event, Bye):
                    return
                await self._follow(server, event)

    async def _follow(self, server: Connection, event: Event) -> None:
        if isinstance(event, Say):
            await server.send([event.line])
        elif isinstance(event, Stop):
            if self._thinking is not None and self._thinking.ticket == event.ticket:
                self._player.stop()
        elif isinstance(event, Begin | Decide | End):
            self._games += isinstance(event, Begin)
            if isinstance(event, Begin) and self._engine.opponent:
                self._settings.say(f"game {self._engine.game_id or self._games} against {self._engine.opponent}")
            if self._asked.full():
                raise ProtocolError(f"asked {MOST_WAITING:,} questions without waiting for an answer")
            self._asked.put_nowait(event)

    async def _answer(self, server: Connection) -> None:
        """Decide what is asked, in order; other lines are followed meanwhile."""
        while True:
            event = await self._asked.get()
            if isinstance(event, Begin):
                await in_thread(partial(self._player.begin, event.seat, event.options))
            elif isinstance(event, End):
                await in_thread(partial(self._player.end, event.points))
            elif self._engine.is_open(event.ticket):
                self._thinking = asked = event
                try:
                    move = await in_thread(partial(self._player.decide, asked.seen, asked.moves, asked.seconds))
                except UsageError as error:
                    await server.send(self._engine.fail(asked, str(error)))
                    raise
                self._thinking = None
                self.answered += 1
                await server.send(self._engine.answer(asked, move, self._player.result))
