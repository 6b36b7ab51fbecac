"""rulebots-player/1, the line protocol of this package: JSON objects, one per line.

docs/protocols/programs.md is its manual, and player_messages.json declares what each message holds: what comes in is
read by it. A `PlayerReferee` asks a program for moves; a `PlayerEngine` lets a program ask one of our players.
"""

import functools
import json
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from rulebots.errors import UsageError, demand, shown
from rulebots.files.plain_json import read_json
from rulebots.files.ranges import Range
from rulebots.game import UNKNOWN, Game, Moves, View
from rulebots.game.position import Ply, Position
from rulebots.players import Needs, Observed, Player
from rulebots.players.player import Shown
from rulebots.protocols import (
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

PROTOCOL = "rulebots-player/1"
#: The most bytes of a message: an observation of a large board is some 10,000.
LONGEST = 1_000_000
#: No number of a message is larger.
MOST = 10**18
#: Parts without which a message says nothing. We send all that the schema requires, and need less.
_NEEDED = {
    "hello": ("protocol",),
    "game": ("game", "options", "seats", "seat"),
    "choose": ("seat", "moves"),
    "move": ("move",),
    "end": ("points",),
    "error": ("message",),
}
#: The types of JSON Schema: classes of their values, and their names in messages.
_TYPES: Mapping[str, tuple[tuple[type, ...], str]] = {
    "string": ((str,), "a text"),
    "integer": ((int,), "a whole number"),
    "number": ((int, float), "a number"),
    "array": ((list,), "a list"),
    "object": ((dict,), "an object"),
}


@functools.cache
def schema() -> dict[str, Any]:
    """The JSON Schema of all messages."""
    return dict(json.loads(Path(__file__).with_name("player_messages.json").read_text("utf-8")))


def written(kind: str, **parts: Any) -> str:
    """A message as a line."""
    return json.dumps({"type": kind, **parts}, separators=(",", ":"), ensure_ascii=False)


def _hello(**parts: str) -> str:
    return written("hello", protocol=PROTOCOL, by=f"rulebots {metadata.version('rulebots')}", **parts)


def read(line: str) -> dict[str, Any]:
    """The message that a line is; parts that are null are left out, as is NaN, and 5.0 is 5.

    Raises:
        ProtocolError: not a JSON object with a type, or one whose parts do not fit the schema.
    """
    try:
        message = read_json(line)
    except ValueError as error:
        expected = f'a JSON object on one line, such as {{"type":"move","move":3}} ({shown(error)})'
        raise sent(line, expected) from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise sent(line, 'a JSON object with a "type"')
    kind = message["type"]
    message = _checked(message, schema()["$defs"].get(kind, {}), f'"{kind}"')
    for name in _NEEDED.get(kind, ()):
        demand(name in message, f'sent "{kind}" without "{name}"', ProtocolError)
    return dict(message)


def _checked(value: Any, declared: Mapping[str, Any], what: str) -> Any:
    if not declared:  # a part that we do not know: it may be nested more deeply than we could follow
        return value
    if "$ref" in declared:
        declared = schema()["$defs"][declared["$ref"].rpartition("/")[2]]
    if isinstance(value, float) and value.is_integer():  # JSON Schema knows no difference
        value = int(value)
    if expected := _misfit(value, declared):
        raise ProtocolError(f"sent '{shown(value)}' as {what}: expected {expected}")
    if isinstance(value, list) and "items" in declared:
        return [_checked(item, declared["items"], what) for item in value]
    if not isinstance(value, dict):
        return value
    known = declared.get("properties", {})
    others = declared.get("additionalProperties", {})
    return {
        name: _checked(part, known.get(name, others), f'"{shown(name)}" of {what}')
        for name, part in value.items()
        if part is not None
    }


def _misfit(value: Any, declared: Mapping[str, Any]) -> str:
    """What was expected instead of a value, in words; empty where it fits."""
    if "const" in declared:
        return "" if value == declared["const"] else f'"{declared["const"]}"'
    types = declared.get("type", ())
    kinds = [_TYPES[name] for name in ([types] if isinstance(types, str) else types) if name != "null"]
    if not kinds:
        return ""
    if isinstance(value, bool) or not any(isinstance(value, classes) for classes, _ in kinds):
        return " or ".join(words for _, words in kinds)
    allowed = Range(declared.get("minimum", -MOST), declared.get("maximum", MOST))
    return "" if not isinstance(value, int | float) or allowed.holds(value) else str(allowed)


def _whole(message: Mapping[str, Any], name: str, low: int, high: int) -> int:
    """A part that is a whole number from `low` to `high`. Raises ProtocolError."""
    allowed = Range(low, high, whole=True)
    value: Any = message.get(name)
    demand(
        allowed.holds(value),
        f'sent \'{shown(value)}\' as "{name}" of "{message["type"]}": expected {allowed}',
        ProtocolError,
    )
    return int(value)


class PlayerReferee(Referee):
    """A conversation with one program, about one game after another."""

    longest_line = LONGEST
    language = "lines of JSON (a Piskvork engine does not: piskvork:COMMAND, or --protocol piskvork)"

    def __init__(self, game: Game) -> None:
        self.ready = False
        self._game = game
        self._moves: dict[str, int] | None = None
        #: How many moves of this game the program knows.
        self._known = 0

    def greet(self) -> list[str]:
        """Who we are, and what we speak."""
        return [_hello()]

    def begin(self, seat: int, options: Mapping[str, int], clock: Clock) -> list[str]:
        """A game begins."""
        self._known = 0
        self._moves = None
        game = self._game
        about = {"game": game.name, "options": dict(options), "seats": game.seats_with(options), "seat": seat}
        limits = {"move_count": game.move_count, "ply_cap": game.ply_cap}
        return [written("game", **about, **limits, clock=_clock(clock))]

    def ask(self, seen: Shown, moves: Moves, clock: Clock) -> list[str]:
        """A question: what the seat may see, and the legal moves."""
        offered = [{"move": move, "text": name} for move, name in zip(moves.tolist(), seen.names, strict=True)]
        self._moves = {one["text"]: one["move"] for one in offered}
        news: list[dict[str, Any]] | None = None
        if seen.history is not None:
            news = [
                {"seat": ply.seat, "move": None if ply.move == UNKNOWN else ply.move}
                for ply in seen.history[self._known :]
            ]
            self._known = len(seen.history)
        return [
            written(
                "choose",
                ply=seen.plies,
                seat=seen.seat,
                moves=offered,
                news=news,
                observation=fields_of(seen.view),
                text=seen.text,
                **({"position": seen.position} if seen.position else {}),
                clock=_clock(clock),
            )
        ]

    def receive(self, line: str) -> Answer | None:
        """A greeting, or the answer to a question. Raises ProtocolError."""
        message = read(line)
        kind = message["type"]
        if not self.ready:
            demand(kind == "hello", f'sent "{shown(kind)}" first: expected "hello" with "protocol"', ProtocolError)
            self.ready = True
            return None
        demand(kind != "error", f"gave up: {_remark(message)}", ProtocolError)
        if kind != "move" or self._moves is None:
            raise sent(line, '{"type":"move","move":...}' if self._moves else "nothing: it was not asked")
        move = message["move"]
        if isinstance(move, str):
            if move not in self._moves:
                raise sent(line, f"one of the moves that were offered, such as {next(iter(self._moves.items()))[1]}")
            move = self._moves[move]
        self._moves = None
        return Answer(move, _remark(message), message.get("evaluation"))

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


def fields_of(view: View) -> dict[str, Any]:
    """A view as plain data: a number for each field, lists for arrays."""
    return {name: view[name].tolist() for name in view.dtype.names}


def _clock(clock: Clock) -> dict[str, float | None]:
    return {"move_seconds": clock.allowed, "game_seconds": clock.left}


def _remark(message: Mapping[str, Any]) -> str:
    """A remark for people, on one line and cut to some length; empty if there is none."""
    return "".join(c if c.isprintable() else " " for c in message.get("message", "")[:1000])


class PlayerEngine(Engine):
    """A conversation with one referee, about one game after another.

    A player that searches positions gets them from their text form, or if the game has none and deals nothing, from the
    moves so far.

    Raises:
        UsageError: the player needs positions, and the messages do not tell those of this game.
    """

    longest_line = LONGEST

    def __init__(self, game: Game, player: Player) -> None:
        self._game = game
        self._by_position = player.needs in {Needs.POSITION, Needs.REDEALT}
        demand(
            not (self._by_position and game.hidden),
            f"'{player.name}' searches positions, and {PROTOCOL} tells of {game.title} what a seat observes: "
            "choose another player",
        )
        self._name = player.name
        self._greeted = False
        #: The game in progress.
        self._begun: Begin | None = None
        self._history = list[Ply]()

    def receive(self, line: str) -> Sequence[Event]:
        """What a message asks for."""
        message = read(line)
        kind = message["type"]
        if kind != "hello" and not self._greeted:
            raise sent(line, f'"hello" first, with "protocol":"{PROTOCOL}"')
        match kind:
            case "hello":
                self._greeted = True
                return [Say(_hello(name=self._name))]
            case "game":
                return [self._begin(message)]
            case "choose":
                return [self._question(message, self._playing(kind))]
            case "end":
                seats = self._game.seats_with(self._playing(kind).options)
                demand(
                    len(message["points"]) == seats, f'sent "points" that are not {seats} whole numbers', ProtocolError
                )
                self._begun = None
                return [End(tuple(message["points"]))]
            case "error":
                return [End(None)]
            case "quit":
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

    def _begin(self, message: Mapping[str, Any]) -> Begin:
        game = self._game
        demand(
            message["game"] == game.name,
            f"begins a game of '{shown(message['game'])}': expected '{game.name}', which is served here",
            ProtocolError,
        )
        options = message["options"]
        try:
            game.option_values(options)
        except UsageError as error:
            raise ProtocolError(f'sent "options" that this game lacks: {error}') from None
        seats = game.seats_with(options)
        _whole(message, "seats", seats, seats)
        self._history.clear()
        self._begun = Begin(_whole(message, "seat", 0, seats - 1), options)
        return self._begun

    def _playing(self, kind: str) -> Begin:
        if self._begun is None:
            raise ProtocolError(f'sent "{kind}": expected "game" before it')
        return self._begun

    def _question(self, message: Mapping[str, Any], begun: Begin) -> Decide:
        game = self._game
        _whole(message, "seat", begun.seat, begun.seat)
        numbers = [offer.get("move", -1) for offer in message["moves"]]
        if not numbers or not all(0 <= number < game.move_count for number in numbers):
            expected = f'[{{"move":0,"text":"..."}},...] with moves from 0 to {game.move_count - 1}'
            raise ProtocolError(f'sent "moves" of "choose" that are not moves: expected {expected}')
        seats = game.seats_with(begun.options)
        for ply in message.get("news", ()):
            self._history.append(Ply(_whole({"type": "news", **ply}, "seat", -1, seats - 1), ply.get("move", UNKNOWN)))
        moves = np.array(numbers, np.int64)
        seconds = message.get("clock", {}).get("move_seconds")
        if self._by_position:
            return Decide(self._position(message, begun, moves), moves, seconds)
        view = view_of(game, message.get("observation", {}))
        return Decide(Observed(begun.seat, view, tuple(self._history)), moves, seconds)

    def _position(self, message: Mapping[str, Any], begun: Begin, moves: Moves) -> Position:
        text = message.get("position", "")
        try:
            if text:
                position = Position.from_text(self._game, text, begun.options, compiled=True)
            else:
                position = Position(self._game, begun.options, compiled=True)
                for ply in self._history:
                    position.push(ply.move)
        except UsageError as error:
            raise ProtocolError(f"told a position that is not one: {error}") from None
        if position.legal_moves.tolist() != moves.tolist() or position.mover != begun.seat:
            remedy = "" if text else f": {self._game.title} tells positions neither as text nor by its moves alone"
            raise ProtocolError(f"told a position whose legal moves are not those of the message{remedy}")
        return position


def view_of(game: Game, fields: Mapping[str, Any]) -> Any:
    """The view whose fields these are, as `fields_of` writes them.

    Raises:
        ProtocolError: a field is missing, or does not hold what it should.
    """
    view = game.new_view()
    for name in game.view.names or ():
        demand(name in fields, f"sent an observation without '{name}'", ProtocolError)
        if not _filled(view, name, fields[name]):
            field = game.view[name]
            raise ProtocolError(
                f"sent an observation whose '{name}' does not fit: expected "
                f"{field.base}{list(field.shape) if field.shape else ''}"
            )
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
