"""A practice server: `rulebots host kalah --protocol kgp --port 2671 --player champion`."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Mapping, Sequence
from typing import Protocol

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.players import PlayerFault
from rulebots.players.player import Shown
from rulebots.protocols.protocol import LAG, Clock, ProtocolError
from rulebots.protocols.seated_player import warm_up
from rulebots.registry import load_game
from rulebots.servers.hosted import Fault, Hosted, HostedGames, Lobby, course
from rulebots.servers.hosting import HostTerms, serve
from rulebots.servers.kgp.lines import GAME, LONGEST_LINE
from rulebots.servers.kgp.referee import KgpReferee
from rulebots.servers.network import CrLfPeer, Peer
from rulebots.servers.our_side import OurSide

#: The capture rule of the protocol.
CAPTURE = {"empty_capture": 0}
#: Seconds for a move, as other servers of this protocol have them, where nobody says otherwise.
MOVE_SECONDS = 5.0
#: Seconds for saying goodbye to a client when Ctrl-C ends the server.
GOODBYE = 0.2
#: Seconds of silence, while a client has the move, after which it is asked whether it is there.
PING_AFTER = 20.0


def host(terms: HostTerms, transport: type[Peer] = CrLfPeer) -> None:
    """Serve until so many games are played, or until Ctrl-C; then say what was played.

    Each client plays one game after another, against our player or, with `pair`, against the next client.

    Raises:
        UsageError: no player, one of another game, a wrong option, or the port cannot be had.
        FileError: games cannot be recorded.
    """
    game = load_game(GAME)
    if terms.player is None and not terms.pair:
        raise UsageError("expected who plays on this side, --player PLAYER, or --pair")
    if terms.player is not None and terms.player.game is not game:
        raise UsageError(f"'{terms.player.name}' plays {terms.player.game.name}: the protocol is about {game.title}")
    if terms.options.get("empty_capture", 0):
        raise UsageError("the protocol has no empty capture: leave out --option empty_capture=1")
    server = Server(game, terms)
    if terms.player is not None:
        warm_up(terms.player)
    games = server.games
    asyncio.run(serve(terms, game.title, LONGEST_LINE, server.attend, games.done, transport))
    terms.say(games.score.line("who began" if terms.player is None else terms.player.name))


class Seat(Protocol):
    """One side of a game."""

    name: str

    async def decide(self, position: Position) -> int:
        """The move of this seat, whose turn it is. Raises ProtocolError, PlayerFault."""

    async def end(self, points: tuple[int, int]) -> None:
        """The game is over. Raises PlayerFault."""


class Client:
    """A client, from its greeting to its goodbye."""

    def __init__(self, peer: Peer, terms: HostTerms) -> None:
        self.name, self._referee, self._peer, self._terms = peer.name, KgpReferee(), peer, terms
        self._clock = Clock()
        self._news: list[str] = []
        #: Seconds for which we have waited for the answer to a ping.
        self._waited = 0.0
        #: Whether it plays on.
        self.here = True

    async def greet(self) -> None:
        """Say hello, and wait for the mode. Raises ProtocolError."""
        await self._peer.send(self._referee.greet())
        while not self._referee.ready:
            self._referee.receive(await self._peer.receive())
            await self._peer.send(self._referee.replies())
        self.name = f"{self._referee.name} ({self._peer.name})" if self._referee.name else self._peer.name

    @property
    def called(self) -> str:
        """What it calls itself; an opponent is not told where it is."""
        return self._referee.name

    def begin(self, hosted: Hosted, seat: int, options: Mapping[str, int], opponent: str) -> None:
        """A game begins, with a new clock."""
        move_seconds, game_seconds = self._terms.move_seconds, self._terms.game_seconds
        if move_seconds is None and game_seconds is None:
            move_seconds = MOVE_SECONDS
        self._clock = Clock(move_seconds, game_seconds)
        announced = self._referee.announce(hosted.number + 1, opponent)
        self._news = [*announced, *self._referee.begin(seat, options, self._clock)]

    async def decide(self, position: Position) -> int:
        """Ask, until the client yields or its time is up."""
        clock, seen = self._clock, Shown(position.mover, position.view(), None, position.plies, "", position.to_text())
        news, self._news = self._news, []
        await self._peer.send([*news, *self._referee.ask(seen, position.legal_moves, clock)])
        seconds = clock.allowed
        clock.start(time.monotonic())
        try:
            async with asyncio.timeout(None if seconds is None else seconds + LAG):
                while (answer := self._referee.receive(await self._line())) is None:
                    await self._peer.send(self._referee.replies())
        except TimeoutError:
            answer, lines = self._referee.late()
            await self._peer.send([*lines, *self._referee.ping()])
        finally:
            clock.stop(time.monotonic())
        return answer.move

    async def _line(self) -> str:
        """The next line. Whoever says nothing is asked whether it is there, and has to answer that."""
        idle = self._terms.limits.idle_seconds
        while True:
            pinged, began = self._referee.pinged, time.monotonic()
            if not pinged:
                self._waited = 0.0
            elif self._waited >= idle:
                raise ProtocolError(f"has not answered a ping for {self._waited:.1f} s")
            try:
                async with asyncio.timeout(min(PING_AFTER, idle - self._waited)):
                    return await self._peer.receive(patient=True)
            except TimeoutError:
                await self._peer.send(self._referee.ping())
            finally:
                if pinged:
                    self._waited += time.monotonic() - began

    async def end(self, points: tuple[int, int]) -> None:
        """Nothing: the protocol has no word for it."""

    async def leave(self, what: str = "") -> None:
        """Say goodbye, and why."""
        self.here = False
        try:
            await self._peer.send(self._referee.refuse(what) if what else self._referee.leave())
        except ProtocolError:
            return  # it has gone already


class Server:
    """The games of one server."""

    def __init__(self, game: Game, terms: HostTerms) -> None:
        self._terms, self._lobby = terms, Lobby[Client]()
        self.games = HostedGames(game, terms, {**terms.options, **CAPTURE})

    async def attend(self, peer: Peer) -> None:
        """One client, until it or we have had enough."""
        client = Client(peer, self._terms)
        try:
            await client.greet()
        except ProtocolError as error:
            self._terms.say(f"{client.name} {error}: no game")
            await client.leave(str(error))
            return
        try:
            while client.here:
                if self._terms.pair:
                    await self._lobby.meet(client, self._game_between)
                else:
                    await self._game_with(client)
        except Exception:
            await client.leave("this server has a bug, which has ended the game")
            raise
        except asyncio.CancelledError:  # Ctrl-C
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(GOODBYE):
                    await client.leave()
                    await peer.close()
            raise

    async def _game_with(self, client: Client) -> None:
        assert self._terms.player is not None
        async with self.games.next() as hosted:
            if hosted is None:
                await client.leave()
            else:
                ours = OurSide(self._terms.player, hosted.ours, self.games.options, self.games.working)
                await self._play(hosted, ours, client)

    async def _game_between(self, first: Client, second: Client) -> None:
        """A game; who is at fault leaves, and the other client waits for another opponent."""
        async with self.games.next() as hosted:
            if hosted is None:
                await first.leave()
                await second.leave()
            else:
                await self._play(hosted, first, second)

    async def _play(self, hosted: Hosted, ours: Seat, theirs: Seat) -> None:
        seats, position = ([ours, theirs] if hosted.ours == 0 else [theirs, ours]), hosted.position
        for number, seat in enumerate(seats):
            if isinstance(seat, Client):
                other = seats[1 - number]
                opponent = other.called if isinstance(other, Client) else other.name
                seat.begin(hosted, number, self.games.options, opponent)
        fault = await course(_playing(position, seats), position, self._terms.limits.total_seconds)
        for seat in seats:
            try:
                await seat.end(hosted.points(fault))
            except PlayerFault as failed:
                self._terms.say(str(failed))
        at_fault = None if fault is None else seats[fault.seat]
        if fault is None or hosted.moved(fault.seat) or not isinstance(at_fault, Client):
            self.games.count(hosted, [seat.name for seat in seats], fault)
        else:
            self._terms.say(f"{at_fault.name} {fault.what}: no game")
        if fault is not None and isinstance(at_fault, Client):
            await at_fault.leave(fault.what)
        elif fault is not None and isinstance(theirs, Client):
            await theirs.leave("the server's player has no move")


async def _playing(position: Position, seats: Sequence[Seat]) -> Fault | None:
    """The game from its first move to its last. Raises ProtocolError, PlayerFault."""
    while not (position.over or position.stalled):
        position.push(await seats[position.mover].decide(position))
    return None
