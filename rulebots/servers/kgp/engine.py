"""Rulebots players at a foreign server: positions in, moves out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulebots.errors import UsageError, shown
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.protocols import Begin, Bye, Decide, End, Engine, Event, ProtocolError, Say, Stop
from rulebots.servers.kgp.lines import LONGEST_LINE, VERSION, KgpCommand, position_of, quoted

#: A move that a server refuses because it does not know the question yet is sent again, at most this often.
TRIES = 3
#: At most this many answers are remembered for that.
REMEMBERED = 100
#: Seconds of a move that are left for the way to the server; and the least that a move gets.
RESERVE, LEAST = 0.1, 0.01
#: Of the time that is left for a whole game, a move gets one of this many shares.
SHARES = 20


class KgpEngine(Engine):
    """Our side of a conversation with a server: the player answers every position that it sends.

    Several positions may be open at a time, and nothing says that they belong to one game. `token` makes the server
    recognise us; it is a secret.
    """

    longest_line = LONGEST_LINE

    def __init__(self, game: Game, player: str, token: str = "") -> None:
        self.game, self.player, self.token = game, player, token
        self._number = -1
        #: What the server has said last by `error`, as words that follow another sentence; empty if nothing.
        self.remark = ""
        #: By the number of our line: the question that it answers, the pit, and how often it was sent.
        self._moves: dict[int, tuple[int, int, int]] = {}
        #: The questions that are open: only their answers are wanted.
        self._open: set[int] = set()
        self._mode = 0
        #: What the server says of its clock: how it counts, and the seconds that are left.
        self._time_mode = ""
        self._clock: float | None = None
        #: What the server says of the game that is on: empty where it says nothing.
        self.game_id, self.opponent = "", ""
        self._played: tuple[str, dict[str, int]] | None = None

    def receive(self, line: str) -> Sequence[Event]:
        """What a line means. Raises ProtocolError for another version, a mode that is refused, or not a command."""
        if not line.strip():
            return []
        command = KgpCommand.read(line)
        follow: Mapping[str, Callable[[KgpCommand], Sequence[Event]]] = {
            "kgp": self._on_kgp,
            "state": self._on_state,
            "stop": self._on_stop,
            "set": self._on_set,
            "ping": self._on_ping,
            "error": self._on_error,
            "goodbye": lambda _: [Bye()],
        }
        # Other commands, such as `ok`, ask for nothing.
        return follow[command.name](command) if command.name in follow else []

    def is_open(self, ticket: int) -> bool:
        """Whether the server still wants that answer."""
        return ticket in self._open

    def suggest(self, asked: Decide, move: int) -> list[str]:
        """Our move so far; nothing to a question that was closed meanwhile."""
        return self._moving(asked.ticket, int(move) + 1, 1) if asked.ticket in self._open else []

    def answer(self, asked: Decide, move: int, about: Any = None) -> list[str]:
        """Our move, and that it is the last word; nothing to a question that was closed meanwhile."""
        lines = self.suggest(asked, move)
        return lines and [*lines, *self.fail(asked, "")]

    def fail(self, asked: Decide, what: str) -> list[str]:
        """No further move: the server makes the last one, or a random one, for us, or counts the game as lost."""
        self._open.discard(asked.ticket)
        return [self._line("yield", asked.ticket)]

    def complain(self, error: ProtocolError) -> list[str]:
        """What was wrong, and goodbye."""
        return [self._line(f"error {quoted(str(error))}"), *self.leave()]

    def leave(self) -> list[str]:
        """Goodbye."""
        return [self._line("goodbye")]

    def _on_kgp(self, command: KgpCommand) -> Sequence[Event]:
        if command.text(0) != str(VERSION[0]):
            raise ProtocolError(f"speaks version {'.'.join(command.arguments)} of KGP: expected {VERSION[0]}")
        about = [f"set info:name {quoted(f'rulebots {self.player}')}"]
        if self.token:
            about.append(f"set auth:token {quoted(self.token)}")
        lines = [Say(self._line(text)) for text in (*about, "mode freeplay")]
        self._mode = self._number
        return lines

    def _on_state(self, command: KgpCommand) -> Sequence[Event]:
        try:
            position = position_of(self.game, command.text(0))
        except UsageError as error:
            return [Say(self._line(f"error {quoted(str(error))}", command.number))]
        moves = position.legal_moves
        if not len(moves):
            return [Say(self._line('error "expected a position with a move to make"', command.number))]
        self._open.add(command.number)
        asked = Decide(position, moves, self._seconds(), command.number)
        return [*self._begun(position), asked]

    def _begun(self, position: Position) -> list[Event]:
        """Another name of the game, or a board of another size or with other stones, begins a game for the player."""
        options = {name: int(position.state[name]) for name in ("pits", "empty_capture")}
        options["stones"] = int(position.state["board"].sum()) // (2 * options["pits"])
        if (self.game_id, options) == self._played:
            return []
        ended: list[Event] = [] if self._played is None else [End(None)]
        self._played = (self.game_id, options)
        return [*ended, Begin(0, options)]

    def _on_stop(self, command: KgpCommand) -> Sequence[Event]:
        self._open.discard(command.ref)
        return [Stop(command.ref)]

    def _on_set(self, command: KgpCommand) -> Sequence[Event]:
        """The server's clock and the game's name; other keys, and other values than seconds, mean nothing here."""
        key, value = command.text(0), command.text(1)
        if key == "game:id":
            self.game_id = shown(value)
        elif key == "game:opponent":
            self.opponent = shown(value)
        elif key == "time:mode":
            self._time_mode = value
        elif key == "time:clock" and re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", value):
            self._clock = float(value)
        return []

    def _seconds(self) -> float | None:
        """How long a decision may take by the server's clock; None if it has none."""
        if self._clock is None or self._time_mode == "none":
            return None
        # If it counts the seconds of each position, all are ours; else they are for a whole game.
        return max(LEAST, (self._clock - RESERVE) / (1 if self._time_mode == "relative" else SHARES))

    def _on_ping(self, command: KgpCommand) -> Sequence[Event]:
        return [Say(self._line(" ".join(["pong", *command.arguments]), command.number))]

    def _on_error(self, command: KgpCommand) -> Sequence[Event]:
        """A move that came before the server was ready for it is made again; a refused mode ends it."""
        if command.ref == self._mode:
            raise ProtocolError(f"refused the mode freeplay: {command.text(0)}")
        self.remark = f": it said '{shown(command.text(0))}'"
        ticket, pit, times = self._moves.pop(command.ref, (0, 0, TRIES))
        if times >= TRIES or "No state" not in command.text(0):
            return []
        lines = self._moving(ticket, pit, times + 1)
        if ticket not in self._open:
            lines.append(self._line("yield", ticket))
        return [Say(line) for line in lines]

    def _moving(self, ticket: int, pit: int, times: int) -> list[str]:
        move = self._line(f"move {pit}", ticket)
        self._moves = {self._number: (ticket, pit, times), **dict(list(self._moves.items())[: REMEMBERED - 1])}
        return [move]

    def _line(self, text: str, ref: int = 0) -> str:
        """A line to the server, numbered 1, 3, 5, ..., as clients do."""
        self._number += 2
        return f"{self._number}{f'@{ref}' if ref else ''} {text}"
