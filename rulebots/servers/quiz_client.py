"""The quiz's client: `rulebots connect HOST PORT --player champion`."""

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
from rulebots.servers.quiz import GAME, QuizEngine, Score


def connect(address: str, settings: ClientSettings) -> None:
    """Play games at a server, HOST:PORT, one connection each, and print how they ended.

    Raises:
        FileError: the server cannot be reached, breaks the protocol, or is cut off. PlayerFault: the player has no
            move. UsageError: the player plays another game, or the address is wrong.
    """
    place = Address.read(address if "://" in address else f"quiz://{address}", {"quiz": 0})
    player = SeatedPlayer(settings.player, load_game(GAME))
    score = Score()
    warm_up(settings.player)
    try:
        asyncio.run(until_interrupted(_play(place, settings, player, score)))
    finally:
        settings.say(score.line(player.name))


async def _play(place: Address, settings: ClientSettings, player: SeatedPlayer, score: Score) -> None:
    limits = settings.limits
    states = luck_of(rng_of(settings.seed, LUCK), (settings.games or 1,))
    for number, luck in enumerate(states.tolist(), 1):
        engine = QuizEngine(settings.player.game, luck)
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


async def _points_of(engine: QuizEngine, server: TcpConnection, player: SeatedPlayer) -> tuple[int, int]:
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
