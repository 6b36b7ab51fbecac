"""Servers and clients that play over the network: which protocols there are, and the code of each.

A new protocol is an entry here. Its server is `host(settings)`, with the settings of `serving`; its client is
`connect(address, settings)`, with those of `connections`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rulebots.errors import UsageError, unknown


@dataclass(frozen=True)
class NetworkProtocol:
    """A protocol: the game that it plays, and the function that does so, as `module:name`."""

    game: str
    function: str

    def run(self, *given: Any) -> None:
        """Call the function; its module is imported now."""
        module, _, name = self.function.partition(":")
        function: Callable[..., None] = getattr(importlib.import_module(module), name)
        function(*given)


#: A server: `rulebots host GAME --protocol NAME`. The first one of a game is its default.
HOSTS: Mapping[str, NetworkProtocol] = {
    "quiz": NetworkProtocol("lost-cities", "rulebots.servers.quiz.host:host"),
    "kgp": NetworkProtocol("kalah", "rulebots.servers.kgp.host:host"),
    "kgp-ws": NetworkProtocol("kalah", "rulebots.servers.kgp.host:host_over_websockets"),
}
#: A client: `rulebots connect`. A protocol is known by the scheme of its addresses, `kgp://HOST:PORT`.
CLIENTS: Mapping[str, NetworkProtocol] = {
    "quiz": NetworkProtocol("lost-cities", "rulebots.servers.quiz.connect:connect"),
    "kgp": NetworkProtocol("kalah", "rulebots.servers.kgp.connect:connect"),
    "ws": NetworkProtocol("kalah", "rulebots.servers.kgp.connect:connect"),
    "wss": NetworkProtocol("kalah", "rulebots.servers.kgp.connect:connect"),
}


def protocol_named(name: str, protocols: Mapping[str, NetworkProtocol]) -> NetworkProtocol:
    """The protocol of that name. Raises UsageError if it is not among these."""
    if name not in protocols:
        raise UsageError(unknown("protocol", name, protocols))
    return protocols[name]


def default_host(game: str) -> NetworkProtocol:
    """The default server of a game. Raises UsageError if there is none."""
    found = next((protocol for protocol in HOSTS.values() if protocol.game == game), None)
    if found is None:
        served = ", ".join(dict.fromkeys(protocol.game for protocol in HOSTS.values()))
        raise UsageError(f"no protocol serves {game} to clients; served are: {served}")
    return found
