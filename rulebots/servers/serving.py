"""Serving games to clients: connections, the games with their deals and score, and a record of each."""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import os
import traceback
import weakref
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from rulebots.errors import FileError, UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.play.deals import Deals, DealStream
from rulebots.play.loop import after_opening
from rulebots.players import Player, PlayerFault
from rulebots.protocols import ProtocolError
from rulebots.protocols.child_process import LimitedFile
from rulebots.protocols.seated_player import SeatedPlayer
from rulebots.records import RecordFolder
from rulebots.servers.connections import Connection, ConnectionLimits, Listener, in_thread, interruption
from rulebots.servers.connections import reason as reason_of

C = TypeVar("C")
#: Connections by default come from this machine only.
LOOPBACK = "127.0.0.1"
#: Addresses that only this machine has.
_THIS_MACHINE = (LOOPBACK, "::1")
#: Seconds for the last lines, once all games are played.
LAST_LINES = 1.0
#: Seconds in which the end of an earlier connection is noticed that came before a client did.
SETTLING = 0.02
#: Characters of an exception's message that a line shows.
MESSAGE_SHOWN = 200
#: Connections that may wait for room.
MOST_WAITING = 1000
#: Deals that are drawn at once.
_AT_ONCE = 64


@dataclass(frozen=True)
class HostSettings:
    """What every server is asked for: where it listens, who plays on this side, and how much.

    `player` is None if a person sits at the terminal, and with `pair`, which lets clients meet each other. `games` is
    None for any number. Deals come from the `seed`; `mirrored` plays each twice, with seats changed, as
    `rulebots match` does. `options` are those of the game. `move_seconds` and `game_seconds` are what a client's
    clock allows, if the protocol has one. `record` is the folder that gets each game. `say` takes the lines for the
    person who runs the server.
    """

    port: int
    player: Player | None = None
    bind: str = LOOPBACK
    pair: bool = False
    games: int | None = None
    seed: int = 1
    mirrored: bool = False
    options: Mapping[str, int] = field(default_factory=dict)
    move_seconds: float | None = None
    game_seconds: float | None = None
    record: Path | None = None
    limits: ConnectionLimits = field(default_factory=ConnectionLimits)
    say: Callable[[str], None] = print


async def serve(
    settings: HostSettings,
    title: str,
    longest_line: int,
    attend: Callable[[Connection], Awaitable[None]],
    done: asyncio.Event,
    transport: type[Connection],
) -> None:
    """Attend to clients of a game with that title until `done`, or until Ctrl-C.

    When it is done, clients have a moment for their last lines; Ctrl-C cuts them off. An exception that is not a fault
    of the client's is a bug in the server: it ends that client's game, which counts for nobody, and its traceback is
    kept.

    Raises:
        UsageError: it cannot listen at that port. BrokenPipeError: nobody reads what it says.
    """
    clients = _Clients(settings, attend, done)
    where = Listener(settings.bind, settings.port, settings.limits, longest_line, clients.attended, clients.refused)
    try:
        place, stop_listening = await transport.listen(where)
    except (OSError, UnicodeError) as error:
        what = f"cannot listen at {settings.bind}, port {settings.port}: {reason_of(error)}"
        raise UsageError(f"{what}; choose another --port or --bind") from None
    async with interruption() as stop:
        settings.say(f"listening at {place} for {title}; Ctrl-C ends it")
        waiting = [asyncio.create_task(event.wait()) for event in (stop, done, clients.unheard)]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            stop_listening()
            if done.is_set():
                last: list[asyncio.Future[Any]] = [waiting[0], asyncio.gather(*clients.tasks)]
                await asyncio.wait(last, timeout=LAST_LINES, return_when=asyncio.FIRST_COMPLETED)
        finally:
            clients.stopping = True
            for task in (*waiting, *clients.tasks):
                task.cancel()
            await asyncio.gather(*waiting, *clients.tasks, return_exceptions=True)
            clients.tracebacks.close()
    if clients.unheard.is_set():
        raise BrokenPipeError


