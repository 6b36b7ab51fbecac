"""Games that are played on the page: those in use are in memory, and all are on disk (see saved_games.py)."""

from __future__ import annotations

import logging
import os
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulebots.errors import FileError, UsageError, demand
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.packages.levels import LEVEL, CarelessPlayer, default_opponent
from rulebots.packages.named_code import names_from_data
from rulebots.play.background import Decision, Preparation, give_back_memory
from rulebots.players import CompiledPlayer, Player, decides_by_rules, named_apart
from rulebots.records import PERSON, Ongoing, new_game, parse_record
from rulebots.records.record import in_turn
from rulebots.web.saved_games import Link, game_files, ongoing_of, read_game, write_game
from rulebots.web.served_folder import GAMES, REMEDIES, ServedFolder

#: Who begins: player 1, player 2, or either by chance.
SIDES = ("first", "second", "random")
#: Sessions in memory, and games on disk.
MOST_SESSIONS = 256
MOST_GAMES = 20_000
#: Sessions in memory of players that search: the trees of one may take tens of megabytes.
MOST_SEARCHING = 16
#: Seconds that a request waits for the players to be made, and for a player's answer before the page begins to poll.
PREPARING = 1.5
PATIENCE = 0.12
#: Seconds without a request after which a search stops: the tab is closed or hidden.
LEFT = 6.0
#: Idle seconds before a session is dropped from memory.
IDLE = 1800.0
#: Seconds that the server waits at its end for games that are being changed.
CLOSING = 0.3
#: Names of players of one level, by seat.
PEOPLE = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo", "Iris", "Jack")
#: Characters of a person's name.
LONGEST_NAME = 14
_LOG = logging.getLogger("rulebots.web")


def called(name: str) -> str:
    """What people call a player: `Casual` for `level:casual`; a file or a search by its own name."""
    plain = name.removeprefix(f"{LEVEL}:").replace("_", " ")
    return name if name == PERSON or {*plain} & {*".:"} else plain[:1].upper() + plain[1:]


