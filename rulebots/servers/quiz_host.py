"""The quiz's server: `rulebots host lost-cities --port 61676 --player champion`."""

import asyncio
import contextlib
import logging
import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rulebots.errors import FileError, UsageError
from rulebots.play.deals import Deals, DealStream
from rulebots.play.stepper import SeatedPlayer, after_opening, warm_up
from rulebots.players import PlayerFault
from rulebots.protocols import ProtocolError
from rulebots.records import RecordFolder
from rulebots.servers.connections import NetworkSettings, TcpConnection, in_thread, reason, until_interrupted
from rulebots.servers.quiz import LONGEST_LINE, OPTIONS, QuizTable, Score, SeatLine, ending

#: Illegal answers in a row: the quiz's own DumbPlayer tries eight.
MOST_REFUSALS = 100
#: Seconds that a client has for its first move while others wait.
CROWDED_SECONDS = 3.0
#: Seconds after which a client that waits is looked after: whether it is still there, and who keeps it waiting.
_LOOK = 0.5
#: Seconds for the last lines, once all games are played.
LAST_LINES = 1.0
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class HostSettings(NetworkSettings):
    """Where a server listens, besides its player and how many games.

    Deals are those of `rulebots match` with the same `seed`; `mirrored` plays each twice, with seats changed. `record`
    is the folder that gets each game.
    """

    port: int
    bind: str = "127.0.0.1"
    mirrored: bool = False
    record: Path | None = None


def host(settings: HostSettings) -> None:
    """Serve until all games are played, or until Ctrl-C; then print the score.

    Raises:
        UsageError: the server cannot listen. FileError: games cannot be recorded. BrokenPipeError: nobody reads what
            the server says.
    """
    server = QuizHost(settings)
    server.table(0).question()  # compile what has to be before anybody waits for it
    warm_up(settings.player)
    asyncio.run(server.run())
    settings.say(server.score.line(settings.player.name))


