"""A practice server: `rulebots host kalah --protocol kgp --port 2671 --player champion`."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from typing import Protocol

from rulebots.errors import UsageError
from rulebots.game import Game, load_game
from rulebots.play.deals import Deals, DealStream
from rulebots.play.opened import opened
from rulebots.players import Player, PlayerFault
from rulebots.players.player import Shown
from rulebots.position import Position
from rulebots.protocols.answering import warm_up
from rulebots.protocols.clock import Clock
from rulebots.protocols.hosting import HostTerms, Score, serve
from rulebots.protocols.kgp.lines import GAME, LONGEST_LINE
from rulebots.protocols.kgp.referee import KgpReferee
from rulebots.protocols.network import Peer, in_thread
from rulebots.protocols.protocol import ProtocolError

#: The capture rule of the protocol.
CAPTURE = {"empty_capture": 0}
#: Seconds for a move, as other servers of this protocol have them; then the client's last move counts.
MOVE_SECONDS = 5.0


def host(terms: HostTerms) -> None:
    """Serve until so many games are played, or until Ctrl-C; then say what was played.

    Each client plays one game after another, against our player or, with `pair`, against the next client.

    Raises:
        UsageError: no player, one of another game, a wrong option, or the port cannot be had.
    """
    game = load_game(GAME)
    if terms.player is None and not terms.pair:
        raise UsageError("expected who plays on this side, --player PLAYER, or --pair")
    if terms.player is not None and terms.player.game is not game:
        raise UsageError(f"'{terms.player.name}' plays {terms.player.game.name}: the protocol is about {game.title}")
    if terms.options.get("empty_capture", 0):
        raise UsageError("the protocol has no empty capture: leave out --option empty_capture=1")
    if terms.player is not None:
        warm_up(terms.player)
    server = Server(game, terms)
    asyncio.run(serve(terms, game.title, LONGEST_LINE, server.attend, server.done))
    terms.say(server.score.line("who began" if terms.player is None else terms.player.name))


class Seat(Protocol):
    """One side of a game."""

    name: str

    async def move(self, position: Position) -> int:
        """The move of this seat, whose turn it is. Raises ProtocolError, PlayerFault."""


class ClientSeat:
    """A client, from its greeting to its goodbye."""

    def __init__(self, peer: Peer) -> None:
        self.name, self.referee, self._peer = peer.name, KgpReferee(), peer

    async def greet(self) -> None:
        """Say hello, and wait for the mode. Raises ProtocolError."""
        await self._peer.send(self.referee.greet())
        while not self.referee.ready:
            self.referee.receive(await self._peer.receive())
            await self._reply()
        self.name = f"{self.referee.name} ({self._peer.name})" if self.referee.name else self._peer.name

    async def move(self, position: Position) -> int:
        """Ask, until the client yields or its time is up."""
        seat = position.mover
        seen = Shown(seat, position.view(), None, position.plies, "", position.to_text())
        await self._peer.send(self.referee.ask(seen, position.legal_moves, Clock()))
        try:
            async with asyncio.timeout(MOVE_SECONDS):
                while (answer := self.referee.receive(await self._peer.receive(patient=True))) is None:
                    await self._reply()
        except TimeoutError:
            answer, lines = self.referee.late()
            await self._peer.send(lines)
        return answer.move

    async def leave(self, what: str = "") -> None:
        """Say goodbye, and why."""
        try:
            await self._peer.send(self.referee.refuse(what) if what else self.referee.leave())
        except ProtocolError:
            return  # it has gone already

    async def _reply(self) -> None:
        replies, self.referee.replies = self.referee.replies, []
        await self._peer.send(replies)


class PlayerSeat:
    """A player of ours in one game."""

    def __init__(self, player: Player, working: asyncio.Semaphore) -> None:
        self.name, self._player, self._working = player.name, player, working

    async def move(self, position: Position) -> int:
        """The player's decision, in a thread: others go on meanwhile."""
        async with self._working:
            return await in_thread(lambda: self._player.decide(position))


