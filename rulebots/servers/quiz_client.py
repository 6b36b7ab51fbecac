"""The quiz's client: `rulebots connect HOST PORT --player champion`."""

from __future__ import annotations

import asyncio
from functools import partial

from rulebots.errors import FileError
from rulebots.game.random_numbers import LUCK, luck_of, rng_of
from rulebots.packages import load_game
from rulebots.play.stepper import SeatedPlayer, warm_up
from rulebots.protocols import Begin, Bye, Decide, End, ProtocolError, Say
from rulebots.servers.connections import (
    Address,
    ClientSettings,
    ConnectionEnded,
    TcpConnection,
    in_thread,
    until_interrupted,
)
from rulebots.servers.quiz_engine import QuizEngine
from rulebots.servers.quiz_games import Score
from rulebots.servers.quiz_lines import GAME


def connect(address: str, settings: ClientSettings) -> None:
    """Play games at a server, HOST:PORT, one connection each, and print how they ended.

    Raises:
        FileError: the server cannot be reached, breaks the protocol, or is cut off. PlayerFault: the player has no
            move. UsageError: the player plays another game, or the address is wrong.
    """
    client = QuizClient(address, settings)
    warm_up(settings.player)
    try:
        asyncio.run(until_interrupted(client.play()))
    finally:
        settings.say(client.score.line(settings.player.name))


class QuizClient:
    """The games of one client."""

    def __init__(self, address: str, settings: ClientSettings) -> None:
        self._game = load_game(GAME)
        self._settings = settings
        self._address = Address.read(address if "://" in address else f"quiz://{address}", {"quiz": 0})
        self._player = SeatedPlayer(settings.player, self._game)
        self.score = Score()

    async def play(self) -> None:
        """Play all games. Raises FileError, PlayerFault."""
        limits = self._settings.limits
        states = luck_of(rng_of(self._settings.seed, LUCK), (self._settings.games or 1,))
        for number, luck in enumerate(states.tolist(), 1):
            engine = QuizEngine(self._game, luck)
            try:
                server = await TcpConnection.connect(self._address, limits, engine.longest_line, "\n")
                try:
                    async with asyncio.timeout(limits.total_seconds):
                        await self._converse(number, engine, server)
                finally:
                    await server.close()
            except TimeoutError:
                raise self._failure(number, f"the game took more than {limits.total_seconds:g} s") from None
            except ProtocolError as error:
                raise self._failure(number, error) from None

    def _failure(self, number: int, problem: object) -> FileError:
        return FileError(f"the server {self._address.place}, game {number}: {problem}")

    async def _converse(self, number: int, engine: QuizEngine, server: TcpConnection) -> None:
        seat = 0
        while True:
            try:
                events = engine.receive(await server.receive(patient=True))
            except ConnectionEnded:
                events = engine.closed()
            for event in events:
                match event:
                    case Begin():
                        seat = event.seat
                        self._player.begin(seat, event.options)
                    case Say():
                        await server.send([event.line])
                    case Decide():
                        move = await in_thread(partial(self._player.decide, event.seen, event.moves))
                        await server.send(engine.answer(event, move))
                    case End(points) if points is not None:
                        self._ended(number, points, seat)
                    case Bye():
                        return

    def _ended(self, number: int, points: tuple[int, ...], seat: int) -> None:
        if (fault := self._player.end(points)) is not None:
            raise fault
        mine = points[seat]
        other = points[1 - seat]
        self.score.count(mine, other)
        self._settings.say(f"game {number}: {self._player.name} {mine} to {other}")
