"""The protocol of Piskvork and the Gomocup tournaments: gomoku engines ("brains") and the managers that run them.

https://plastovicka.github.io/protocl2en.htm. One command a line; points are `x,y` from 0, `0,0` at the upper left.
A `PiskvorkReferee` is the manager of an engine, a `PiskvorkEngine` lets a manager ask one of our players.
"""

import re
import string
from collections.abc import Mapping, Sequence
from importlib import metadata
from typing import Any

from rulebots.errors import UsageError, demand, shown
from rulebots.files.ranges import whole_of
from rulebots.game import Game, Moves
from rulebots.game.position import Position
from rulebots.players import Player
from rulebots.players.player import Shown
from rulebots.protocols import (
    LEAST,
    SHARES,
    Answer,
    Begin,
    Bye,
    Clock,
    Decide,
    End,
    Engine,
    Event,
    ProtocolError,
    Referee,
    Say,
    sent,
)

#: The game that is played.
GAME = "gomoku"
#: The names of columns, as the package's gomoku writes them.
LETTERS = string.ascii_lowercase
#: In `INFO time_left`: no limit.
UNLIMITED = 2_147_483_647
#: In a BOARD: the stones of the engine that reads it, and those of its opponent.
OWN = 1
OTHER = 2
#: `INFO rule`: freestyle, and exactly five in a row.
RULES = ("0", "1")
#: `x,y` in a line.
POINT = re.compile(r"([0-9]{1,3})\s*,\s*([0-9]{1,3})")
#: The keys of `INFO` that the engine reads. It ignores all others, as the protocol demands: it plays alike in every
#: `game_type`, writes nothing to the `folder`, and does not show how it would `evaluate` a point.
READ = ("rule", "timeout_turn", "timeout_match", "time_left")
#: Seconds of a move that are left for the way to the manager.
RESERVE = 0.03
#: Our three stones of an opening for SWAP2, from the middle.
SWAP2_OPENING = ((0, 0), (1, 0), (2, 2))


def point_of(name: str, size: int) -> str:
    """`x,y` of a point that our gomoku writes as `h8`."""
    return f"{LETTERS.index(name[0])},{size - int(name[1:])}"


class PiskvorkReferee(Referee):
    """Our side of a conversation with an engine: we are its manager.

    `BEGIN` asks on an empty board, `TURN` where the position follows from the last one, and `BOARD` where it does not.
    `memory` is the limit that the engine is told, in bytes. Its hello is the answer to `START 20`, the one size
    that every engine has to know; the refusal of an engine that knows other sizes only is a hello as well.
    """

    language = "Piskvork"

    def __init__(self, game: Game, memory: int | None = None) -> None:
        self.game = game
        self.memory = memory
        self.ready = False
        self._size = 0
        self._start: list[str] = []
        #: The stones that the engine knows of, as (name, seat); None before its first decision of a game.
        self._known: set[tuple[str, int]] | None = None
        self._legal: dict[str, int] = {}
        self._seat = 0
        self._message = ""

    def greet(self) -> list[str]:
        """A board that every engine has to know."""
        return ["START 20"]

    def begin(self, seat: int, options: Mapping[str, int], clock: Clock) -> list[str]:
        """`START`, with what the engine has to know of rule, clocks and memory."""
        self._size = options["size"]
        self._seat = seat
        self._known = None
        self.ready = False
        info = {
            "game_type": 1,
            "rule": options["exactly"],
            "timeout_turn": None if clock.move_seconds is None else max(1, round(clock.move_seconds * 1000)),
            "timeout_match": 0 if clock.game_seconds is None else max(1, round(clock.game_seconds * 1000)),
            "max_memory": self.memory,
        }
        self._start = [
            f"START {self._size}",
            *(f"INFO {key} {value}" for key, value in info.items() if value is not None),
        ]
        return self._start

    def ask(self, seen: Shown, moves: Moves, clock: Clock) -> list[str]:
        """The position, and what is left of the engine's time."""
        self._legal = {point_of(self.game.text.write(int(move)), self._size): int(move) for move in moves}
        self._message = ""
        stones = self._stones(seen)
        known = self._known
        self._known = set(stones)
        time_left = f"INFO time_left {UNLIMITED if clock.left is None else round(clock.left * 1000)}"
        news = self._known - (known or set())
        if known and known < self._known and len(news) == 1:
            [(name, seat)] = news
            if seat != self._seat:
                return [time_left, f"TURN {point_of(name, self._size)}"]
        again = [] if known is None else self._start
        if not stones:
            return [*again, time_left, "BEGIN"]
        board = [f"{point_of(name, self._size)},{OWN if seat == self._seat else OTHER}" for name, seat in stones]
        return [*again, time_left, "BOARD", *board, "DONE"]

    def receive(self, line: str) -> Answer | None:
        """The point of the engine's stone; None for remarks and answers to other commands."""
        text = line.strip()
        word, _, rest = text.partition(" ")
        match word.upper():
            case "OK":
                self.ready = True
                return None
            case "ERROR" if not self._start:
                self.ready = True
                return None
            case "MESSAGE" | "DEBUG":
                self._message = shown(rest)
                return None
            case "" | "UNKNOWN":
                return None
            case "ERROR":
                raise sent(text, f"OK, or a point x,y on a board of {self._size} x {self._size}")
        match = POINT.fullmatch(text)
        if match is None:
            raise sent(text, "a point x,y")
        point = f"{int(match[1])},{int(match[2])}"
        if point not in self._legal or self._known is None:
            raise sent(text, f"an empty point of a board of {self._size} x {self._size}")
        move = self._legal[point]
        self._known = {*self._known, (self.game.text.write(move), self._seat)}
        return Answer(move, self._message)

    def leave(self) -> list[str]:
        """The engine ends."""
        return ["END"]

    def _stones(self, seen: Shown) -> list[tuple[str, int]]:
        """The stones on the board, in the order of the game if that is known."""
        if seen.history is not None:
            return [(self.game.text.write(ply.move), ply.seat) for ply in seen.history]
        board = re.sub("[0-9]+", lambda run: " " * int(run[0]), seen.position.split()[0])
        return [
            (f"{LETTERS[column]}{self._size - below}", "XO".index(cell))
            for below, cells in enumerate(board.split("/"))
            for column, cell in enumerate(cells)
            if cell != " "
        ]


