"""The games that are played on the page: in memory those that are looked at, on disk all of them, as records."""

from __future__ import annotations

import ctypes
import gc
import logging
import os
import re
import secrets
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replace_fields
from pathlib import Path
from typing import Any

from rulebots.errors import FileError, UsageError
from rulebots.files import replace
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.packages.levels import LEVEL
from rulebots.packages.named_code import names_from_data
from rulebots.players import CompiledPlayer, Player, named_apart
from rulebots.records import PERSON, Ongoing, Record, RecordedGame, load_record, new_game, parse_record, record_text
from rulebots.records.record import in_turn
from rulebots.web.background import BackgroundWork, Decision
from rulebots.web.course import Course
from rulebots.web.links import Link, links_in, written
from rulebots.web.served_folder import GAMES, NotFound, ServedFolder

#: Who sits where in the next game: as now or the other way round is up to chance with "random".
SIDES = ("first", "second", "random")
#: Sessions in memory, and games on disk.
MOST_SESSIONS, MOST_GAMES = 256, 20_000
#: Sessions in memory of players that search: what one keeps of its trees may take tens of megabytes.
MOST_SEARCHING = 16
#: Seconds that a request waits for a player's answer before the page begins to poll.
PATIENCE = 0.12
#: Seconds that a request waits for players to be made; then the page tells what is compiled.
PREPARING = 1.5
#: Seconds without a request after which a search is stopped, because its tab is closed or hidden.
LEFT = 6.0
#: Seconds without a request after which a session is only on disk.
IDLE = 1800.0
#: Seconds at the end of the server for games that are being changed.
CLOSING = 0.3
#: What a game's file begins with: how sides were chosen. Readers of records skip it.
_SIDE = re.compile(r"^# side: (first|second|random)$", re.MULTILINE)
_ID = re.compile(r"[A-Za-z0-9_-]{12}")
_LOG = logging.getLogger("rulebots.web")


@dataclass
class Preparation(BackgroundWork):
    """The players of a game while they are made, which may take the time to compile a search.

    `players` are nobody at first. `make` gives the player of each seat, None for a person, and why one of them cannot
    be had, "" where all are there.
    """

    make: Callable[[], tuple[list[Player | None], str]]
    players: Sequence[Player | None]

    def work(self) -> None:
        """Make the players."""
        self.players, self.fault = self.make()


