"""What every client of ours is asked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from rulebots.errors import UsageError, shown
from rulebots.players import Player
from rulebots.servers.network import Limits

_ADDRESS = re.compile(
    r"(?:[a-z]+://)?(?:\[(?P<six>[0-9a-fA-F:.%]+)\]|(?P<host>[^\s:/\[\]]+))(?::(?P<port>[0-9]{1,5}))?/?"
)


@dataclass(frozen=True)
class ClientTerms:
    """A client: who plays, and how many games; the random states of a player of chance come from the `seed`.

    `games` is None where nobody has said how many: one, or where the protocol knows no games, any number.
    """

    player: Player
    games: int | None = None
    seed: int = 1
    limits: Limits = field(default_factory=Limits)
    say: Callable[[str], None] = print


def host_and_port(address: str, usual: int = 0) -> tuple[str, int]:
    """`HOST:PORT`, or `[::1]:PORT`, as its two parts; without a port the `usual` one, if there is any.

    Raises:
        UsageError: anything else.
    """
    found = _ADDRESS.fullmatch(address)
    port = usual if found is None else int(found["port"] or usual)
    if found is None or not 0 < port < 65_536:
        raise UsageError(f"expected HOST:PORT with a port from 1 to 65535, not '{shown(address)}'")
    return found["six"] or found["host"], port
