"""Doors: programs in other languages play here, and our players play there.

A protocol is sans-I/O: one file turns lines into positions and moves, and moves into lines; it knows no socket, no
process and no clock, so that text alone tests it. `protocol` says what the two sides of a conversation are, a `Referee`
that asks and an `Engine` that is asked. Transports and clocks are written once: `lines` (bytes as lines, with a limit),
`clock`, `child` (a program in its own process), `program` (such a program as a player), `network` (TCP) and `stdio`.
`doors` lists which protocol serves which command.
"""

from rulebots.protocols.clock import Clock
from rulebots.protocols.protocol import (
    Answer,
    Begin,
    Bye,
    Decide,
    End,
    Engine,
    Event,
    ProtocolError,
    Referee,
    Say,
    Stop,
)

__all__ = [
    "Answer",
    "Begin",
    "Bye",
    "Clock",
    "Decide",
    "End",
    "Engine",
    "Event",
    "ProtocolError",
    "Referee",
    "Say",
    "Stop",
]