@dataclass
class Session:
    """A game that is played on the page: who decides for each seat, and what is being decided.

    `lock` is held while it changes; `version` rises with every change that a page shows. `players` are those of the
    seats, None for a person. `side` says how sides are chosen when it is played again.
    """

    id: str
    ongoing: Ongoing
    side: str
    sessions: Sessions
    #: The players while they are being made; None once they are here.
    preparation: Preparation | None
    players: tuple[Player | None, ...]
    #: The links of persons who play from browsers of their own, by seat; none where all share the game's address.
    links: dict[int, Link] = field(default_factory=dict)
    #: The id of the next game of the same players and links; "" for none.
    followed_by: str = ""
    version: int = 0
    #: Which of several persons at one screen looks at it; None before the first has said so.
    looking: int | None = None
    #: Why a player makes no further move, and why the game is not on disk; "" where nothing is wrong.
    fault: str = ""
    unsaved: str = ""
    #: What a search found out before a ply, as far as this process has seen it: ply -> the player's `result`.
    results: dict[int, Any] = field(default_factory=dict)
    decision: Decision | None = None
    #: What a search thinks of the game so far, if somebody has asked.
    course: Course | None = None
    seen: float = field(default_factory=time.monotonic)
    lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.ongoing.game

    @property
    def position(self) -> Position:
        """The position now."""
        return self.ongoing.position

    @property
    def names(self) -> list[str]:
        """The names of the seats, all different. Of several persons each is called by the number of the seat."""
        return self.names_numbering(self.persons if len(self.persons) > 1 else ())

    def names_numbering(self, persons: Sequence[int]) -> list[str]:
        """The names of the seats, all different: those persons by their seats, and a level by its own name alone."""
        seats = enumerate(self.ongoing.recorded.seats)
        return named_apart(
            [f"player {seat + 1}" if seat in persons else name.removeprefix(f"{LEVEL}:") for seat, name in seats]
        )

    @property
    def persons(self) -> list[int]:
        """The seats of persons."""
        return [seat for seat, name in enumerate(self.ongoing.recorded.seats) if name == PERSON]

    @property
    def viewer(self) -> int | None:
        """The seat whose knowledge the page shows: the person's.

        Of several persons it is the mover where something is hidden, and who looked last while a player moves.
        """
        persons = self.persons
        if len(persons) < 2 or not self.game.hidden:
            return persons[0] if len(persons) == 1 else None
        mover = self.position.mover
        return mover if mover in persons else persons[0] if self.looking is None else self.looking

    @property
    def covered(self) -> bool:
        """Whether the screen is on its way from one person to another one, who must not see the same hand."""
        return len(self.persons) > 1 and self.hides and self.looking != self.viewer and not self.links

    @property
    def hides(self) -> bool:
        """Whether something is hidden from a person who looks."""
        return self.game.hidden and not self.ongoing.ended and bool(self.persons)

    @property
    def persons_turn(self) -> bool:
        """Whether a person is to move."""
        if self.ongoing.ended or self.preparation is not None or self.position.chance_to_move:
            return False
        return self.position.mover in self.persons

    @property
    def waiting(self) -> bool:
        """Whether the page should ask again soon: a player is to move and has not failed."""
        return not self.ongoing.ended and not self.persons_turn and not self.fault

    @property
    def searches(self) -> bool:
        """Whether one of the players keeps more than its weights between its moves."""
        return any(player is not None and not isinstance(player, CompiledPlayer) for player in self.players)

    def found(self, ply: int) -> Any:
        """What a search found out before a ply: the player's own, or the one of the course; None for nothing."""
        return self.results.get(ply) or (self.course.results.get(ply) if self.course is not None else None)

    def check_turn(self) -> None:
        """Raises UsageError where it is not a person's turn."""
        if not self.persons_turn:
            raise UsageError("the game is over" if self.ongoing.ended else "it is not your turn")
        if self.covered:
            raise UsageError("the screen is covered: show the board first")

    def move(self, move: int) -> None:
        """A person's move. Raises UsageError where it is not a person's turn, or the move is not legal."""
        with self.lock:
            self.check_turn()
            if move not in self.position.legal_moves:
                raise UsageError(self.position.refusal(move))
            self._make(move)

    def uncover(self) -> None:
        """Show the board to the person who is to move."""
        with self.lock:
            self.looking = self.viewer
            self.version += 1

    def take_back(self) -> None:
        """Go back to the latest decision of a person. Raises UsageError as `Ongoing.take_back` does."""
        with self.lock:
            self.ongoing.take_back(*self.persons)
            self.stop()
            if all(player is not None or seat in self.persons for seat, player in enumerate(self.players)):
                self.fault = ""
            self.results = {ply: found for ply, found in self.results.items() if ply < len(self.ongoing.moves)}
            self.version += 1

    def advance(self, patience: float = PATIENCE) -> None:
        """Throw dice and let players decide until a person is to move, but not for longer than `patience` seconds.

        Between two players one of them makes one move, so that a person can follow.
        """
        self.seen = time.monotonic()
        while (decision := self._next_decision()) is not None:
            left = self.seen + patience - time.monotonic()
            if left <= 0 or not decision.done.wait(left) or not self.persons:
                return

    def take_players(self) -> None:
        """Take the players that have been made; where they are not ready, the page shows what goes on."""
        with self.lock:
            made = self.preparation
            if made is None:
                return
            self.version += 1
            if made.done.is_set():
                self.preparation = None
                self.players = tuple(made.players)
                self.fault = made.fault

    def stop(self) -> None:
        """Stop what is being decided."""
        with self.lock:
            if self.decision is not None:
                self.decision.stop()
                self.decision = None

    def _next_decision(self) -> Decision | None:
        """The decision that is being made, begun here if need be; None where no player is to move."""
        with self.lock:
            self.take_players()
            if self.preparation is not None:
                return None
            next(self.ongoing.decisions(self._make), None)  # chance moves, up to a decision
            self.sessions.keep(self)
            if not self.waiting or self.decision is not None:
                return self.decision
            player = self.players[self.position.mover]
            assert player is not None
            decision = self.decision = Decision(player, self.position.copy(), self.sessions.gate_of(player))
        decision.start(then=lambda: self._answer(decision), compiling=self._changed)
        return decision

    def _answer(self, decision: Decision) -> None:
        """Make the move that a player has found, unless the game has gone another way."""
        with self.lock:
            if self.decision is not decision:
                return
            self.decision = None
            if decision.move is None:
                self.fault = self._told(decision)
                self._changed()
                return
            found = getattr(decision.player, "result", None)
            if found is not None:
                self.results[len(self.ongoing.moves)] = found
            self._make(decision.move)
            self.sessions.keep(self)

    def _told(self, decision: Decision) -> str:
        """What the page says of a fault: its message quotes the legal moves, which tell a person the other hand."""
        if self.viewer in (None, decision.position.mover) or not self.game.hidden:
            return decision.fault
        _LOG.warning("game %s: %s", self.id, decision.fault)
        name = self.names[decision.position.mover]
        return (
            f"{name} has failed at move {decision.position.plies + 1}. The message would tell what you may not know: "
            "it is in the terminal of rulebots web."
        )

    def _changed(self) -> None:
        """What the page shows has changed, and the game has not."""
        self.version += 1

    def _make(self, move: int) -> None:
        self.ongoing.play(move)
        self.version += 1


