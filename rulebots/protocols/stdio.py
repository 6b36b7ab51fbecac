"""An engine over stdin and stdout: how other programs start our players."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import BinaryIO

from rulebots.errors import UsageError
from rulebots.players import PlayerFault
from rulebots.protocols.answering import Seats
from rulebots.protocols.lines import Lines, TooLong
from rulebots.protocols.protocol import Begin, Bye, Decide, End, Engine, Event, ProtocolError, Say

_PIECE = 65_536


def serve(engine: Engine, seats: Seats, source: BinaryIO | None = None, sink: BinaryIO | None = None) -> None:
    """Answer a referee until it says goodbye or closes its side. Nothing but the protocol is written to stdout.

    A line that breaks the protocol is answered with a complaint, and a move that a player has not with why; the
    conversation goes on. What follows the last line's end, where the input ends, is a line too.

    Raises:
        TooLong: a line is longer than the protocol's, so that nothing after it can be understood.
    """
    given, taken = source or sys.stdin.buffer, sink or sys.stdout.buffer
    lines = Lines(engine.longest_line)
    _send(taken, engine.greet())
    while data := os.read(given.fileno(), _PIECE):
        lines.feed(data)
        if not _answered(engine, seats, lines, taken):
            return
    if lines.begun:
        lines.feed(b"\n")
        if not _answered(engine, seats, lines, taken):
            return
    for event in engine.closed():
        _handled(engine, seats, [event], taken)


def _answered(engine: Engine, seats: Seats, lines: Lines, sink: BinaryIO) -> bool:
    """Answer the lines that have come; whether the conversation goes on. Raises TooLong."""
    while True:
        try:
            if (line := lines.next()) is None:
                return True
            events = engine.receive(line)
        except TooLong:
            raise
        except ProtocolError as error:
            _send(sink, engine.complain(error))
            continue
        if not _handled(engine, seats, events, sink):
            return False


def _handled(engine: Engine, seats: Seats, events: Iterable[Event], sink: BinaryIO) -> bool:
    """Do what events ask for; whether the conversation goes on."""
    for event in events:
        if isinstance(event, Say):
            _send(sink, [event.line])
        elif isinstance(event, Begin):
            seats.begin(event)
        elif isinstance(event, Decide):
            _send(sink, _decided(engine, seats, event))
        elif isinstance(event, End):
            seats.end(event)
        elif isinstance(event, Bye):
            return False
    return True


def _decided(engine: Engine, seats: Seats, asked: Decide) -> list[str]:
    try:
        return engine.answer(asked, *seats.decide(asked))
    except PlayerFault as fault:
        return engine.fail(asked, str(fault))
    except UsageError as error:
        return engine.fail(asked, str(error))


def _send(sink: BinaryIO, lines: Iterable[str]) -> None:
    sink.writelines(line.encode("utf-8", "backslashreplace") + b"\n" for line in lines)
    sink.flush()
