"""From the text of a record to its games; replaying.py checks whether the moves are legal."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rulebots.errors import UsageError, unknown
from rulebots.files import InputError, read_text
from rulebots.game import MOST_LUCK, Game
from rulebots.game.random_numbers import MOST_SEED
from rulebots.packages import load_game
from rulebots.packages.named_code import names_from_data
from rulebots.play.deals import draw_deals
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
HEADER = ("format", "by", "game", "player 1", "player 2", "options", "seed", "opening plies", "games")
#: Lines of a game before its moves, beside those of players.
BEFORE_MOVES = ("options", "deal", "position", "luck", "chance")
OPENING = "opening"
PLY = "ply"
PLAYER = "player"
#: The most players of a record: a game that names one of its own holds the names of all.
MOST_PLAYERS = 1000
#: The seats of a game of which only who begins is told.
PAIR = 2
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
        raise RecordError(error.path, error.line, error.message) from None
    return parse_record(text, str(path))


def parse_record(text: str, source: str = "record") -> Record:
    """The record in a text. Raises RecordError, which names `source` and the line."""
    lines = _RecordLines(text, source)
    game, header = _header(lines)
    names, options = _terms(lines, header, game)
    games: list[RecordedGame] = []
    while lines.next is not None:
        games.append(_game(lines, game, names, options, len(games) + 1))
    wanted = _whole(lines, header["games"])
    if wanted != len(games):
        cut = "the record is cut short" if wanted > len(games) else "games were added"
        place = header["games"].line if wanted < len(games) else lines.last
        raise lines.error(place, f"there are {len(games)} games, but the header says {wanted}: {cut}")
    seed = _whole(lines, header["seed"], MOST_SEED) if "seed" in header else None
    plies = _whole(lines, header["opening plies"]) if "opening plies" in header else 0
    return Record(game, names, options, tuple(games), seed, plies, source)


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


class _RecordLines:
    """The lines that are not blank or comments, one after another."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self._lines = enumerate((found[0].strip() for found in re.finditer(r"[^\n]*(\n|\Z)", text)), 1)
        #: The number of the last line that was read.
        self.last = 1
        self.next = self._parsed()

    def take(self) -> _Line:
        """The next line; there must be one."""
        assert self.next is not None
        taken = self.next
        self.next = self._parsed()
        return taken

    def error(self, line: int, message: str) -> RecordError:
        return RecordError(self.source, line, message)

    def _parsed(self) -> _Line | None:
        for line, text in self._lines:
            if text and not text.startswith("#"):
                self.last, found = line, _LINE.fullmatch(text)
                if found is None:
                    raise self.error(line, f"expected 'word: ...' as lines of a record are, not {_shown(text)}")
                return _Line(line, found[1], int(found[2] or -1), (found[3] or "").strip())
        return None


def _header(lines: _RecordLines) -> tuple[Game, dict[str, _Line]]:
    if lines.next is None or lines.next.key != "format":
        place = lines.next.line if lines.next else 1
        raise lines.error(place, f"expected 'format: {FORMAT}' as the first line of a record")
    found: dict[str, _Line] = {}
    while lines.next is not None and (lines.next.word != "game" or lines.next.number < 0):
        line = lines.take()
        if line.key not in HEADER and not line.names_player:
            raise lines.error(line.line, unknown("line", line.key, HEADER, "the head of a record"))
        if line.key in found:
            raise lines.error(line.line, f"'{line.key}' is there twice, first on line {found[line.key].line}")
        found[line.key] = line
    named = sum(line.names_player for line in found.values())
    if named > MOST_PLAYERS:
        raise lines.error(found["format"].line, f"expected at most {MOST_PLAYERS:,} players, not {named:,}")
    for key in ("game", *(f"{PLAYER} {number}" for number in range(1, 1 + max(named, 1))), "games"):
        _demand(lines, found, key)
    if found["format"].rest != FORMAT:
        raise lines.error(found["format"].line, f"expected 'format: {FORMAT}', not {_shown(found['format'].rest)}")
    try:
        with names_from_data(game="--game {}"):
            game = load_game(found["game"].rest)
    except UsageError as error:
        raise lines.error(found["game"].line, str(error)) from None
    if game.seats == PAIR and not game.together(PAIR):
        _demand(lines, found, HEADER[4])
    return game, found


