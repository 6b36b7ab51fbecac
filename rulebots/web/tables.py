"""All tables of the page: in memory those that are looked at, on disk all of them, as records."""

from __future__ import annotations

import os
import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace as replace_fields
from pathlib import Path

from rulebots.errors import FileError, UsageError
from rulebots.files import replace
from rulebots.game import Game
from rulebots.players import Player
from rulebots.records import PERSON, Ongoing, Record, RecordedGame, load_record, new_game, parse_record, record_text
from rulebots.registry.named_code import names_from_data
from rulebots.web.opponents import Opponents
from rulebots.web.table import LEFT, SIDES, Table
from rulebots.web.thinking import Preparation, Thinkers

#: Tables in memory, and games on disk.
MOST_TABLES, MOST_GAMES = 256, 20_000
#: Seconds after which a table that nobody looks at is only on disk.
IDLE = 1800.0
#: Seconds that a request waits for players to be made; then the page tells what is compiled.
PREPARING = 1.5
#: Seconds at the end of the server for games that are being changed.
CLOSING = 0.3
GAMES = "games"
#: What a game's file begins with: how sides were chosen. Readers of records skip it.
_SIDE = re.compile(r"^# side: (first|second|random)$", re.MULTILINE)
_ID = re.compile(r"[A-Za-z0-9_-]{12}")


class NoTable(UsageError):
    """There is no such game."""


