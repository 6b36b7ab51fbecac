"""The quiz's client: `rulebots connect HOST PORT --player champion`."""

from __future__ import annotations

import asyncio
from functools import partial

from rulebots.errors import FileError
from rulebots.game import Game
from rulebots.game.random_numbers import LUCK, luck_of, rng_of
from rulebots.packages import load_game
from rulebots.protocols import Begin, Bye, Decide, End, ProtocolError, Say
from rulebots.protocols.seated_player import SeatedPlayer, warm_up
from rulebots.servers.connections import (
    Address,
    ClientSettings,
    Connection,
    ConnectionEnded,
    LfConnection,
    in_thread,
    until_interrupted,
)
from rulebots.servers.quiz.engine import QuizEngine
from rulebots.servers.quiz.lines import GAME
from rulebots.servers.serving import Score


def connect(address: str, settings: ClientSettings) -> None:
    """Play games at a server, HOST:PORT, one connection each, and say how they ended.

    Raises:
        FileError: the server cannot be reached, breaks the protocol, or is cut off. PlayerFault: the player has no
            move. UsageError: the player plays another game, or there is no such address.
    """
    client = QuizClient(load_game(GAME), address, settings)
    warm_up(settings.player)
    try:
        asyncio.run(until_interrupted(client.play()))
    finally:
        settings.say(client.score.line(settings.player.name))


class QuizClient:
    """The games of one client."""

    def __init__(self, game: Game, address: str, settings: ClientSettings) -> None:
        self._game, self._settings = game, settings
        self._address = Address.read(address if "://" in address else f"quiz://{address}", {"quiz": 0})
        self._player = SeatedPlayer(settings.player, game)
        self._luck = luck_of(rng_of(settings.seed, LUCK), (settings.games or 1,))
        self.score = Score()

    async def play(self) -> None:
        """Play all games. Raises FileError, PlayerFault."""
        for number, luck in enumerate(self._luck.tolist(), 1):
            try:
                await self._game_at(number, QuizEngine(self._game, luck))
            except ProtocolError as error:
                raise FileError(f"the server {self._address.place}, game {number}: {error}") from None

    async def _game_at(self, number: int, engine: QuizEngine) -> None:
        limits = self._settings.limits
        server = await LfConnection.connect(self._address, limits, engine.longest_line)
        try:
            async with asyncio.timeout(limits.total_seconds):
                await self._converse(number, engine, server)
        except TimeoutError:
            raise ProtocolError(f"the game took more than {limits.total_seconds:g} s") from None
        finally:
            await server.close()

    async def _converse(self, number: int, engine: QuizEngine, server: Connection) -> None:
        seat = 0
        while True:
            try:
                events = engine.receive(await server.receive(patient=True))
            except ConnectionEnded:
                events = engine.closed()
            for event in events:
                if isinstance(event, Begin):
                    seat = event.seat
                    self._player.begin(seat, event.options)
                elif isinstance(event, Say):
                    await server.send([event.line])
                elif isinstance(event, Decide):
                    decide = partial(self._player.decide, event.seen, event.moves, event.seconds)
                    await server.send(engine.answer(event, await in_thread(decide), self._player.result))
                elif isinstance(event, End):
                    self._ended(number, event, seat)
                elif isinstance(event, Bye):
                    return

    def _ended(self, number: int, end: End, seat: int) -> None:
        assert end.points is not None
        if (fault := self._player.end(end.points)) is not None:
            raise fault
        mine, other = end.points[seat], end.points[1 - seat]
        self.score.count(mine, other)
        self._settings.say(f"game {number}: {self._player.name} {mine} to {other}")
