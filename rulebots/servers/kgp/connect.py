"""The client: `rulebots connect kgp://HOST:PORT --player champion`."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Mapping
from functools import partial

from rulebots.errors import FileError, UsageError
from rulebots.game import Game
from rulebots.packages import load_game
from rulebots.protocols import Begin, Bye, Decide, End, Event, ProtocolError, Say, Stop
from rulebots.protocols.seated_player import SeatedPlayer, warm_up
from rulebots.servers.connections import (
    Address,
    ClientSettings,
    Connection,
    ConnectionEnded,
    TcpConnection,
    WebSocketConnection,
    in_thread,
    until_interrupted,
    websockets,
)
from rulebots.servers.kgp.engine import KgpEngine
from rulebots.servers.kgp.lines import GAME

#: Questions that may wait for the player; a server that asks more floods us.
MOST_WAITING = 1000
#: The ports of the schemes, where an address has none.
PORTS: Mapping[str, int] = {"kgp": 2671, "ws": 80, "wss": 443}
#: Seconds after which a search shows its first move; each further one may take twice as long as the one before.
FIRST_MOVE = 0.1
#: Of its own limit, the share that a search takes where the server tells no clock: the server's limit may be the same.
OWN_SHARE = 0.8


def connect(address: str, settings: ClientSettings) -> None:
    """Answer positions at a server until it says goodbye or Ctrl-C comes.

    `address` is kgp://HOST:PORT, or over WebSockets ws://HOST:PORT/PATH or wss://HOST:PORT/PATH; a token stands before
    the host, TOKEN@HOST, and each scheme has a default port.
    Nothing in the protocol says how a game ends, so nobody can ask for a number of games.

    Raises:
        FileError: the server cannot be reached, breaks the protocol, is cut off, or has asked for no move. PlayerFault:
            the player has no move. UsageError: the player plays another game, or needs its history; there is no such
            address; or the library for WebSockets is missing.
    """
    place, player = Address.read(address, PORTS), settings.player
    if settings.games is not None:
        raise UsageError("KGP does not tell where a game ends: leave out --games; the server or Ctrl-C ends it")
    if place.scheme != "kgp":
        websockets("asyncio.client")
    if player.needs.with_history:
        raise UsageError(f"'{player.name}' needs the moves so far, which KGP does not tell: choose another player")
    warm_up(player)
    asyncio.run(KgpClient(load_game(GAME), place, settings).run())


class KgpClient:
    """One connection: a server that asks, and a player that answers one question after another."""

    def __init__(self, game: Game, place: Address, settings: ClientSettings) -> None:
        self._place, self._settings = place, settings
        self._engine = KgpEngine(game, settings.player.name, place.token)
        self._player, self._games = SeatedPlayer(settings.player, game), 0
        self._asked: asyncio.Queue[Begin | Decide | End] = asyncio.Queue(MOST_WAITING)
        self._thinking: Decide | None = None
        self.answered = 0

    async def run(self) -> None:
        """Play. Raises FileError, PlayerFault."""
        place, limits = self._place, self._settings.limits
        transport = TcpConnection if place.scheme == "kgp" else WebSocketConnection
        try:
            server = await transport.connect(place, limits, self._engine.longest_line)
            self._settings.say(f"connected to {place.place}; Ctrl-C ends it")
            try:
                if interrupted := await until_interrupted(self._listen(server), self._answer(server)):
                    await server.send(self._engine.leave())
            finally:
                await server.close()
                self._settings.say(f"{self._player.name} has answered {self.answered:,} positions")
        except ProtocolError as error:
            remark = self._engine.remark if isinstance(error, ConnectionEnded) else ""
            raise FileError(f"the server {place.place} {error}{remark}") from None
        if not self.answered:
            what = "had asked for no move when Ctrl-C came" if interrupted else "said goodbye and asked for no move"
            raise FileError(f"the server {place.place} {what}{self._engine.remark}")

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
                self._thinking = event
                try:
                    await self._think(server, event)
                except UsageError as error:
                    await server.send(self._engine.fail(event, str(error)))
                    raise
                self._thinking = None

    async def _think(self, server: Connection, asked: Decide) -> None:
        """Decide. A search sends its first move early, and better ones later: when time is up, the last one counts.

        Raises:
            PlayerFault, ProtocolError.
        """
        player, engine, own = self._player, self._engine, self._player.own_seconds
        limits = (asked.seconds, None if own is None else own * OWN_SHARE)
        left = min((limit for limit in limits if limit is not None), default=math.inf)
        pause, moved, last = FIRST_MOVE if player.stops else left, False, False
        while not last and engine.is_open(asked.ticket):
            seconds, began = min(pause, left), time.monotonic()
            decide = partial(player.decide, asked.seen, asked.moves, seconds if seconds < math.inf else None)
            move = await in_thread(decide)
            taken = time.monotonic() - began
            left, pause = left - taken, 2 * pause
            last = not player.stops or left <= 0 or taken < seconds / 2  # then it has ended by itself
            lines = engine.answer(asked, move, player.result) if last else engine.suggest(asked, move)
            self.answered += bool(lines) and not moved
            moved = moved or bool(lines)
            await server.send(lines)