class QuizHost:
    """A server with its clients, each in a task that plays one game.

    A game that does not count in the end is played again with the next client.
    """

    def __init__(self, settings: HostSettings) -> None:
        self._settings = settings
        self._stream = DealStream(settings.player.game, settings.seed, options=OPTIONS)
        self._deals = list[Deals]()
        self._records = None if settings.record is None else RecordFolder(settings.record)
        self.score = Score()
        #: How many games have begun, and the numbers of those that have to be played again.
        self._begun = 0
        self._again = list[int]()
        self._tasks = set[asyncio.Task[object]]()
        #: How many clients are attended to, and what wakes those that wait until one of them leaves.
        self._attended = 0
        self._room = asyncio.Event()
        #: The limits of clients that have yet to make their first move, each with the moment where a crowd ends it.
        self._first_moves = dict[asyncio.Timeout, float]()
        #: As many of our players think at the same time.
        self._thinking = asyncio.Semaphore(os.cpu_count() or 1)
        self._done = asyncio.Event()
        #: Nobody reads what the server says any more.
        self._unheard: BrokenPipeError | None = None

    async def run(self) -> None:
        """Serve until all games are played, or until Ctrl-C, which cuts clients off. Raises as `host` does."""
        bind = self._settings.bind
        port = self._settings.port
        try:
            server = await asyncio.start_server(self._connected, bind, port, limit=LONGEST_LINE, backlog=1024)
        except (OSError, UnicodeError) as error:
            problem = f"cannot listen at {bind}, port {port}: {reason(error)}"
            raise UsageError(f"{problem}; choose another --port or --bind") from None
        place = "{}:{}".format(*server.sockets[0].getsockname()[:2])
        self._settings.say(f"listening at {place} for {self._settings.player.game.title}; Ctrl-C ends it")
        try:
            interrupted = await until_interrupted(self._end())
            server.close()
            if self._tasks and not interrupted:
                await asyncio.wait(self._tasks, timeout=LAST_LINES)
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _end(self) -> None:
        await self._done.wait()
        if self._unheard is not None:
            raise self._unheard

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Attend to a client once there is room."""
        client = TcpConnection(reader, writer, self._settings.limits, LONGEST_LINE, "\n")
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            if (number := await self._turn(client)) is not None:
                await self._attend(number, client)
        except asyncio.CancelledError:
            pass  # asyncio's servers do not expect a task to end so
        finally:
            self._tasks.discard(task)
            client.cut()

    async def _turn(self, client: TcpConnection) -> int | None:
        """The number of a client's game, once there is room; None if it has left meanwhile.

        Clients that have yet to make their first move get less time while it waits: idle ones keep nobody out.
        """
        while not client.has_left:
            if (number := self._next_number()) is not None:
                return number
            try:
                async with asyncio.timeout(_LOOK):
                    await self._room.wait()
            except TimeoutError:
                for limit, end in self._first_moves.items():
                    if not limit.expired():
                        limit.reschedule(min(limit.when() or end, end))
        return None

    def _next_number(self) -> int | None:
        """The number of the next game, which begins; None if there is no room, or no game left."""
        full = self._attended == self._settings.limits.connections
        if full or (not self._again and self._begun == self._settings.games):
            return None
        self._attended += 1
        if self._again:
            return self._again.pop(0)
        self._begun += 1
        return self._begun - 1

    async def _attend(self, number: int, client: TcpConnection) -> None:
        """Play a game with a client. A bug in the server ends this game only, and it counts for nobody."""
        counts = False
        try:
            counts = await self._play(number, client)
        except BrokenPipeError as error:
            self._unheard = error
        except Exception:  # noqa: BLE001 - a bug with one client does not end the games of the others
            _LOG.exception("%s: no game: a bug of this server", client.name)
        if not counts:
            self._again.append(number)
        if self._unheard is not None or self.score.games == self._settings.games:
            self._done.set()
        await client.close()
        self._attended -= 1
        self._room.set()
        self._room.clear()

    def _deal(self, number: int) -> Deals:
        """The only deal of a game."""
        index = number // 2 if self._settings.mirrored else number
        while len(self._deals) <= index:
            self._deals.append(self._stream.take(1))
        return self._deals[index]

    def table(self, number: int) -> QuizTable:
        """The game with that number, before its first move."""
        return QuizTable(after_opening(self._deal(number)).position)

    async def _play(self, number: int, client: TcpConnection) -> bool:
        """Play a game; whether it counts: a client that leaves before its first move has played none."""
        settings = self._settings
        deals = self._deal(number)
        seat = number % 2 if settings.mirrored else int(deals.openings[0]) % 2
        table = self.table(number)
        player = SeatedPlayer(settings.player, settings.player.game)
        await in_thread(partial(player.begin, seat, OPTIONS))
        fault = await self._fault_of(table, client, player, seat)
        points = list(table.position.points)
        names = player.name, client.name
        remark = ""
        if fault is not None:  # it loses, by one point if not by more, as in a match
            loser = fault.seat
            points[loser] = min(points[loser], points[1 - loser] - 1)
            remark = f"; {names[loser != seat]} {fault}, and loses"
        if fault is not None and fault.seat == seat:  # the client learns the end of the game, but not the reason
            with contextlib.suppress(ProtocolError):
                await client.send(ending(points[1 - seat], points[seat]))
        elif (failure := await in_thread(partial(player.end, tuple(points)))) is not None:
            settings.say(str(failure))
        moves = table.position.history()[deals.opening_plies :]
        if fault is not None and fault.seat != seat and all(ply.seat == seat for ply in moves):
            settings.say(f"{client.name} {fault}: no game")
            return False
        stalled = table.position.stalled and fault is None
        if stalled:
            remark = f"; nobody has won after {table.position.game.ply_cap} moves"
        self.score.count(points[seat], points[1 - seat], stalled=stalled, fault=fault is not None)
        score = f"{points[seat]} to {points[1 - seat]}"
        line = f"game {number + 1}: {player.name} against {client.name}, {score}{remark}"
        settings.say(line)
        if self._records is not None:
            try:
                self._records.write(number + 1, names, seat, deals, table.position, line)
            except FileError as error:  # the other games go on
                settings.say(str(error))
        return True

    async def _fault_of(
        self, table: QuizTable, client: TcpConnection, player: SeatedPlayer, seat: int
    ) -> PlayerFault | None:
        """Play a game to its end, or to a fault; our player, in that seat, thinks in a thread."""
        seconds = self._settings.limits.total_seconds
        news = table.question()
        moved = False
        try:
            async with asyncio.timeout(seconds):
                while True:
                    await client.send([line for own, line in news if own != seat])
                    if table.over:
                        return None
                    if table.position.mover == seat:
                        async with self._thinking:
                            news = table.play(await in_thread(partial(player.decide, table.position)))
                    else:
                        news = await self._answered(table, client, first=not moved)
                        moved = True
        except TimeoutError:
            return PlayerFault(f"had the move after {seconds:g} s of play", table.position.mover)
        except ProtocolError as error:  # a client that has left after the last move loses nothing by it
            return None if table.over else PlayerFault(str(error), 1 - seat)
        except PlayerFault as fault:
            return fault

    async def _answered(self, table: QuizTable, client: TcpConnection, *, first: bool) -> list[SeatLine]:
        """Ask a client until an answer is a move; gives the lines that follow it. Raises ProtocolError if none is."""
        asked = asyncio.get_running_loop().time()
        limit = asyncio.timeout_at(asked + self._settings.limits.idle_seconds)
        try:
            async with limit:
                if first:
                    self._first_moves[limit] = asked + CROWDED_SECONDS
                for _ in range(MOST_REFUSALS):
                    legal, lines = table.answer(await client.receive(patient=True))
                    if legal:
                        return lines
                    await client.send([line for _, line in lines])
        except TimeoutError:
            raise ProtocolError(f"made no move for {(limit.when() or 0) - asked:.3g} s") from None
        finally:
            self._first_moves.pop(limit, None)
        raise ProtocolError(f"gave {MOST_REFUSALS} answers in a row that are not moves")
