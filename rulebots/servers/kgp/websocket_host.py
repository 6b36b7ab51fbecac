"""The practice server over WebSockets: `rulebots host kalah --protocol kgp-ws --port 8080 --player champion`."""

from __future__ import annotations

from rulebots.servers.hosting import HostTerms
from rulebots.servers.kgp import host as over_tcp
from rulebots.servers.kgp.lines import GAME
from rulebots.servers.websocket import WebSocketPeer, library

__all__ = ["GAME", "host"]


def host(terms: HostTerms) -> None:
    """Serve as over TCP; see there, also for what it raises. UsageError: the extra `websocket` is not installed."""
    library("server")
    over_tcp.host(terms, WebSocketPeer)
