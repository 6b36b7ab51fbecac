"""The client of the Kalah Game Protocol, version 1, mode `freeplay`, without its socket: positions in, moves out.

https://github.com/KWARC/kalah-game, spec/. A line is `[id][@ref] name arguments`: `id` numbers the lines of one side,
`ref` is the number of the line that is answered. A board is `<n,S,N,s1..sn,n1..nn>`: pits a side, the stores of South
and North, their pits, each from its player's own left. The side that is asked is always South; pits count from 1.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from rulebots.errors import UsageError, demand, shown
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.protocols import LEAST, SHARES, Begin, Bye, Decide, End, Engine, Event, ProtocolError, Say, Stop, sent

#: The game that is played.
GAME = "kalah"
#: The major version that is spoken here.
VERSION = "1"
#: Bytes of the longest line that the protocol allows.
LONGEST_LINE = 16_384
#: At most this many answers are remembered, to be sent once more if the server did not know the question yet.
REMEMBERED = 100
#: Seconds of a move that are left for the way to the server.
RESERVE = 0.1
#: The keys of `set` that mean something here: the game's name and opponent, how the clock counts, and its seconds.
KEYS = ("game:id", "game:opponent", "time:mode", "time:clock")

_LINE = re.compile(r"(?:([0-9]{1,18})?(?:@([0-9]{1,18}))? +)?([A-Za-z][\w:-]*)((?: .*)?)")
_ARGUMENT = re.compile(r'\s*+(<[0-9,\s]*+>|"(?:\\.|[^"\\])*+"|[^\s"<>]++)')
_ARGUMENTS = re.compile(f"(?:{_ARGUMENT.pattern})*+")
_BOARD = re.compile(r"<\s*[0-9]{1,4}(?:\s*,\s*[0-9]{1,4})*\s*>")


@dataclass(frozen=True)
class KgpCommand:
    """A line: its number, the number that it answers (0 for none), its name, and its arguments as they stand there."""

    number: int
    ref: int
    name: str
    arguments: tuple[str, ...]

    @classmethod
    def read(cls, line: str) -> Self:
        """The command of a line. Raises ProtocolError."""
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise sent(line, "[id][@ref] name arguments")
        text = match[4].rstrip()
        if _ARGUMENTS.fullmatch(text) is None:
            raise sent(line, "words, numbers, quoted strings and boards as arguments")
        return cls(int(match[1] or 0), int(match[2] or 0), match[3], tuple(_ARGUMENT.findall(text)))

    def text(self, index: int) -> str:
        """An argument without quotation marks; empty where there is none."""
        if index >= len(self.arguments):
            return ""
        argument = self.arguments[index]
        return re.sub(r"\\(.)", r"\1", argument[1:-1]) if argument.startswith('"') else argument


class KgpEngine(Engine):
    """Our side of a conversation with a server: the player answers every position that it sends.

    Several positions may be open at a time, and nothing says that they belong to one game. `token` makes the server
    recognise us; it is a secret.
    """

    longest_line = LONGEST_LINE

    def __init__(self, game: Game, player: str, token: str = "") -> None:
        self.game = game
        self._player = player
        self._token = token
        self._number = -1
        #: The server's last `error`, as words that follow another sentence; empty if there was none.
        self.remark = ""
        #: By the number of our line: the question that it answers, and the pit.
        self._moves: dict[int, tuple[int, int]] = {}
        #: The questions that are open: the server only wants their answers.
        self.open: set[int] = set()
        #: The number of our line that chose the mode.
        self._mode = 0
        #: What the server has set.
        self.values = dict.fromkeys(KEYS, "")
        self._playing: tuple[str, dict[str, int]] | None = None

    def receive(self, line: str) -> Sequence[Event]:
        """What a line means. Raises ProtocolError for another version, a refused mode, or not a command."""
        if not line.strip():
            return []
        command = KgpCommand.read(line)
        match command.name:
            case "kgp":
                return self._greet(command)
            case "state":
                return self._question(command)
            case "stop":
                self.open.discard(command.ref)
                return [Stop(command.ref)]
            case "set":
                if command.text(0) in self.values:
                    self.values[command.text(0)] = shown(command.text(1))
            case "ping":
                return [Say(self._line(" ".join(["pong", *command.arguments]), command.number))]
            case "error":
                return self._refused(command)
            case "goodbye":
                return [Bye()]
        return []  # other commands, such as `ok`, ask for nothing

    def suggest(self, asked: Decide, move: int) -> list[str]:
        """Our move so far; nothing to a question that was closed meanwhile."""
        if asked.ticket not in self.open:
            return []
        pit = int(move) + 1
        line = self._line(f"move {pit}", asked.ticket)
        self._moves[self._number] = asked.ticket, pit
        if len(self._moves) > REMEMBERED:
            del self._moves[next(iter(self._moves))]
        return [line]

    def answer(self, asked: Decide, move: int, about: Any = None) -> list[str]:
        """Our final move; nothing to a question that was closed meanwhile."""
        lines = self.suggest(asked, move)
        return lines and [*lines, *self.fail(asked, "")]

    def fail(self, asked: Decide, what: str) -> list[str]:
        """No further move: the server takes the last one, or a random one, or counts the game as lost."""
        self.open.discard(asked.ticket)
        return [self._line("yield", asked.ticket)]

    def complain(self, error: ProtocolError) -> list[str]:
        """What was wrong, and goodbye."""
        return [self._line(f"error {quoted(str(error))}"), *self.leave()]

    def leave(self) -> list[str]:
        """Goodbye."""
        return [self._line("goodbye")]

    def _greet(self, command: KgpCommand) -> Sequence[Event]:
        demand(
            command.text(0) == VERSION,
            f"speaks version {'.'.join(command.arguments)} of KGP: expected {VERSION}",
            ProtocolError,
        )
        about = [f"set info:name {quoted(f'rulebots {self._player}')}"]
        if self._token:
            about.append(f"set auth:token {quoted(self._token)}")
        lines = [Say(self._line(text)) for text in (*about, "mode freeplay")]
        self._mode = self._number
        return lines

    def _question(self, command: KgpCommand) -> Sequence[Event]:
        try:
            position = position_of(self.game, command.text(0))
        except UsageError as error:
            return [Say(self._line(f"error {quoted(str(error))}", command.number))]
        moves = position.legal_moves
        if not len(moves):
            return [Say(self._line('error "expected a position with a move to make"', command.number))]
        self.open.add(command.number)
        return [*self._begun(position), Decide(position, moves, self._seconds(), command.number)]

    def _begun(self, position: Position) -> list[Event]:
        """Another name of the game, or a board of another size or with other stones, begins a game for the player."""
        options = {name: int(position.state[name]) for name in ("pits", "empty_capture")}
        options["stones"] = int(position.state["board"].sum()) // (2 * options["pits"])
        playing = (self.values["game:id"], options)
        if playing == self._playing:
            return []
        ended: list[Event] = [] if self._playing is None else [End(None)]
        self._playing = playing
        return [*ended, Begin(0, options)]

    def _seconds(self) -> float | None:
        """How long a decision may take by the server's clock; None if it has none."""
        clock = self.values["time:clock"]
        mode = self.values["time:mode"]
        if mode == "none" or not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", clock):
            return None
        # A relative clock counts the seconds of this move; else they are for the whole game.
        return max(LEAST, (float(clock) - RESERVE) / (1 if mode == "relative" else SHARES))

    def _refused(self, command: KgpCommand) -> Sequence[Event]:
        """Send a move once more that came too early for the server. Raises ProtocolError for a refused mode."""
        demand(command.ref != self._mode, f"refused the mode freeplay: {command.text(0)}", ProtocolError)
        self.remark = f": it said '{shown(command.text(0))}'"
        ticket, pit = self._moves.pop(command.ref, (0, 0))
        if not pit or "No state" not in command.text(0):
            return []
        again = [Say(self._line(f"move {pit}", ticket))]
        return again if ticket in self.open else [*again, Say(self._line("yield", ticket))]

    def _line(self, text: str, ref: int = 0) -> str:
        """A line to the server, numbered 1, 3, 5, ..., as clients do."""
        self._number += 2
        return f"{self._number}{f'@{ref}' if ref else ''} {text}"


def quoted(text: str) -> str:
    """A string as an argument."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{" ".join(escaped.split())}"'


def position_of(game: Game, board: str) -> Position:
    """The position of a board in the package's Kalah, South to move as seat 0, with the protocol's rule of capture.

    Raises:
        UsageError: not a board, or one that the package's Kalah does not have.
    """
    demand(_BOARD.fullmatch(board), "expected a board <n,S,N,s1..sn,n1..nn>")
    size, *stones = (int(number) for number in board[1:-1].split(","))
    demand(
        size and len(stones) == 2 * size + 2,
        f"expected a board <n,S,N,s1..sn,n1..nn>, not {len(stones)} numbers after n = {size}",
    )
    each, rest = divmod(sum(stones), 2 * size)
    demand(not rest, f"expected the same number of stones in each of {2 * size} pits at first, not {each} and a rest")
    south, north, *pits = stones
    sides = (",".join(map(str, (*side, store))) for side, store in ((pits[:size], south), (pits[size:], north)))
    options = {"pits": size, "stones": each, "empty_capture": 0}
    return Position.from_text(game, f"{'/'.join(sides)} 0", options, compiled=True)
