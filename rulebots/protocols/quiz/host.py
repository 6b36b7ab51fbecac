"""The quiz's server: `rulebots host lost-cities --port 61676 --player champion`."""

from __future__ import annotations

import asyncio
import heapq
import os
from collections.abc import Sequence
from dataclasses import dataclass

from rulebots.errors import UsageError
from rulebots.game import Game, load_game
from rulebots.play.deals import Deals, DealStream
from rulebots.players import PlayerFault
from rulebots.position import Position
from rulebots.protocols.answering import warm_up
from rulebots.protocols.hosting import PERSON, HostTerms, Score
from rulebots.protocols.network import Peer, accept_forever, listening, until_interrupted
from rulebots.protocols.protocol import ProtocolError
from rulebots.protocols.quiz.engine import QuizEngine
from rulebots.protocols.quiz.seats import ClientSeat, PersonSeat, PlayerSeat, Seat
from rulebots.protocols.quiz.table import Table, Told
from rulebots.protocols.quiz.words import OPTIONS, ending

#: The game that is played.
GAME = "lost-cities"
#: Deals that are drawn at once.
_AT_ONCE = 64


@dataclass
class Outcome:
    """How a game ended: points by seat, and what decided it if that was not the law."""

    points: tuple[int, int]
    stalled: bool = False
    fault: int | None = None
    what: str = ""


def host(terms: HostTerms) -> None:
    """Serve until so many games are played, or until Ctrl-C; then say what was played.

    Raises:
        UsageError: the player plays another game, or the port cannot be had.
    """
    game = load_game(GAME)
    if terms.player is not None and terms.player.game is not game:
        raise UsageError(f"'{terms.player.name}' plays {terms.player.game.name}: the quiz is about {game.title}")
    if terms.options:
        raise UsageError("the quiz has no options: leave out --option")
    warm = Table(Position(game, OPTIONS, compiled=True))  # what has to be compiled is, before anybody waits for it
    warm.play(int(warm.position.legal_moves[0]))
    if terms.player is not None:
        warm_up(terms.player)
    asyncio.run(Server(game, terms).run())