@dataclass
class Session:
    """A game on the page: the players of its seats, None for a person, and the decision that is being made.

    `lock` is held while it changes. `side` says how sides are chosen when it is played again.
    """

    id: str
    ongoing: Ongoing
    side: str
    owner: Sessions
    #: The players while they are being made; None once they are here.
    preparation: Preparation | None
    #: The links of persons at several browsers, by seat; empty if all share the game's address.
    links: dict[int, Link]
    #: What the persons are called, in order of play, with commas between them; who is not named has a number.
    people: str = ""
    #: The id of the next game of the same players and links; "" for none.
    followed_by: str = ""
    #: It rises with every change that a page shows, from a random number: a game that is read from disk again while its
    #: page is open must not come to the number that the page has.
    version: int = field(default_factory=lambda: secrets.randbelow(2**32))
    #: Which of several persons at one screen looks at it; None before the first has said so.
    looking: int | None = None
    #: Whether that person's last move has shown it something that was hidden, such as the card drawn.
    revealed: bool = False
    #: Why a player makes no further move, and why the game is not on disk; "" if nothing is wrong.
    fault: str = ""
    unsaved: str = ""
    #: The `result` of the search that moved after a number of plies, if it moved in this process.
    results: dict[int, Any] = field(default_factory=dict)
    decision: Decision | None = None
    #: The review so far; None if there is none.
    reviewed: Any = None
    seen: float = field(default_factory=time.monotonic)
    lock: threading.RLock = field(default_factory=threading.RLock)

    def __post_init__(self) -> None:
        self.game: Game = self.ongoing.game
        #: The names of the seats as the record has them, and the seats of persons.
        self.seats = self.ongoing.recorded.seats
        self.persons = [seat for seat, name in enumerate(self.seats) if name == PERSON]
        self.players: Sequence[Player | None] = [None] * len(self.seats)

    def names(self, numbered: Sequence[int]) -> tuple[str, ...]:
        """Names as said, all different: `Hand tuned`, levels without their kind, `numbered` persons by seat.

        Seats of one level are called as people are.
        """
        people = dict(zip(self.persons, self.people.split(", "), strict=False))
        names = [
            people.get(seat) or f"Player {seat + 1}" if seat in numbered
            else PEOPLE[seat] if name.startswith(LEVEL) and self.seats.count(name) > 1
            else called(name)
            for seat, name in enumerate(self.seats)
        ]  # fmt: skip
        return tuple(named_apart(names))

    @property
    def position(self) -> Position:
        """The position now."""
        return self.ongoing.position

    @property
    def hides(self) -> bool:
        """Whether something is hidden from a person."""
        return self.game.hidden and bool(self.persons) and not self.ongoing.ended

    @property
    def viewpoint(self) -> int | None:
        """The seat whose knowledge the game's own address shows: the person's; None for all.

        With several persons and hidden information it is the mover, or the last viewer while a player moves.
        """
        persons = self.persons
        if len(persons) < 2 or not self.game.hidden:
            return persons[0] if len(persons) == 1 else None
        mover = self.position.mover
        if mover in persons and not self.passing:
            return mover
        return persons[0] if self.looking is None else self.looking

    @property
    def passing(self) -> bool:
        """Whether one of several persons still looks at what its move revealed, before it passes the screen."""
        others_turn = self.persons_turn and self.looking not in (None, self.position.mover)
        return self.revealed and others_turn and self.hides and not self.links

    @property
    def covered(self) -> bool:
        """Whether the screen is being passed to another person, who must not see the same hand."""
        return len(self.persons) > 1 and self.hides and not self.links and self.looking != self.viewpoint

    @property
    def persons_turn(self) -> bool:
        """Whether a person is to move."""
        return self.position.mover in self.persons and not self.ongoing.ended

    @property
    def waiting(self) -> bool:
        """Whether the page should ask again soon: a player is to move and has not failed."""
        return not self.fault and not self.persons_turn and not self.ongoing.ended

    @property
    def searches(self) -> bool:
        """Whether one of the players keeps more than its weights between its moves."""
        return any(player is not None and not isinstance(player, CompiledPlayer) for player in self.players)

    def explains(self, seat: int) -> bool:
        """Whether the player of a seat has reasons besides the results of its searches, or is yet to be made."""
        player = self.players[seat]
        rules = player.player if isinstance(player, CarelessPlayer) else player
        return seat not in self.persons and (rules is None or decides_by_rules(rules))

    def move(self, move: int) -> None:
        """Make a person's move; under the lock. Raises UsageError for one that is not legal."""
        self._make(self.position.legal_move(move))

    def uncover(self) -> None:
        """Show the board to the person who is to move, once another one has seen enough; under the lock."""
        self.looking = None if self.passing else self.viewpoint
        self.version += 1

    def take_back(self) -> None:
        """Go back to the latest decision of a person; under the lock. Raises UsageError as `Ongoing.take_back` does."""
        self.ongoing.take_back(*self.persons)
        self.stop()
        if all(player is not None or seat in self.persons for seat, player in enumerate(self.players)):
            self.fault = ""
        self.results = {ply: result for ply, result in self.results.items() if ply < len(self.ongoing.moves)}
        self.version += 1

    def link(self) -> int:
        """Make a link for each person; gives the first person's seat, which is taken, the others are invited.

        Raises UsageError if there are links, or no person plays.
        """
        with self.lock:
            demand(not self.links, "this game has its links")
            demand(self.persons, "no person plays this game")
            first = self.persons[0]
            self.set_links({seat: Link.new(taken=seat == first) for seat in self.persons})
            return first

    def take_seat(self, seat: int | None) -> None:
        """Take the seat of an invitation, whose link is void from then on. Raises UsageError for another link."""
        with self.lock:
            if seat is None or self.links[seat].taken:
                raise UsageError("this seat has been taken")
            self.set_links({**self.links, seat: Link.new(taken=True)})

    def set_links(self, links: dict[int, Link]) -> None:
        """Change the links, and keep them."""
        with self.lock:
            self.links = links
            self.version += 1
            self.owner.keep(self)

    def advance(self, patience: float = PATIENCE) -> None:
        """Draw chance and let players decide until a person is to move, but not for longer than `patience` seconds.

        Between two players one of them makes one move, so that a person can follow.
        """
        self.seen = time.monotonic()
        while (decision := self._next_decision()) is not None:
            left = self.seen + patience - time.monotonic()
            if left <= 0 or not decision.done.wait(left) or not self.persons:
                return

    def take_players(self) -> None:
        """Take the players once they have been made."""
        with self.lock:
            preparation = self.preparation
            if preparation is None:
                return
            self.version += 1
            if preparation.done.is_set():
                self.preparation = None
                self.players = preparation.players or self.players
                self.fault = preparation.fault

    def call(self, people: str) -> None:
        """Name the persons, with commas between them, by letters and digits alone: names stand in sentences."""
        plain = ("".join(one for one in name if one.isalnum() or one in " -'").strip() for name in people.split(","))
        self.people = ", ".join(name[:LONGEST_NAME] * (name.casefold() != PERSON) for name in plain)
        self.version += 1
        self.owner.keep(self)

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
            next(self.ongoing.decisions(self._make), None)  # chance moves, up to a decision
            self.owner.keep(self)
            if self.decision is not None and self.decision.compiling:
                self._changed()  # its seconds count up
            if not self.waiting or self.preparation is not None or self.decision is not None:
                return self.decision
            player = self.players[self.position.mover]
            assert player is not None
            gate = self.owner.quick_gate if isinstance(player, CompiledPlayer) else self.owner.search_gate
            decision = self.decision = Decision(player, self.position.copy(), gate)
        decision.start(then=lambda: self._answer(decision), compiling=self._changed)
        return decision

    def _answer(self, decision: Decision) -> None:
        """Make the move that a player has chosen, unless the game has gone another way."""
        with self.lock:
            if self.decision is not decision:
                return
            self.decision = None
            if decision.move is None:
                self.fault = self._public_fault(decision)
                self._changed()
                return
            result = getattr(decision.player, "result", None)
            if result is not None:
                self.results[len(self.ongoing.moves)] = result
            self._make(decision.move)
            self.owner.keep(self)

    def _public_fault(self, decision: Decision) -> str:
        """The fault as the page shows it: its message quotes the legal moves, which may reveal the other hand."""
        mover = decision.position.mover
        if self.viewpoint in (None, mover) or not self.game.hidden:
            return decision.fault
        _LOG.warning("game %s: %s", self.id, decision.fault)
        name = self.names(self.persons if len(self.persons) > 1 else ())[mover]
        return (
            f"{name} has failed at move {decision.position.plies + 1}. The message would tell what you may not know: "
            "it is in the terminal of rulebots web."
        )

    def _changed(self) -> None:
        self.version += 1

    def _make(self, move: int) -> None:
        self.ongoing.play(move)
        self.revealed = self.looking is not None and bool(self.ongoing.undo_refusal(self.looking))
        self._changed()


