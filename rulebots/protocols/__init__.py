"""Programs in other languages play here, and rulebots players play in other programs, by exchanging lines.

A protocol is sans-I/O: one file turns lines into positions and moves, and moves into lines; it knows no socket, no
process and no clock, so that text alone tests it. `protocol` defines the two sides of a conversation, a `Referee` that
asks and an `Engine` that is asked. What carries the lines is written once: `child_process` runs a program,
`program_player` makes it a player, and `stdio` lets a program ask a player. Network connections are in
`rulebots.servers`.
"""

from rulebots.protocols.protocol import (
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
