"""The asking side of rulebots-player/1: a program is told of games and asked for moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulebots.game import UNKNOWN, Game, Moves, View
from rulebots.players.player import Shown
from rulebots.protocols import Answer, Clock, ProtocolError, Referee, sent
from rulebots.protocols.player_messages import (
    LONGEST,
    PROTOCOL,
    by,
    check_protocol,
    optional_number,
    optional_words,
    part,
    read,
    written,
)


class PlayerReferee(Referee):
    """A conversation with one program, about one game after another."""

    longest_line = LONGEST

    def __init__(self, game: Game) -> None:
        self.ready = False
        self._game = game
        self._moves: dict[str, int] | None = None
        #: How many moves of this game the program has been told.
        self._told = 0

    def greet(self) -> list[str]:
        """Who we are, and what we speak."""
        return [written("hello", protocol=PROTOCOL, by=by())]

    def begin(self, seat: int, options: Mapping[str, int], clock: Clock) -> list[str]:
        """A game begins."""
        self._told = 0
        self._moves = None
        game = self._game
        about: dict[str, Any] = {"game": game.name, "options": dict(options)}
        about |= {"seats": game.seats_with(options), "seat": seat}
        limits = {"move_count": game.move_count, "ply_cap": game.ply_cap}
        return [written("game", **about, **limits, clock=_clock(clock))]

    def ask(self, seen: Shown, moves: Moves, clock: Clock) -> list[str]:
        """A question: what the seat may see, and the legal moves."""
        offered = [{"move": move, "text": self._game.text.write(move)} for move in moves.tolist()]
        self._moves = {one["text"]: one["move"] for one in offered}
        news: list[dict[str, Any]] | None = None
        if seen.history is not None:
            news = [
                {"seat": ply.seat, "move": None if ply.move == UNKNOWN else ply.move}
                for ply in seen.history[self._told :]
            ]
            self._told = len(seen.history)
        parts: dict[str, Any] = {"ply": seen.plies, "seat": seen.seat, "moves": offered, "news": news}
        parts |= {"observation": fields_of(seen.view), "text": seen.text}
        if seen.position:
            parts["position"] = seen.position
        return [written("choose", **parts, clock=_clock(clock))]

    def receive(self, line: str) -> Answer | None:
        """A greeting, or the answer to a question. Raises ProtocolError."""
        if not self.ready:
            self._greeted(read(line))
            return None
        message = read(line)
        if message["type"] == "error":
            raise ProtocolError(f"gave up: {optional_words(message, 'message') or 'it does not say why'}")
        if message["type"] != "move" or self._moves is None:
            raise sent(line, '{"type":"move","move":...}' if self._moves else "nothing: it was not asked")
        move = message.get("move")
        if isinstance(move, str):
            if move not in self._moves:
                raise sent(line, f"one of the moves that were offered, such as {next(iter(self._moves.items()))[1]}")
            move = self._moves[move]
        else:
            move = part(message, "move", int, "the number of a move, or its text")
        self._moves = None
        return Answer(move, optional_words(message, "message"), optional_number(message, "evaluation"))

    def end(self, points: tuple[int, ...]) -> list[str]:
        """The points by seat."""
        self._moves = None
        return [written("end", points=list(points))]

    def refuse(self, what: str) -> list[str]:
        """What was wrong."""
        return [written("error", message=what)]

    def leave(self) -> list[str]:
        """The program may end."""
        return [written("quit")]

    def _greeted(self, message: Mapping[str, Any]) -> None:
        if message["type"] != "hello":
            raise ProtocolError(f'sent "{message["type"][:40]}" first: expected "hello" with "protocol"')
        check_protocol(message)
        self.ready = True


def fields_of(view: View) -> dict[str, Any]:
    """A view as plain data: a number for each field, lists for arrays."""
    return {name: view[name].tolist() for name in view.dtype.names}


def _clock(clock: Clock) -> dict[str, float | None]:
    return {"move_seconds": clock.allowed, "game_seconds": clock.left}