class _Clients:
    """The clients of a server, each in a task, and what is said of those that fail."""

    def __init__(
        self, settings: HostSettings, attend: Callable[[Connection], Awaitable[None]], done: asyncio.Event
    ) -> None:
        self._say, self._attend, self._done = settings.say, attend, done
        self._most = settings.limits.connections
        self._room = asyncio.Semaphore(self._most)
        #: By address, the room for its connections, while there are any.
        self._shares = weakref.WeakValueDictionary[str, asyncio.Semaphore]()
        self.tasks = set[asyncio.Task[object]]()
        self.tracebacks = LimitedFile("host-tracebacks")
        #: Set when nobody reads what the server says any more.
        self.unheard = asyncio.Event()
        self.stopping = False

    async def attended(self, connection: Connection) -> None:
        """Attend to a client, once there is room.

        Another machine has at most half of it; through this one a proxy may bring everybody. Where too many wait, one
        more is sent away.
        """
        task = asyncio.current_task()
        assert task is not None
        if len(self.tasks) >= self._most + MOST_WAITING:
            self.refused(connection.name, f"came while others ({MOST_WAITING:,}) were waiting for room")
            connection.cut()
            return
        self.tasks.add(task)
        try:
            most = self._most if connection.host in _THIS_MACHINE else max(2, self._most // 2)
            share = self._shares.setdefault(connection.host, asyncio.Semaphore(most))
            async with share, self._room:
                if not self._done.is_set():
                    await self._attend_or_say(connection)
                    await connection.close()
        except BrokenPipeError:
            self.unheard.set()
        except asyncio.CancelledError:
            pass  # asyncio's servers expect no such end of a task
        finally:
            self.tasks.discard(task)
            connection.cut()

    async def _attend_or_say(self, connection: Connection) -> None:
        try:
            await self._attend(connection)
        except BrokenPipeError:
            raise
        except Exception as error:  # noqa: BLE001 - a bug with one client does not end the games of the others
            self.tracebacks.add("".join(traceback.format_exception(error)).encode("utf-8", "backslashreplace"))
            text = " ".join(f"{type(error).__name__}: {error}".split())[:MESSAGE_SHOWN]
            path = self.tracebacks.path
            kept = "" if path is None else f"; its traceback is in {path}"
            self._say(f"{connection.name}: no game: a bug of this server: {text}{kept}")

    def refused(self, name: str, what: str) -> None:
        """A client has not opened a connection."""
        if not self.stopping:
            self._say(f"{name} {what}: no game")


class PlayerSeat:
    """A rulebots player in one game. It thinks in a thread, so that other games go on meanwhile."""

    is_client = False

    def __init__(self, player: Player, games: ServedGames, served: ServedGame) -> None:
        self.name = player.name
        self._games, self._seat, self._begun = games, served.ours, False
        self._player = SeatedPlayer(player, games.game)

    async def decide(self, position: Position) -> int:
        """The player's move. Raises PlayerFault."""
        async with self._games.working:
            return await in_thread(partial(self._decided, position))

    def _decided(self, position: Position) -> int:
        if not self._begun:
            self._begun = True
            self._player.begin(self._seat, self._games.options)
        return self._player.decide(position)

    async def end(self, points: tuple[int, ...]) -> None:
        """Tell the player how the game has ended. Raises PlayerFault if it fails at that."""
        if self._begun and (fault := await in_thread(partial(self._player.end, points))) is not None:
            raise fault


class Seat(Protocol):
    """One side of a game. Its `name` is for the person who runs the server."""

    name: str
    is_client: bool

    async def end(self, points: tuple[int, ...]) -> None:
        """The game is over, not by a fault of this side. Raises PlayerFault."""


@dataclass(frozen=True)
class GameFault:
    """Who has ended a game before its end, and how, as words that follow its name."""

    seat: int
    what: str


@dataclass
class ServedGame:
    """One game: its number from 0, the deals that its own is among and its place there, and the position now.

    The score counts for the seat `ours`. Its number goes to the next client unless it has `counted`.
    """

    number: int
    deals: Deals
    which: int
    ours: int
    position: Position
    counted: bool = False

    def moved(self, seat: int) -> bool:
        """Whether that seat has made a move: a client that looks in and leaves has played no game."""
        return any(ply.seat == seat for ply in self.position.history()[self.deals.opening_plies :])

    def points(self, fault: GameFault | None) -> tuple[int, int]:
        """Points by seat. The seat at fault loses, by one point if not by more, as in a match."""
        points = list(self.position.points)
        if fault is not None:
            points[fault.seat] = min(points[fault.seat], points[1 - fault.seat] - 1)
        return points[0], points[1]


class ServedGames:
    """All games of a server, which is `done` after as many as it was asked for.

    Deals are those of `rulebots match` with the same seed. Seats are taken in turns, or, if the `deal_begins` and
    deals are not mirrored, as each deal's own chance says.

    Raises:
        UsageError: a wrong option. FileError: the folder of records cannot be written to.
    """

    def __init__(
        self, game: Game, settings: HostSettings, options: Mapping[str, int], *, deal_begins: bool = False
    ) -> None:
        self.game, self.options = game, options
        self._settings, self._deal_begins = settings, deal_begins
        self._stream, self._drawn = DealStream(game, settings.seed, options=options), list[Deals]()
        self._free: list[int] = []
        self._begun = 0
        self._turn = asyncio.Condition()
        self.score = Score()
        self.done = asyncio.Event()
        #: Room for players that think at the same time.
        self.working = asyncio.Semaphore(os.cpu_count() or 1)
        self._folder = None if settings.record is None else RecordFolder(settings.record)
        self._served(0)  # what has to be compiled is, before anybody waits for it

    @contextlib.asynccontextmanager
    async def next(self) -> AsyncIterator[ServedGame | None]:
        """A block with the next game; None if enough have been played.

        While the last ones go on, it waits: a client that has one may leave before the first move.
        """
        number = await self._number()
        if number is None:
            yield None
            return
        served = self._served(number)
        try:
            yield served
        except BaseException:  # Ctrl-C, or a bug in the server
            self.score.cut_off += not served.counted
            raise
        finally:
            if not served.counted:
                heapq.heappush(self._free, number)
            elif self._settings.games is not None and self.score.games >= self._settings.games:
                self.done.set()
            async with self._turn:
                self._turn.notify_all()

    async def _number(self) -> int | None:
        async with self._turn:
            await self._turn.wait_for(lambda: self._free or self._begun != self._settings.games or self.done.is_set())
            if self.done.is_set():
                return None
            if self._free:
                return heapq.heappop(self._free)
            self._begun += 1
            return self._begun - 1

    def _served(self, number: int) -> ServedGame:
        deal = number // 2 if self._settings.mirrored else number
        block, which = divmod(deal, _AT_ONCE)
        while len(self._drawn) <= block:
            self._drawn.append(self._stream.take(_AT_ONCE))
        deals = self._drawn[block]
        by_chance = self._deal_begins and not self._settings.mirrored
        ours = int(deals.openings[which]) % 2 if by_chance else number % 2
        return ServedGame(number, deals, which, ours, after_opening(deals, which)[0])

    async def play(self, served: ServedGame, playing: Awaitable[GameFault | None]) -> GameFault | None:
        """Play a game to its end. What breaks it off is the fault of the side to move, unless `playing` says whose."""
        seconds = self._settings.limits.total_seconds
        try:
            async with asyncio.timeout(seconds):
                return await playing
        except TimeoutError:
            return GameFault(served.position.mover, f"had the move after {seconds:g} s of play")
        except (ProtocolError, PlayerFault) as error:
            return GameFault(served.position.mover, str(error))

    async def settle(self, served: ServedGame, seats: Sequence[Seat], fault: GameFault | None) -> None:
        """A game is over: tell the players, and count it, unless a client has left before its first move."""
        for number, seat in enumerate(seats):
            if fault is None or number != fault.seat:
                try:
                    await seat.end(served.points(fault))
                except PlayerFault as failed:
                    self._settings.say(str(failed))
        names = [seat.name for seat in seats]
        if fault is None or served.moved(fault.seat) or not seats[fault.seat].is_client:
            self._count(served, names, fault)
        else:
            self._settings.say(f"{names[fault.seat]} {fault.what}: no game")

    def _count(self, served: ServedGame, names: Sequence[str], fault: GameFault | None) -> None:
        """Count a game between players with these names by seat: a line, the score, and the record."""
        served.counted = True
        position, ours = served.position, served.ours
        points, stalled = served.points(fault), position.stalled and fault is None
        mine, other = points[ours], points[1 - ours]
        self.score.count(mine, other, stalled=stalled, fault=fault is not None)
        how = ""
        if fault is not None:
            how = f"; {names[fault.seat]} {fault.what}, and loses"
        elif stalled:
            how = f"; nobody has won after {self.game.ply_cap} moves"
        line = f"game {served.number + 1}: {names[ours]} against {names[1 - ours]}, {mine} to {other}{how}"
        self._settings.say(line)
        if self._folder is not None:
            by_side = names[ours], names[1 - ours]
            try:
                self._folder.write(served.number + 1, by_side, ours, served.deals, served.which, position, line)
            except FileError as error:  # the other games go on
                self._settings.say(str(error))


@dataclass
class Score:
    """The games of a server or a client so far, from one side."""

    games: int = 0
    #: How many were `won`, `lost`, `drawn` or `stalled`, and how many of these ended `by fault`.
    ends: Counter[str] = field(default_factory=Counter)
    mine: int = 0
    other: int = 0
    #: Games that went on when the server ended, or that a bug in it has ended; they count for nobody.
    cut_off: int = 0

    def count(self, mine: int, other: int, *, stalled: bool = False, fault: bool = False) -> None:
        """Another game; a fault has decided it already in the points."""
        self.games += 1
        self.ends["stalled" if stalled else "won" if mine > other else "lost" if mine < other else "drawn"] += 1
        self.ends["by fault"] += fault
        self.mine += mine
        self.other += other

    def line(self, name: str) -> str:
        """The score in a line: `champion: 12 won, 7 lost, 1 drawn of 20 games; 31.2 to 20.4 points a game`."""
        rest = f"; {self.cut_off:,} {'was' if self.cut_off == 1 else 'were'} cut off" if self.cut_off else ""
        if not self.games:
            return f"no game was played{rest}"
        ends = self.ends
        always = ("won", "lost", "drawn")
        told = ", ".join(f"{ends[e]:,} {e}" for e in (*always, "stalled", "by fault") if ends[e] or e in always)
        points = f"{self.mine / self.games:.1f} to {self.other / self.games:.1f} points a game"
        return f"{name}: {told} of {self.games:,} game{'s' * (self.games > 1)}; {points}{rest}"


class Lobby(Generic[C]):
    """Where clients wait for each other: in pairs, in the order in which they come.

    `gone` tells whether a waiting client has left; then another one takes its place, and it plays no game.
    """

    def __init__(self, gone: Callable[[C], bool] = lambda _: False) -> None:
        self._gone = gone
        self._waiting: tuple[C, asyncio.Event] | None = None

    async def meet(self, client: C, play: Callable[[C, C], Awaitable[None]]) -> None:
        """Wait for another client, or play with the one that waits; both return when that is over."""
        await asyncio.sleep(SETTLING)
        if self._waiting is not None and self._gone(self._waiting[0]):
            self._waiting[1].set()
            self._waiting = None
        if self._waiting is None:
            over = asyncio.Event()
            self._waiting = waiting = (client, over)
            try:
                await over.wait()
            finally:
                if self._waiting is waiting:
                    self._waiting = None
            return
        (first, over), self._waiting = self._waiting, None
        try:
            await play(first, client)
        finally:
            over.set()
