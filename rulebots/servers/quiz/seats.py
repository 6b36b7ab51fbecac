"""Who sits at a table of the quiz: a client, a player of ours, or a person at our terminal."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence

from rulebots.protocols.protocol import ProtocolError
from rulebots.servers.hosting import PERSON
from rulebots.servers.lines import Lines
from rulebots.servers.network import Peer, in_thread
from rulebots.servers.our_side import OurSide
from rulebots.servers.quiz.engine import QuizEngine
from rulebots.servers.quiz.table import Table, Told

#: Answers in a row that are refused: the quiz's own DumbPlayer tries eight.
MOST_REFUSALS = 100
_PIECE = 4096


class Seat(ABC):
    """One side of a game. Its `name` is for whoever runs the server."""

    name: str

    async def tell(self, lines: Iterable[str]) -> None:  # noqa: B027 - our players are told nothing
        """Show lines. Raises ProtocolError where they cannot be shown."""

    @abstractmethod
    async def move(self, table: Table) -> Sequence[Told]:
        """Make a move at the table, where it is this seat's turn; gives what everybody is told of it.

        Raises:
            ProtocolError, PlayerFault: there is none.
        """

    async def end(self, points: tuple[int, int]) -> None:  # noqa: B027 - clients are told in lines
        """The game is over."""


class _Answering(Seat):
    """A seat that answers in lines."""

    @abstractmethod
    async def line(self) -> str:
        """The next one. Raises ProtocolError."""

    async def move(self, table: Table) -> Sequence[Told]:
        """Ask until an answer is a move."""
        for _ in range(MOST_REFUSALS):
            made, told = table.answer(await self.line())
            if made:
                return told
            await self.tell(line for _, line in told)
        raise ProtocolError(f"gave {MOST_REFUSALS} answers in a row that are no move")


class ClientSeat(_Answering):
    """A client."""

    def __init__(self, peer: Peer) -> None:
        self._peer, self.name = peer, peer.name

    async def tell(self, lines: Iterable[str]) -> None:
        """Send them."""
        await self._peer.send(lines)

    async def line(self) -> str:
        """What it sends."""
        return await self._peer.receive()


class PersonSeat(_Answering):
    """A person at our terminal, who sees what a client would."""

    name = PERSON

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._lines = Lines(QuizEngine.longest_line)

    async def tell(self, lines: Iterable[str]) -> None:
        """Print them."""
        for line in lines:
            self._say(line)

    async def line(self) -> str:
        """What is typed."""
        # Not by `sys.stdin`, whose lock a thread that waits would hold at the end of the program.
        while (typed := self._lines.next()) is None:
            data = await in_thread(lambda: os.read(0, _PIECE))
            if not data:
                raise ProtocolError("left the game")
            self._lines.feed(data)
        return typed


class PlayerSeat(Seat):
    """A player of ours in one game."""

    def __init__(self, ours: OurSide) -> None:
        self.name, self._ours = ours.name, ours

    async def move(self, table: Table) -> Sequence[Told]:
        """The player's decision."""
        return table.play(await self._ours.decide(table.position))

    async def end(self, points: tuple[int, int]) -> None:
        """Tell the player. Raises PlayerFault where it fails at that."""
        await self._ours.end(points)
