"""From the text of a record to its games; replaying.py checks that the moves are legal."""

import contextlib
import functools
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rulebots.errors import MOST_SEED, UsageError, shown, unknown
from rulebots.files import InputError, read_text
from rulebots.game import MOST_LUCK, Game
from rulebots.game.deal import pack_of
from rulebots.packages import load_game
from rulebots.packages.named_code import names_from_data
from rulebots.records.record import (
    FORMAT,
    STALLED,
    UNFINISHED,
    Record,
    RecordedGame,
    RecordError,
    Result,
    Row,
    in_turn,
)

_LINE = re.compile(r"([a-z]+(?: [a-z]+)*)(?: ([0-9]{1,9}))?:(?: (.*))?")
_NUMBER = re.compile(r"-?[0-9]{1,18}")
MOST_NUMBER = 10**18
HEADER = ("format", "by", "game", "player 1", "player 2", "options", "seed", "opening plies", "games")
#: Lines of a game before its moves, beside those of players.
BEFORE_MOVES = ("options", "deal", "position", "luck", "chance")
OPENING = "opening"
PLY = "ply"
PLAYER = "player"
#: The most players of a record: a game that names one of its own holds the names of all.
MOST_PLAYERS = 1000
#: The largest record that is read: some millions of games.
MOST_BYTES = 1_000_000_000


def load_record(path: str | Path) -> Record:
    """The record in a file.

    Raises:
        RecordError: the file does not exist, is not a record, or was cut or edited and cannot be read.
    """
    try:
        text = read_text(path, "record", MOST_BYTES)
    except InputError as error:
        raise RecordError(error.path, error.message, error.line, error.column) from None
    return parse_record(text, str(path))


def parse_record(text: str, source: str = "record") -> Record:
    """The record in a text. Raises RecordError, which names `source` and the line."""
    return _Reader(text, source).record()


@dataclass(frozen=True)
class _Line:
    """`word number: rest`; `number` is -1 if the line has none."""

    line: int
    word: str
    number: int
    rest: str

    @property
    def key(self) -> str:
        return self.word if self.number < 0 else f"{self.word} {self.number}"

    @property
    def names_player(self) -> bool:
        return self.word == PLAYER and self.number > 0