class Tables:
    """The games of a served folder; they are kept in its folder `games`."""

    def __init__(self, opponents: Opponents, most_thinkers: int | None = None) -> None:
        self.opponents = opponents
        self.folder = opponents.folder / GAMES
        self.thinkers = Thinkers(most_thinkers or os.cpu_count() or 1)
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._kept: dict[str, int] = {}
        self._lock = threading.Lock()

    def begin(
        self,
        game: Game,
        names: tuple[str, str],
        options: Mapping[str, int],
        seed: int | None = None,
        side: str = "first",
        position: str = "",
    ) -> Table:
        """A new game; player 1, the first of the `names`, begins, or player 2, or chance decides, as `side` says.

        Raises:
            UsageError: a wrong option, seed or side, a position that is none, or a player that may not be named.
        """
        if side not in SIDES:
            raise UsageError(f"side: expected {', '.join(SIDES)}, not {side!r}")
        dealt_by = secrets.randbelow(2**32) if seed is None else seed
        begins = 1 + (secrets.randbelow(2) if side == "random" else side == "second")
        recorded = new_game(game, names, options, dealt_by, begins, position)
        return self._seat(_new_id(), Ongoing(recorded, dealt_by), side)

    def again(self, table: Table) -> Table:
        """A new game of the same players, its sides chosen as before."""
        first = table.ongoing.recorded
        return self.begin(table.game, first.names, first.options, None, table.side, first.position)

    def load(self, text: str, number: int = 1) -> Table:
        """A table that goes on from a game of a record.

        Raises:
            UsageError: it is not a record, or has no such game. RecordError: a move in it is not legal.
        """
        with names_from_data(game="--game {}"):
            record = parse_record(text, "the record")
        return self._seat(_new_id(), Ongoing(_alone(record, number), record.seed), "first")

    def get(self, name: str) -> Table:
        """The table of that id, from memory or from disk. Raises NoTable."""
        with self._lock:
            table = self._tables.get(name)
            if table is not None:
                self._tables.move_to_end(name)
                return table
        file = self._file(name)
        try:
            record = load_record(file)
            found = _SIDE.search(file.read_text("utf-8"))
            ongoing = Ongoing(_alone(record, 1), record.seed)
        except (FileError, OSError) as error:
            raise NoTable(f"there is no game '{name[:20]}' here: {error}") from None
        return self._seat(name, ongoing, found[1] if found else "first")

    def keep(self, table: Table) -> None:
        """Write a game to disk if it has changed; under its lock. Where that fails the table says so."""
        if self._kept.get(table.id) == table.version:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            replace(self.folder / f"{table.id}.txt", f"# side: {table.side}\n{record_text(table.ongoing.record())}")
        except (FileError, OSError) as error:
            table.unsaved = str(error)
        else:
            table.unsaved = ""
            self._kept[table.id] = table.version

    def recent(self, most: int) -> list[Path]:
        """The files of the latest games, latest first."""
        found = [entry for entry in _files(self.folder) if _ID.fullmatch(Path(entry.name).stem)]
        latest = sorted(found, key=lambda entry: -entry.stat().st_mtime)[:most]
        return [Path(entry.path) for entry in latest]

    def tidy(self) -> None:
        """Stop searches that nobody waits for, and forget tables that nobody looks at; they are on disk."""
        now = time.monotonic()
        with self._lock:
            tables = list(self._tables.values())
        for table in tables:
            if table.thought is not None and now - table.seen > LEFT:
                table.stop()
            if now - table.seen > IDLE:
                self._forget(table)

    def close(self) -> None:
        """Stop every search, and keep every game; the process may end at any time from now.

        A game that is being changed for longer than `CLOSING` seconds is on disk as it was before.
        """
        with self._lock:
            tables = list(self._tables.values())
        end = time.monotonic() + CLOSING
        for table in tables:
            if table.thought is not None:
                table.thought.stop()
            if table.lock.acquire(timeout=max(0.0, end - time.monotonic())):
                try:
                    self.keep(table)
                finally:
                    table.lock.release()

    def _seat(self, name: str, ongoing: Ongoing, side: str) -> Table:
        """Put a game on a table. A player that is not to be had any more is a fault of the game, not of the page."""
        recorded = ongoing.recorded
        preparation = Preparation(lambda: self._players(ongoing))
        table = Table(name, ongoing, (None, None), side, preparation=preparation)
        if preparation.done.wait(PREPARING):
            if preparation.error is not None:
                raise preparation.error
            table.prepare()
        with self._lock:
            if name in self._tables:
                return self._tables[name]
            if not recorded.rows and len(_files(self.folder)) >= MOST_GAMES:
                raise FileError(f"{self.folder}: there are {MOST_GAMES:,} games: remove some to play further ones")
            self._tables[name] = table
            crowd = [] if len(self._tables) <= MOST_TABLES else [next(iter(self._tables.values()))]
        for left in crowd:
            self._forget(left)
        with table.lock:
            self.keep(table)
        return table

    def _players(self, ongoing: Ongoing) -> tuple[list[Player | None], str]:
        """The players of a game by seat, None for a person; for a game that has begun, why one is not to be had."""
        recorded, fault = ongoing.recorded, ""
        players: list[Player | None] = [None, None]
        for seat, name in enumerate(recorded.seats):
            if name != PERSON:
                try:
                    player = self.opponents.player(name, ongoing.game)
                except UsageError as error:
                    if not recorded.rows:
                        raise
                    fault = str(error)
                else:
                    players[seat] = player.beginning_a_game(seat, recorded.options)
        return players, fault

    def _forget(self, table: Table) -> None:
        table.stop()
        with table.lock:
            self.keep(table)
        with self._lock:
            self._tables.pop(table.id, None)
            self._kept.pop(table.id, None)

    def _file(self, name: str) -> Path:
        if not _ID.fullmatch(name):
            raise NoTable(f"there is no game '{name[:20]}' here")
        return self.folder / f"{name}.txt"


def _new_id() -> str:
    return secrets.token_urlsafe(9)


def _files(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return [entry for entry in entries if entry.name.endswith(".txt") and entry.is_file(follow_symlinks=False)]
    except OSError:
        return []


def _alone(record: Record, number: int) -> RecordedGame:
    """A game of a record, as the only one."""
    return replace_fields(record.numbered(number), number=1)
