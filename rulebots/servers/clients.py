"""The clients of `rulebots connect`: of the quiz, HOST PORT, and of Kalah servers, kgp://HOST:PORT."""

import asyncio
import math
import time
from collections.abc import Callable, Mapping
from functools import partial

from rulebots.errors import FileError, UsageError, demand
from rulebots.game.random_numbers import LUCK, luck_of, rng_of
from rulebots.packages import load_game
from rulebots.play.stepper import SeatedPlayer, warm_up
from rulebots.protocols import Begin, Bye, Decide, End, ProtocolError, Say, Stop
from rulebots.servers import kgp_engine, quiz
from rulebots.servers.connections import (
    Address,
    Connection,
    ConnectionEnded,
    NetworkSettings,
    TcpConnection,
    WebSocketConnection,
    in_thread,
    until_interrupted,
    websockets,
)

#: Questions that may wait for the player; a server that asks more floods us.
MOST_WAITING = 1000
#: Default ports by scheme.
PORTS: Mapping[str, int] = {"kgp": 2671, "ws": 80, "wss": 443}
#: Seconds after which a search sends its first move; each further one may take twice as long as the one before.
FIRST_MOVE = 0.1
#: The share of its own limit that a search takes if the server does not announce a clock: the limits may be the same.
OWN_SHARE = 0.8


def connect_to_quiz(address: str, settings: NetworkSettings) -> None:
    """Play games at a server, HOST:PORT, one connection each, and print how they ended.

    Raises:
        FileError: the server cannot be reached, breaks the protocol, or is cut off. PlayerFault: the player has no
            move. UsageError: the player plays another game, or the address is wrong.
    """
    place = Address.read(address if "://" in address else f"quiz://{address}", {"quiz": 0})
    player = SeatedPlayer(settings.player, load_game(quiz.GAME))
    score = quiz.Score()
    warm_up(settings.player)
    try:
        asyncio.run(until_interrupted(_play(place, settings, player, score)))
    finally:
        settings.say(score.line(player.name))


async def _play(place: Address, settings: NetworkSettings, player: SeatedPlayer, score: quiz.Score) -> None:
    limits = settings.limits
    states = luck_of(rng_of(settings.seed, LUCK), (settings.games or 1,))
    for number, luck in enumerate(states.tolist(), 1):
        engine = quiz.QuizEngine(settings.player.game, luck)
        try:
            server = await TcpConnection.connect(place, limits, engine.longest_line, "\n")
            try:
                async with asyncio.timeout(limits.total_seconds):
                    mine, other = await _points_of(engine, server, player)
            finally:
                await server.close()
        except TimeoutError:
            problem = f"the game took more than {limits.total_seconds:g} s"
        except ProtocolError as error:
            problem = str(error)
        else:
            score.count(mine, other)
            settings.say(f"game {number}: {player.name} {mine} to {other}")
            continue
        raise FileError(f"the server {place.place}, game {number}: {problem}")


async def _points_of(engine: quiz.QuizEngine, server: TcpConnection, player: SeatedPlayer) -> tuple[int, int]:
    """Play a game; gives our points and the other side's."""
    seat = 0
    points: tuple[int, ...] = ()
    while True:
        try:
            events = engine.receive(await server.receive(patient=True))
        except ConnectionEnded:
            events = engine.closed()
        for event in events:
            match event:
                case Begin():
                    seat = event.seat
                    player.begin(seat, event.options)
                case Say():
                    await server.send([event.line])
                case Decide():
                    move = await in_thread(partial(player.decide, event.seen, event.moves))
                    await server.send(engine.answer(event, move))
                case End():
                    points = event.points or ()
                    if (fault := player.end(points)) is not None:
                        raise fault
                case Bye():
                    return points[seat], points[1 - seat]


def connect_to_kalah(address: str, settings: NetworkSettings) -> None:
    """Answer positions at a server until it says goodbye or Ctrl-C comes.

    `address` is kgp://HOST:PORT, or over WebSockets ws://HOST:PORT/PATH or wss://HOST:PORT/PATH; a token stands before
    the host, TOKEN@HOST, and each scheme has a default port. The protocol does not say how a game ends, so there is no
    number of games.

    Raises:
        FileError: the server cannot be reached, breaks the protocol, is cut off, or has asked for no move. PlayerFault:
            the player has no move. UsageError: the player plays another game, or needs its history; a wrong address;
            or the library for WebSockets is missing.
    """
    place = Address.read(address, PORTS)
    player = settings.player
    demand(
        settings.games is None, "KGP does not tell where a game ends: leave out --games; the server or Ctrl-C ends it"
    )
    if place.scheme != "kgp":
        websockets("asyncio.client")
    demand(
        not player.needs.with_history,
        f"'{player.name}' needs the moves so far, which KGP does not tell: choose another player",
    )
    client = KgpClient(place, settings)
    warm_up(player)
    asyncio.run(client.run())


