"""A practice server: `rulebots host kalah --protocol kgp --port 2671 --player champion`."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Mapping, Sequence

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.packages import load_game
from rulebots.players.player import Shown
from rulebots.protocols import LAG, Clock, ProtocolError
from rulebots.protocols.seated_player import warm_up
from rulebots.servers.connections import Connection, TcpConnection, WebSocketConnection, websockets
from rulebots.servers.kgp.lines import GAME, LONGEST_LINE
from rulebots.servers.kgp.referee import KgpReferee
from rulebots.servers.serving import GameFault, HostSettings, Lobby, PlayerSeat, ServedGame, ServedGames, serve

#: The capture rule of the protocol.
CAPTURE = {"empty_capture": 0}
#: Seconds for a move, as other servers of this protocol have them, unless somebody says otherwise.
MOVE_SECONDS = 5.0
#: Seconds for saying goodbye to a client when Ctrl-C ends the server.
GOODBYE = 0.2
#: Seconds of silence, while a client has the move, after which it is asked whether it is there.
PING_AFTER = 20.0


def host(settings: HostSettings, transport: type[Connection] = TcpConnection) -> None:
    """Serve until all games are played, or until Ctrl-C; then say what was played.

    Each client plays one game after another, against the server's player or, with `pair`, against the next client.

    Raises:
        UsageError: no player, one of another game, a wrong option, or the server cannot listen.
        FileError: games cannot be recorded.
    """
    game, player = load_game(GAME), settings.player
    if player is None and not settings.pair:
        raise UsageError("expected who plays on this side, --player PLAYER, or --pair")
    if player is not None and player.game is not game:
        raise UsageError(f"'{player.name}' plays {player.game.name}: the protocol is about {game.title}")
    if settings.options.get("empty_capture", 0):
        raise UsageError("the protocol has no empty capture: leave out --option empty_capture=1")
    server = KgpServer(game, settings)
    if player is not None:
        warm_up(player)
    games = server.games
    asyncio.run(serve(settings, game.title, LONGEST_LINE, server.attend, games.done, transport))
    settings.say(games.score.line("who began" if player is None else player.name))


def host_over_websockets(settings: HostSettings) -> None:
    """Serve as over TCP; see `host`. Raises UsageError as well if the extra `websocket` is not installed."""
    websockets("asyncio.server")
    host(settings, WebSocketConnection)


class KgpClientSeat:
    """A client, from its greeting to its goodbye."""

    is_client = True

    def __init__(self, client: Connection, settings: HostSettings) -> None:
        self.name, self._referee, self._client, self._settings = client.name, KgpReferee(), client, settings
        self._clock = Clock()
        self._news: list[str] = []
        #: Seconds for which the answer to a ping has been awaited.
        self._waited = 0.0
        #: Whether it plays on.
        self.here = True

    async def greet(self) -> None:
        """Say hello, and wait for the mode; all of that has one limit. Raises ProtocolError."""
        seconds = self._settings.limits.idle_seconds
        await self._client.send(self._referee.greet())
        try:
            async with asyncio.timeout(seconds):
                while not self._referee.ready:
                    self._referee.receive(await self._client.receive(patient=True))
                    await self._client.send(self._referee.replies())
        except TimeoutError:
            raise ProtocolError(f"has not chosen a mode within {seconds:g} s") from None
        self.name = f"{self._referee.name} ({self._client.name})" if self._referee.name else self._client.name

    @property
    def called(self) -> str:
        """What it calls itself; an opponent is not told its address."""
        return self._referee.name

    def begin(self, served: ServedGame, seat: int, options: Mapping[str, int], opponent: str) -> None:
        """A game begins, with a new clock."""
        move_seconds, game_seconds = self._settings.move_seconds, self._settings.game_seconds
        if move_seconds is None and game_seconds is None:
            move_seconds = MOVE_SECONDS
        self._clock = Clock(move_seconds, game_seconds)
        announced = self._referee.announce(served.number + 1, opponent)
        self._news = [*announced, *self._referee.begin(seat, options, self._clock)]

    async def decide(self, position: Position) -> int:
        """Ask, until the client yields or its time is up."""
        clock, seen = self._clock, Shown(position.mover, position.view(), None, position.plies, "", position.to_text())
        news, self._news = self._news, []
        await self._client.send([*news, *self._referee.ask(seen, position.legal_moves, clock)])
        seconds = clock.allowed
        clock.start(time.monotonic())
        try:
            async with asyncio.timeout(None if seconds is None else seconds + LAG):
                while (answer := self._referee.receive(await self._line())) is None:
                    await self._client.send(self._referee.replies())
        except TimeoutError:
            answer, lines = self._referee.late()
            await self._client.send([*lines, *self._referee.ping()])
        finally:
            clock.stop(time.monotonic())
        return answer.move

    async def _line(self) -> str:
        """The next line. A client that says nothing is asked whether it is there, and has to answer that."""
        idle = self._settings.limits.idle_seconds
        while True:
            pinged, began = self._referee.pinged, time.monotonic()
            if not pinged:
                self._waited = 0.0
            elif self._waited >= idle:
                raise ProtocolError(f"has not answered a ping for {self._waited:.1f} s")
            try:
                async with asyncio.timeout(min(PING_AFTER, idle - self._waited)):
                    return await self._client.receive(patient=True)
            except TimeoutError:
                await self._client.send(self._referee.ping())
            finally:
                if pinged:
                    self._waited += time.monotonic() - began

    async def end(self, points: tuple[int, ...]) -> None:
        """The protocol has no word for it."""

    async def leave(self, what: str = "") -> None:
        """Say goodbye, and why."""
        self.here = False
        try:
            await self._client.send(self._referee.refuse(what) if what else self._referee.leave())
        except ProtocolError:
            return  # it has gone already


class KgpServer:
    """The games of one server."""

    def __init__(self, game: Game, settings: HostSettings) -> None:
        self._settings, self._lobby = settings, Lobby[KgpClientSeat]()
        self.games = ServedGames(game, settings, {**settings.options, **CAPTURE})

    async def attend(self, connection: Connection) -> None:
        """One client, until it or the server has had enough."""
        client = KgpClientSeat(connection, self._settings)
        try:
            await client.greet()
        except ProtocolError as error:
            self._settings.say(f"{client.name} {error}: no game")
            await client.leave(str(error))
            return
        try:
            while client.here:
                if self._settings.pair:
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
                    await connection.close()
            raise

    async def _game_with(self, client: KgpClientSeat) -> None:
        assert self._settings.player is not None
        async with self.games.next() as served:
            if served is None:
                await client.leave()
            else:
                await self._play(served, PlayerSeat(self._settings.player, self.games, served), client)

    async def _game_between(self, first: KgpClientSeat, second: KgpClientSeat) -> None:
        """A game; the client at fault leaves, and the other one waits for another opponent."""
        async with self.games.next() as served:
            if served is None:
                await first.leave()
                await second.leave()
            else:
                await self._play(served, first, second)

    async def _play(self, served: ServedGame, ours: PlayerSeat | KgpClientSeat, theirs: KgpClientSeat) -> None:
        seats = [ours, theirs] if served.ours == 0 else [theirs, ours]
        for number, seat in enumerate(seats):
            if isinstance(seat, KgpClientSeat):
                other = seats[1 - number]
                opponent = other.called if isinstance(other, KgpClientSeat) else other.name
                seat.begin(served, number, self.games.options, opponent)
        fault = await self.games.play(served, _playing(served.position, seats))
        await self.games.settle(served, seats, fault)
        if fault is not None:
            at_fault = seats[fault.seat]
            if isinstance(at_fault, KgpClientSeat):
                await at_fault.leave(fault.what)
            else:
                await theirs.leave("the server's player has no move")


async def _playing(position: Position, seats: Sequence[PlayerSeat | KgpClientSeat]) -> GameFault | None:
    """The game from its first move to its last. Raises ProtocolError, PlayerFault."""
    while not (position.over or position.stalled):
        position.push(await seats[position.mover].decide(position))
    return None
