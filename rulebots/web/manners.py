"""What the server refuses, and what it says of every answer: one layer around all pages.

A page of another site can make a browser send requests to this one. They are told by their `Host` (a name that was
made to point here), by their `Origin`, and by a secret of the browser's own that every form has to repeat.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from http import cookies
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Nothing from elsewhere, nothing inline, no frame around us.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Mapping[str, str] = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
#: The cookies: what forms repeat, and the token of a server that others can reach.
SECRET, TOKEN = "rulebots-secret", "rulebots-token"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
SAFE = ("GET", "HEAD")
_YEAR = 31_536_000


@dataclass(frozen=True)
class Manners:
    """Who may ask: requests to `host` and `port` that begin on a page of ours.

    `token` is what a browser has to bring once where others than this machine can reach the server; "" for none.
    """

    port: int
    host: str = "127.0.0.1"
    token: str = ""

    def known_host(self, given: str) -> bool:
        """Whether a `Host` header names this server, and not another name that was made to point here."""
        name, _, port = given.rpartition(":") if not given.endswith("]") else (given, "", "")
        name, port = (name, port) if name else (given, "80")
        name = name.strip("[]").lower()
        if port != str(self.port):
            return False
        if name in LOOPBACK or name == self.host.lower():
            return True
        # An address is no name that somebody else could point here; a name is only known if it is this machine's own.
        return bool(self.token) and (_is_address(name) or name == socket.gethostname().lower())

    def refusal(self, method: str, headers: Headers) -> tuple[int, str] | None:
        """Why a request is refused: the status and a line; None if it is not."""
        host = headers.get("host", "")
        if not self.known_host(host):
            return 421, f"this server is not called {host[:80]!r}: open the address that rulebots web printed"
        if method in SAFE:
            return None
        if method != "POST":
            return 405, "expected GET or POST"
        origin = headers.get("origin", "")
        if origin and origin != f"http://{host}":
            return 403, f"a page of {origin[:80]!r} may not send this"
        if not origin and headers.get("sec-fetch-site") != "same-origin":
            return 403, "expected the header Origin, which says what page sends this"
        if headers.get("content-type", "").partition(";")[0] != "application/x-www-form-urlencoded":
            return 415, "expected the fields of a form"
        return None


class Guard:
    """The layer: refuses what `manners` refuses, gives each browser its secret, and sets the headers of all answers."""

    def __init__(self, app: ASGIApp, manners: Manners) -> None:
        self.app = app
        self.manners = manners

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers, own = Headers(scope=scope), list[str]()

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answer[name] = value
                if "cache-control" not in answer:
                    answer["cache-control"] = "no-store"
                for cookie in own:
                    answer.append("set-cookie", cookie)
            await send(message)

        refused = self.manners.refusal(scope["method"], headers)
        held = _cookies(headers)
        if refused is None and self.manners.token and not _same(held.get(TOKEN, ""), self.manners.token):
            answer = self._let_in(scope)
            if answer is None:
                refused = 401, "expected the token: open the address that rulebots web printed, token and all"
            else:
                own.append(_cookie(TOKEN, self.manners.token))
                await answer(scope, receive, send_with_headers)
                return
        if refused is not None:
            await PlainTextResponse(f"{refused[1]}\n", refused[0])(scope, receive, send_with_headers)
            return
        secret = held.get(SECRET, "")
        if len(secret) < 32:
            secret = secrets.token_urlsafe(32)
            own.append(_cookie(SECRET, secret))
        scope["secret"] = secret
        await self.app(scope, receive, send_with_headers)

    def _let_in(self, scope: Scope) -> Response | None:
        """The way on for who brings the token in the address, without it."""
        given = parse_qs(scope["query_string"].decode("ascii", "replace")).get("token", [""])[0]
        if scope["method"] != "GET" or not _same(given, self.manners.token):
            return None
        path = "/" + scope["path"].lstrip("/")
        return RedirectResponse(path, 303)


def same_secret(given: str, scope: Scope) -> bool:
    """Whether a form repeats the secret of the browser that sends it."""
    return _same(given, str(scope.get("secret", "")))


def _same(given: str, wanted: str) -> bool:
    return bool(wanted) and hmac.compare_digest(given.encode(), wanted.encode())


def _cookies(headers: Headers) -> dict[str, str]:
    jar: cookies.SimpleCookie = cookies.SimpleCookie()
    try:
        jar.load(headers.get("cookie", ""))
    except cookies.CookieError:
        return {}
    return {name: morsel.value for name, morsel in jar.items()}


def _cookie(name: str, value: str) -> str:
    return f"{name}={value}; Path=/; Max-Age={_YEAR}; HttpOnly; SameSite=Strict"


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
