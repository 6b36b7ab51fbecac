"""Sockets of the tests of servers."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator

import pytest
from quiz_hosting import Hosting

from rulebots.servers import connections


@pytest.fixture(autouse=True)
def _lingering(monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that says nothing more is not waited for: it is in this process, and has what was sent."""
    monkeypatch.setattr(connections, "_LINGER", 0.05)


@pytest.fixture
def hosting() -> Callable[..., Hosting]:
    return Hosting


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server