class Sessions:
    """The games of a served folder; they are kept in its folder `games`.

    At most `most_searches` searches think at a time.
    """

    def __init__(self, served: ServedFolder, most_searches: int | None = None) -> None:
        self.served = served
        self.folder = served.folder / GAMES
        at_once = most_searches or os.cpu_count() or 1
        #: Where players wait for their turn to think; those that decide at once do not queue for searches.
        self.search_gate = threading.Semaphore(at_once)
        self.quick_gate = threading.Semaphore(at_once)
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._kept: dict[str, int] = {}
        self._lock = threading.Lock()
        #: The usual opponents that were prepared before a game began, by the game's name.
        self._ahead: dict[str, Preparation] = {}

    def prepare(self, game: Game) -> None:
        """Begin to compile a game's usual opponent, as somebody chooses the game; once each, and one at a time."""
        with self._lock:
            if game.name not in self._ahead and all(each.done.is_set() for each in self._ahead.values()):
                name = default_opponent(game)
                self._ahead[game.name] = Preparation(lambda: ([self.served.player(name, game)], ""))
                self._ahead[game.name].start()

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

        Raises UsageError for a wrong option, seed, side or position, or a player that may not be named.
        """
        demand(side in SIDES, f"side: expected {', '.join(SIDES)}, not {side!r}")
        dealt_by = secrets.randbelow(2**32) if seed is None else seed
        begins = 1 + (secrets.randbelow(len(names)) if side == "random" else side == "second")
        recorded = new_game(game, names, options, dealt_by, begins, position or None)
        return self._open(secrets.token_urlsafe(9), Ongoing(recorded, dealt_by), side)

    def again(self, session: Session) -> Session:
        """A new game of the same players, its sides chosen as before; persons with links play one game by them."""
        with session.lock:
            if session.followed_by:
                return self.get(session.followed_by)
            first = session.ongoing.recorded
            in_order = in_turn(first.begins, len(first.seats)) == first.players and len(first.names) == len(first.seats)
            names = first.names if in_order else first.seats
            following = self.begin(session.game, names, first.options, None, session.side, first.position)
            following.call(session.people)
            if session.links:
                session.followed_by = following.id
                session.version += 1
                following.set_links(dict(zip(following.persons, session.links.values(), strict=True)))
            return following

    def load(self, text: str, number: int = 1) -> Session:
        """A session that goes on from a game of a record.

        Raises UsageError for a text that is no record or has no such game, RecordError for a move that is not legal.
        """
        with names_from_data(**REMEDIES):
            record = parse_record(text, "the record")
        return self._open(secrets.token_urlsafe(9), ongoing_of(record, number), "first")

    def get(self, name: str) -> Session:
        """The session of that id, from memory or from disk. Raises NotFound."""
        with self._lock:
            session = self._sessions.get(name)
            if session is not None:
                self._sessions.move_to_end(name)
                return session
        return self._open(name, *read_game(self.folder, name))

    def keep(self, session: Session) -> None:
        """Write a game to disk if it has changed; under its lock. If that fails, the session says so."""
        if self._kept.get(session.id) == session.version:
            return
        try:
            write_game(self.folder / f"{session.id}.txt", session.ongoing, session.side, session.links, session.people)
        except (FileError, OSError) as error:
            session.unsaved = str(error)
        else:
            session.unsaved = ""
            self._kept[session.id] = session.version

    def delete(self, name: str) -> None:
        """Remove a game for good. Raises NotFound, or UsageError for one that several browsers have links to."""
        session = self.get(name)
        demand(not session.links, "this game has links, by which others play it: it stays")
        self._forget(session)
        (self.folder / f"{name}.txt").unlink(missing_ok=True)

    def tidy(self) -> None:
        """Stop searches and drop sessions whose pages are closed: they are on disk."""
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
        if left:
            give_back_memory()

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

    def _open(
        self, name: str, ongoing: Ongoing, side: str, links: dict[int, Link] | None = None, people: str = ""
    ) -> Session:
        """A session of a game."""
        preparation = Preparation(lambda: self._players(ongoing))
        preparation.start()
        session = Session(name, ongoing, side, self, preparation, links or {}, people)
        if preparation.made.wait(PREPARING) and preparation.done.wait(PREPARING / 4):
            if preparation.error is not None:
                raise preparation.error
            session.take_players()
        with self._lock:
            if name in self._sessions:
                return self._sessions[name]
            demand(
                ongoing.recorded.rows or len(game_files(self.folder)) < MOST_GAMES,
                f"{self.folder}: there are {MOST_GAMES:,} games: remove some to play further ones",
                FileError,
            )
            self._sessions[name] = session
            oldest = next(iter(self._sessions.values()))
            crowded = len(self._sessions) > MOST_SESSIONS
        if crowded:
            self._forget(oldest)
        with session.lock:
            self.keep(session)
        return session

    def _players(self, ongoing: Ongoing) -> tuple[list[Player | None], str]:
        """The players of a game by seat, None for a person; for a game that has begun, why one is missing."""
        recorded = ongoing.recorded
        fault = ""
        players: list[Player | None] = [None] * len(recorded.seats)
        for seat, name in enumerate(recorded.seats):
            if name != PERSON:
                try:
                    player = self.served.player(name, ongoing.game, len(recorded.seats))
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