class KgpClient:
    """One connection: a server that asks, and a player that answers one question after another."""

    def __init__(self, place: Address, settings: NetworkSettings) -> None:
        game = load_game(kgp_engine.GAME)
        self._place = place
        self._settings = settings
        self._engine = kgp_engine.KgpEngine(game, settings.player.name, place.token)
        self._player = SeatedPlayer(settings.player, game)
        self._games = 0
        self._asked: asyncio.Queue[Begin | Decide | End] = asyncio.Queue(MOST_WAITING)
        self._ticket = -1  # of the question that the player thinks about
        self.answered = 0

    async def run(self) -> None:
        """Play. Raises FileError, PlayerFault."""
        place = self._place.place
        transport = TcpConnection if self._place.scheme == "kgp" else WebSocketConnection
        try:
            server = await transport.connect(self._place, self._settings.limits, self._engine.longest_line)
            self._settings.say(f"connected to {place}; Ctrl-C ends it")
            try:
                if interrupted := await until_interrupted(self._listen(server), self._answer(server)):
                    await server.send(self._engine.leave())
            finally:
                await server.close()
                self._settings.say(f"{self._player.name} has answered {self.answered:,} positions")
        except ProtocolError as error:
            remark = self._engine.remark if isinstance(error, ConnectionEnded) else ""
            raise FileError(f"the server {place} {error}{remark}") from None
        if not self.answered:
            ending = "had asked for no move when Ctrl-C came" if interrupted else "said goodbye and asked for no move"
            raise FileError(f"the server {place} {ending}{self._engine.remark}")

    async def _listen(self, server: Connection) -> None:
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
                match event:
                    case Bye():
                        return
                    case Say():
                        await server.send([event.line])
                    case Stop() if self._ticket == event.ticket and (stop := self._player.stop):
                        stop()
                    case Begin() | Decide() | End():
                        self._ask(event)

    def _ask(self, event: Begin | Decide | End) -> None:
        if isinstance(event, Begin):
            self._games += 1
            values = self._engine.values
            if values["game:opponent"]:
                self._settings.say(f"game {values['game:id'] or self._games} against {values['game:opponent']}")
        demand(not self._asked.full(), f"asked {MOST_WAITING:,} questions without waiting for an answer", ProtocolError)
        self._asked.put_nowait(event)

    async def _answer(self, server: Connection) -> None:
        """Decide what is asked, in order, while `_listen` follows other lines."""
        while True:
            event = await self._asked.get()
            if isinstance(event, Begin):
                await in_thread(partial(self._player.begin, event.seat, event.options))
            elif isinstance(event, End):
                await in_thread(partial(self._player.end, event.points))
            elif event.ticket in self._engine.open:
                self._ticket = event.ticket
                try:
                    await self._think(server, event)
                except UsageError as error:
                    await server.send(self._engine.fail(event, str(error)))
                    raise
                self._ticket = -1

    async def _think(self, server: Connection, asked: Decide) -> None:
        """Decide. A search sends its first move early, and better ones later: when time is up, the last one counts.

        Raises:
            PlayerFault, ProtocolError.
        """
        player = self._player
        own = player.own_seconds
        limits = (asked.seconds, None if own is None else own * OWN_SHARE)
        left = min((limit for limit in limits if limit is not None), default=math.inf)
        pause = FIRST_MOVE if player.stop else left
        moved = False
        last = False
        while not last and asked.ticket in self._engine.open:
            seconds = min(pause, left)
            began = time.monotonic()
            decide = partial(player.decide, asked.seen, asked.moves, seconds if seconds < math.inf else None)
            move = await in_thread(decide)
            used = time.monotonic() - began
            left -= used
            pause *= 2
            last = not player.stop or left <= 0 or used < seconds / 2  # then the search has ended by itself
            lines = self._engine.answer(asked, move) if last else self._engine.suggest(asked, move)
            self.answered += bool(lines) and not moved
            moved = moved or bool(lines)
            await server.send(lines)


#: By scheme of an address: the game that is played there, and the client.
CLIENTS: Mapping[str, tuple[str, Callable[[str, NetworkSettings], None]]] = {
    "quiz": (quiz.GAME, connect_to_quiz),
    **dict.fromkeys(PORTS, (kgp_engine.GAME, connect_to_kalah)),
}
