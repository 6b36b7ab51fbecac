"""Servers and clients that play over the network: which protocols there are, and the code of each.

A new protocol is an entry here. Its server is `host(settings)`, with the settings of `serving`; its client is
`connect(address, settings)`, with those of `connections`.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from typing import Any, NamedTuple


class NetworkProtocol(NamedTuple):
    """A protocol: the game that it plays, and the function that does so, as `module:name`."""

    game: str
    function: str

    def run(self, *given: Any) -> None:
        """Call the function; its module is imported now."""
        pkgutil.resolve_name(f"rulebots.servers.{self.function}")(*given)


#: A server: `rulebots host GAME --protocol NAME`. The first one of a game is its default.
HOSTS: Mapping[str, NetworkProtocol] = {
    "quiz": NetworkProtocol("lost-cities", "quiz.host:host"),
    "kgp": NetworkProtocol("kalah", "kgp.host:host"),
    "kgp-ws": NetworkProtocol("kalah", "kgp.host:host_over_websockets"),
}
#: A client: `rulebots connect`. A protocol is known by the scheme of its addresses, `kgp://HOST:PORT`.
CLIENTS: Mapping[str, NetworkProtocol] = {
    "quiz": NetworkProtocol("lost-cities", "quiz.connect:connect"),
    **dict.fromkeys(("kgp", "ws", "wss"), NetworkProtocol("kalah", "kgp.connect:connect")),
}
