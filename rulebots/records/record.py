"""What a record holds: games with their players, options, deals, moves and results; and its text."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from rulebots.errors import demand
from rulebots.files import InputError, free_name, refuse_unwritable, unwritable, write_new
from rulebots.game import Game, Ints
from rulebots.game.checks import expect
from rulebots.game.position import Position
from rulebots.packages import origin_of_game
from rulebots.play.deals import Deals
from rulebots.play.match import MatchSettings, OpenMatch, play_blocks, with_result
from rulebots.play.results import Games, MatchResult, no_games
from rulebots.players import Player, PlayerFault, name_of, named_apart

FORMAT = "rulebots-record/1"
#: Written instead of points for an unfinished game, and after them for a stalled one.
UNFINISHED = "unfinished"
STALLED = "stalled"
#: The most moves on a line.
ROW = 10
#: About as many games are played again in a second, to be written down; where there are more, the log says so.
A_SECOND = 5000
_LOG = logging.getLogger("rulebots.records")


class RecordError(InputError):
    """A record that cannot be read, or whose moves do not lead to its points or result: `file:line: message`."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of moves as text; `first` is the ply of its first move, counted from 1.

    `points` are those of the seats after its last move, if the line gives them.
    """

    first: int
    moves: tuple[str, ...]
    points: tuple[int, ...] | None = None
    opening: bool = False
    line: int = 0

    @property
    def last(self) -> int:
        """The ply of its last move."""
        return self.first + len(self.moves) - 1


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: the points of the seats, or None for an unfinished game."""

    points: tuple[int, ...] | None
    stalled: bool = False
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        if self.points is None:
            return UNFINISHED
        return " ".join([*map(str, self.points), *[STALLED] * self.stalled])


NO_RESULT = Result(None)


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """One game of player 1, player 2 and so on (`names`); `players` holds the player in each seat, from 1 on.

    `deal` is a row of the game's `draw_deals`. `luck` holds the initial random states of the seats' players, `chance`
    the one that outcomes of chance are drawn from; None if the record does not give them. `line` is the first line of
    the game in the file, 0 without a file.
    """

    game: Game
    number: int
    names: tuple[str, ...]
    players: tuple[int, ...]
    options: Mapping[str, int]
    deal: tuple[int, ...]
    rows: tuple[Row, ...]
    result: Result
    luck: tuple[int, ...] | None = None
    chance: int | None = None
    #: The position in which the game began, as `Position.to_text` writes it, if not that of its deal.
    position: str = ""
    source: str = "record"
    line: int = 0
    deal_line: int = 0

    @property
    def begins(self) -> int:
        """The player in seat 0."""
        return self.players[0]

    @property
    def seats(self) -> tuple[str, ...]:
        """The players' names by seat."""
        return tuple(self.names[player - 1] for player in self.players)

    @property
    def plies(self) -> int:
        """The number of moves, those of the opening included."""
        return sum(len(row.moves) for row in self.rows)

    @property
    def opening(self) -> int:
        """The number of random opening moves."""
        return sum(len(row.moves) for row in self.rows if row.opening)


@dataclass(frozen=True)
class Record:
    """Games of one game; `names` and `options` hold for every game that does not say otherwise.

    `seed` is the seed of the deals, None if they came from elsewhere.
    """

    game: Game
    names: tuple[str, ...]
    options: Mapping[str, int]
    games: tuple[RecordedGame, ...]
    seed: int | None = None
    opening_plies: int = 0
    source: str = "record"

    def numbered(self, number: int) -> RecordedGame:
        """Game 1, 2, 3 and so on. Raises UsageError if the record lacks it."""
        demand(
            1 <= number <= len(self.games), f"{self.source}: expected a game from 1 to {len(self.games)}, not {number}"
        )
        return self.games[number - 1]


def play_recorded(
    first: Player,
    second: Player,
    deals: int = 1000,
    seed: int = 1,
    rescue: Callable[[Record], object] | None = None,
    **settings: Unpack[MatchSettings],
) -> tuple[MatchResult, Record]:
    """`play_match` with a record of its games; players of the same name are numbered.

    If a fault or Ctrl-C ends the match after some moves, `rescue` gets the record of the games. Many of them may be
    unfinished, because games advance together.

    Raises:
        UsageError, PlayerFault: as `play_match` does. PlayInterrupted: on Ctrl-C, also while a record is being made.
    """
    match = OpenMatch(first, second, seed, **settings)
    game = match.stream.game
    drawn = match.stream.take(deals)
    names = tuple(named_apart([name_of(first), name_of(second)]))
    schedule = drawn.mirrored()
    games = no_games(game, len(schedule), game.ply_cap, drawn.seats)
    try:
        result = play_blocks([first, second], drawn, None, games, match.jobs, match.terms)
    except (PlayerFault, KeyboardInterrupt):
        so_far = record_of(names, drawn, schedule, games, seed)
        if rescue and so_far.games:
            rescue(so_far)
        raise
    with with_result(lambda: result):
        return result, record_of(names, drawn, schedule, games, seed)


