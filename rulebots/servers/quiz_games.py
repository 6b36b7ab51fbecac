"""The games of the quiz's server: numbers, deals, points, score and records."""

from __future__ import annotations

import asyncio
import contextlib
import heapq
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path

from rulebots.errors import FileError
from rulebots.game import Game
from rulebots.play.deals import Deals, DealStream
from rulebots.play.stepper import after_opening
from rulebots.players import Player
from rulebots.records import RecordFolder
from rulebots.servers.connections import ConnectionLimits
from rulebots.servers.quiz_lines import OPTIONS
from rulebots.servers.quiz_table import QuizTable

#: By default only this machine can connect.
LOOPBACK = "127.0.0.1"
#: Deals that are drawn at once.
_AT_ONCE = 64


@dataclass(frozen=True)
class HostSettings:
    """Where a server listens, who plays on this side, and how many games.

    Without a `player`, a person at the terminal plays; `games` is None for any number. Deals come from the `seed`;
    `mirrored` plays each twice, with seats changed, as `rulebots match` does. `record` is the folder that gets each
    game. `say` takes the lines for the person who runs the server.
    """

    port: int
    player: Player | None = None
    bind: str = LOOPBACK
    games: int | None = None
    seed: int = 1
    mirrored: bool = False
    record: Path | None = None
    limits: ConnectionLimits = field(default_factory=ConnectionLimits)
    say: Callable[[str], None] = print


@dataclass(frozen=True)
class GameFault:
    """Which seat has broken off a game, and how, as words that follow its name."""

    seat: int
    text: str


@dataclass
class ServedGame:
    """A game with its number from 0, its deal `deals[which]`, and the seat of our side.

    A game that is not `counted` in the end is played again with the next client.
    """

    number: int
    deals: Deals
    which: int
    ours: int
    table: QuizTable
    counted: bool = False

    def moved(self, seat: int) -> bool:
        """Whether that seat has made a move; a client that leaves before has played no game."""
        return any(ply.seat == seat for ply in self.table.position.history()[self.deals.opening_plies :])

    def points(self, fault: GameFault | None) -> tuple[int, int]:
        """Points by seat. A seat at fault loses, by one point if not by more, as in a match."""
        points = list(self.table.position.points)
        if fault is not None:
            points[fault.seat] = min(points[fault.seat], points[1 - fault.seat] - 1)
        return points[0], points[1]


class ServedGames:
    """All games of a server, which is `done` after the number of games that it was asked for.

    Deals are those of `rulebots match` with the same seed. Each deal's own chance decides who begins; if deals are
    mirrored, the sides begin in turn.

    Raises:
        FileError: the folder of records cannot be written to.
    """

    def __init__(self, game: Game, settings: HostSettings) -> None:
        self._settings = settings
        self._stream = DealStream(game, settings.seed, options=OPTIONS)
        self._drawn = list[Deals]()
        self._free = list[int]()  # a heap
        self._begun = 0
        self._turn = asyncio.Condition()
        self.score = Score()
        self.done = asyncio.Event()
        self._records = None if settings.record is None else RecordFolder(settings.record)

    @contextlib.asynccontextmanager
    async def next(self) -> AsyncIterator[ServedGame | None]:
        """A block with the next game; None if enough have been played.

        While the last games go on, it waits: their clients may leave before the first move.
        """
        number = await self._next_number()
        if number is None:
            yield None
            return
        served = self.served(number)
        try:
            yield served
        except BaseException:  # Ctrl-C, or a bug in the server
            self.score.cut_off += not served.counted
            raise
        finally:
            if not served.counted:
                heapq.heappush(self._free, number)
            elif self.score.games == self._settings.games:
                self.done.set()
            async with self._turn:
                self._turn.notify_all()

    async def _next_number(self) -> int | None:
        async with self._turn:
            await self._turn.wait_for(lambda: self._free or self._begun != self._settings.games or self.done.is_set())
            if self.done.is_set():
                return None
            if self._free:
                return heapq.heappop(self._free)
            self._begun += 1
            return self._begun - 1

    def served(self, number: int) -> ServedGame:
        """The game with that number, before its first move."""
        mirrored = self._settings.mirrored
        block, which = divmod(number // 2 if mirrored else number, _AT_ONCE)
        while len(self._drawn) <= block:
            self._drawn.append(self._stream.take(_AT_ONCE))
        deals = self._drawn[block]
        ours = number % 2 if mirrored else int(deals.openings[which]) % 2
        return ServedGame(number, deals, which, ours, QuizTable(after_opening(deals, which).position))

    def count(self, served: ServedGame, ours: str, theirs: str, fault: GameFault | None) -> None:
        """Count a game that is over: a line, the score, and the record."""
        served.counted = True
        position = served.table.position
        points = served.points(fault)
        mine = points[served.ours]
        other = points[1 - served.ours]
        stalled = position.stalled and fault is None
        self.score.count(mine, other, stalled=stalled, fault=fault is not None)
        line = f"game {served.number + 1}: {ours} against {theirs}, {mine} to {other}"
        if fault is not None:
            line += f"; {ours if fault.seat == served.ours else theirs} {fault.text}, and loses"
        elif stalled:
            line += f"; nobody has won after {position.game.ply_cap} moves"
        self._settings.say(line)
        if self._records is not None:
            try:
                self._records.write(
                    served.number + 1, (ours, theirs), served.ours, served.deals, served.which, position, line
                )
            except FileError as error:  # the other games go on
                self._settings.say(str(error))


@dataclass
class Score:
    """The games of a server or a client so far, from its own side."""

    games: int = 0
    #: How many were `won`, `lost`, `drawn` or `stalled`, and how many of these ended `by fault`.
    ends: Counter[str] = field(default_factory=Counter)
    mine: int = 0
    other: int = 0
    #: Games that Ctrl-C or a bug in the server has cut off; they count for nobody.
    cut_off: int = 0

    def count(self, mine: int, other: int, *, stalled: bool = False, fault: bool = False) -> None:
        """Count another game; its points show already who lost by fault."""
        self.games += 1
        self.ends["stalled" if stalled else "won" if mine > other else "lost" if mine < other else "drawn"] += 1
        self.ends["by fault"] += fault
        self.mine += mine
        self.other += other

    def line(self, name: str) -> str:
        """The score in a line: `champion: 12 won, 7 lost, 1 drawn of 20 games; 31.2 to 20.4 points a game`."""
        cut_off = f"; {self.cut_off:,} {'was' if self.cut_off == 1 else 'were'} cut off" if self.cut_off else ""
        if not self.games:
            return f"no game was played{cut_off}"
        ends = [f"{self.ends[end]:,} {end}" for end in ("won", "lost", "drawn")]
        ends += [f"{self.ends[end]:,} {end}" for end in ("stalled", "by fault") if self.ends[end]]
        points = f"{self.mine / self.games:.1f} to {self.other / self.games:.1f} points a game"
        return f"{name}: {', '.join(ends)} of {self.games:,} game{'s' * (self.games > 1)}; {points}{cut_off}"
