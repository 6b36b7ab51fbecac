"""The asked side of rulebots-player/1: `rulebots engine champion --game lost-cities`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.errors import UsageError
from rulebots.game import UNKNOWN, Game
from rulebots.game.position import Ply, Position
from rulebots.players import Needs, Observed, Player
from rulebots.protocols import Begin, Bye, Decide, End, Engine, Event, ProtocolError, Say, sent
from rulebots.protocols.player_messages import (
    LONGEST,
    PROTOCOL,
    by,
    check_protocol,
    integral,
    optional_number,
    part,
    read,
    whole,
    written,
)


class PlayerEngine(Engine):
    """A conversation with one referee, about one game after another.

    A player that searches positions is given them from their text form, or if the game has none and deals nothing,
    from the moves so far.

    Raises:
        UsageError: the player needs positions, and the messages do not tell those of this game.
    """

    longest_line = LONGEST

    def __init__(self, game: Game, player: Player) -> None:
        self._game = game
        self._by_position = player.needs in {Needs.POSITION, Needs.REDEALT}
        if self._by_position and game.hidden:
            raise UsageError(
                f"'{player.name}' searches positions, and {PROTOCOL} tells of {game.title} what a seat observes: "
                "choose another player"
            )
        self._name = player.name
        self._greeted = False
        #: The game that goes on.
        self._begun: Begin | None = None
        self._history = list[Ply]()

    def receive(self, line: str) -> Sequence[Event]:
        """What a message asks for."""
        message = read(line)
        kind = message["type"]
        if not self._greeted and kind != "hello":
            raise sent(line, f'"hello" first, with "protocol":"{PROTOCOL}"')
        if kind == "hello":
            return self._hello(message)
        if kind == "game":
            return self._game_begins(message)
        if kind == "choose":
            return [self._question(message)]
        if kind == "end":
            seats = self._seats_of(self._playing(message))
            self._begun = None
            return [End(tuple(_numbers(message, "points", seats)))]
        if kind == "error":
            part(message, "message", str, "a text")
            return [End(None)]
        if kind == "quit":
            return [Bye()]
        raise sent(line, 'a "type" of hello, game, choose, end, error or quit')

    def answer(self, asked: Decide, move: int, about: Any = None) -> list[str]:
        """Our move, with the effort of a search as a message."""
        words = ", ".join(getattr(about, "effort", ()))
        return [written("move", move=move, **({"message": words} if words else {}))]

    def fail(self, asked: Decide, what: str) -> list[str]:
        """Why there is no move."""
        return [written("error", message=what)]

    def complain(self, error: ProtocolError) -> list[str]:
        """What was wrong with a message."""
        return [written("error", message=str(error))]

    def _hello(self, message: Mapping[str, Any]) -> Sequence[Event]:
        check_protocol(message)
        self._greeted = True
        return [Say(written("hello", protocol=PROTOCOL, by=by(), name=self._name))]

    def _game_begins(self, message: Mapping[str, Any]) -> Sequence[Event]:
        name = part(message, "game", str, f'"{self._game.name}"')
        if name != self._game.name:
            raise ProtocolError(f"begins a game of '{name[:40]}': expected '{self._game.name}', which is served here")
        named = part(message, "options", dict, "an object of whole numbers by name")
        options = {name: integral(value) for name, value in named.items()}
        try:
            self._game.option_values(options)
        except UsageError as error:
            raise ProtocolError(f'sent "options" that this game lacks: {error}') from None
        seats = self._game.seats_with(options)
        whole(message, "seats", seats, seats)
        self._history.clear()
        self._begun = Begin(whole(message, "seat", 0, seats - 1), options)
        return [self._begun]

    def _seats_of(self, begun: Begin) -> int:
        return self._game.seats_with(begun.options)

    def _playing(self, message: Mapping[str, Any]) -> Begin:
        if self._begun is None:
            raise ProtocolError(f'sent "{message["type"]}": expected "game" before it')
        return self._begun

    def _question(self, message: Mapping[str, Any]) -> Decide:
        begun = self._playing(message)
        game = self._game
        whole(message, "seat", begun.seat, begun.seat)
        offered = part(message, "moves", list, "a list of the legal moves")
        numbers = [integral(one.get("move")) if isinstance(one, dict) else None for one in offered]
        if not numbers or not all(type(n) is int and 0 <= n < game.move_count for n in numbers):
            expected = f'[{{"move":0,"text":"..."}},...] with moves from 0 to {game.move_count - 1}'
            raise ProtocolError(f'sent "moves" of "choose" that are not moves: expected {expected}')
        for one in message.get("news") or ():
            self._history.append(_ply(one, self._seats_of(begun)))
        moves = np.array(numbers, np.int64)
        seconds = _seconds(message)
        if self._by_position:
            return Decide(self._position(message, moves), moves, seconds)
        observation = part(message, "observation", dict, "an object with the fields of the view")
        seen = Observed(begun.seat, view_of(game, observation), tuple(self._history))
        return Decide(seen, moves, seconds)

    def _position(self, message: Mapping[str, Any], moves: npt.NDArray[np.int64]) -> Position:
        """The position that the player searches. Raises ProtocolError if the messages do not tell it."""
        assert self._begun is not None
        options = self._begun.options
        try:
            if message.get("position"):
                text = part(message, "position", str, "the position as text")
                position = Position.from_text(self._game, text, options, compiled=True)
            else:
                position = Position(self._game, options, compiled=True)
                for ply in self._history:
                    position.push(ply.move)
        except ProtocolError:
            raise
        except UsageError as error:
            raise ProtocolError(f"told a position that is not one: {error}") from None
        if position.legal_moves.tolist() != moves.tolist() or position.mover != self._begun.seat:
            what = "whose legal moves are not those of the message"
            remedy = f"{self._game.title} tells positions neither as text nor by its moves alone"
            raise ProtocolError(f"told a position {what}{'' if message.get('position') else f': {remedy}'}")
        return position


def view_of(game: Game, fields: Mapping[str, Any]) -> Any:
    """The view whose fields these are, as `fields_of` writes them.

    Raises:
        ProtocolError: a field is missing, or does not hold what it should.
    """
    view = game.new_view()
    for name in game.view.names or ():
        if name not in fields:
            raise ProtocolError(f"sent an observation without '{name}'")
        if not _filled(view, name, fields[name]):
            field = game.view[name]
            what = f"{field.base}{list(field.shape) if field.shape else ''}"
            raise ProtocolError(f"sent an observation whose '{name}' does not fit: expected {what}")
    return view


def _filled(view: Any, name: str, value: Any) -> bool:
    """Whether a value fits a field of a view, which then holds it: NumPy silently truncates what is too large."""
    try:
        array = np.array(value)
        if array.dtype.kind in "iufb" and array.shape == np.shape(view[name]):
            with np.errstate(invalid="ignore"):  # 1e400 is a number to JSON
                view[name] = array
            return bool(np.array_equal(view[name], array))
    except (ValueError, OverflowError, TypeError):  # lists of different lengths, numbers beyond all types
        pass
    return False


def _ply(one: Any, seats: int) -> Ply:
    """A move of the news. Raises ProtocolError."""
    if not isinstance(one, dict):
        raise ProtocolError('sent "news" that are not news: expected {"seat":0,"move":3}, with null for a hidden move')
    news = {"type": "news", **one}
    seat = whole(news, "seat", -1, seats - 1)
    return Ply(seat, UNKNOWN if one.get("move") is None else whole(news, "move", -(2**62), 2**62))


def _numbers(message: Mapping[str, Any], name: str, count: int) -> list[int]:
    """A list of `count` whole numbers. Raises ProtocolError."""
    values = [integral(value) for value in part(message, name, list, f"{count} whole numbers")]
    if len(values) != count or not all(type(value) is int for value in values):
        raise ProtocolError(f'sent "{name}" that are not {count} whole numbers')
    return values


def _seconds(message: Mapping[str, Any]) -> float | None:
    """What the clock allows for this decision. Raises ProtocolError."""
    clock = message.get("clock")
    seconds = optional_number({"type": "clock", **clock}, "move_seconds") if isinstance(clock, dict) else None
    if seconds is not None and not 0 <= seconds <= 1e9:
        raise ProtocolError('sent a "clock" whose "move_seconds" is not a number of seconds')
    return seconds


#: What makes the engine of a player.
engine_of = PlayerEngine