def record_of(names: tuple[str, ...], deals: Deals, schedule: Ints, games: Games, seed: int | None = None) -> Record:
    """A record of the games of a schedule, int64[games, 1 + seats]: the deal, and each seat's player, 0 for `names[0]`.

    `games` must have kept their moves (`play_games(..., keep_moves=True)`). `seed` is the one that `draw_deals` drew
    the deals from, if it had no other identity. Games without a player's move are left out, and a game that did not end
    is unfinished.
    """
    game = deals.game
    played = list[RecordedGame]()
    dealt: dict[int, Position] = {}  # the last deal's: its games follow each other
    numbers = np.flatnonzero(games.plies > games.openings).tolist()
    if len(numbers) > A_SECOND:
        _LOG.info("recording %s games: about %d s", f"{len(numbers):,}", len(numbers) // A_SECOND)
    for number in numbers:
        deal, *players = schedule[number].tolist()
        seated = tuple(player + 1 for player in players)
        if deal not in dealt:
            dealt = {deal: Position(game, deals.named_options, deals.cards[deal], compiled=True)}
            dealt[deal].past = None  # nobody asks what the seats were told
        position = dealt[deal].copy()
        rows = rows_of(game, games.moves[number, : games.plies[number]].tolist(), int(games.openings[number]), position)
        played.append(recorded_game(deals, deal, names, seated, rows, result_of(position), len(played) + 1))
    return Record(game, names, deals.named_options, tuple(played), seed, deals.opening_plies)


def in_turn(begins: int, seats: int) -> tuple[int, ...]:
    """The player in each seat, from 1 on: `begins` in seat 0, and the others in turn."""
    return tuple((begins - 1 + seat) % seats + 1 for seat in range(seats))


def recorded_game(
    deals: Deals,
    which: int,
    names: tuple[str, ...],
    players: tuple[int, ...],
    rows: tuple[Row, ...] = (),
    result: Result = NO_RESULT,
    number: int = 1,
) -> RecordedGame:
    """The game of a deal, `deals[which]`, with these moves."""
    return RecordedGame(
        game=deals.game,
        number=number,
        names=names,
        players=players,
        options=deals.named_options,
        deal=tuple(deals.cards[which].tolist()),
        rows=rows,
        result=result,
        luck=tuple(deals.luck[which].tolist()),
        chance=int(deals.outcomes[which]) if deals.game.chance else None,
    )


def result_of(position: Position) -> Result:
    """The result of a game that has reached this position."""
    return Result(position.points, position.stalled) if position.over or position.stalled else NO_RESULT


class RecordFolder:
    """A folder that gets a record of each game, game-0001.txt; it is created if it does not exist.

    Raises:
        OutputError: files cannot be written there.
    """

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            raise unwritable(folder, error) from None
        refuse_unwritable(folder / "game")
        self._folder = folder

    def write(
        self, number: int, names: tuple[str, str], first: int, deals: Deals, position: Position, remark: str
    ) -> None:
        """Write the game of a deal, the only one of `deals`, that has reached this position, followed by a remark.

        `first` is the seat of the player named first. Raises OutputError.
        """
        game = position.game
        one, two = named_apart(names)
        rows = rows_of(game, [ply.move for ply in position.history()], deals.opening_plies)
        recorded = recorded_game(deals, 0, (one, two), in_turn(first + 1, 2), rows, result_of(position))
        record = Record(game, recorded.names, recorded.options, (recorded,), opening_plies=deals.opening_plies)
        write_new(free_name(self._folder / f"game-{number:04}.txt"), f"{record_text(record)}# {remark}\n")


def rows_of(game: Game, moves: Sequence[int], opening: int = 0, position: Position | None = None) -> tuple[Row, ...]:
    """Moves as lines of a record, openings apart; a `position` in which to play them gives the points."""
    rows = list[Row]()
    for start, end in ((0, opening), (opening, len(moves))):
        for first in range(start, end, ROW):
            of_row = moves[first : min(first + ROW, end)]
            if position is not None:
                for move in of_row:
                    position.play(move)
            points = None if position is None else position.points
            rows.append(Row(first + 1, tuple(_text(game, move) for move in of_row), points, end <= opening))
    return tuple(rows)


def _text(game: Game, move: int) -> str:
    """A move as the game writes it. Raises CodeError if that is not text."""
    text: Any = game.text.write(move)
    expect(game.text.write, isinstance(text, str), text, "expected some text", f" for the move {move}")
    return str(text)


def record_text(record: Record) -> str:
    """The text of a record, the same byte for byte for the same games."""
    return "".join(f"{line}\n" for line in _lines(record))


def _lines(record: Record) -> Iterator[str]:
    yield f"format: {FORMAT}"
    yield f"by: rulebots {metadata.version('rulebots')}"
    yield f"game: {origin_of_game(record.game.name) or record.game.name}"
    yield from _terms(record.game, record.names, record.options)
    if record.seed is not None:
        yield f"seed: {record.seed}"
    yield f"opening plies: {record.opening_plies}"
    yield f"games: {len(record.games)}"
    for game in record.games:
        yield ""
        yield from _game(game, record)


def _terms(game: Game, names: tuple[str, ...], options: Mapping[str, int]) -> Iterator[str]:
    yield from (f"player {number}: {' '.join(name.split())}" for number, name in enumerate(names, 1))
    if written := game.listed_options(options):
        yield f"options: {' '.join(f'{name}={value}' for name, value in written.items())}"


def _game(game: RecordedGame, record: Record) -> Iterator[str]:
    pair = sorted(game.players) == [1, 2] == list(range(1, 1 + len(game.names)))
    seated = f"player {game.begins} begins" if pair else f"players {_numbers(game.players)}"
    yield f"game {game.number}: {seated}"
    if (game.names, game.options) != (record.names, record.options):
        general = set(_terms(record.game, record.names, record.options))
        yield from (line for line in _terms(game.game, game.names, game.options) if line not in general)
    if game.deal:
        yield f"deal: {_numbers(game.deal)}"
    if game.position:
        yield f"position: {game.position}"
    if game.luck is not None:
        yield f"luck: {_numbers(game.luck)}"
    if game.chance is not None:
        yield f"chance: {game.chance}"
    for row in game.rows:
        points = "" if row.points is None else f" = {_numbers(row.points)}"
        yield f"{'opening' if row.opening else 'ply'} {row.first}: {' '.join(row.moves)}{points}"
    yield f"result: {game.result}"


def _numbers(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))
