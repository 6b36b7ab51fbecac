"""Which protocol serves which command, by name: a new protocol is a line here.

The value is a module. A host `host(terms)` and a client
`connect(address, terms)`, with the terms of `hosting` and `connecting`; these two name their `GAME`.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from rulebots.errors import UsageError, unknown

#: A server: `rulebots host GAME --protocol NAME`. The first one of a game is its usual one.
HOSTS: Mapping[str, str] = {
    "quiz": "rulebots.servers.quiz.host",
    "kgp": "rulebots.servers.kgp.host",
    "kgp-ws": "rulebots.servers.kgp.websocket_host",
}
#: A client: `rulebots connect`. A protocol is known by the scheme of its addresses, `kgp://HOST:PORT`.
CLIENTS: Mapping[str, str] = {
    "quiz": "rulebots.servers.quiz.connect",
    "kgp": "rulebots.servers.kgp.connect",
    "ws": "rulebots.servers.kgp.connect",
    "wss": "rulebots.servers.kgp.connect",
}


def door(doors: Mapping[str, str], name: str) -> Any:
    """The module of a protocol. Raises UsageError for one that is not among these."""
    if name not in doors:
        raise UsageError(unknown("protocol", name, doors))
    return importlib.import_module(doors[name])


def hosting(game: str) -> Any:
    """The module of a game's usual server. Raises UsageError for a game that none serves."""
    modules = [importlib.import_module(path) for path in HOSTS.values()]
    found = next((module for module in modules if game == module.GAME), None)
    if found is None:
        served = ", ".join(dict.fromkeys(module.GAME for module in modules))
        raise UsageError(f"no protocol serves {game} to clients; served are: {served}")
    return found
