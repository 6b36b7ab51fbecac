"""All games that are played on the page: in memory those that are looked at, on disk every one, as records."""

from __future__ import annotations

import ctypes
import gc
import os
import re
import secrets
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace as replace_fields
from pathlib import Path

from rulebots.errors import FileError, UsageError
from rulebots.files import replace
from rulebots.game import Game
from rulebots.packages.named_code import names_from_data
from rulebots.players import CompiledPlayer, Player
from rulebots.records import PERSON, Ongoing, Record, RecordedGame, load_record, new_game, parse_record, record_text
from rulebots.records.record import in_turn
from rulebots.web.served_folder import GAMES, NotFound, ServedFolder
from rulebots.web.session import Link, Preparation, Session

#: Who begins the next game: player 1, player 2, or either by chance.
SIDES = ("first", "second", "random")
#: Sessions in memory, and games on disk.
MOST_SESSIONS = 256
MOST_GAMES = 20_000
#: Sessions in memory of players that search: the trees of one may take tens of megabytes.
MOST_SEARCHING = 16
#: Seconds that a request waits for the players to be made.
PREPARING = 1.5
#: Seconds without a request after which a search stops: the tab is closed or hidden.
LEFT = 6.0
#: Idle seconds before a session is dropped from memory.
IDLE = 1800.0
#: Seconds that the server waits at its end for games that are being changed.
CLOSING = 0.3
#: Lines of a game's file that readers of records skip: how sides are chosen, and the links of its persons.
_SIDE = re.compile(r"^# side: (first|second|random)$", re.MULTILINE)
_LINK = re.compile(r"^# link: (\d) ([A-Za-z0-9_-]{22}) (invitation|taken)$", re.MULTILINE)
_ID = re.compile(r"[A-Za-z0-9_-]{12}")


