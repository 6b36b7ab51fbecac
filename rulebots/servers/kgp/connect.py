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
from rulebots.servers.connecting import ClientTerms, host_and_port
from rulebots.servers.kgp.engine import KgpEngine
from rulebots.servers.kgp.lines import GAME
from rulebots.servers.network import CrLfPeer, Peer, connected, in_thread, until_interrupted
from rulebots.servers.websocket import TlsWebSocketPeer, WebSocketPeer, library

#: Questions that may wait for our player; a server that asks more floods us.
MOST_WAITING = 1000
#: The transport of a scheme, and its port where an address has none.
TRANSPORTS: Mapping[str, tuple[type[Peer], int]] = {
    "kgp": (CrLfPeer, 2671),
    "ws": (WebSocketPeer, 80),
    "wss": (TlsWebSocketPeer, 443),
}
_ADDRESS = re.compile(r"(kgp|wss?)://(?:([^/@\s]+)@)?([^/\s]+)(/\S*)?")


@dataclass(frozen=True)
class Address:
    """Where a server is, and who we are there: kgp://TOKEN@HOST:PORT, ws://TOKEN@HOST:PORT/PATH, or wss:// alike."""

    transport: type[Peer]
    host: str
    port: int
    token: str
    #: The address without the token, over WebSockets; empty over TCP.
    websocket: str

    @classmethod
    def read(cls, text: str) -> Address:
        """The address that a text is. Raises UsageError."""
        found = _ADDRESS.fullmatch(text)
        if found is None or (found[1] == "kgp" and found[4] not in (None, "/")):
            raise UsageError(f"expected kgp://HOST:PORT, ws://HOST:PORT/PATH or wss://, not '{shown(text)}'")
        transport, usual = TRANSPORTS[found[1]]
        host, port = host_and_port(found[3], usual)
        websocket = "" if found[1] == "kgp" else f"{found[1]}://{found[3]}{found[4] or '/'}"
        return cls(transport, host, port, found[2] or "", websocket)


def connect(address: str, terms: ClientTerms) -> None:
    """Answer positions at a server until it says goodbye or Ctrl-C comes.

    `address` is kgp://HOST:PORT, or over WebSockets ws://HOST:PORT/PATH or wss://HOST:PORT/PATH; a token stands before
    the host, TOKEN@HOST, and each scheme has a usual port.
    Nothing in the protocol says how a game ends, so nobody can ask for a number of games.

    Raises:
        FileError: the server cannot be reached, breaks the protocol, or is cut off. PlayerFault: ours has no move.
        UsageError: our player plays another game, or needs its history; no such address; or no library for WebSockets.
    """
    place = Address.read(address)
    if terms.games is not None:
        raise UsageError("KGP does not tell where a game ends: leave out --games; the server or Ctrl-C ends it")
    if place.websocket:
        library("client")
    if terms.player.needs.with_history:
        raise UsageError(
            f"'{terms.player.name}' needs the moves so far, which KGP does not tell: choose another player"
        )
    warm_up(terms.player)
    asyncio.run(Client(load_game(GAME), place, terms).run())


class Client:
    """One connection: a server that asks, and our player, who answers one question after another."""

    def __init__(self, game: Game, place: Address, terms: ClientTerms) -> None:
        self._place, self._terms = place, terms
        self._engine = KgpEngine(game, terms.player.name, place.token)
        self._player, self._games = SeatedPlayer(terms.player, game), 0
        self._asked: asyncio.Queue[Begin | Decide | End] = asyncio.Queue(MOST_WAITING)
        self._thinking: Decide | None = None
        self.answered = 0

    async def run(self) -> None:
        """Play."""
        host, port, websocket = self._place.host, self._place.port, self._place.websocket
        try:
            peer = await connected(host, port, self._terms.limits, self._engine.longest_line, self._place.transport)
            try:
                await peer.open_as_client(websocket)
            except ProtocolError:
                peer.cut()
                raise
        except ProtocolError as error:
            raise FileError(f"the server {host}:{port} {error}") from None
        self._terms.say(f"connected to {host}:{port}; Ctrl-C ends it")
        async with until_interrupted() as stop:
            tasks = [asyncio.create_task(work) for work in (self._listen(peer), self._answer(peer), stop.wait())]
            try:
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
                if stop.is_set():
                    await peer.send(self._engine.leave())
            except ProtocolError as error:
                raise FileError(f"the server {host}:{port} {error}") from None
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                await peer.close()
                self._terms.say(f"{self._terms.player.name} has answered {self.answered:,} positions")

    async def _listen(self, peer: Peer) -> None:
        """Until the server says goodbye. Raises ProtocolError."""
        greeted = False
        while True:
            line = await peer.receive(patient=greeted)
            greeted = True
            try:
                events = self._engine.receive(line)
            except ProtocolError as error:
                await peer.send(self._engine.complain(error))
                raise
            for event in events:
                if isinstance(event, Bye):
                    return
                await self._follow(peer, event)

    async def _follow(self, peer: Peer, event: Event) -> None:
        if isinstance(event, Say):
            await peer.send([event.line])
        elif isinstance(event, Stop):
            if self._thinking is not None and self._thinking.ticket == event.ticket:
                self._player.stop()
        elif isinstance(event, Begin | Decide | End):
            self._games += isinstance(event, Begin)
            if isinstance(event, Begin) and self._engine.opponent:
                self._terms.say(f"game {self._engine.game_id or self._games} against {self._engine.opponent}")
            if self._asked.full():
                raise ProtocolError(f"asked {MOST_WAITING:,} questions without waiting for an answer")
            self._asked.put_nowait(event)

    async def _answer(self, peer: Peer) -> None:
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
                    await peer.send(self._engine.fail(asked, str(error)))
                    raise
                self._thinking = None
                self.answered += 1
                await peer.send(self._engine.answer(asked, move, self._player.result))
