"""Serves the page until Ctrl-C."""

from __future__ import annotations

import asyncio
import functools
import ipaddress
import logging
import os
import secrets
import socket
from collections.abc import Callable
from typing import Any

from rulebots.errors import FileError, UsageError
from rulebots.web.security import LOOPBACK, Access
from rulebots.web.served_folder import ServedFolder

#: Where a user's token may stand: everyone on the machine could read an argument.
TOKEN_VARIABLE = "RULEBOTS_WEB_TOKEN"  # noqa: S105 - a name
LEAST_TOKEN = 16
#: Seconds that requests get to end at Ctrl-C.
GRACE = 0.4
#: Open connections, and those of one address; a browser has six at most.
MOST_CONNECTIONS = 400
MOST_OF_ADDRESS = 200
#: Seconds that a connection has for all headers of a request.
HEADERS_WITHIN = 10.0


def serve(served: ServedFolder, host: str, port: int, say: Callable[[str], object]) -> None:
    """Serve a folder until Ctrl-C; `say` gets the address, once it can be opened.

    All games are on disk when this ends. What is compiled then goes on in threads: the caller ends the process without
    waiting for them. A host that other machines can reach needs a token, and so does a folder whose page may start
    programs: that of the environment, or a new one.

    Raises:
        UsageError: the host is not an address, or a token is too short. FileError: the port is taken.
    """
    from rulebots.web.app import new_app

    # On loopback too, every user of the machine could start programs as this one.
    token = "" if host in LOOPBACK and not served.allow_programs else _token()
    listening = listening_on(host, port)
    port = listening.getsockname()[1]
    app = new_app(served, Access(port, host, token))
    named = f"[{host}]" if ":" in host else socket.gethostname() if host in {"0.0.0.0", "::"} else host  # noqa: S104
    say(f"http://{named}:{port}/{f'?token={token}' if token else ''}")
    with listening:
        # Not `asyncio.run`, and the loop is not closed: both wait for the threads of requests.
        asyncio.new_event_loop().run_until_complete(server_of(app).serve([listening]))


@functools.cache
def connection_class() -> Any:
    """What uvicorn makes of each connection: one that keeps nobody else out.

    Without a request it ends soon, and in a crowd the idlest one ends.
    """
    from uvicorn.protocols.http.h11_impl import H11Protocol  # uvicorn brings a command line along

    class Connection(H11Protocol):
        """A connection with limits."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
            """Make room for this one."""
            super().connection_made(transport)
            self.expect()
            others: list[Any] = [each for each in self.connections if each is not self]
            of_address = [each for each in others if each.client and self.client and each.client[0] == self.client[0]]
            for crowd, most in ((of_address, MOST_OF_ADDRESS), (others, MOST_CONNECTIONS)):
                if len(crowd) >= most:
                    min(crowd, key=lambda each: (not each.idle, each.began)).end()

        @property
        def idle(self) -> bool:
            """Whether no request is being answered."""
            return self.cycle is None or self.cycle.response_complete

        def expect(self) -> None:
            """Give the other side some time for its next request."""
            began = self.began = self.loop.time()
            self.loop.call_later(HEADERS_WITHIN, lambda: self.end() if self.idle and self.began == began else None)

        def on_response_complete(self) -> None:
            """Wait for the next request."""
            self.expect()
            super().on_response_complete()

        def end(self) -> None:
            """Close the connection at once."""
            self.connections.discard(self)
            self.transport.abort()

    return Connection


def server_of(app: Any) -> Any:
    """The uvicorn server of an application."""
    import uvicorn

    config = uvicorn.Config(
        app,
        lifespan="on",
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        ws="none",
        loop="asyncio",
        http=connection_class(),
        timeout_graceful_shutdown=GRACE,  # type: ignore[arg-type]  # asyncio takes a fraction as well
    )
    server = uvicorn.Server(config)
    # Requests that are given up at the end need no line.
    logging.getLogger("uvicorn.error").addFilter(lambda _: not server.should_exit)
    return server


def _token() -> str:
    token = os.environ.get(TOKEN_VARIABLE, "")
    if token and (len(token) < LEAST_TOKEN or not token.isalnum() or not token.isascii()):
        raise UsageError(f"{TOKEN_VARIABLE}: expected at least {LEAST_TOKEN} letters and digits")
    return token or secrets.token_hex(16)


def listening_on(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises UsageError where the host is not an address, FileError where it is taken."""
    try:
        family = socket.AF_INET6 if ipaddress.ip_address(host).version == 6 else socket.AF_INET
    except ValueError:
        if host != "localhost":
            raise UsageError(f"--bind: expected an address such as 127.0.0.1 or 0.0.0.0, not '{host}'") from None
        family = socket.AF_INET
    both = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
    try:
        return socket.create_server((host, port), family=family, backlog=128, dualstack_ipv6=both)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else error
        raise FileError(f"cannot listen on {host}, port {port}: {reason}; choose another one with --port") from None