class Server:
    """The games of one server."""

    def __init__(self, game: Game, terms: HostTerms) -> None:
        self._game, self._terms = game, terms
        self._deals = _DealsByNumber(DealStream(game, terms.seed, options=OPTIONS))
        self._free: list[int] = []
        self._begun = 0
        self._done, self._working = asyncio.Event(), asyncio.Semaphore(os.cpu_count() or 1)
        self._terminal, self._turn = asyncio.Lock(), asyncio.Condition()
        self._waiting: tuple[Peer, asyncio.Event] | None = None
        self.score = Score()

    async def run(self) -> None:
        """Serve."""
        terms = self._terms
        server = listening(terms.bind, terms.port)
        place = "{}:{}".format(*server.getsockname()[:2])
        async with until_interrupted() as stop:
            terms.say(f"listening at {place} for {self._game.title}; Ctrl-C ends it")
            serving = asyncio.create_task(accept_forever(server, terms.limits, QuizEngine.longest_line, self._attend))
            ends = [asyncio.create_task(event.wait()) for event in (stop, self._done)]
            try:
                await asyncio.wait([serving, *ends], return_when=asyncio.FIRST_COMPLETED)
            finally:
                server.close()
                for task in (serving, *ends):
                    task.cancel()
                await asyncio.gather(serving, *ends, return_exceptions=True)
        ours = "who began" if terms.pair else PERSON if terms.player is None else terms.player.name
        terms.say(self.score.line(ours))

    async def _attend(self, peer: Peer) -> None:
        """One client: a game with us, or with the next client."""
        if self._terms.pair:
            await self._pair(peer)
        elif self._terms.player is None:
            async with self._terminal:
                await self._game_with(peer)
        else:
            await self._game_with(peer)

    async def _game_with(self, peer: Peer) -> None:
        number = await self._number()
        if number is None:
            return
        ours = self._our_seat(number)
        us: Seat
        if self._terms.player is None:
            us = PersonSeat(self._terms.say)
        else:
            us = PlayerSeat(self._terms.player, ours, OPTIONS, self._working)
        seats: list[Seat] = [us, ClientSeat(peer)]
        await self._play(number, seats if ours == 0 else seats[::-1], ours)

    async def _pair(self, peer: Peer) -> None:
        """Let a client wait for another one, or play with the one that waits; both leave when the game is over."""
        if self._waiting is None:
            over = asyncio.Event()
            self._waiting = waiting = (peer, over)
            try:
                await over.wait()
            finally:
                if self._waiting is waiting:
                    self._waiting = None
            return
        first, over = self._waiting
        self._waiting = None
        try:
            number = await self._number()
            if number is not None:
                seats: list[Seat] = [ClientSeat(first), ClientSeat(peer)]
                await self._play(number, seats if number % 2 == 0 else seats[::-1], 0)
        finally:
            over.set()

    async def _number(self) -> int | None:
        """The number of the next game, from 0; None if there are enough.

        Where the last ones go on, it waits: who has one may leave before the first move.
        """
        async with self._turn:
            await self._turn.wait_for(lambda: self._free or self._begun != self._terms.games or self._done.is_set())
            if self._free:
                return heapq.heappop(self._free)
            if self._done.is_set():
                return None
            self._begun += 1
            return self._begun - 1

    def _our_seat(self, number: int) -> int:
        """Which seat we have: mirrored in turn, else by the deal's own chance."""
        if self._terms.mirrored:
            return number % 2
        deals, k = self._deals.of(number)
        return int(deals.openings[k]) % 2

    async def _play(self, number: int, seats: Sequence[Seat], ours: int) -> None:
        deals, k = self._deals.of(number // 2 if self._terms.mirrored else number)
        luck = [int(deals.luck[k, 0]), int(deals.luck[k, 1])]
        table = Table(Position(self._game, OPTIONS, deals.cards[k], luck=luck, compiled=True))
        counted = False
        try:
            outcome = await self._course(table, seats)
            at_fault = None if outcome.fault is None else seats[outcome.fault]
            counted = not isinstance(at_fault, ClientSeat) or _begun_by(table, outcome.fault or 0)
            if counted:
                self._report(number, seats, ours, outcome)
            else:
                self._terms.say(f"{seats[outcome.fault or 0].name} {outcome.what}: no game")
            if isinstance(at_fault, PersonSeat):
                self._done.set()
        finally:
            async with self._turn:
                if not counted:  # nobody has played: the next client has this game
                    heapq.heappush(self._free, number)
                self._turn.notify_all()

    async def _course(self, table: Table, seats: Sequence[Seat]) -> Outcome:
        """The game from its first line to its last."""
        told: Sequence[Told] = table.begin()
        fault, what = None, ""
        try:
            async with asyncio.timeout(self._terms.limits.total_seconds):
                while True:
                    gone = await _told(seats, told)
                    if table.over:  # whoever has gone now has lost nothing by it
                        break
                    if gone is not None:
                        fault, what = gone
                        break
                    told = await seats[table.waiting].move(table)
        except TimeoutError:
            fault, what = table.waiting, f"had the move after {self._terms.limits.total_seconds:g} s of play"
        except (ProtocolError, PlayerFault) as error:
            fault, what = table.waiting, str(error)
        points = table.position.points
        if fault is not None:
            points = _lost_by(points, fault)
            # A client whose opponent has lost by fault is told the end of the game, and not the reason.
            await _told(seats, [(1 - fault, line) for line in ending(points[1 - fault], points[fault])])
        for seat in (0, 1):
            if seat != fault:
                try:
                    await seats[seat].end(points)
                except PlayerFault as failed:
                    self._terms.say(str(failed))
        return Outcome(points, table.position.stalled and fault is None, fault, what)

    def _report(self, number: int, seats: Sequence[Seat], ours: int, outcome: Outcome) -> None:
        mine, other = outcome.points[ours], outcome.points[1 - ours]
        self.score.count(mine, other, stalled=outcome.stalled, fault=outcome.fault is not None)
        names = f"{seats[ours].name} against {seats[1 - ours].name}, {mine} to {other}"
        how = ""
        if outcome.fault is not None:
            how = f"; {seats[outcome.fault].name} {outcome.what}, and loses"
        elif outcome.stalled:
            how = f"; nobody has won after {self._game.ply_cap} moves"
        self._terms.say(f"game {number + 1}: {names}{how}")
        if self._terms.games is not None and self.score.games >= self._terms.games:
            self._done.set()


class _DealsByNumber:
    """Deals by their number, drawn when they are needed."""

    def __init__(self, stream: DealStream) -> None:
        self._stream = stream
        self._drawn: list[Deals] = []

    def of(self, number: int) -> tuple[Deals, int]:
        """The deals that this one is among, and its place there."""
        block, place = divmod(number, _AT_ONCE)
        while len(self._drawn) <= block:
            self._drawn.append(self._stream.take(_AT_ONCE))
        return self._drawn[block], place


async def _told(seats: Sequence[Seat], told: Sequence[Told]) -> tuple[int, str] | None:
    """Tell both seats what is for them; the seat that could not be told, and why."""
    gone = None
    for seat in (0, 1):
        try:
            await seats[seat].tell([line for where, line in told if where == seat])
        except ProtocolError as error:
            gone = gone or (seat, str(error))
    return gone


def _begun_by(table: Table, seat: int) -> bool:
    """Whether a seat has made a move: who looks in and leaves has played no game."""
    return any(ply.seat == seat for ply in table.position.history())


def _lost_by(points: tuple[int, int], seat: int) -> tuple[int, int]:
    """Points after a fault: it loses, by one point if not by more, as in a match."""
    mine = min(points[seat], points[1 - seat] - 1)
    return (mine, points[1]) if seat == 0 else (points[0], mine)
