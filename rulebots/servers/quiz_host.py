"""The quiz's server: `rulebots host lost-cities --port 61676 --player champion`."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.packages import load_game
from rulebots.play.stepper import SeatedPlayer, warm_up
from rulebots.players import Player, PlayerFault
from rulebots.protocols import LineTooLong, ProtocolError, line_of
from rulebots.protocols.child_process import LimitedFile
from rulebots.servers.connections import TcpConnection, in_thread, interruption, reason
from rulebots.servers.quiz_games import GameFault, HostSettings, ServedGame, ServedGames
from rulebots.servers.quiz_lines import GAME, LONGEST_LINE, OPTIONS, ending
from rulebots.servers.quiz_table import QuizTable, SeatLine

#: Illegal answers in a row: the quiz's own DumbPlayer tries eight.
MOST_REFUSALS = 100
#: The name of the player at the terminal.
PERSON = "you"
#: Clients that may wait for room.
MOST_WAITING = 1000
#: Seconds for the last lines, once all games are played.
LAST_LINES = 1.0
#: Characters of an exception's message in a line.
_MESSAGE_SHOWN = 200
#: Connections that the system keeps until they are accepted.
_BACKLOG = 1024


def host(settings: HostSettings) -> None:
    """Serve until all games are played, or until Ctrl-C; then print the score.

    Raises:
        UsageError: the player plays another game, or the server cannot listen. FileError: games cannot be recorded.
        BrokenPipeError: nobody reads what the server says.
    """
    game = load_game(GAME)
    player = settings.player
    if player is not None and player.game is not game:
        raise UsageError(f"'{player.name}' plays {player.game.name}: the quiz is about {game.title}")
    server = QuizHost(game, settings)
    table = server.games.served(0).table  # compile what has to be before anybody waits for it
    table.begin()
    table.play(int(table.position.legal_moves[0]))
    if player is not None:
        warm_up(player)
    asyncio.run(server.run())
    settings.say(server.games.score.line(PERSON if player is None else player.name))


class QuizHost:
    """A server with its clients, each in a task that plays one game."""

    def __init__(self, game: Game, settings: HostSettings) -> None:
        self._settings = settings
        self._title = game.title
        self.games = ServedGames(game, settings)
        self._tasks = set[asyncio.Task[object]]()
        self._room = asyncio.Semaphore(settings.limits.connections)
        #: The person at the terminal plays one game at a time.
        self._terminal = asyncio.Lock()
        #: As many of our players think at the same time.
        self._thinking = asyncio.Semaphore(os.cpu_count() or 1)
        self._tracebacks = LimitedFile("host-tracebacks")
        #: Set when nobody reads what the server says any more.
        self._unheard = asyncio.Event()

    async def run(self) -> None:
        """Serve until all games are played, or until Ctrl-C, which cuts clients off. Raises as `host` does."""
        bind = self._settings.bind
        port = self._settings.port
        done = self.games.done
        try:
            server = await asyncio.start_server(self._connected, bind, port, limit=LONGEST_LINE, backlog=_BACKLOG)
        except (OSError, UnicodeError) as error:
            problem = f"cannot listen at {bind}, port {port}: {reason(error)}"
            raise UsageError(f"{problem}; choose another --port or --bind") from None
        async with interruption() as stop:
            place = "{}:{}".format(*server.sockets[0].getsockname()[:2])
            self._settings.say(f"listening at {place} for {self._title}; Ctrl-C ends it")
            waiting = [asyncio.create_task(event.wait()) for event in (stop, done, self._unheard)]
            try:
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                server.close()
                if done.is_set():
                    last: list[asyncio.Future[Any]] = [waiting[0], asyncio.gather(*self._tasks)]
                    await asyncio.wait(last, timeout=LAST_LINES, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (*waiting, *self._tasks):
                    task.cancel()
                await asyncio.gather(*waiting, *self._tasks, return_exceptions=True)
                self._tracebacks.close()
        if self._unheard.is_set():
            raise BrokenPipeError

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Attend to a client once there is room; if too many wait, send it away."""
        client = TcpConnection(reader, writer, self._settings.limits, LONGEST_LINE, "\n")
        if len(self._tasks) >= self._settings.limits.connections + MOST_WAITING:
            self._settings.say(f"{client.name} came while others ({MOST_WAITING:,}) were waiting for room: no game")
            client.cut()
            return
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            async with self._room:
                await self._attend(client)
                await client.close()
        except BrokenPipeError:
            self._unheard.set()
        except asyncio.CancelledError:
            pass  # asyncio's servers do not expect a task to end so
        finally:
            self._tasks.discard(task)
            client.cut()

    async def _attend(self, client: TcpConnection) -> None:
        """Play a game with a client. A bug in the server ends this game only, and it counts for nobody."""
        terminal = self._terminal if self._settings.player is None else contextlib.nullcontext()
        try:
            async with terminal, self.games.next() as served:
                if served is not None:
                    await self._play(served, client)
        except BrokenPipeError:
            raise
        except Exception as error:  # noqa: BLE001 - a bug with one client does not end the games of the others
            self._tracebacks.add("".join(traceback.format_exception(error)).encode("utf-8", "backslashreplace"))
            text = " ".join(f"{type(error).__name__}: {error}".split())[:_MESSAGE_SHOWN]
            path = self._tracebacks.path
            where = "" if path is None else f"; its traceback is in {path}"
            self._settings.say(f"{client.name}: no game: a bug of this server: {text}{where}")

    async def _play(self, served: ServedGame, client: TcpConnection) -> None:
        settings = self._settings
        ours = person(settings.say) if settings.player is None else PlayerSeat(settings.player, served, self._thinking)
        idle_seconds = settings.limits.idle_seconds
        theirs = LineSeat(client.name, client.send, partial(client.receive, patient=True), idle_seconds)
        seats = {served.ours: ours, 1 - served.ours: theirs}
        fault = await self._fault_of(served, seats)
        points = served.points(fault)
        if fault is not None:  # the opponent is told the end of the game, but not the reason
            other = 1 - fault.seat
            with contextlib.suppress(ProtocolError):
                await seats[other].tell(ending(points[other], points[fault.seat]))
        if isinstance(ours, PlayerSeat) and (fault is None or fault.seat != served.ours):
            await ours.end(points, settings.say)
        if fault is None or fault.seat == served.ours or served.moved(fault.seat):
            self.games.count(served, ours.name, theirs.name, fault)
        else:
            settings.say(f"{theirs.name} {fault.text}: no game")
        if fault is not None and fault.seat == served.ours and settings.player is None:
            self.games.done.set()  # the person has left

    async def _fault_of(self, served: ServedGame, seats: Mapping[int, Seat]) -> GameFault | None:
        """Play a game to its end. What breaks it off is the fault of the seat to move, or of one that hears nothing."""
        seconds = self._settings.limits.total_seconds
        try:
            async with asyncio.timeout(seconds):
                return await _playing(served.table, seats)
        except TimeoutError:
            return GameFault(served.table.waiting, f"had the move after {seconds:g} s of play")
        except (ProtocolError, PlayerFault) as error:
            return GameFault(served.table.waiting, str(error))