class _Reader:
    """Reads the lines of a record that are not blank or comments, one after another."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self._lines = enumerate((line[0].strip() for line in re.finditer(r"[^\n]*(\n|\Z)", text)), 1)
        #: The number of the last line that was read.
        self.last = 1
        self.next = self._parsed()

    def demand(self, right: bool, place: int, message: str) -> None:
        if not right:
            raise RecordError(self.source, message, place)

    @contextlib.contextmanager
    def at(self, line: _Line) -> Iterator[None]:
        """Raise what is wrong with a game or its options as a RecordError at a line."""
        try:
            yield
        except UsageError as error:
            raise RecordError(self.source, str(error), line.line) from None

    def take(self) -> _Line:
        assert self.next is not None
        line = self.next
        self.next = self._parsed()
        return line

    def _parsed(self) -> _Line | None:
        for line, text in self._lines:
            if text and not text.startswith("#"):
                self.last = line
                parts = _LINE.fullmatch(text)
                if parts is None:
                    raise RecordError(
                        self.source, f"expected 'word: ...' as lines of a record are, not '{shown(text)}'", line
                    )
                return _Line(line, parts[1], int(parts[2] or -1), (parts[3] or "").strip())
        return None

    def record(self) -> Record:
        head = self.head()
        with self.at(head["game"]), names_from_data(game="--game {}"):
            game = load_game(head["game"].rest)
        names, options = self.terms(head, game)
        games: list[RecordedGame] = []
        while self.next is not None:
            games.append(self.game(game, names, options, len(games) + 1))
        count = self.whole(head["games"])
        cut = "the record is cut short" if count > len(games) else "games were added"
        place = self.last if count > len(games) else head["games"].line
        self.demand(count == len(games), place, f"there are {len(games)} games, but the header says {count}: {cut}")
        seed = self.whole(head["seed"], MOST_SEED) if "seed" in head else None
        plies = self.whole(head["opening plies"], game.ply_cap - 1) if "opening plies" in head else 0
        return Record(game, names, options, tuple(games), seed, plies, self.source)

    def head(self) -> dict[str, _Line]:
        """The lines before the first game."""
        begins = self.next is not None and self.next.key == "format"
        self.demand(begins, self.last, f"expected 'format: {FORMAT}' as the first line of a record")
        head: dict[str, _Line] = {}
        while self.next is not None and (self.next.word != "game" or self.next.number < 0):
            line = self.take()
            if line.key not in HEADER and not line.names_player:
                raise RecordError(self.source, unknown("line", line.key, HEADER, "the head of a record"), line.line)
            first = head.setdefault(line.key, line)
            self.demand(first is line, line.line, f"'{line.key}' is there twice, first on line {first.line}")
        top = head["format"]
        named = sum(line.names_player for line in head.values())
        self.demand(named <= MOST_PLAYERS, top.line, f"expected at most {MOST_PLAYERS:,} players, not {named:,}")
        for key in ("game", *(f"{PLAYER} {number}" for number in range(1, 1 + max(named, 1))), "games"):
            self.demand(key in head, top.line, f"expected a line '{key}: ...' in the head of the record")
        self.demand(top.rest == FORMAT, top.line, f"expected 'format: {FORMAT}', not '{shown(top.rest)}'")
        return head

    def terms(
        self,
        lines: Mapping[str, _Line],
        game: Game,
        names: tuple[str, ...] = (),
        options: Mapping[str, int] | None = None,
    ) -> tuple[tuple[str, ...], Mapping[str, int]]:
        """Players and options; `names` and `options` apply if the lines do not say."""
        own = {line.number: line.rest for line in lines.values() if line.names_player}
        if own:
            names = tuple(own.get(number, name) for number, name in enumerate(names or own.values(), 1))
        if options is not None and "options" not in lines:
            return names, options
        chosen: dict[str, int] = {}
        line = lines.get("options", lines.get("format"))
        assert line is not None
        for word in line.rest.split() if line.word == "options" else ():
            name, _, value = word.partition("=")
            right = bool(_NUMBER.fullmatch(value)) and name not in chosen
            self.demand(right, line.line, f"expected options as NAME=NUMBER, each once, not '{shown(word)}'")
            chosen[name] = int(value)
        with self.at(line):
            return names, game.named_options(game.option_values(chosen))

    def game(self, game: Game, names: tuple[str, ...], options: Mapping[str, int], number: int) -> RecordedGame:
        head = self.take()
        begins = head.word == "game" and head.number >= 0
        self.demand(begins, head.line, f"expected 'game {number}: ...' or the end, not '{head.key}'")
        self.demand(
            head.number == number, head.line, f"expected game {number}, not game {head.number}: games are missing"
        )
        lines: dict[str, _Line] = {}
        while self.next is not None and self.next.key not in lines:
            if self.next.key not in BEFORE_MOVES and not (self.next.names_player and self.next.number <= len(names)):
                break
            line = self.take()
            lines[line.key] = line
        names, options = self.terms(lines, game, names, options)
        seats = game.seats_with(options)
        players = self.players(head, seats, len(names))
        rows = self.rows(seats)
        plies = rows[-1].last if rows else 0
        self.demand(
            self.next is not None,
            self.last,
            f"game {number} is cut short after ply {plies}: expected more moves or a result",
        )
        luck = f"a number from 1 to {MOST_LUCK}"
        dealt = len(pack_of(game, tuple(options.values())).example)
        deal = lines.get("deal", _Line(head.line, "deal", -1, ""))
        if "chance" in lines:
            self.demand(game.chance, lines["chance"].line, f"{game.title} has no chance in play: leave out 'chance'")
        return RecordedGame(
            game=game,
            number=number,
            names=names,
            players=players,
            options=options,
            deal=self.numbers(deal, dealt, f"'deal: ' and {dealt} whole numbers"),
            rows=tuple(rows),
            result=self.result(number, plies, seats),
            luck=self.numbers(lines["luck"], seats, f"{luck} for each of the seats ({seats})", 1, MOST_LUCK)
            if "luck" in lines
            else None,
            chance=self.numbers(lines["chance"], 1, luck, 1, MOST_LUCK)[0] if "chance" in lines else None,
            source=self.source,
            line=head.line,
            deal_line=next((lines[key].line for key in ("position", "deal") if key in lines), head.line),
            position=lines["position"].rest if "position" in lines else "",
        )

    def players(self, head: _Line, seats: int, count: int) -> tuple[int, ...]:
        """The player in each seat, from 1 on, by the first line of a game."""
        pair = seats == count == 2
        for begins in (1, 2):
            if pair and head.rest == f"player {begins} begins":
                return in_turn(begins, seats)
        table = f"'players ' and a player from 1 to {count} for each of the seats ({seats})"
        expected = "'player 1 begins' or 'player 2 begins'" if pair else table
        word, _, numbers = head.rest.partition(" ")
        return self.numbers(head, seats, expected, 1, count, text=numbers if word == "players" else "")

    def rows(self, seats: int) -> list[Row]:
        rows: list[Row] = []
        while self.next is not None and self.next.word in (OPENING, PLY) and self.next.number >= 0:
            line = self.take()
            ply = rows[-1].last + 1 if rows else 1
            opening = line.word == OPENING
            moves, equals, after = line.rest.partition("=")
            self.demand(line.number == ply, line.line, f"expected the moves from ply {ply}, not from ply {line.number}")
            follows = opening and bool(rows) and not rows[-1].opening
            self.demand(not follows, line.line, f"ply {ply}: an opening cannot follow other moves")
            self.demand(bool(moves.split()), line.line, f"expected a move at ply {ply}")
            after_row = (
                self.numbers(line, seats, f"'={' POINTS' * seats}' after the moves", text=after) if equals else None
            )
            rows.append(Row(ply, tuple(map(sys.intern, moves.split())), after_row, opening, line.line))
        return rows

    def result(self, number: int, plies: int, seats: int) -> Result:
        line = self.take()
        self.demand(
            line.key == "result",
            line.line,
            f"expected moves or the result of game {number} after ply {plies}, not '{line.key}'",
        )
        if line.rest == UNFINISHED:
            return Result(None, line=line.line)
        text = line.rest.removesuffix(f" {STALLED}")
        return Result(
            self.numbers(
                line,
                seats,
                f"the points of each seat ({seats}), or '{UNFINISHED}', as the result after ply {plies}",
                text=text,
            ),
            text != line.rest,
            line.line,
        )

    def whole(self, line: _Line, most: int = 10**9) -> int:
        return self.numbers(line, 1, f"a whole number from 0 to {most}", 0, most)[0]

    def numbers(
        self,
        line: _Line,
        count: int,
        expected: str,
        low: int = -MOST_NUMBER,
        high: int = MOST_NUMBER,
        text: str | None = None,
    ) -> tuple[int, ...]:
        """The numbers of a line, or of a `text` in it; there must be `count` of them, all from `low` to `high`."""
        numbers = _numbers(line.rest if text is None else text)
        if numbers is None or len(numbers) != count or not all(low <= number <= high for number in numbers):
            raise RecordError(self.source, f"expected {expected}, not '{shown(line.rest)}'", line.line)
        return numbers


@functools.lru_cache
def _numbers(text: str) -> tuple[int, ...] | None:
    """The whole numbers in a text; None if it holds anything else."""
    words = text.split()
    return tuple(map(int, words)) if all(map(_NUMBER.fullmatch, words)) else None
