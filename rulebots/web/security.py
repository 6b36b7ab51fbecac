"""What the server refuses, the headers of every answer, and the fields of a form.

A page of another site can make a browser send requests to this server. They are recognised by their `Host` (a name
that was made to point here), by their `Origin`, and by a secret of each browser that every form must repeat.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import secrets
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rulebots.errors import UsageError
from rulebots.files.ranges import Range

#: Nothing from elsewhere, nothing inline, and the page in no frame.
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
#: The cookies, whose names end in the port: browsers send one to every port of a host. They hold the secret that forms
#: repeat, and the token of a server that asks for one.
SECRET = "rulebots-secret"  # noqa: S105 - a name
TOKEN = "rulebots-token"  # noqa: S105 - a name
#: The field of a form that repeats the browser's secret.
FIELD = "secret"
#: Where the files of the page are; they are the same for all.
STATIC_PATH = "/static"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
#: The largest form, a record of a long game, in bytes; and the most fields of a form.
MOST_BYTES = 1_000_000
MOST_FIELDS = 2_000
#: Seconds that a form has to arrive.
WITHIN = 20.0
_SECRET_LENGTH = 32
_YEAR = 31_536_000


@dataclass(frozen=True)
class Access:
    """Who may ask: requests to `host` and `port` that begin on a page of this server.

    `token` is what a browser must bring once where others can reach the server, or could start programs; "" for none.
    """

    port: int
    host: str = "127.0.0.1"
    token: str = ""

    def cookie(self, name: str) -> str:
        """The name of a cookie of this server."""
        return f"{name}-{self.port}"

    def known_host(self, given: str) -> bool:
        """Whether a `Host` header names this server, and not another name that was made to point here.

        Starlette's `TrustedHostMiddleware` ignores the port, and knows no addresses but those of a list.
        """
        name, _, port = given.rpartition(":") if not given.endswith("]") else (given, "", "")
        name, port = (name, port) if name else (given, "80")
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


class AccessMiddleware:
    """Refuses what `access` refuses, gives each browser its secret, and sets the headers of all answers."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app = app
        self.access = access

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
                kept = request.url.path.startswith(f"{STATIC_PATH}/")
                headers.setdefault("cache-control", "no-cache" if kept else "no-store")
                for name, value in cookies.items():
                    cookie = f"{name}={value}; Path=/; Max-Age={_YEAR}; HttpOnly; SameSite=Strict"
                    headers.append("set-cookie", cookie)
            await send(message)

        answer: ASGIApp | None = None
        refused = self.access.refusal(request)
        if refused is None and not self._has_token(request):
            if request.method == "GET" and _same(request.query_params.get("token", ""), self.access.token):
                cookies[self.access.cookie(TOKEN)] = self.access.token
                answer = RedirectResponse("/" + scope["path"].lstrip("/"), 303)  # without the token in the address
            else:
                refused = 401, "expected the token: open the address that rulebots web printed, token and all"
        if refused is not None:
            answer = PlainTextResponse(f"{refused[1]}\n", refused[0])
        if answer is None:
            answer = self.app
            secret = request.cookies.get(self.access.cookie(SECRET), "")
            if len(secret) < _SECRET_LENGTH:
                secret = cookies[self.access.cookie(SECRET)] = secrets.token_urlsafe(_SECRET_LENGTH)
            scope["secret"] = secret
        await answer(scope, receive, send_with_headers)

    def _has_token(self, request: Request) -> bool:
        token = self.access.token
        return not token or _same(request.cookies.get(self.access.cookie(TOKEN), ""), token)


async def form_of(request: Request) -> Mapping[str, str]:
    """The fields of a form, each once.

    Raises:
        HTTPException: it is too large, too slow, or not text, or does not repeat the browser's secret.
    """
    body = bytearray()
    try:
        async with asyncio.timeout(WITHIN):
            async for part in request.stream():
                body += part
                if len(body) > MOST_BYTES:
                    raise HTTPException(413, f"expected a form of at most {MOST_BYTES:,} bytes")
    except TimeoutError:
        raise HTTPException(408, f"expected the whole form within {WITHIN:g} seconds") from None
    try:
        fields = dict(
            parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict")
        )
    except ValueError:
        raise HTTPException(400, "expected the fields of a form, as text") from None
    if not _same(fields.pop(FIELD, ""), str(request.scope.get("secret", ""))):
        raise HTTPException(403, "this page is not one that the server has given to this browser: load it again")
    return fields


def post(path: str, answer: Callable[[Request, Mapping[str, str]], Response]) -> Route:
    """A route that reads a form, and answers in a thread: `answer` may play games and open files."""

    async def endpoint(request: Request) -> Response:
        return await run_in_threadpool(answer, request, await form_of(request))

    return Route(path, endpoint, methods=["POST"])


def whole_number(fields: Mapping[str, str], name: str, low: int, high: int, default: int | None = None) -> int:
    """A field of a form or an address as a whole number from `low` to `high`; `default` where it is empty.

    Raises:
        UsageError: it is something else.
    """
    text = fields.get(name, "").strip()
    if not text and default is not None:
        return default
    try:
        number: int = Range(low, high, whole=True).read(text)
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from None
    return number


def _same(given: str, wanted: str) -> bool:
    return bool(wanted) and hmac.compare_digest(given.encode(), wanted.encode())


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