class PiskvorkEngine(Engine):
    """Our side of a conversation with a manager: it answers every command of the protocol, and each with one line.

    A command that cannot be followed is answered by `ERROR`, one that is unknown by `UNKNOWN`, and nothing ends the
    conversation but `END`. The player keeps its colour in SWAP2, and puts a fixed opening when it has to put one.

    Raises:
        UsageError: another game than gomoku.
    """

    def __init__(self, game: Game, player: Player) -> None:
        demand(game.name == GAME, f"the protocol 'piskvork' is about {GAME}, not {game.name}")
        self.game = game
        self.player = player.name
        self.size = 0  # before START
        #: Points as our gomoku writes them, each with OWN or OTHER, in the order in which they came.
        self.stones: list[tuple[str, int]] = []
        self.info: dict[str, str] = {}
        self._reading: tuple[str, list[str]] | None = None  # BOARD or SWAP2BOARD, and its lines so far
        self._game = 0
        self._begun = False

    def receive(self, line: str) -> Sequence[Event]:
        """What a command means. It never raises."""
        text = line.strip()
        try:
            if self._reading is not None:
                return self._read_on(*self._reading, text)
            command, _, rest = text.partition(" ")
            return self._follow(command.upper(), rest.strip(), text) if command else []
        except UsageError as error:
            return [Say(f"ERROR {error}")]

    def _follow(self, command: str, rest: str, text: str) -> Sequence[Event]:
        match command:
            case "START":
                return self._start(rest)
            case "RECTSTART":
                raise UsageError("rectangular boards are not supported")
            case "INFO":
                key, _, value = rest.partition(" ")
                if key.lower() in READ:
                    self.info[key.lower()] = value.strip()
                return []
            case "ABOUT":
                name = self.player.replace('"', "'")
                about = f'name="rulebots {name}", version="{metadata.version("rulebots")}"'
                return [Say(f'{about}, author="the rulebots authors", country="-", www="-", email="-"')]
            case "END":
                return [*self._left(), Bye()]
            case "RESTART" | "BEGIN" | "TURN" | "TAKEBACK" | "BOARD" | "SWAP2BOARD" if not self.size:
                raise UsageError("expected START before that")
            case "RESTART":
                return self._replaced([])
            case "BEGIN":
                demand(not self.stones, "BEGIN is for an empty board; RESTART empties it")
                return self._decide()
            case "TURN":
                self._put(rest, OTHER)
                return self._decide()
            case "TAKEBACK":
                name = self._point(rest)
                others = [stone for stone in self.stones if stone[0] != name]
                demand(len(others) != len(self.stones), f"there is no stone on {shown(rest)}")
                return self._replaced(others)
            case "BOARD" | "SWAP2BOARD":
                self._reading = command, []
                return []
        return [Say(f"UNKNOWN {shown(text)}")]

    def answer(self, asked: Decide, move: int, about: Any = None) -> list[str]:
        """The point of our stone."""
        name = self.game.text.write(move)
        self.stones.append((name, OWN))
        return [point_of(name, self.size)]

    def fail(self, asked: Decide, what: str) -> list[str]:
        """The manager decides what becomes of an engine without a move."""
        return [f"ERROR {' '.join(what.split())}"]

    def complain(self, error: ProtocolError) -> list[str]:
        """A line that cannot be read, such as one that is too long."""
        return [f"ERROR {error}"]

    def closed(self) -> Sequence[Event]:
        """A manager may go without END."""
        return [*self._left(), Bye()]

    def _start(self, rest: str) -> Sequence[Event]:
        allowed = self.game.options["size"]
        size = whole_of(rest)
        if size is None or not allowed.low <= size <= allowed.high:
            raise UsageError(f"expected a size from {allowed.low} to {allowed.high}, not '{shown(rest)}'")
        self._options()  # a rule that is not played is refused before there is a board
        self.size = size
        return self._replaced([])

    def _replaced(self, stones: list[tuple[str, int]]) -> Sequence[Event]:
        """Other stones are on the board; the game so far is abandoned."""
        self.stones = stones
        return [*self._left(), Say("OK")]

    def _read_on(self, command: str, lines: list[str], line: str) -> Sequence[Event]:
        if line.upper() != "DONE":
            if line and len(lines) <= self.size * self.size:
                lines.append(line)
            return []
        self._reading = None
        left = self._left()
        before = self.stones
        self.stones = []
        try:
            return [*left, *(self._swap2(lines) if command == "SWAP2BOARD" else self._board(lines))]
        except UsageError as error:
            self.stones = before
            return [*left, Say(f"ERROR {error}")]

    def _board(self, lines: list[str]) -> Sequence[Event]:
        for text in lines:
            point, _, owner = text.rpartition(",")
            demand(owner.strip() in (str(OWN), str(OTHER)), f"expected x,y,1 or x,y,2 in a BOARD, not '{shown(text)}'")
            self._put(point, int(owner))
        return self._decide()

    def _swap2(self, lines: list[str]) -> Sequence[Event]:
        """The first three stones; or the next one, which keeps the colour."""
        if not lines:
            middle = self.size // 2
            return [Say(" ".join(f"{middle + x},{middle + y}" for x, y in SWAP2_OPENING))]
        demand(len(lines) in (3, 5), f"expected 0, 3 or 5 stones in a SWAP2BOARD, not {len(lines)}")
        for i, text in enumerate(lines):
            self._put(text, OWN if i % 2 else OTHER)
        return self._decide()

    def _point(self, text: str) -> str:
        match = POINT.fullmatch(text.strip())
        if match is None:
            raise UsageError(f"expected a point x,y, not '{shown(text)}'")
        x = int(match[1])
        y = int(match[2])
        demand(max(x, y) < self.size, f"expected a point from 0,0 to {self.size - 1},{self.size - 1}, not {x},{y}")
        return f"{LETTERS[x]}{self.size - y}"

    def _put(self, text: str, owner: int) -> None:
        name = self._point(text)
        demand(
            not any(name == other for other, _ in self.stones),
            f"there is a stone on {point_of(name, self.size)} already",
        )
        self.stones.append((name, owner))

    def _decide(self) -> Sequence[Event]:
        """We have to put a stone; the first time in a game it begins for our player."""
        position = self._position()
        asked = Decide(position, position.legal_moves, self._seconds())
        if self._begun:
            return [asked]
        self._begun = True
        self._game += 1
        return [Begin(position.mover, self._options()), asked]

    def _left(self) -> list[Event]:
        if not self._begun:
            return []
        self._begun = False
        return [End(None)]

    def _options(self) -> dict[str, int]:
        rule = self.info.get("rule", "0")
        demand(
            rule in RULES, f"rule '{shown(rule)}' is not played here: expected rule 0, freestyle, or 1, exactly five"
        )
        return {"size": self.size, "exactly": int(rule)}

    def _position(self) -> Position:
        """The position of the stones, put in turns in the order in which they came; we are to move."""
        stones = {owner: [name for name, other in self.stones if owner == other] for owner in (OWN, OTHER)}
        ahead = len(stones[OTHER]) - len(stones[OWN])
        demand(
            ahead in (0, 1),
            "expected as many stones of mine as of the opponent's, or one more of the opponent's, "
            f"not {len(stones[OWN])} and {len(stones[OTHER])}",
        )
        order = (OTHER, OWN) if ahead else (OWN, OTHER)
        position = Position(self.game, self._options(), seed=self._game, compiled=True)
        for i in range(len(self.stones)):
            if not position.over:
                position.push(position.read(stones[order[i % 2]][i // 2]))
        demand(not position.over, "the game is over: RESTART or START begins another")
        return position

    def _seconds(self) -> float | None:
        """How long the decision may take, by the manager's clocks; None if it has said nothing."""
        turn = whole_of(self.info.get("timeout_turn", ""))
        left = whole_of(self.info.get("time_left", ""))
        if left is None:
            left = whole_of(self.info.get("timeout_match", "")) or None  # 0 is no limit
        limits = [] if turn is None else [turn / 1000 - RESERVE]
        if left is not None and left < UNLIMITED:
            limits.append((left / 1000 - RESERVE) / SHARES)
        return max(LEAST, min(limits)) if limits else None