class Sessions:
    """The games of a served folder; they are kept in its folder `games`.

    At most `most_searches` searches think at a time.
    """

    def __init__(self, served: ServedFolder, most_searches: int | None = None) -> None:
        self.served = served
        self.folder = served.folder / GAMES
        # Players that decide at once do not queue for searches.
        self.search_gate, self._quick_gate = (
            threading.Semaphore(most_searches or os.cpu_count() or 1) for _ in range(2)
        )
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
        """A new game; player 1, the first of the `names`, begins, or player 2, or chance decides, as `side` says.

        There is a name for each seat, and the other players follow in turn.

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
        """A new game of the same players, its sides chosen as before."""
        first = session.ongoing.recorded
        in_order = in_turn(first.begins, len(first.seats)) == first.players and len(first.names) == len(first.seats)
        names = first.names if in_order else first.seats
        return self.begin(session.game, names, first.options, None, session.side, first.position)

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
            found = _SIDE.search(text)
            ongoing = Ongoing(_alone(record, 1), record.seed)
        except (FileError, OSError) as error:
            raise NotFound(f"there is no game '{name[:20]}' here: {error}") from None
        return self._open(name, ongoing, found[1] if found else "first", links_in(text))

    def keep(self, session: Session) -> None:
        """Write a game to disk if it has changed; under its lock. Where that fails the session says so."""
        if self._kept.get(session.id) == session.version:
            return
        text = f"# side: {session.side}\n{written(session.links)}{record_text(session.ongoing.record())}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            replace(self.folder / f"{session.id}.txt", text)
        except (FileError, OSError) as error:
            session.unsaved = str(error)
        else:
            session.unsaved = ""
            self._kept[session.id] = session.version

    def recent(self, most: int) -> list[str]:
        """The ids of the latest games, latest first."""
        found = [entry for entry in _files(self.folder) if _ID.fullmatch(Path(entry.name).stem)]
        latest = sorted(found, key=lambda entry: -entry.stat().st_mtime)[:most]
        return [Path(entry.path).stem for entry in latest]

    def tidy(self) -> bool:
        """Stop searches that nobody waits for, and forget sessions that nobody looks at; they are on disk.

        Gives whether some of them searched: their memory can be given back.
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

    def _open(self, name: str, ongoing: Ongoing, side: str, links: Mapping[int, Link] | None = None) -> Session:
        """A session of a game. A player that cannot be had any more is a fault of the game, not of the page."""
        nobody = (None,) * len(ongoing.recorded.seats)
        preparation = Preparation(lambda: self._players(ongoing), nobody)
        preparation.start()
        session = Session(name, ongoing, side, self, preparation, nobody, dict(links or {}))
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
        recorded, fault = ongoing.recorded, ""
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
    """A game of a record, as the only one."""
    return replace_fields(record.numbered(number), number=1)
