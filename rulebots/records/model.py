"""What a record is: games of two players with one set of options, each with its deal, moves and result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulebots.errors import FileError, UsageError
from rulebots.game import Game

FORMAT = "rulebots-record/1"
#: Written in place of points, or after them, for a game without a proper end.
UNFINISHED, STALLED = "unfinished", "stalled"


class RecordError(FileError):
    """A record that cannot be read, or whose moves do not give what it says: `file:line: message`."""

    def __init__(self, source: str, line: int, message: str) -> None:
        super().__init__(f"{source}:{line}: {message}" if line else f"{source}: {message}")
        self.source = source
        self.line = line


@dataclass(frozen=True)
class Row:
    """One line of moves as text; `first` is the ply of its first move, counted from 1.

    `points` are those of seat 0 and seat 1 after its last move, where the line gives them.
    """

    first: int
    moves: tuple[str, ...]
    points: tuple[int, int] | None = None
    opening: bool = False
    line: int = 0

    @property
    def last(self) -> int:
        """The ply of its last move."""
        return self.first + len(self.moves) - 1


@dataclass(frozen=True)
class Result:
    """How a game ended: the points of seat 0 and seat 1, None for an unfinished game."""

    points: tuple[int, int] | None
    stalled: bool = False
    line: int = 0


@dataclass(frozen=True)
class RecordedGame:
    """One game between player 1 and player 2 (`names`); `begins` says which of them, 1 or 2, has seat 0.

    `deal` is what chance decided, as the game's `draw_deals` has it. `luck` are the random states of the two
    seats' players, None where the record does not give them. `line` is where the game begins in its file, 0
    without a file.
    """

    game: Game
    number: int
    names: tuple[str, str]
    begins: int
    options: Mapping[str, int]
    deal: tuple[int, ...]
    rows: tuple[Row, ...]
    result: Result
    luck: tuple[int, int] | None = None
    source: str = "record"
    line: int = 0
    deal_line: int = 0

    @property
    def seats(self) -> tuple[str, str]:
        """The players' names by seat."""
        return self.names if self.begins == 1 else (self.names[1], self.names[0])

    @property
    def plies(self) -> int:
        """How many moves there are, the opening's among them."""
        return sum(len(row.moves) for row in self.rows)

    @property
    def opening(self) -> int:
        """How many of them are the random moves that the game began with."""
        return sum(len(row.moves) for row in self.rows if row.opening)


@dataclass(frozen=True)
class Record:
    """Games of one game; `names` and `options` hold for every game that has none of its own.

    `seed` is what the deals were drawn from, None where they came from elsewhere.
    """

    game: Game
    names: tuple[str, str]
    options: Mapping[str, int]
    games: tuple[RecordedGame, ...]
    seed: int | None = None
    opening_plies: int = 0
    source: str = "record"

    def numbered(self, number: int) -> RecordedGame:
        """Game 1, 2, 3 and so on. Raises UsageError when there is no such game."""
        if not 1 <= number <= len(self.games):
            raise UsageError(f"{self.source}: expected a game from 1 to {len(self.games)}, not {number}")
        return self.games[number - 1]
