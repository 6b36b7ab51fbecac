"""Play over the network: the server and client of the Lost Cities quiz, and a client of Kalah servers.

A new protocol is an entry here. A server is called with `HostSettings`, a client with an address and `ClientSettings`.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from typing import Any, NamedTuple


class Client(NamedTuple):
    """The game that a client plays, and the function that plays it, as `module:name`."""

    game: str
    function: str


#: `rulebots host GAME`.
HOSTS: Mapping[str, str] = {"lost-cities": "quiz_host:host"}
#: `rulebots connect`: clients by the scheme of an address, `kgp://HOST:PORT`.
CLIENTS: Mapping[str, Client] = {
    "quiz": Client("lost-cities", "quiz_client:connect"),
    **dict.fromkeys(("kgp", "ws", "wss"), Client("kalah", "kgp_client:connect")),
}


def run(function: str, *arguments: Any) -> None:
    """Import and call a function of the table."""
    pkgutil.resolve_name(f"rulebots.servers.{function}")(*arguments)
