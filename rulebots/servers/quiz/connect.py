"""The quiz's client: `rulebots connect HOST PORT --player champion`."""

from __future__ import annotations

import asyncio
from functools import partial

from rulebots.errors import FileError
from rulebots.game import Game
from rulebots.game.random_numbers import LUCK, luck_of, rng_of
from rulebots.players import PlayerFault
from rulebots.protocols.protocol import Begin, Bye, Decide, End, ProtocolError, Say
from rulebots.protocols.seated_player import SeatedPlayer, warm_up
from rulebots.registry import load_game
from rulebots.servers.connecting import ClientTerms, host_and_port
from rulebots.servers.network import Cut, Peer, connected, in_thread, until_interrupted
from rulebots.servers.quiz.engine import QuizEngine
from rulebots.servers.score import Score

#: The game that is played.
GAME = "lost-cities"


def connect(address: str, terms: ClientTerms) -> None:
    """Play so many games at a server, HOST:PORT, one connection each, and say how they ended.

    Raises:
        FileError: the server cannot be reached, breaks the protocol, or is cut off. PlayerFault: ours has no move.
        UsageError: our player plays another game, or no such address.
    """
    client = Client(load_game(GAME), *host_and_port(address), terms)
    warm_up(terms.player)
    asyncio.run(client.run())


class Client:
    """The games of one client."""

    def __init__(self, game: Game, host: str, port: int, terms: ClientTerms) -> None:
        self._game, self._place, self._terms = game, (host, port), terms
        self._player = SeatedPlayer(terms.player, game)
        self._count = terms.games or 1
        self._luck = luck_of(rng_of(terms.seed, LUCK), (self._count,))
        self.score = Score()

    async def run(self) -> None:
        """Play."""
        name = self._terms.player.name
        async with until_interrupted() as stop:
            playing, stopping = asyncio.create_task(self._games()), asyncio.create_task(stop.wait())
            try:
                await asyncio.wait([playing, stopping], return_when=asyncio.FIRST_COMPLETED)
                if playing.done():
                    await playing
            finally:
                for task in (playing, stopping):
                    task.cancel()
                await asyncio.gather(playing, stopping, return_exceptions=True)
                self._terms.say(self.score.line(name))

    async def _games(self) -> None:
        for number in range(self._count):
            try:
                await self._game_at(number)
            except ProtocolError as error:
                host, port = self._place
                raise FileError(f"the server {host}:{port}, game {number + 1}: {error}") from None

    async def _game_at(self, number: int) -> None:
        engine = QuizEngine(self._game, int(self._luck[number]))
        peer = await connected(*self._place, self._terms.limits, engine.longest_line)
        try:
            async with asyncio.timeout(self._terms.limits.total_seconds):
                await self._conversation(number, engine, peer)
        except TimeoutError:
            raise ProtocolError(f"the game took more than {self._terms.limits.total_seconds:g} s") from None
        finally:
            await peer.close()

    async def _conversation(self, number: int, engine: QuizEngine, peer: Peer) -> None:
        seat = 0
        while True:
            try:
                events = engine.receive(await peer.receive(patient=True))
            except Cut:
                events = engine.closed()
            for event in events:
                if isinstance(event, Begin):
                    seat = event.seat
                    self._player.begin(event.seat, event.options)
                elif isinstance(event, Say):
                    await peer.send([event.line])
                elif isinstance(event, Decide):
                    decide = partial(self._player.decide, event.seen, event.moves, event.seconds)
                    await peer.send(engine.answer(event, await in_thread(decide), self._player.result))
                elif isinstance(event, End):
                    self._ended(number, event, seat)
                elif isinstance(event, Bye):
                    return

    def _ended(self, number: int, end: End, seat: int) -> None:
        assert end.points is not None
        fault: PlayerFault | None = self._player.end(end.points)
        if fault is not None:
            raise fault
        mine, other = end.points[seat], end.points[1 - seat]
        self.score.count(mine, other)
        self._terms.say(f"game {number + 1}: {self._terms.player.name} {mine} to {other}")
