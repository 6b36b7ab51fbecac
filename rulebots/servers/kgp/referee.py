"""A client as a player: positions out, moves in."""

from __future__ import annotations

from collections.abc import Mapping

from rulebots.errors import shown
from rulebots.game import Moves
from rulebots.players.player import Shown
from rulebots.protocols import Answer, Clock, ProtocolError, Referee, sent
from rulebots.servers.kgp.lines import LONGEST_LINE, VERSION, KgpCommand, board_of, quoted

#: The most characters of a client's name that are kept.
LONGEST_NAME = 40


class KgpReferee(Referee):
    """Our side of a conversation with one client: we are its server.

    A client may change its mind until it yields, or until time is up: then its last move counts (see `late`).
    """

    longest_line = LONGEST_LINE

    def __init__(self) -> None:
        self.ready = False
        #: What the client calls itself.
        self.name = ""
        self._replies: list[str] = []
        self._number = 0
        self._ticket = 0
        self._legal: list[int] = []
        self._random = 0
        self._chosen: int | None = None
        #: The number of the ping that the client has not answered yet; 0 for none.
        self.pinged = 0

    def greet(self) -> list[str]:
        """The version."""
        return [self._line(f"kgp {' '.join(map(str, VERSION))}")]

    def announce(self, game: int, opponent: str) -> list[str]:
        """Which game comes next, and against whom; "" if nobody knows."""
        about = {"game:id": str(game), "game:opponent": opponent}
        return [self._line(f"set {key} {quoted(value)}") for key, value in about.items()]

    def begin(self, seat: int, options: Mapping[str, int], clock: Clock) -> list[str]:
        """How our clock counts: the seconds of each move, or those of all moves of a game."""
        return [self._line(f"set time:mode {'relative' if clock.game_seconds is None else 'absolute'}")]

    def ask(self, seen: Shown, moves: Moves, clock: Clock) -> list[str]:
        """The board, with the client as South, after whole seconds of the clock."""
        self._legal, self._chosen = moves.tolist(), None
        self._random = self._legal[int(seen.view["luck"]) % len(self._legal)]
        seconds = clock.move_seconds if clock.game_seconds is None else clock.left
        told = [] if seconds is None else [self._line(f"set time:clock {int(seconds)}")]
        line = self._line(f"state {board_of(seen.position, seen.seat)}")
        self._ticket = self._number
        return [*told, line]

    def receive(self, line: str) -> Answer | None:
        """The move that counts, once the client yields. Raises ProtocolError for an illegal move, and for goodbye."""
        if not line.strip():
            return None
        command = KgpCommand.read(line)
        if command.name == "mode":
            self._choose_mode(command)
        elif command.name == "set" and command.text(0) == "info:name":
            self.name = shown(command.text(1))[:LONGEST_NAME]
        elif command.name == "goodbye":
            raise ProtocolError("said goodbye")
        elif command.name == "pong" and command.ref == self.pinged:
            self.pinged = 0
        elif self._ticket and command.ref == self._ticket:
            if command.name == "move":
                self._chosen = self._move(line, command)
            elif command.name == "yield":
                return self._settled()
        return None

    def replies(self) -> list[str]:
        """Whether a mode is spoken here."""
        replies, self._replies = self._replies, []
        return replies

    def late(self) -> tuple[Answer, list[str]]:
        """Time is up: the client's last move, else a random one, and what tells it so."""
        stop = self._line("stop", self._ticket)
        return self._settled(), [stop]

    def ping(self) -> list[str]:
        """Ask whether the client is there; nothing while it owes the answer to that question."""
        if self.pinged:
            return []
        line = self._line("ping")
        self.pinged = self._number
        return [line]

    def refuse(self, what: str) -> list[str]:
        """Why the conversation ends."""
        return [self._line(f"error {quoted(what)}"), "goodbye"]

    def leave(self) -> list[str]:
        """Goodbye."""
        return ["goodbye"]

    def _choose_mode(self, command: KgpCommand) -> None:
        if command.text(0) == "freeplay":
            self.ready = True
            self._replies.append(self._line("ok", command.number))
        else:
            unsupported = quoted(f"Unsupported mode '{command.text(0)}'")
            self._replies.append(self._line(f"error {unsupported}", command.number))

    def _move(self, line: str, command: KgpCommand) -> int:
        text = command.text(0)
        if not (text.isdecimal() and len(text) < 4 and int(text) - 1 in self._legal):
            pits = ", ".join(str(move + 1) for move in self._legal)
            raise sent(line, f"one of the pits {pits}")
        return int(text) - 1

    def _settled(self) -> Answer:
        self._ticket = 0
        return Answer(self._random if self._chosen is None else self._chosen)

    def _line(self, text: str, ref: int = 0) -> str:
        """A line to the client, numbered 2, 4, 6, ..., as servers do."""
        self._number += 2
        return f"{self._number}{f'@{ref}' if ref else ''} {text}"
