"""A table: a game that is played on the page, who decides for each seat, and what is being thought."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.players import Player, named_apart
from rulebots.records import PERSON, Ongoing
from rulebots.web.thinking import Preparation, Thinkers, Thought

#: Who sits where in the next game: as now or the other way round is up to chance with "random".
SIDES = ("first", "second", "random")
#: Seconds that a request waits for a player's answer before the page begins to poll.
PATIENCE = 0.12
#: Seconds without a request after which a search is stopped: its tab is closed or hidden.
LEFT = 6.0
_LOG = logging.getLogger("rulebots.web")


@dataclass
class Table:
    """One game. `lock` is held while it changes; `version` rises with every change that a page shows.

    `players` are those of the seats, None for a person. `side` says how sides are chosen when it is played again.
    """

    id: str
    ongoing: Ongoing
    players: tuple[Player | None, Player | None]
    side: str = "first"
    version: int = 0
    #: Why a player makes no move any more, and why the game is not on disk; "" where nothing is wrong.
    fault: str = ""
    unsaved: str = ""
    #: What a search found out before a ply, as far as this process has seen it: ply -> the player's `result`.
    results: dict[int, Any] = field(default_factory=dict)
    thought: Thought | None = None
    #: The players as long as they are being made; None once they are here.
    preparation: Preparation | None = None
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
        """What the seats are called, each in its own way."""
        one, other = self.ongoing.recorded.seats
        return ["player 1", "player 2"] if one == other == PERSON else named_apart([one, other])

    @property
    def persons(self) -> list[int]:
        """The seats of persons."""
        return [seat for seat, name in enumerate(self.ongoing.recorded.seats) if name == PERSON]

    @property
    def complete(self) -> bool:
        """Whether every player that the game names is here."""
        return all(player is not None or seat in self.persons for seat, player in enumerate(self.players))

    @property
    def viewer(self) -> int | None:
        """Whose eyes the page has: the person's. Of two persons it is the mover's where something is hidden."""
        if len(self.persons) == 1:
            return self.persons[0]
        return max(self.position.mover, 0) if self.persons and self.game.hidden else None

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

    def check_turn(self) -> None:
        """Raises UsageError where it is not a person's turn."""
        if not self.persons_turn:
            raise UsageError("the game is over" if self.ongoing.ended else "it is not your turn")

    def move(self, move: int) -> None:
        """A person's move. Raises UsageError where it is not a person's turn, or the move is not legal."""
        with self.lock:
            self.check_turn()
            if move not in self.position.legal_moves:
                raise UsageError(self.position.refusal(move))
            self._make(move)

    def take_back(self) -> None:
        """Go back to the latest decision of the person who looks. Raises UsageError where there is none."""
        with self.lock:
            seats = self.persons
            if len(seats) == 2:
                mover = self.position.mover
                last = [ply for ply in range(len(self.ongoing.moves)) if self.ongoing.positions[ply].mover in seats]
                seats = [self.ongoing.positions[last[-1]].mover] if last else [mover]
            if not seats or not self.ongoing.take_back(seats[0]):
                raise UsageError("there is no move of yours to take back")
            self.stop()
            self.fault = "" if self.complete else self.fault
            self.results = {ply: found for ply, found in self.results.items() if ply < len(self.ongoing.moves)}
            self.version += 1

    def advance(self, thinkers: Thinkers, keep: Callable[[Table], None], patience: float = PATIENCE) -> None:
        """Throw dice and let players think until a person is to move, but not for longer than `patience` seconds.

        Between two players one of them makes one move, so that who looks can follow.
        """
        self.seen = time.monotonic()
        while (thought := self._next_thought(thinkers, keep)) is not None:
            left = self.seen + patience - time.monotonic()
            if left <= 0 or not thought.done.wait(left) or not self.persons:
                return

    def prepare(self) -> None:
        """Take the players that have been made; where they are not ready, the page shows what goes on."""
        with self.lock:
            made = self.preparation
            if made is None:
                return
            self.version += 1
            if made.done.is_set():
                self.preparation = None
                self.players = (made.players[0], made.players[1])
                self.fault = made.fault if made.error is None else str(made.error)

    def stop(self) -> None:
        """Stop what is being thought."""
        with self.lock:
            if self.thought is not None:
                self.thought.stop()
                self.thought = None

    def _next_thought(self, thinkers: Thinkers, keep: Callable[[Table], None]) -> Thought | None:
        """What is being thought, begun here if nothing is; None where no player is to move."""
        with self.lock:
            self.prepare()
            if self.preparation is not None:
                return None
            while self.position.chance_to_move and not self.ongoing.ended:
                self._make(self.ongoing.draw())
            keep(self)
            if not self.waiting or self.thought is not None:
                return self.thought
            player = self.players[self.position.mover]
            assert player is not None
            thought = self.thought = Thought(player, self.position.copy())
        thinkers.start(thought, lambda found: self._answer(found, keep), self._changed)
        return thought

    def _answer(self, thought: Thought, keep: Callable[[Table], None]) -> None:
        """Make the move that a player has found, unless the game has gone another way."""
        with self.lock:
            if self.thought is not thought:
                return
            self.thought = None
            if thought.move is None:
                self.fault = self._told(thought)
                self.version += 1
                return
            found = getattr(thought.player, "result", None)
            if found is not None:
                self.results[len(self.ongoing.moves)] = found
            self._make(thought.move)
            keep(self)

    def _told(self, thought: Thought) -> str:
        """What the page says of a fault: its message quotes the legal moves, which tell a person the other hand."""
        if self.viewer in (None, thought.position.mover) or not self.game.hidden:
            return thought.fault
        _LOG.warning("game %s: %s", self.id, thought.fault)
        name = self.names[thought.position.mover]
        return (
            f"{name} has failed at move {thought.position.plies + 1}. The message would tell what you may not know: "
            "it is in the terminal of rulebots web."
        )

    def _changed(self) -> None:
        """What the page shows has changed, and the game has not."""
        self.version += 1

    def _make(self, move: int) -> None:
        self.ongoing.play(move)
        self.version += 1
