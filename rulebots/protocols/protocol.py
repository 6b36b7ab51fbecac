"""The two sides of a conversation in lines, without sockets, processes and clocks (h11's way: https://h11.readthedocs.io).

A `Referee` knows the game and asks the other side for moves; an `Engine` is asked by it. Both take a line of the other
side's, without its end, and give back what it means; what they want to say they give back as lines. Who drives them
owns the transport and the clock.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulebots.errors import UsageError, shown
from rulebots.game import Moves
from rulebots.game.position import Position
from rulebots.players.player import Observed, Shown
from rulebots.protocols.clock import Clock


class ProtocolError(UsageError):
    """The other side broke the protocol. The message follows its name: `sent 'hallo': expected ...`.

    It may quote anything that came, and is one line.
    """

    exit_code = 1

    def __init__(self, message: str) -> None:
        super().__init__("".join(c if c.isprintable() else "?" for c in message))


def sent(line: str, expected: str) -> ProtocolError:
    """What to raise for a line that is not what was expected."""
    return ProtocolError(f"sent '{shown(line)}': expected {expected}")


@dataclass(frozen=True)
class Answer:
    """A move, with what the player says about it: a message, and how good it thinks its position is."""

    move: int
    message: str = ""
    evaluation: float | None = None

    @property
    def effort(self) -> tuple[str, ...]:
        """The same in words, for a person at the board."""
        evaluation = () if self.evaluation is None else (f"evaluation {self.evaluation:g}",)
        return (*evaluation, *([self.message] if self.message else ()))


class Referee(ABC):
    """Our side of a conversation with one player over there: we ask, it answers. One object for one connection.

    The order of calls is `greet`, then `receive` until `ready`; then for each game `begin`, for each decision `ask` and
    `receive` until that gives an `Answer`, and `end`; at last `leave`. They give the lines to send, without their ends.
    """

    #: Whether the greetings are over, so that a game can begin.
    ready: bool = True
    #: The most bytes of a line from the other side.
    longest_line: int = 65_536

    def greet(self) -> list[str]:
        """What to say first."""
        return []

    @abstractmethod
    def begin(self, seat: int, options: Mapping[str, int], clock: Clock) -> list[str]:
        """A game begins, in which the other side has that seat."""

    @abstractmethod
    def ask(self, seen: Shown, moves: Moves, clock: Clock) -> list[str]:
        """A decision is due; `moves`, int64[n], are the legal ones."""

    @abstractmethod
    def receive(self, line: str) -> Answer | None:
        """The answer that a line is; None for a line that is none, such as a greeting or a remark.

        Raises:
            ProtocolError: it breaks the protocol.
        """

    def replies(self) -> list[str]:
        """What the latest line is answered with at once; asked for after each `receive` that gave None."""
        return []

    def end(self, points: tuple[int, int]) -> list[str]:
        """The game is over, or has stalled, with these points by seat."""
        return []

    def refuse(self, what: str) -> list[str]:
        """The other side broke the protocol or the law, and is told so; nothing follows."""
        return []

    def leave(self) -> list[str]:
        """Nothing more will be played."""
        return []


@dataclass(frozen=True)
class Say:
    """A line to send at once."""

    line: str


@dataclass(frozen=True)
class Begin:
    """A game begins, in which we have that seat. `game` tells games apart that are played at the same time."""

    seat: int
    options: Mapping[str, int]
    game: int = 0


@dataclass(frozen=True)
class Decide:
    """We have to choose one of `moves`, int64[n].

    `seen` is all that is known here: a position (of a game that hides something one that agrees with all that we were
    told), or where the protocol tells no more, what our seat observes. `seconds` is how long the decision may take,
    None for any time. `ticket` names the question in the answer, `game` is that of its `Begin`.
    """

    seen: Position | Observed
    moves: Moves
    seconds: float | None = None
    ticket: int = 0
    game: int = 0


@dataclass(frozen=True)
class Stop:
    """The decision of that ticket is no longer wanted, or wanted now."""

    ticket: int = 0


@dataclass(frozen=True)
class End:
    """A game is over; `points` are those by seat, None where they are not told. `how` says it in words."""

    points: tuple[int, int] | None
    how: str = ""
    game: int = 0


@dataclass(frozen=True)
class Bye:
    """The other side wants nothing more."""


#: What a line from the other side means to an engine.
Event = Say | Begin | Decide | Stop | End | Bye


class Engine(ABC):
    """Our side of a conversation with a referee over there: it asks, we answer. One object for one connection."""

    #: The most bytes of a line from the other side.
    longest_line: int = 65_536

    def greet(self) -> list[str]:
        """What to say first, unasked."""
        return []

    @abstractmethod
    def receive(self, line: str) -> Sequence[Event]:
        """What a line means, in order.

        Raises:
            ProtocolError: it breaks the protocol. `complain` says that to the other side.
        """

    @abstractmethod
    def answer(self, asked: Decide, move: int, about: Any = None) -> list[str]:
        """Our move. `about` is the result of a search, if it made one."""

    def fail(self, asked: Decide, what: str) -> list[str]:
        """Our player has no move, for the reason `what`."""
        return []

    def complain(self, error: ProtocolError) -> list[str]:
        """What to say of a line that broke the protocol."""
        return []

    def closed(self) -> Sequence[Event]:
        """The other side has gone: what that means. Raises ProtocolError in the middle of a game."""
        return [Bye()]