def _demand(lines: _RecordLines, found: Mapping[str, _Line], key: str) -> None:
    if key not in found:
        raise lines.error(found["format"].line, f"expected a line '{key}: ...' in the head of the record")


def _terms(
    lines: _RecordLines,
    found: Mapping[str, _Line],
    game: Game,
    names: tuple[str, ...] = (),
    options: Mapping[str, int] | None = None,
) -> tuple[tuple[str, ...], Mapping[str, int]]:
    """Players and options; `names` and `options` apply if `found` does not say."""
    own = {line.number: line.rest for line in found.values() if line.names_player}
    players = tuple(own.get(number, name) for number, name in enumerate(names or own.values(), 1)) if own else names
    if "options" not in found:
        return players, _all_options(game, {}) if options is None else options
    chosen: dict[str, int] = {}
    line = found["options"]
    for word in line.rest.split():
        name, equals, value = word.partition("=")
        if not equals or not _NUMBER.fullmatch(value) or name in chosen:
            raise lines.error(line.line, f"expected options as NAME=NUMBER, each once, not {_shown(word)}")
        chosen[name] = int(value)
    try:
        return players, _all_options(game, chosen)
    except UsageError as error:
        raise lines.error(line.line, str(error)) from None


def _all_options(game: Game, chosen: Mapping[str, int]) -> Mapping[str, int]:
    return game.named_options(game.option_values(chosen))


def _game(
    lines: _RecordLines, game: Game, names: tuple[str, ...], options: Mapping[str, int], number: int
) -> RecordedGame:
    head = lines.take()
    if head.word != "game" or head.number < 0:
        seated = "player 1 begins" if game.seats == PAIR else "players ..."
        raise lines.error(head.line, f"expected 'game {number}: {seated}' or the end, not '{head.key}'")
    if head.number != number:
        raise lines.error(head.line, f"expected game {number}, not game {head.number}: games are missing")
    found: dict[str, _Line] = {}
    while lines.next is not None and lines.next.key not in found:
        if lines.next.key not in BEFORE_MOVES and not (lines.next.names_player and lines.next.number <= len(names)):
            break
        line = lines.take()
        found[line.key] = line
    names, options = _terms(lines, found, game, names, options)
    seats = game.seats_with(options)
    players = _players(lines, head, seats, len(names))
    rows = _rows(lines, seats)
    plies = rows[-1].last if rows else 0
    if lines.next is None:
        raise lines.error(lines.last, f"game {number} is cut short after ply {plies}: expected more moves or a result")
    return RecordedGame(
        game=game,
        number=number,
        names=names,
        players=players,
        options=options,
        deal=_deal(lines, found.get("deal"), game, options, head.line),
        rows=tuple(rows),
        result=_result(lines, number, plies, seats),
        luck=_luck(lines, found.get("luck"), seats),
        chance=_chance(lines, found.get("chance"), game),
        source=lines.source,
        line=head.line,
        deal_line=next((found[key].line for key in ("position", "deal") if key in found), head.line),
        position=found["position"].rest if "position" in found else "",
    )


def _players(lines: _RecordLines, head: _Line, seats: int, count: int) -> tuple[int, ...]:
    """The player in each seat, from 1 on, as the first line of a game says."""
    for begins in (1, 2):
        if head.rest == f"player {begins} begins" and seats == count == PAIR:
            return in_turn(begins, seats)
    word, *numbers = head.rest.split() or [""]
    if word == "players" and len(numbers) == seats and all(map(_NUMBER.fullmatch, numbers)):
        players = tuple(map(int, numbers))
        if all(1 <= player <= count for player in players):
            return players
    if seats == count == PAIR:
        expected = "'player 1 begins' or 'player 2 begins'"
    else:
        whose = "the player of its seat" if seats == 1 else f"the players of its {seats} seats"
        expected = f"'players ' and {whose}, {'each 1' if count == 1 else f'from 1 to {count}'}"
    raise lines.error(head.line, f"expected {expected}, not {_shown(head.rest)}")


