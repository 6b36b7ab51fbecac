"""An engine over stdin and stdout: how other programs start rulebots players."""

import pkgutil
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import BinaryIO

from rulebots.errors import UsageError, check_known
from rulebots.game import Game
from rulebots.play.stepper import SeatedPlayer
from rulebots.players import Player
from rulebots.protocols import (
    Begin,
    Bye,
    Decide,
    End,
    Engine,
    Event,
    LineTooLong,
    ProtocolError,
    Say,
    bytes_of,
    line_of,
)

#: The protocols of `rulebots engine`, by name: the class of their engines, made of a game and a player.
ENGINES: Mapping[str, str] = {
    "rulebots-player": "rulebots.protocols.rulebots_player:PlayerEngine",
    "piskvork": "rulebots.protocols.piskvork:PiskvorkEngine",
}


def engine_maker(protocol: str) -> Callable[[Game, Player], Engine]:
    """What makes the engine of a player. Raises UsageError for an unknown protocol."""
    check_known("protocol", protocol, ENGINES)
    return pkgutil.resolve_name(ENGINES[protocol])


def serve(engine: Engine, player: SeatedPlayer, source: BinaryIO | None = None, sink: BinaryIO | None = None) -> None:
    """Answer a referee until it says goodbye or closes its side. Nothing but the protocol is written to stdout.

    A line that breaks the protocol is answered with a complaint, and if the player has no move, the answer says why;
    the conversation goes on. What follows the end of the last line, when the input ends, is a line too.

    Raises:
        LineTooLong: a line is longer than the protocol allows, so that nothing after it can be understood.
    """
    reader = source or sys.stdin.buffer
    writer = sink or sys.stdout.buffer
    longest = engine.longest_line
    while data := reader.readline(longest + 2):
        if len(data.removesuffix(b"\n")) > longest:
            raise LineTooLong(longest)
        try:
            events = engine.receive(line_of(data))
        except ProtocolError as error:
            _send(writer, engine.complain(error))
            continue
        if not _handled(engine, player, events, writer):
            return
    _handled(engine, player, engine.closed(), writer)


def _handled(engine: Engine, player: SeatedPlayer, events: Iterable[Event], sink: BinaryIO) -> bool:
    """Do what events ask for; whether the conversation goes on."""
    for event in events:
        match event:
            case Say():
                _send(sink, [event.line])
            case Begin():
                player.begin(event.seat, event.options)
            case Decide():
                try:
                    move = player.decide(event.seen, event.moves, event.seconds)
                except UsageError as error:  # a fault of the player's is one
                    _send(sink, engine.fail(event, str(error)))
                else:
                    _send(sink, engine.answer(event, move, player.result))
            case End():
                player.end(event.points)
            case Bye():
                return False
    return True


def _send(sink: BinaryIO, lines: list[str]) -> None:
    sink.write(bytes_of(lines))
    sink.flush()
