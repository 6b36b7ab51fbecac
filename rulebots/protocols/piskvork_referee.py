"""The asking side, the manager: engines as players."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rulebots.errors import shown
from rulebots.game import Game, Moves
from rulebots.players.player import Shown
from rulebots.protocols import Answer, Clock, Referee, sent
from rulebots.protocols.piskvork_points import (
    EXACTLY_FIVE,
    FREESTYLE,
    LETTERS,
    OTHER,
    OWN,
    POINT,
    UNLIMITED,
    point_of_name,
)


class PiskvorkReferee(Referee):
    """Our side of a conversation with an engine: we are its manager.

    The position is told by `BEGIN`, by `TURN` where it follows from the last one, and by `BOARD` if it does not.
    `memory` is what the engine is told of its limit, in bytes. It says hello by its answer to `START 20`, the one size
    that every engine has to know; one that knows other sizes only, and refuses, is here as well.
    """

    def __init__(self, game: Game, memory: int | None = None) -> None:
        self.game = game
        self.memory = memory
        self.ready = False
        self._size = 0
        self._start: list[str] = []
        #: The stones that the engine knows of, as (name, seat); None before its first decision of a game.
        self._told: set[tuple[str, int]] | None = None
        self._legal: dict[str, int] = {}
        self._seat = 0
        self._message = ""
        self._replies: list[str] = []

    def greet(self) -> list[str]:
        """A board that every engine has to know."""
        return ["START 20"]

    def begin(self, seat: int, options: Mapping[str, int], clock: Clock) -> list[str]:
        """`START`, with what the engine has to know of rule, clocks and memory."""
        self._size = options["size"]
        self._seat = seat
        self._told = None
        self.ready = False
        info = {"game_type": 1, "rule": EXACTLY_FIVE if options["exactly"] else FREESTYLE}
        if clock.move_seconds is not None:
            info["timeout_turn"] = max(1, round(clock.move_seconds * 1000))
        info["timeout_match"] = 0 if clock.game_seconds is None else max(1, round(clock.game_seconds * 1000))
        if self.memory is not None:
            info["max_memory"] = self.memory
        self._start = [f"START {self._size}", *(f"INFO {key} {value}" for key, value in info.items())]
        return self._start

    def ask(self, seen: Shown, moves: Moves, clock: Clock) -> list[str]:
        """The position, and what is left of the engine's time."""
        self._legal = {point_of_name(self.game.text.write(int(move)), self._size): int(move) for move in moves}
        self._message = ""
        stones = self._stones(seen)
        left = UNLIMITED if clock.left is None else round(clock.left * 1000)
        known = self._told
        now = set(stones)
        self._told = now
        time_left = f"INFO time_left {left}"
        if not stones and known is None:
            return [time_left, "BEGIN"]
        if known is not None and known < now and len(now - known) == 1:
            [(name, seat)] = now - known
            if seat != self._seat:
                return [time_left, f"TURN {point_of_name(name, self._size)}"]
        board = [f"{point_of_name(name, self._size)},{OWN if seat == self._seat else OTHER}" for name, seat in stones]
        again = [] if known is None else self._start
        return [*again, time_left, "BOARD", *board, "DONE"] if board else [*again, time_left, "BEGIN"]

    def receive(self, line: str) -> Answer | None:
        """The point of the engine's stone; None for remarks, suggestions and answers to other commands."""
        text = line.strip()
        word = text.partition(" ")[0].upper()
        if word in {"MESSAGE", "DEBUG"}:
            self._message = shown(text.partition(" ")[2])
        refuses_hello = word == "ERROR" and not self._start
        if word == "OK" or refuses_hello:
            self.ready = True
        if word in {"", "OK", "MESSAGE", "DEBUG", "UNKNOWN"} or refuses_hello:
            return None
        if word == "ERROR":
            raise sent(text, f"OK, or a point x,y on a board of {self._size} x {self._size}")
        suggested = word == "SUGGEST"
        match = POINT.fullmatch(text.partition(" ")[2].strip() if suggested else text)
        if match is None:
            raise sent(text, "a point x,y")
        point = f"{int(match[1])},{int(match[2])}"
        if point not in self._legal:
            raise sent(text, f"an empty point of a board of {self._size} x {self._size}")
        if suggested:  # it is for us to say that it plays there, and then for the engine
            self._replies.append(f"PLAY {point}")
            return None
        move = self._legal[point]
        assert self._told is not None
        self._told = {*self._told, (self.game.text.write(move), self._seat)}
        return Answer(move, self._message)

    def replies(self) -> list[str]:
        """That a point which the engine suggests is played."""
        replies = self._replies
        self._replies = []
        return replies

    def leave(self) -> list[str]:
        """The engine ends."""
        return ["END"]

    def _stones(self, seen: Shown) -> list[tuple[str, int]]:
        """The stones on the board, in the order of the game if that is known."""
        if seen.history is not None:
            return [(self.game.text.write(ply.move), ply.seat) for ply in seen.history]
        stones = []
        for below, row in enumerate(seen.position.split()[0].split("/")):
            column = 0
            for run in re.finditer(r"[0-9]+|.", row):
                if run[0].isdecimal():
                    column += int(run[0])
                else:
                    stones.append((f"{LETTERS[column]}{self._size - below}", "XO".index(run[0])))
                    column += 1
        return stones
