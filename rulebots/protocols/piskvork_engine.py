"""The asked side, for a manager: `rulebots engine PLAYER --game gomoku --protocol piskvork`."""

from __future__ import annotations

import re
import resource
from collections.abc import Callable, Sequence
from importlib import metadata
from typing import Any

from rulebots.errors import UsageError, shown
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.players import Player
from rulebots.protocols import Begin, Bye, Decide, End, Engine, Event, ProtocolError, Say
from rulebots.protocols.piskvork_points import (
    EXACTLY_FIVE,
    FREESTYLE,
    GAME,
    LACKING,
    OTHER,
    OWN,
    POINT,
    UNLIMITED,
    name_of_point,
    point_of_name,
)

#: The keys of `INFO` that the engine reads. It ignores all others, as the protocol demands: it plays alike in every
#: `game_type`, writes nothing to the `folder`, and does not show how it would `evaluate` a point.
READ = ("rule", "timeout_turn", "timeout_match", "time_left", "max_memory")
#: Seconds of a move that are left for the way to the manager; and the least that a move gets.
RESERVE = 0.03
LEAST = 0.01
#: Of the time that is left for the whole game, a move gets one of this many shares.
SHARES = 20
#: The three stones of an opening that we put for SWAP2, from the middle.
SWAP2_OPENING = ((0, 0), (1, 0), (2, 2))


def engine_of(game: Game, player: Player) -> PiskvorkEngine:
    """The engine of a player.

    Raises:
        UsageError: another game than gomoku.
    """
    if game.name != GAME:
        raise UsageError(f"the protocol 'piskvork' is about {GAME}, not {game.name}")
    return PiskvorkEngine(game, player.name, _memory)