class Sessions:
    """The games of a served folder; they are kept in its folder `games`.

    At most `most_searches` searches think at a time.
    """

    def __init__(self, served: ServedFolder, most_searches: int | None = None) -> None:
        self.served = served
        self.folder = served.folder / GAMES
        at_once = most_searches or os.cpu_count() or 1
        self.search_gate = threading.Semaphore(at_once)
        self._quick_gate = threading.Semaphore(at_once)  # players that decide at once do not queue for searches
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._kept: dict[str, int] = {}
        self._lock = threading.Lock()

    def gate_of(self, player: Player) -> threading.Semaphore:
        """Where a player waits for its turn to think."""
        return self._quick_gate if isinstance(player, CompiledPlayer) else self.search_gate

    def begin(
        self,
        game: Game,
        names: tuple[str, ...],
        options: Mapping[str, int],
        seed: int | None = None,
        side: str = "first",
        position: str = "",
    ) -> Session:
        """A new game of the players with these names, one for each seat; `side` decides who begins.

        Raises:
            UsageError: a wrong option, seed, side or position, or a player that may not be named.
        """
        if side not in SIDES:
            raise UsageError(f"side: expected {', '.join(SIDES)}, not {side!r}")
        dealt_by = secrets.randbelow(2**32) if seed is None else seed
        begins = 1 + (secrets.randbelow(len(names)) if side == "random" else side == "second")
        recorded = new_game(game, names, options, dealt_by, begins, position or None)
        return self._open(secrets.token_urlsafe(9), Ongoing(recorded, dealt_by), side)

    def again(self, session: Session) -> Session:
        """A new game of the same players, its sides chosen as before.

        Where persons have links, it is one for all of them, and gets the links in their order.
        """
        with session.lock:
            if session.followed_by:
                return self.get(session.followed_by)
            first = session.ongoing.recorded
            in_order = in_turn(first.begins, len(first.seats)) == first.players and len(first.names) == len(first.seats)
            names = first.names if in_order else first.seats
            following = self.begin(session.game, names, first.options, None, session.side, first.position)
            if session.links:
                session.followed_by = following.id
                session.version += 1
                following.set_links(dict(zip(following.persons, session.links.values(), strict=True)))
            return following

    def load(self, text: str, number: int = 1) -> Session:
        """A session that goes on from a game of a record.

        Raises:
            UsageError: it is not a record, or has no such game. RecordError: a move in it is not legal.
        """
        with names_from_data(game="--game {}"):
            record = parse_record(text, "the record")
        return self._open(secrets.token_urlsafe(9), Ongoing(_alone(record, number), record.seed), "first")

    def get(self, name: str) -> Session:
        """The session of that id, from memory or from disk. Raises NotFound."""
        with self._lock:
            session = self._sessions.get(name)
            if session is not None:
                self._sessions.move_to_end(name)
                return session
        if not _ID.fullmatch(name):
            raise NotFound(f"there is no game '{name[:20]}' here")
        file = self.folder / f"{name}.txt"
        try:
            record = load_record(file)
            text = file.read_text("utf-8")
            ongoing = Ongoing(_alone(record, 1), record.seed)
        except (FileError, OSError) as error:
            raise NotFound(f"there is no game '{name[:20]}' here: {error}") from None
        side = _SIDE.search(text)
        links = {int(seat): Link(key, state == "taken") for seat, key, state in _LINK.findall(text)}
        return self._open(name, ongoing, side[1] if side else "first", links)

    def keep(self, session: Session) -> None:
        """Write a game to disk if it has changed; under its lock. Where that fails the session says so."""
        if self._kept.get(session.id) == session.version:
            return
        lines = [f"# side: {session.side}\n"]
        for seat, link in session.links.items():
            lines.append(f"# link: {seat} {link.key} {'taken' if link.taken else 'invitation'}\n")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            replace(self.folder / f"{session.id}.txt", "".join(lines) + record_text(session.ongoing.record()))
        except (FileError, OSError) as error:
            session.unsaved = str(error)
        else:
            session.unsaved = ""
            self._kept[session.id] = session.version

    def recent(self, most: int) -> list[str]:
        """The ids of the latest games, latest first."""
        games = [entry for entry in _files(self.folder) if _ID.fullmatch(Path(entry.name).stem)]
        latest = sorted(games, key=lambda entry: -entry.stat().st_mtime)[:most]
        return [Path(entry.path).stem for entry in latest]

    def tidy(self) -> bool:
        """Stop searches that nobody waits for, and drop sessions that nobody looks at: they are on disk.

        Returns whether one of them searched: its memory can be given back.
        """
        now = time.monotonic()
        for session in self._all():
            if session.decision is not None and now - session.seen > LEFT:
                session.stop()
            if now - session.seen > IDLE:
                self._forget(session)
        searching = sorted((session for session in self._all() if session.searches), key=lambda each: each.seen)
        left = [session for session in searching[:-MOST_SEARCHING] if now - session.seen > LEFT]
        for session in left:
            self._forget(session)
        return bool(left)

    def close(self) -> None:
        """Stop every search, and keep every game; the process may end at any time from now.

        A game that is being changed for longer than `CLOSING` seconds is on disk as it was before.
        """
        end = time.monotonic() + CLOSING
        for session in self._all():
            decision = session.decision
            if decision is not None:
                decision.stop()
            if session.lock.acquire(timeout=max(0.0, end - time.monotonic())):
                try:
                    self.keep(session)
                finally:
                    session.lock.release()

    def _all(self) -> list[Session]:
        with self._lock:
            return list(self._sessions.values())

    def _open(self, name: str, ongoing: Ongoing, side: str, links: dict[int, Link] | None = None) -> Session:
        """A session of a game. A player that cannot be had any more is a fault of the game, not of the page."""
        preparation = Preparation(lambda: self._players(ongoing))
        preparation.start()
        session = Session(name, ongoing, side, self.keep, self.gate_of, preparation, links or {})
        if preparation.done.wait(PREPARING):
            if preparation.error is not None:
                raise preparation.error
            session.take_players()
        with self._lock:
            if name in self._sessions:
                return self._sessions[name]
            if not ongoing.recorded.rows and len(_files(self.folder)) >= MOST_GAMES:
                raise FileError(f"{self.folder}: there are {MOST_GAMES:,} games: remove some to play further ones")
            self._sessions[name] = session
            crowd = [] if len(self._sessions) <= MOST_SESSIONS else [next(iter(self._sessions.values()))]
        for left in crowd:
            self._forget(left)
        with session.lock:
            self.keep(session)
        return session

    def _players(self, ongoing: Ongoing) -> tuple[list[Player | None], str]:
        """The players of a game by seat, None for a person; for a game that has begun, why one cannot be had."""
        recorded = ongoing.recorded
        fault = ""
        players: list[Player | None] = [None] * len(recorded.seats)
        for seat, name in enumerate(recorded.seats):
            if name != PERSON:
                try:
                    player = self.served.player(name, ongoing.game)
                except UsageError as error:
                    if not recorded.rows:
                        raise
                    fault = str(error)
                else:
                    players[seat] = player.beginning_a_game(seat, recorded.options)
        return players, fault

    def _forget(self, session: Session) -> None:
        session.stop()
        with session.lock:
            self.keep(session)
        with self._lock:
            self._sessions.pop(session.id, None)
            self._kept.pop(session.id, None)


def give_back() -> None:
    """Free the trees of searches that nobody holds any more, and give their memory back to the system."""
    gc.collect()  # a search and its tree hold each other
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)  # glibc keeps what threads have freed: hundreds of megabytes after some dozen searches


def _files(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return [entry for entry in entries if entry.name.endswith(".txt") and entry.is_file(follow_symlinks=False)]
    except OSError:
        return []


def _alone(record: Record, number: int) -> RecordedGame:
    return replace_fields(record.numbered(number), number=1)
