"""Serves the page until Ctrl-C: the application, its access rules, and limits on connections.

A page of another site can make a browser send requests to this server. They are recognised by their `Host` (a name
that was made to point here), by their `Origin`, and by a secret of each browser that every form must repeat.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import ipaddress
import logging
import os
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rulebots.errors import FileError, UsageError, demand
from rulebots.kernel.user_code import in_users_terms
from rulebots.web.home import HomePages
from rulebots.web.ladders import LadderPages
from rulebots.web.pages import ASSETS, STATIC_PATH, Pages, same_secret
from rulebots.web.pictures import PicturePages
from rulebots.web.play import PlayPages
from rulebots.web.review_pages import ReviewPages
from rulebots.web.served_folder import NotFound, ServedFolder
from rulebots.web.sessions import Sessions
from rulebots.web.tune import TunePages

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
#: Seconds between two clean-ups of searches and sessions that are no longer used.
TIDY = 2.0
#: Headers of every answer: nothing from elsewhere, nothing inline, and the page in no frame.
HEADERS: Mapping[str, str] = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
#: The cookies, whose names end in the port: browsers send one to every port of a host. They hold the secret that forms
#: repeat, and the token of a server that asks for one.
SECRET = "rulebots-secret"  # noqa: S105 - a name
TOKEN = "rulebots-token"  # noqa: S105 - a name
LOOPBACK = ("127.0.0.1", "localhost", "::1")
_SECRET_LENGTH = 32
_YEAR = 31_536_000


def serve(served: ServedFolder, host: str, port: int, say: Callable[[str], object]) -> None:
    """Serve a folder until Ctrl-C; `say` gets the address, once it can be opened.

    All games are on disk when this ends. What is compiled then goes on in threads: the caller ends the process without
    waiting for them. A host that other machines can reach needs a token, and so does a folder whose page may start
    programs: that of the environment, which is asked for everywhere, or a new one.

    Raises:
        UsageError: the host is not an address, or a token is too short. FileError: the port is taken.
    """
    # On loopback too, every user of the machine could start programs as this one.
    asked = host not in LOOPBACK or served.allow_programs or TOKEN_VARIABLE in os.environ
    token = _token() if asked else ""
    listening = listening_on(host, port)
    port = listening.getsockname()[1]
    app = new_app(served, Access(port, host, token))
    named = f"[{host}]" if ":" in host else socket.gethostname() if host in {"0.0.0.0", "::"} else host  # noqa: S104
    say(f"http://{named}:{port}/{f'?token={token}' if token else ''}")
    with listening:
        # Not `asyncio.run`, and the loop is not closed: both wait for the threads of requests.
        asyncio.new_event_loop().run_until_complete(server_of(app).serve([listening]))


def new_app(served: ServedFolder, access: Access, most_searches: int | None = None) -> Starlette:
    """The page for a folder and its players, for browsers with access."""
    sessions = Sessions(served, most_searches)
    pages = Pages(served.folder, ("/", "Play"), ("/tune", "Tune"), ("/ladder", "Ladder"), token=access.token)
    ladder = LadderPages(sessions, pages)
    routes = [
        *HomePages(sessions, pages).routes,
        *PlayPages(sessions, pages).routes,
        *ReviewPages(sessions, pages).routes,
        *PicturePages(sessions, pages).routes,
        *TunePages(served, pages).routes,
        *ladder.routes,
        *pages.add_installed(),
        Mount(STATIC_PATH, ASSETS),
    ]

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        tidying = asyncio.create_task(_tidy(sessions))
        try:
            yield
        finally:
            tidying.cancel()
            sessions.close()
            ladder.ladders.close()

    def answer_mistake(request: Request, error: Exception) -> Response:
        """A mistake of the user's, or of a player's, as a line on the page."""
        status = 404 if isinstance(error, NotFound) else 422
        message = str(error)
        if isinstance(error, HTTPException):
            status = error.status_code
            message = "there is no page at this address" if status == 404 else error.detail
        answer = pages.page(request, "error.html", status, fragment="message.html", message=message, status=status)
        # The part of the page that asked stays, with the line in it: the next answer takes its place.
        answer.headers["hx-reswap"] = "innerHTML"
        return answer

    handlers: Mapping[Any, Callable[[Request, Exception], Response | Awaitable[Response]]]
    handlers = {UsageError: answer_mistake, HTTPException: answer_mistake}
    middleware = [
        Middleware(GZipMiddleware, compresslevel=6),
        Middleware(AccessMiddleware, access=access),
        Middleware(UserMistakes, answer_mistake=answer_mistake),
    ]
    app = Starlette(routes=routes, middleware=middleware, exception_handlers=handlers, lifespan=lifespan)
    app.state.sessions = sessions
    return app


async def _tidy(sessions: Sessions) -> None:
    while True:
        await asyncio.sleep(TIDY)
        await asyncio.to_thread(sessions.tidy)


@dataclass
class UserMistakes:
    """Answers with a line if a user's law, rules or drawing fail during a request.

    A handler of `Exception` would have Starlette raise it again, as it must where the page itself has a bug.
    """

    app: ASGIApp
    answer_mistake: Callable[[Request, Exception], Response]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        try:
            await self.app(scope, receive, send)
        except Exception as error:
            line = in_users_terms(error)
            if line is None or scope["type"] != "http":  # a bug keeps its traceback
                raise
            await self.answer_mistake(Request(scope, receive), UsageError(line))(scope, receive, send)


@dataclass(frozen=True)
class Access:
    """The requests that are allowed: those to `host` and `port` that begin on a page of this server.

    `token` is what a browser must bring once where others can reach the server, or could start programs; "" for none.
    """

    port: int
    host: str = "127.0.0.1"
    token: str = ""

    def cookie(self, name: str) -> str:
        """The name of a cookie of this server."""
        return f"{name}-{self.port}"

    def known_host(self, sent: str) -> bool:
        """Whether a `Host` header names this server, and not another name that was made to point here.

        Starlette's `TrustedHostMiddleware` ignores the port, and knows no addresses but those of a list.
        """
        name, _, port = sent.rpartition(":") if not sent.endswith("]") else (sent, "", "")
        name, port = (name, port) if name else (sent, "80")
        name = name.strip("[]").lower()
        if port != str(self.port):
            return False
        if name in LOOPBACK or name == self.host.lower():
            return True
        # Nobody can make an address point here; of names only this machine's is known.
        return bool(self.token) and (_is_address(name) or name == socket.gethostname().lower())

    def refusal(self, request: Request) -> tuple[int, str] | None:
        """Why a request is refused: the status and a line; None if it is not refused."""
        headers = request.headers
        host = headers.get("host", "")
        origin = headers.get("origin", "")
        if not self.known_host(host):
            return 421, f"this server is not called {host[:80]!r}: open the address that rulebots web printed"
        if request.method in ("GET", "HEAD"):
            return None
        if request.method != "POST":
            return 405, "expected GET or POST"
        if origin and origin != f"http://{host}":
            return 403, f"a page of {origin[:80]!r} may not send this"
        if not origin and headers.get("sec-fetch-site") != "same-origin":
            return 403, "expected the header Origin, which says what page sends this"
        if headers.get("content-type", "").partition(";")[0] != "application/x-www-form-urlencoded":
            return 415, "expected the fields of a form"
        return None


@dataclass
class AccessMiddleware:
    """Refuses requests without access, gives each browser its secret, and sets the headers of all answers."""

    app: ASGIApp
    access: Access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        cookies = dict[str, str]()

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                # A browser keeps files, and asks each time whether they have changed, unless their names would tell.
                is_file = request.url.path.startswith(f"{STATIC_PATH}/")
                headers.setdefault("cache-control", "no-cache" if is_file else "no-store")
                for name, value in cookies.items():
                    cookie = f"{name}={value}; Path=/; Max-Age={_YEAR}; HttpOnly; SameSite=Strict"
                    headers.append("set-cookie", cookie)
            await send(message)

        await self._answer(request, cookies)(scope, receive, send_with_headers)

    def _answer(self, request: Request, cookies: dict[str, str]) -> ASGIApp:
        """What answers a request: a refusal, or the application; cookies to be set are added to `cookies`."""
        access = self.access
        refusal = access.refusal(request)
        known = not access.token or same_secret(request.cookies.get(access.cookie(TOKEN), ""), access.token)
        if refusal is None and not known:
            if request.method == "GET" and same_secret(request.query_params.get("token", ""), access.token):
                cookies[access.cookie(TOKEN)] = access.token
                # Without the token in the address.
                return RedirectResponse("/" + request.scope["path"].lstrip("/"), 303)
            refusal = 401, "expected the token: open the address that rulebots web printed, token and all"
        if refusal is not None:
            return PlainTextResponse(f"{refusal[1]}\n", refusal[0])
        secret = request.cookies.get(access.cookie(SECRET), "")
        if len(secret) < _SECRET_LENGTH:
            secret = cookies[access.cookie(SECRET)] = secrets.token_urlsafe(_SECRET_LENGTH)
        request.scope["secret"] = secret
        return self.app


def _is_address(name: str) -> bool:
    with contextlib.suppress(ValueError):
        return bool(ipaddress.ip_address(name))
    return False


@functools.cache
def connection_class() -> Any:
    """The class of uvicorn's connections, with limits so that idle ones lock nobody out.

    A connection without a request ends soon; if there are too many, the longest-idle one ends.
    """
    from uvicorn.protocols.http.h11_impl import H11Protocol  # uvicorn brings a command line along

    class Connection(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
            super().connection_made(transport)
            self.expect()
            others: list[Any] = [each for each in self.connections if each is not self]
            of_address = [each for each in others if each.client and self.client and each.client[0] == self.client[0]]
            for crowd, most in ((of_address, MOST_OF_ADDRESS), (others, MOST_CONNECTIONS)):
                if len(crowd) >= most:
                    min(crowd, key=lambda each: (not each.idle, each.began)).end()

        @property
        def idle(self) -> bool:
            return self.cycle is None or self.cycle.response_complete

        def expect(self) -> None:
            """Give the other side some time for its next request."""
            began = self.began = self.loop.time()
            self.loop.call_later(HEADERS_WITHIN, lambda: self.end() if self.idle and self.began == began else None)

        def on_response_complete(self) -> None:
            self.expect()
            super().on_response_complete()

        def end(self) -> None:
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
    demand(
        not token or (len(token) >= LEAST_TOKEN and token.isalnum() and token.isascii()),
        f"{TOKEN_VARIABLE}: expected at least {LEAST_TOKEN} letters and digits",
    )
    return token or secrets.token_hex(16)


def listening_on(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises UsageError where the host is not an address, FileError where it is taken."""
    demand(
        host == "localhost" or _is_address(host),
        f"--bind: expected an address such as 127.0.0.1 or 0.0.0.0, not '{host}'",
    )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
    try:
        return socket.create_server((host, port), family=family, backlog=128, dualstack_ipv6=both)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else error
        raise FileError(f"cannot listen on {host}, port {port}: {reason}; choose another one with --port") from None
