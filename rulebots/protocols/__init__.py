"""Programs in other languages play here, and rulebots players play in other programs, by exchanging lines.

A protocol is sans-I/O (h11's way: https://h11.readthedocs.io): one file turns lines into positions and moves, and moves
into lines; it knows no socket, no process and no clock, so that text alone tests it. Here are the two sides of a
conversation: a `Referee` knows the game and asks the other side for moves; an `Engine` is asked by it. Both take one
line of the other side, without its end, and return what it means; what they want to say they return as lines.

What carries the lines is written once, and reads the time: `child_process` runs a program, `program_player` makes it a
player, and `stdio` lets a program ask a player. Network connections are in `rulebots.servers`.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulebots.errors import UsageError, shown
from rulebots.game import Moves
from rulebots.game.position import Position
from rulebots.players.player import Observed, Shown

#: Seconds that a message may travel, beyond what the player may think: nobody loses by what the system does.
LAG = 0.1
#: Where a referee tells the seconds of a whole game, a move gets one of this many shares; and the least that it gets.
SHARES = 20
LEAST = 0.01


class ProtocolError(UsageError):
    """The other side broke the protocol. The message follows its name: `sent 'hallo': expected ...`.

    It may quote anything that came, and is one line.
    """

    exit_code = 1

    def __init__(self, message: str) -> None:
        super().__init__("".join(c if c.isprintable() else "?" for c in message))


class LineTooLong(ProtocolError):
    """A line is longer than the protocol allows: nothing after it can be understood."""

    def __init__(self, longest: int) -> None:
        super().__init__(f"sent a line of more than {longest:,} bytes")


def sent(line: str, expected: str) -> ProtocolError:
    """What to raise for a line that is not what was expected."""
    return ProtocolError(f"sent '{shown(line)}': expected {expected}")


def line_of(data: bytes) -> str:
    """A line without its end, LF or CR LF, nor the mark that some programs begin with (U+FEFF).

    Raises:
        ProtocolError: it is not UTF-8; lines after it can be read.
    """
    try:
        return data.decode("utf-8-sig").removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError:
        raise ProtocolError(f"sent {data[:20]!r}: expected text in UTF-8") from None


def bytes_of(lines: Sequence[str], end: str = "\n") -> bytes:
    """Lines as they are sent."""
    return "".join(f"{line}{end}" for line in lines).encode("utf-8", "backslashreplace")


@dataclass
class Clock:
    """The clock of one seat in one game: seconds for a move, and for all moves of the game; None is no limit.

    Moments are `time.monotonic()`, which the caller reads.
    """

    move_seconds: float | None = None
    game_seconds: float | None = None
    #: Seconds that all decisions of the game have taken.
    used: float = 0.0
    _since: float = field(default=0.0, repr=False)

    @property
    def left(self) -> float | None:
        """Seconds that are left of the game's, not below 0."""
        return None if self.game_seconds is None else max(0.0, self.game_seconds - self.used)

    @property
    def allowed(self) -> float | None:
        """Seconds that the next decision may take; None for no limit."""
        return min((limit for limit in (self.move_seconds, self.left) if limit is not None), default=None)

    def start(self, now: float) -> float | None:
        """A decision begins: the moment after which its answer is too late, None for never.

        If nothing is left of the game's time, that is now.
        """
        self._since = now
        allowed = self.allowed
        return None if allowed is None else now + allowed + (LAG if allowed > 0 else 0)

    def stop(self, now: float) -> None:
        """The decision has been made; its seconds are used up."""
        self.used += now - self._since


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
    """The asking side of a conversation with one foreign player. One object for one connection.

    The order of calls is `greet`, then `receive` until `ready`; then for each game `begin`, for each decision `ask` and
    `receive` until that gives an `Answer`, and `end`; at last `leave`. They return the lines to send, without their
    ends.
    """

    #: Whether the greetings are over, so that a game can begin.
    ready: bool = True
    #: The most bytes of a line from the other side.
    longest_line: int = 65_536
    #: What the other side has to speak, as a message about a silent program names it.
    language: str = "this protocol"

    @abstractmethod
    def greet(self) -> list[str]:
        """What to say first."""

    @abstractmethod
    def begin(self, seat: int, options: Mapping[str, int], clock: Clock) -> list[str]:
        """A game begins, in which the other side has that seat."""

    @abstractmethod
    def ask(self, seen: Shown, moves: Moves, clock: Clock) -> list[str]:
        """A decision is due; `moves`, int64[n], are the legal ones."""

    @abstractmethod
    def receive(self, line: str) -> Answer | None:
        """The answer that a line is; None for another line, such as a greeting or a remark.

        Raises:
            ProtocolError: it breaks the protocol.
        """

    def end(self, points: tuple[int, ...]) -> list[str]:
        """The game is over, or has stalled, with these points by seat."""
        return []

    def refuse(self, what: str) -> list[str]:
        """Say that the other side broke the protocol or the law; nothing follows."""
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
    """A game begins, in which our player has that seat. The next `Begin` or `End` ends it."""

    seat: int
    options: Mapping[str, int]


@dataclass(frozen=True)
class Decide:
    """Our player has to choose one of `moves`, int64[n].

    `seen` is all that is known here: a position (in a game that hides something, one that agrees with all that was
    told), or if the protocol tells no more, what our seat observes. `seconds` is how long the decision may take, None
    for no limit. `ticket` names the question in the answer.
    """

    seen: Position | Observed
    moves: Moves
    seconds: float | None = None
    ticket: int = 0


@dataclass(frozen=True)
class Stop:
    """The decision with that ticket is no longer wanted, or wanted now."""

    ticket: int = 0


@dataclass(frozen=True)
class End:
    """A game is over; `points` are those by seat, None if they are not told."""

    points: tuple[int, ...] | None


@dataclass(frozen=True)
class Bye:
    """The other side wants nothing more."""


#: What a line from the other side means to an engine.
Event = Say | Begin | Decide | Stop | End | Bye


class Engine(ABC):
    """The asked side of a conversation with a foreign referee. One object for one connection."""

    #: The most bytes of a line from the other side.
    longest_line: int = 65_536

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
