"""A game that is played on the page: who decides for each seat, what is being decided, and the links of its persons."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.packages.levels import LEVEL
from rulebots.players import CompiledPlayer, Player, named_apart
from rulebots.records import PERSON, Ongoing
from rulebots.web.background import BackgroundWork

#: Seconds that a request waits for a player's answer before the page begins to poll.
PATIENCE = 0.12
_LOG = logging.getLogger("rulebots.web")


@dataclass(frozen=True)
class Link:
    """The secret link of a person who plays from a browser of their own.

    It begins as an invitation. Whoever takes the seat gets another key, which nobody else has seen.
    """

    key: str
    taken: bool

    @classmethod
    def new(cls, *, taken: bool) -> Link:
        """A link that nobody can guess."""
        return cls(secrets.token_urlsafe(16), taken)


@dataclass
class Preparation(BackgroundWork):
    """The players of a game while they are made, which may take the time to compile a search.

    `make` gives the player of each seat, None for a person, and why one of them cannot be had, "" for no fault.
    """

    make: Callable[[], tuple[list[Player | None], str]]
    players: Sequence[Player | None] = field(default=(), init=False)

    def work(self) -> None:
        """Make the players."""
        self.players, self.fault = self.make()


@dataclass
class Decision(BackgroundWork):
    """A player's decision in a position of its own: `move`, or None where the player failed.

    It waits at the `gate` until fewer players are thinking.
    """

    player: Player
    position: Position
    gate: threading.Semaphore
    move: int | None = field(default=None, init=False)

    def work(self) -> None:
        """Ask the player, unless the decision was stopped before."""
        with self.gate:
            if not self.stopped:
                self.move = self.player.decide(self.position)

    def stop(self) -> None:
        """Give up: a search that can be stopped ends, and the result of another one is not used."""
        self.stopped = True
        stop = getattr(self.player, "stop", None)
        if callable(stop):
            stop()


@dataclass
class Session:
    """A game that is played on the page: who decides for each seat, and what is being decided.

    `lock` is held while it changes; `version` rises with every change that a page shows. `players` are those of the
    seats, None for a person. `side` says how sides are chosen when it is played again.
    """

    id: str
    ongoing: Ongoing
    side: str
    #: Writes the game to disk, and tells where a player waits for its turn to think.
    keep: Callable[[Session], None]
    gate_of: Callable[[Player], threading.Semaphore]
    #: The players while they are being made; None once they are here.
    preparation: Preparation | None
    #: The links of persons who play from browsers of their own, by seat; none where all share the game's address.
    links: dict[int, Link]
    #: The id of the next game of the same players and links; "" for none.
    followed_by: str = ""
    version: int = 0
    #: Which of several persons at one screen looks at it; None before the first has said so.
    looking: int | None = None
    #: Why a player makes no further move, and why the game is not on disk; "" where nothing is wrong.
    fault: str = ""
    unsaved: str = ""
    #: The `result` of the search that moved after so many plies, as far as this process has seen it.
    results: dict[int, Any] = field(default_factory=dict)
    decision: Decision | None = None
    #: What a review has found out so far, by the ply before the move; None where nobody has asked for one.
    reviewed: Mapping[int, Any] | None = None
    seen: float = field(default_factory=time.monotonic)
    lock: threading.RLock = field(default_factory=threading.RLock)

    def __post_init__(self) -> None:
        self.game: Game = self.ongoing.game
        #: The names of the seats as the record has them, and the seats of persons.
        self.seats = self.ongoing.recorded.seats
        self.persons = [seat for seat, name in enumerate(self.seats) if name == PERSON]
        self.players: Sequence[Player | None] = [None] * len(self.seats)

    def names(self, numbered: Sequence[int]) -> tuple[str, ...]:
        """The names of the seats, all different: a level's name alone, and those persons by the number of the seat."""
        seats = enumerate(self.seats)
        return tuple(
            named_apart(
                [f"player {seat + 1}" if seat in numbered else name.removeprefix(f"{LEVEL}:") for seat, name in seats]
            )
        )

    @property
    def position(self) -> Position:
        """The position now."""
        return self.ongoing.position

    @property
    def hides(self) -> bool:
        """Whether something is hidden from a person who looks."""
        return self.game.hidden and bool(self.persons) and not self.ongoing.ended

    @property
    def viewpoint(self) -> int | None:
        """The seat whose knowledge the game's own address shows: the person's; None for all.

        Of several persons it is the mover where something is hidden, and who looked last while a player moves.
        """
        persons = self.persons
        if len(persons) < 2 or not self.game.hidden:
            return persons[0] if len(persons) == 1 else None
        mover = self.position.mover
        return mover if mover in persons else persons[0] if self.looking is None else self.looking

    @property
    def covered(self) -> bool:
        """Whether the screen is being passed to another person, who must not see the same hand."""
        return len(self.persons) > 1 and self.hides and not self.links and self.looking != self.viewpoint

    @property
    def persons_turn(self) -> bool:
        """Whether a person is to move."""
        return self.preparation is None and self.position.mover in self.persons and not self.ongoing.ended

    @property
    def waiting(self) -> bool:
        """Whether the page should ask again soon: a player is to move and has not failed."""
        return not self.fault and not self.persons_turn and not self.ongoing.ended

    @property
    def has_decision(self) -> bool:
        """Whether a person has made a move that could be taken back."""
        return any(position.mover in self.persons for position in self.ongoing.positions[:-1])

    @property
    def searches(self) -> bool:
        """Whether one of the players keeps more than its weights between its moves."""
        return any(player is not None and not isinstance(player, CompiledPlayer) for player in self.players)

    def result_at(self, ply: int) -> Any:
        """The result of a search before the move after `ply` moves: the player's own, or the review's; or None."""
        return self.results.get(ply) or (self.reviewed or {}).get(ply)

    def move(self, move: int) -> None:
        """Make a person's move. Raises UsageError for one that is not legal."""
        with self.lock:
            if move not in self.position.legal_moves:
                raise UsageError(self.position.refusal(move))
            self._make(move)

    def uncover(self) -> None:
        """Show the board to the person who is to move."""
        with self.lock:
            self.looking = self.viewpoint
            self.version += 1

    def take_back(self) -> None:
        """Go back to the latest decision of a person. Raises UsageError as `Ongoing.take_back` does."""
        with self.lock:
            self.ongoing.take_back(*self.persons)
            self.stop()
            if all(player is not None or seat in self.persons for seat, player in enumerate(self.players)):
                self.fault = ""
            self.results = {ply: result for ply, result in self.results.items() if ply < len(self.ongoing.moves)}
            self.version += 1

    def link(self) -> int:
        """Make a link for each person; gives the first person's seat, which is taken, the others are invited.

        Raises:
            UsageError: there are links, or no person plays.
        """
        with self.lock:
            if self.links or not self.persons:
                raise UsageError("this game has its links" if self.links else "no person plays this game")
            first = self.persons[0]
            self.set_links({seat: Link.new(taken=seat == first) for seat in self.persons})
            return first

    def take_seat(self, seat: int | None) -> None:
        """Take the seat of an invitation, whose link leads nowhere from now on. Raises UsageError for another link."""
        with self.lock:
            if seat is None or self.links[seat].taken:
                raise UsageError("this seat has been taken")
            self.set_links({**self.links, seat: Link.new(taken=True)})

    def set_links(self, links: dict[int, Link]) -> None:
        """Change the links, and keep them."""
        with self.lock:
            self.links = links
            self.version += 1
            self.keep(self)

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
            self.keep(self)
            if not self.waiting or self.decision is not None:
                return self.decision
            player = self.players[self.position.mover]
            assert player is not None
            decision = self.decision = Decision(player, self.position.copy(), self.gate_of(player))
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
            self.keep(self)

    def _public_fault(self, decision: Decision) -> str:
        """What the page says of a fault: its message quotes the legal moves, which may tell a person the other hand."""
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
        """Note that the page shows something else, though the game is the same."""
        self.version += 1

    def _make(self, move: int) -> None:
        self.ongoing.play(move)
        self.version += 1