def _memory() -> int:
    """The most bytes that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


class PiskvorkEngine(Engine):
    """Our side of a conversation with a manager: it answers every command of the protocol, and each with one line.

    A command that cannot be followed is answered by `ERROR`, one that is unknown by `UNKNOWN`, and nothing ends the
    conversation but `END`. The player keeps its colour in SWAP2, and puts a fixed opening when it has to put one.
    `memory` tells the bytes that the engine takes; a manager that allows less is told so before the next move.
    """

    def __init__(self, game: Game, player: str, memory: Callable[[], int] = lambda: 0) -> None:
        self.game = game
        self.player = player
        self._memory = memory
        self.size = 0  # before START
        #: Points as the package's gomoku writes them, each with OWN or OTHER, in the order in which they came.
        self.stones: list[tuple[str, int]] = []
        self.info: dict[str, str] = {}
        self._reading: tuple[str, list[str]] | None = None  # BOARD or SWAP2BOARD, and its lines so far
        self._game = 0
        self._begun = False

    def receive(self, line: str) -> Sequence[Event]:
        """What a command means. It never raises."""
        try:
            if self._reading is not None:
                return self._read_on(*self._reading, line.strip())
            command, _, rest = line.strip().partition(" ")
            if not command:
                return []
            follow = getattr(self, f"_on_{command.lower()}", None) if command.isalnum() else None
            return [Say(f"UNKNOWN {shown(line.strip())}")] if follow is None else follow(rest.strip())
        except UsageError as error:
            return [Say(f"ERROR {error}")]

    def answer(self, asked: Decide, move: int, about: Any = None) -> list[str]:
        """The point of our stone."""
        name = self.game.text.write(move)
        self.stones.append((name, OWN))
        return [point_of_name(name, self.size)]

    def fail(self, asked: Decide, what: str) -> list[str]:
        """The manager decides what becomes of an engine without a move."""
        return [f"ERROR {' '.join(what.split())}"]

    def complain(self, error: ProtocolError) -> list[str]:
        """A line that cannot be read, such as one that is too long."""
        return [f"ERROR {error}"]

    def closed(self) -> Sequence[Event]:
        """A manager may go without END."""
        return [*self._left(), Bye()]

    def _on_start(self, rest: str) -> Sequence[Event]:
        allowed = self.game.options["size"]
        if not re.fullmatch(r"[0-9]{1,3}", rest) or not allowed.low <= int(rest) <= allowed.high:
            raise UsageError(f"expected a size from {allowed.low} to {allowed.high}, not '{shown(rest)}'")
        self._options()  # a rule that is not played is refused before there is a board
        self.size = int(rest)
        return self._on_restart("")

    def _on_rectstart(self, rest: str) -> Sequence[Event]:
        raise UsageError("rectangular boards are not supported")

    def _on_restart(self, rest: str) -> Sequence[Event]:
        self._started()
        left = self._left()
        self.stones = []
        return [*left, Say("OK")]

    def _on_begin(self, rest: str) -> Sequence[Event]:
        self._started()
        if self.stones:
            raise UsageError("BEGIN is for an empty board; RESTART empties it")
        return self._decide()

    def _on_turn(self, rest: str) -> Sequence[Event]:
        self._started()
        self._put(self._point(rest), OTHER)
        return self._decide()

    def _on_play(self, rest: str) -> Sequence[Event]:
        """A manager's word on a suggestion; the engine makes none, but obeys."""
        self._started()
        name = self._point(rest)
        self._put(name, OWN)
        return [Say(point_of_name(name, self.size))]

    def _on_board(self, rest: str) -> Sequence[Event]:
        self._started()
        self._reading = "BOARD", []
        return []

    def _on_swap2board(self, rest: str) -> Sequence[Event]:
        self._started()
        self._reading = "SWAP2BOARD", []
        return []

    def _on_takeback(self, rest: str) -> Sequence[Event]:
        self._started()
        name = self._point(rest)
        others = [stone for stone in self.stones if stone[0] != name]
        if len(others) == len(self.stones):
            raise UsageError(f"there is no stone on {shown(rest)}")
        left = self._left()
        self.stones = others
        return [*left, Say("OK")]

    def _on_info(self, rest: str) -> Sequence[Event]:
        key, _, value = rest.partition(" ")
        if key.lower() in READ:
            self.info[key.lower()] = value.strip()
        return []

    def _on_about(self, rest: str) -> Sequence[Event]:
        name = self.player.replace('"', "'")
        version = metadata.version("rulebots")
        about = f'name="rulebots {name}", version="{version}", author="the rulebots authors"'
        return [Say(f'{about}, country="-", www="-", email="-"')]

    def _on_end(self, rest: str) -> Sequence[Event]:
        return [*self._left(), Bye()]

    def _read_on(self, command: str, lines: list[str], line: str) -> Sequence[Event]:
        """A line of a BOARD or a SWAP2BOARD."""
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
        """The stones of both sides; then it is our turn."""
        for text in lines:
            point, comma, whose = text.rpartition(",")
            if not comma or whose.strip() not in (str(OWN), str(OTHER)):
                raise UsageError(f"expected x,y,1 or x,y,2 in a BOARD, not '{shown(text)}'")
            self._put(self._point(point), int(whose))
        return self._decide()

    def _swap2(self, lines: list[str]) -> Sequence[Event]:
        """The first three stones; or the next one, which keeps the colour."""
        if not lines:
            middle = self.size // 2
            return [Say(" ".join(f"{middle + x},{middle + y}" for x, y in SWAP2_OPENING))]
        if len(lines) not in (3, 5):
            raise UsageError(f"expected 0, 3 or 5 stones in a SWAP2BOARD, not {len(lines)}")
        for i, text in enumerate(lines):
            self._put(self._point(text), OWN if i % 2 else OTHER)
        return self._decide()

    def _started(self) -> None:
        if not self.size:
            raise UsageError("expected START before that")

    def _point(self, text: str) -> str:
        match = POINT.fullmatch(text.strip())
        if match is None:
            raise UsageError(f"expected a point x,y, not '{shown(text)}'")
        return name_of_point(int(match[1]), int(match[2]), self.size)

    def _put(self, name: str, whose: int) -> None:
        if any(name == taken for taken, _ in self.stones):
            raise UsageError(f"there is a stone on {point_of_name(name, self.size)} already")
        self.stones.append((name, whose))

    def _decide(self) -> Sequence[Event]:
        """We have to put a stone; the first time in a game it begins for our player."""
        position = self._position()
        begin: list[Event] = []
        if not self._begun:
            self._begun = True
            self._game += 1
            begin = [Begin(position.mover, self._options())]
        asked = Decide(position, position.legal_moves, self._seconds())
        return [*self._too_little(), *begin, asked]

    def _too_little(self) -> list[Event]:
        """A remark, once, if the manager allows less memory than the engine takes."""
        allowed = self.info.pop("max_memory", "")
        taken = self._memory()
        if not re.fullmatch(r"[1-9][0-9]{0,14}", allowed) or int(allowed) >= taken:
            return []
        return [Say(f"MESSAGE max_memory is {int(allowed) / 1e6:.0f} MB, and this engine takes {taken / 1e6:.0f} MB")]

    def _left(self) -> list[Event]:
        """The game so far is abandoned, and nobody says how it ended."""
        if not self._begun:
            return []
        self._begun = False
        return [End(None)]

    def _options(self) -> dict[str, int]:
        rule = self.info.get("rule", "0")
        if rule not in (str(FREESTYLE), str(EXACTLY_FIVE)):
            bits = int(rule) if re.fullmatch(r"[0-9]{1,4}", rule) else 0
            lacking = " and ".join(name for bit, name in LACKING.items() if bits & bit)
            what = f"rule {rule} is {lacking}, which is not played here" if lacking else f"no rule '{shown(rule)}'"
            raise UsageError(f"{what}: expected rule {FREESTYLE}, freestyle, or {EXACTLY_FIVE}, exactly five")
        return {"size": self.size, "exactly": int(rule)}

    def _position(self) -> Position:
        """The position of the stones, put in turns in the order in which they came; we are to move."""
        stones = {whose: [name for name, owner in self.stones if owner == whose] for whose in (OWN, OTHER)}
        first, second = (OWN, OTHER) if len(stones[OWN]) == len(stones[OTHER]) else (OTHER, OWN)
        if len(stones[first]) - len(stones[second]) not in (0, 1) or len(self.stones) % 2 != (first == OTHER):
            raise UsageError(
                "expected as many stones of mine as of the opponent's, or one more of the opponent's, "
                f"not {len(stones[OWN])} and {len(stones[OTHER])}"
            )
        position = Position(self.game, self._options(), seed=self._game, compiled=True)
        for i in range(len(self.stones)):
            if position.over:
                raise UsageError("the game is over: RESTART or START begins another")
            position.push(position.read(stones[first if i % 2 == 0 else second][i // 2]))
        if position.over:
            raise UsageError("the game is over: RESTART or START begins another")
        return position

    def _seconds(self) -> float | None:
        """How long the decision may take, by the manager's clocks; None if it has said nothing."""
        turn, left = (self._milliseconds(key) for key in ("timeout_turn", "time_left"))
        limits = [turn / 1000 - RESERVE] if turn is not None else []
        if left is None and (match := self._milliseconds("timeout_match")):
            left = match
        if left is not None and left < UNLIMITED:
            limits.append((left / 1000 - RESERVE) / SHARES)
        return max(LEAST, min(limits)) if limits else None

    def _milliseconds(self, key: str) -> int | None:
        text = self.info.get(key, "")
        return int(text) if re.fullmatch(r"-?[0-9]{1,12}", text) else None
