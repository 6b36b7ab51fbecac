"""What a record holds: games between two players, each with its options, deal, moves and result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulebots.errors import FileError, UsageError
from rulebots.game import Game

FORMAT = "rulebots-record/1"
#: Written instead of points for an unfinished game, and after them for a stalled one.
UNFINISHED, STALLED = "unfinished", "stalled"


class RecordError(FileError):
    """A record that cannot be read, or whose moves do not lead to what it says: `file:line: message`."""

    def __init__(self, source: str, line: int, message: str) -> None:
        super().__init__(f"{source}:{line}: {message}" if line else f"{source}: {message}")
        self.source = source
        self.line = line


@dataclass(frozen=True)
class Row:
    """One line of moves as text; `first` is the ply of its first move, counted from 1.

    `points` are those of seat 0 and seat 1 after its last move, if the line gives them.
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
    """How a game ended: the points of seat 0 and seat 1, or None for an unfinished game."""

    points: tuple[int, int] | None
    stalled: bool = False
    line: int = 0


@dataclass(frozen=True)
class RecordedGame:
    """One game between player 1 and player 2 (`names`); `begins` says which of them, 1 or 2, has seat 0.

    `deal` is what chance decided, as a row of the game's `draw_deals`. `luck` holds the initial random states of the
    two seats' players, `chance` the one that outcomes of chance are drawn from, None if the record does not give them.
    `line` is the line of the file at which the game begins, 0 without a file.
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
    chance: int | None = None
    #: The position in which the game began, as `Position.to_text` writes it, if not that of its deal.
    position: str = ""
    source: str = "record"
    line: int = 0
    deal_line: int = 0

    @property
    def seats(self) -> tuple[str, str]:
        """The players' names by seat."""
        return self.names if self.begins == 1 else (self.names[1], self.names[0])

    @property
    def plies(self) -> int:
        """The number of moves, those of the opening included."""
        return sum(len(row.moves) for row in self.rows)

    @property
    def opening(self) -> int:
        """The number of random moves that the game began with."""
        return sum(len(row.moves) for row in self.rows if row.opening)


@dataclass(frozen=True)
class Record:
    """Games of one game; `names` and `options` hold for every game that does not say otherwise.

    `seed` is what the deals were drawn from, None if they came from elsewhere.
    """

    game: Game
    names: tuple[str, str]
    options: Mapping[str, int]
    games: tuple[RecordedGame, ...]
    seed: int | None = None
    opening_plies: int = 0
    source: str = "record"

    def numbered(self, number: int) -> RecordedGame:
        """Game 1, 2, 3 and so on. Raises UsageError if the record lacks it."""
        if not 1 <= number <= len(self.games):
            raise UsageError(f"{self.source}: expected a game from 1 to {len(self.games)}, not {number}")
        return self.games[number - 1]
