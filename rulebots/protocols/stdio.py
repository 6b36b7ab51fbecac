"""An engine over stdin and stdout: how other programs start our players."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import BinaryIO

from rulebots.errors import UsageError
from rulebots.players import PlayerFault
from rulebots.protocols.answering import Seats
from rulebots.protocols.lines import Lines
from rulebots.protocols.protocol import Begin, Bye, Decide, End, Engine, Event, ProtocolError, Say

_PIECE = 65_536


def serve(engine: Engine, seats: Seats, source: BinaryIO | None = None, sink: BinaryIO | None = None) -> None:
    """Answer a referee until it says goodbye or closes its side. Nothing but the protocol is written to stdout.

    A line that breaks the protocol is answered with a complaint, and a move that a player has not with why; the
    conversation goes on.

    Raises:
        ProtocolError: a line is longer than the protocol's, so that nothing after it can be understood.
    """
    given, taken = source or sys.stdin.buffer, sink or sys.stdout.buffer
    lines = Lines(engine.longest_line)
    _send(taken, engine.greet())
    while data := os.read(given.fileno(), _PIECE):
        lines.feed(data)
        while (line := lines.next()) is not None:
            try:
                events = engine.receive(line)
            except ProtocolError as error:
                _send(taken, engine.complain(error))
                continue
            if not _handled(engine, seats, events, taken):
                return
    for event in engine.closed():
        _handled(engine, seats, [event], taken)


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
