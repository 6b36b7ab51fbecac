"""The games of a server: their numbers and deals, who breaks one off, the score, and a record of each."""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from rulebots.errors import FileError
from rulebots.files import free_name, refuse_unwritable, unwritable, write_new
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.play.deals import Deals, DealStream
from rulebots.play.loop import after_opening
from rulebots.players import PlayerFault, named_apart
from rulebots.protocols.protocol import ProtocolError
from rulebots.records import Record, RecordedGame, Result, record_text, rows_of
from rulebots.servers.hosting import HostTerms
from rulebots.servers.score import Score

T = TypeVar("T")
#: Deals that are drawn at once.
_AT_ONCE = 64


@dataclass(frozen=True)
class Fault:
    """Who has ended a game before its end, and how, as words that follow its name."""

    seat: int
    what: str


@dataclass
class Hosted:
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
        """Whether that seat has made a move: who looks in and leaves has played no game."""
        return any(ply.seat == seat for ply in self.position.history()[self.deals.opening_plies :])

    def points(self, fault: Fault | None) -> tuple[int, int]:
        """Points by seat. Who is at fault loses, by one point if not by more, as in a match."""
        points = list(self.position.points)
        if fault is not None:
            points[fault.seat] = min(points[fault.seat], points[1 - fault.seat] - 1)
        return points[0], points[1]


class HostedGames:
    """All games of a server, which is `done` with so many.

    Deals are those of `rulebots match` with the same seed. Seats are taken in turns, or, where the `deal_begins` and
    deals are not mirrored, as each deal's own chance wants it.

    Raises:
        UsageError: a wrong option. FileError: the folder of records cannot be written to.
    """

    def __init__(self, game: Game, terms: HostTerms, options: Mapping[str, int], *, deal_begins: bool = False) -> None:
        self.game, self.options = game, options
        self._terms, self._deal_begins = terms, deal_begins
        self._stream, self._drawn = DealStream(game, terms.seed, options=options), list[Deals]()
        self._free: list[int] = []
        self._begun = 0
        self._turn = asyncio.Condition()
        self.score = Score()
        self.done = asyncio.Event()
        #: The room for players of ours that think at the same time.
        self.working = asyncio.Semaphore(os.cpu_count() or 1)
        if terms.record is not None:
            _writable(terms.record)
        self._hosted(0)  # what has to be compiled is, before anybody waits for it

    @contextlib.asynccontextmanager
    async def next(self) -> AsyncIterator[Hosted | None]:
        """A block with the next game; None if there are enough.

        Where the last ones go on, it waits: who has one may leave before the first move.
        """
        number = await self._number()
        if number is None:
            yield None
            return
        hosted = self._hosted(number)
        try:
            yield hosted
        except BaseException:  # Ctrl-C, or a bug of ours
            self.score.cut_off += not hosted.counted
            raise
        finally:
            if not hosted.counted:
                heapq.heappush(self._free, number)
            elif self._terms.games is not None and self.score.games >= self._terms.games:
                self.done.set()
            async with self._turn:
                self._turn.notify_all()

    async def _number(self) -> int | None:
        async with self._turn:
            await self._turn.wait_for(lambda: self._free or self._begun != self._terms.games or self.done.is_set())
            if self.done.is_set():
                return None
            if self._free:
                return heapq.heappop(self._free)
            self._begun += 1
            return self._begun - 1

    def _hosted(self, number: int) -> Hosted:
        deals, which = self._deal(number // 2 if self._terms.mirrored else number)
        by_chance = self._deal_begins and not self._terms.mirrored
        ours = int(deals.openings[which]) % 2 if by_chance else number % 2
        return Hosted(number, deals, which, ours, after_opening(deals, which)[0])

    def _deal(self, number: int) -> tuple[Deals, int]:
        block, place = divmod(number, _AT_ONCE)
        while len(self._drawn) <= block:
            self._drawn.append(self._stream.take(_AT_ONCE))
        return self._drawn[block], place

    def count(self, hosted: Hosted, names: Sequence[str], fault: Fault | None) -> None:
        """A game is over, between players with these names by seat: a line, the score, and the record."""
        hosted.counted = True
        position, ours = hosted.position, hosted.ours
        points, stalled = hosted.points(fault), position.stalled and fault is None
        mine, other = points[ours], points[1 - ours]
        self.score.count(mine, other, stalled=stalled, fault=fault is not None)
        how = ""
        if fault is not None:
            how = f"; {names[fault.seat]} {fault.what}, and loses"
        elif stalled:
            how = f"; nobody has won after {self.game.ply_cap} moves"
        line = f"game {hosted.number + 1}: {names[ours]} against {names[1 - ours]}, {mine} to {other}{how}"
        self._terms.say(line)
        if self._terms.record is not None:
            try:
                self._write(self._terms.record, hosted, names, line)
            except FileError as error:  # the other games go on
                self._terms.say(str(error))

    def _write(self, folder: Path, hosted: Hosted, names: Sequence[str], line: str) -> None:
        """The record of a game; how it was decided follows as a remark."""
        deals, which, position, ours = hosted.deals, hosted.which, hosted.position, hosted.ours
        first, second = named_apart([names[ours], names[1 - ours]])
        ended = position.over or position.stalled
        game = RecordedGame(
            game=self.game,
            number=1,
            names=(first, second),
            begins=1 if ours == 0 else 2,
            options={name: int(deals.options[name]) for name in self.game.options},
            deal=tuple(deals.cards[which].tolist()),
            rows=rows_of(self.game, [ply.move for ply in position.history()], deals.opening_plies),
            result=Result(position.points, position.stalled) if ended else Result(None),
            luck=(int(deals.luck[which, 0]), int(deals.luck[which, 1])),
            chance=int(deals.outcomes[which]) if self.game.chance else None,
        )
        record = Record(self.game, game.names, game.options, (game,), opening_plies=deals.opening_plies)
        write_new(free_name(folder / f"game-{hosted.number + 1:04}.txt"), f"{record_text(record)}# {line}\n")


async def course(playing: Awaitable[Fault | None], position: Position, seconds: float) -> Fault | None:
    """Play a game to its end; what breaks it off is the fault of who has the move then, unless `playing` says whose."""
    try:
        async with asyncio.timeout(seconds):
            return await playing
    except TimeoutError:
        return Fault(position.mover, f"had the move after {seconds:g} s of play")
    except (ProtocolError, PlayerFault) as error:
        return Fault(position.mover, str(error))


class Lobby(Generic[T]):
    """Where clients wait for each other: two and two, in the order in which they come.

    `gone` says whether a client that has waited is there no more: then another takes its place, and it plays no game.
    """

    def __init__(self, gone: Callable[[T], bool] = lambda _: False) -> None:
        self._gone = gone
        self._waiting: tuple[T, asyncio.Event] | None = None

    async def meet(self, client: T, play: Callable[[T, T], Awaitable[None]]) -> None:
        """Wait for another client, or play with the one that waits; both come back when that is over."""
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


def _writable(folder: Path) -> None:
    """Make a folder if there is none. Raises OutputError where files cannot be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise unwritable(folder, error) from None
    refuse_unwritable(folder / "game")