class LineSeat:
    """A side that answers in lines: a client, or a person. It has `seconds` for a move, illegal answers included."""

    def __init__(
        self,
        name: str,
        tell: Callable[[Sequence[str]], Awaitable[None]],
        answer: Callable[[], Awaitable[str]],
        seconds: float | None,
    ) -> None:
        self.name = name
        self.tell = tell
        self._answer = answer
        self._seconds = seconds

    async def move(self, table: QuizTable) -> list[SeatLine]:
        """Ask until an answer is a move; gives the lines that follow it. Raises ProtocolError: there is none."""
        try:
            async with asyncio.timeout(self._seconds):
                for _ in range(MOST_REFUSALS):
                    legal, replies = table.answer(await self._answer())
                    if legal:
                        return replies
                    await self.tell([line for _, line in replies])
        except TimeoutError:
            raise ProtocolError(f"made no move for {self._seconds:g} s") from None
        raise ProtocolError(f"gave {MOST_REFUSALS} answers in a row that are not moves")


class PlayerSeat:
    """A player of ours, which knows the position. It thinks in a thread, so that other games go on meanwhile."""

    def __init__(self, player: Player, served: ServedGame, thinking: asyncio.Semaphore) -> None:
        self.name = player.name
        self._seat = served.ours
        self._begun = False
        self._player = SeatedPlayer(player, player.game)
        self._thinking = thinking

    async def tell(self, lines: Sequence[str]) -> None:
        """It sees the position instead."""

    async def move(self, table: QuizTable) -> list[SeatLine]:
        """Make its move; gives the lines that follow it. Raises PlayerFault."""
        async with self._thinking:
            return table.play(await in_thread(partial(self._decide, table.position)))

    def _decide(self, position: Position) -> int:
        if not self._begun:
            self._begun = True
            self._player.begin(self._seat, OPTIONS)
        return self._player.decide(position)

    async def end(self, points: tuple[int, int], say: Callable[[str], None]) -> None:
        """Tell the player how the game has ended; `say` gets its fault if it fails at that."""
        if self._begun and (fault := await in_thread(partial(self._player.end, points))) is not None:
            say(str(fault))


#: Either side of a game.
Seat = LineSeat | PlayerSeat


def person(say: Callable[[str], None]) -> LineSeat:
    """The person at the terminal, who sees what a client would."""
    # Not `sys.stdin`: a thread that waits there would hold its lock at the end of the program.
    stdin = io.FileIO(0, closefd=False)

    async def tell(lines: Sequence[str]) -> None:
        for line in lines:
            say(line)

    async def answer() -> str:
        line = await in_thread(partial(stdin.readline, LONGEST_LINE + 2))
        if not line:
            raise ProtocolError("left the game")
        if len(line.removesuffix(b"\n")) > LONGEST_LINE:
            raise LineTooLong(LONGEST_LINE)
        return line_of(line)

    return LineSeat(PERSON, tell, answer, None)


async def _playing(table: QuizTable, seats: Mapping[int, Seat]) -> GameFault | None:
    """The game from its first line to its last. Raises ProtocolError, PlayerFault."""
    news = table.begin()
    while True:
        fault = None
        for seat in (0, 1):
            try:
                await seats[seat].tell([line for where, line in news if where == seat])
            except ProtocolError as error:
                fault = fault or GameFault(seat, str(error))
        if table.over:  # a client that has left by now loses nothing by it
            return None
        if fault is not None:
            return fault
        news = await seats[table.waiting].move(table)