class Server:
    """The games of one server."""

    def __init__(self, game: Game, terms: HostTerms) -> None:
        self._game, self._terms = game, terms
        self._options = {**terms.options, **CAPTURE}
        self._deals, self._drawn = DealStream(game, terms.seed, options=self._options), list[Deals]()
        self._working = asyncio.Semaphore(os.cpu_count() or 1)
        self._waiting: tuple[ClientSeat, asyncio.Event] | None = None
        self._begun = 0
        self.done = asyncio.Event()
        self.score = Score()

    async def attend(self, peer: Peer) -> None:
        """One client, until it or we have had enough."""
        await self._attend(peer)
        if self._terms.games is not None and self.score.games >= self._terms.games:
            self.done.set()

    async def _attend(self, peer: Peer) -> None:
        client = ClientSeat(peer)
        try:
            await client.greet()
        except ProtocolError as error:
            self._terms.say(f"{client.name} {error}: no game")
            await client.leave(str(error))
            return
        if self._terms.player is not None:
            await self._games_with(client, None)
        elif self._waiting is None:
            over = asyncio.Event()
            self._waiting = waiting = (client, over)
            try:
                await over.wait()
            finally:
                if self._waiting is waiting:
                    self._waiting = None
        else:
            (first, over), self._waiting = self._waiting, None
            try:
                await self._games_with(first, client)
            finally:
                over.set()

    async def _games_with(self, first: ClientSeat, second: ClientSeat | None) -> None:
        """Game after game between two clients, or our player and a client, who begin in turns."""
        clients = [first] if second is None else [first, second]
        while (number := self._next()) is not None:
            if second is None:
                assert self._terms.player is not None
                begun = await in_thread(lambda: self._terms.player.beginning_a_game(number % 2, self._options))  # type: ignore[union-attr]
                sides: list[Seat] = [PlayerSeat(begun, self._working), first]
            else:
                sides = [first, second]
            ours = number % 2  # the seat of sides[0]
            fault = await self._play(number, sides if ours == 0 else sides[::-1], ours)
            if fault is not None:
                for client in clients:
                    await client.leave(fault)
                return
        for client in clients:
            await client.leave()

    def _next(self) -> int | None:
        """The number of the next game, from 0; None if there are enough."""
        if self._terms.games is not None and self._begun >= self._terms.games:
            return None
        self._begun += 1
        return self._begun - 1

    async def _play(self, number: int, seats: Sequence[Seat], ours: int) -> str | None:
        """One game; gives the fault that ended it."""
        position = self._dealt(number)
        fault, what = None, ""
        try:
            async with asyncio.timeout(self._terms.limits.total_seconds):
                while not (position.over or position.stalled):
                    position.push(await seats[position.mover].move(position))
        except TimeoutError:
            fault, what = position.mover, f"had the move after {self._terms.limits.total_seconds:g} s of play"
        except (ProtocolError, PlayerFault) as error:
            fault, what = position.mover, str(error)
        points = list(position.points)
        if fault is not None:
            points[fault] = min(points[fault], points[1 - fault] - 1)
        mine, other = points[ours], points[1 - ours]
        self.score.count(mine, other, stalled=position.stalled and fault is None, fault=fault is not None)
        how = "" if fault is None else f"; {seats[fault].name} {what}, and loses"
        self._terms.say(f"game {number + 1}: {seats[ours].name} {mine}, {seats[1 - ours].name} {other}{how}")
        return what if fault is not None else None

    def _dealt(self, number: int) -> Position:
        """The first position of a game, after the random opening of its deal, as a match has it."""
        deal = number // 2 if self._terms.mirrored else number
        while len(self._drawn) <= deal:
            self._drawn.append(self._deals.take(1))
        return opened(self._drawn[deal])[0]