def _rows(lines: _RecordLines, seats: int) -> list[Row]:
    rows: list[Row] = []
    while lines.next is not None and lines.next.word in (OPENING, PLY) and lines.next.number >= 0:
        line = lines.take()
        ply = rows[-1].last + 1 if rows else 1
        if line.number != ply:
            raise lines.error(line.line, f"expected the moves from ply {ply}, not from ply {line.number}")
        if line.word == OPENING and rows and not rows[-1].opening:
            raise lines.error(line.line, f"ply {ply}: an opening cannot follow other moves")
        moves, equals, after = line.rest.partition("=")
        if not moves.split():
            raise lines.error(line.line, f"expected a move at ply {ply}")
        points = _points(after, seats) if equals else None
        if equals and points is None:
            what = f"expected '={' POINTS' * seats}' after the moves, not {_shown('=' + after)}"
            raise lines.error(line.line, what)
        rows.append(Row(ply, tuple(map(sys.intern, moves.split())), points, line.word == OPENING, line.line))
    return rows


def _deal(
    lines: _RecordLines, line: _Line | None, game: Game, options: Mapping[str, int], place: int
) -> tuple[int, ...]:
    length = draw_deals(game, 1, 1, options=options, opening_plies=0).cards.shape[1]
    words = line.rest.split() if line else []
    if len(words) != length or not all(map(_NUMBER.fullmatch, words)):
        raise lines.error(line.line if line else place, f"expected 'deal: ' and {length} whole numbers")
    return tuple(map(int, words))


def _luck(lines: _RecordLines, line: _Line | None, seats: int) -> tuple[int, ...] | None:
    if line is None:
        return None
    numbers = {1: "a number", 2: "two numbers"}.get(seats, f"{seats} numbers")
    return tuple(_numbers(lines, line, seats, 1, MOST_LUCK, f"{numbers} from 1 to {MOST_LUCK}"))


def _chance(lines: _RecordLines, line: _Line | None, game: Game) -> int | None:
    if line is None:
        return None
    if not game.chance:
        raise lines.error(line.line, f"{game.title} has no chance in play: leave out 'chance'")
    return _numbers(lines, line, 1, 1, MOST_LUCK, f"a number from 1 to {MOST_LUCK}")[0]


def _result(lines: _RecordLines, number: int, plies: int, seats: int) -> Result:
    line = lines.take()
    if line.key != "result":
        raise lines.error(
            line.line, f"expected moves or the result of game {number} after ply {plies}, not '{line.key}'"
        )
    if line.rest == UNFINISHED:
        return Result(None, line=line.line)
    text = line.rest.removesuffix(f" {STALLED}")
    points = _points(text, seats)
    if points is None:
        whose = {1: "the seat", 2: "both seats"}.get(seats, f"all {seats} seats")
        what = f"expected the points of {whose}, or '{UNFINISHED}'"
        raise lines.error(line.line, f"{what}, as the result after ply {plies}, not {_shown(line.rest)}")
    return Result(points, text != line.rest, line.line)


def _whole(lines: _RecordLines, line: _Line, most: int = 10**9) -> int:
    return _numbers(lines, line, 1, 0, most, f"a whole number from 0 to {most}")[0]


def _numbers(lines: _RecordLines, line: _Line, count: int, low: int, high: int, expected: str) -> list[int]:
    """The numbers of a line. Raises RecordError unless there are `count` of them, all from `low` to `high`."""
    words = line.rest.split()
    numbers = [int(word) for word in words if _NUMBER.fullmatch(word)]
    if len(words) != count or len(numbers) != count or not all(low <= number <= high for number in numbers):
        raise lines.error(line.line, f"expected {expected}, not {_shown(line.rest)}")
    return numbers


@functools.lru_cache
def _points(text: str, seats: int) -> tuple[int, ...] | None:
    words = text.split()
    if len(words) != seats or not all(map(_NUMBER.fullmatch, words)):
        return None
    return tuple(map(int, words))


def _shown(text: str) -> str:
    """A text in quotes, cut if it is long."""
    return repr(text if len(text) <= 40 else f"{text[:40]}...")
