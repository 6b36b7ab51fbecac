"""The building blocks of pages: templates, static files, form fields, and parts of installed packages.

Every text in a template is escaped, and every form repeats the browser's secret.
"""

import asyncio
import hashlib
import hmac
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import jinja2
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from rulebots.errors import UsageError
from rulebots.files.ranges import Range
from rulebots.web.board import example_board

#: Entry points of this group name functions `(folder, pages) -> PagePart`.
GROUP = "rulebots.web"
TEMPLATES = Path(__file__).parent / "templates"
STATIC = Path(__file__).parent / "static"
#: The address of static files, which are the same for all.
STATIC_PATH = "/static"
#: Caching of a file whose name changes with its content.
FOREVER = "private, max-age=31536000, immutable"
#: The field of a form that repeats the browser's secret.
FIELD = "secret"
#: The largest form, a record of a long game, in bytes; and the most fields of a form.
MOST_BYTES = 1_000_000
MOST_FIELDS = 2_000
#: Seconds that a form has to arrive.
WITHIN = 20.0


class Assets(StaticFiles):
    """The files of a folder, each also under a name with its hash, which browsers cache for good."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder)
        self._hashed = {
            file.name: f"{file.stem}.{hashlib.sha256(file.read_bytes()).hexdigest()[:12]}{file.suffix}"
            for file in folder.iterdir()
        }
        self._names = {hashed: name for name, hashed in self._hashed.items()}

    def address(self, name: str) -> str:
        """The address of a file. Raises KeyError for an unknown one."""
        return f"{STATIC_PATH}/{self._hashed[name]}"

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, or "not modified"."""
        answer = await super().get_response(self._names.get(path, path), scope)
        if path in self._names:
            answer.headers["cache-control"] = FOREVER
        return answer


ASSETS = Assets(STATIC)
#: The names of seats that nobody has taken.
NUMBERED = [f"Player {seat + 1}" for seat in range(10)]


def named(words: str, names: Sequence[str]) -> str:
    """The words of a diagram with names of seats in place of `{1}`, or with their numbers."""
    return re.sub(r"\{([0-9])\}", lambda mark: [*names, *NUMBERED[len(names) :]][int(mark[1])], words)


@dataclass(frozen=True)
class PagePart:
    """A part of the page: its address and name in the navigation, its routes, and the folder of its templates.

    `beside_weights` is an address of it that is shown beside the weights of a player, and gets `player` and `game` as
    the page for tuning does; "" for none.
    """

    link: tuple[str, str]
    routes: Sequence[BaseRoute]
    templates: Path
    beside_weights: str = ""


class Pages:
    """The templates; `links` are the parts of the page in its navigation, as (address, name).

    Links to pass on include the server's `token`, if it has one.
    Messages do not tell where the served folder is: names of files begin there.
    """

    def __init__(self, folder: Path, *links: tuple[str, str], token: str = "") -> None:
        self._folder = folder
        self._loader = jinja2.FileSystemLoader([TEMPLATES])
        self._links = list(links)
        self._environment = jinja2.Environment(
            loader=self._loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
        )
        self._environment.filters["named"] = named
        self._environment.filters["local"] = lambda message: str(message).replace(f"{folder}/", "")
        self._environment.filters["date"] = _date
        self._environment.globals |= {
            "example_board": example_board, "query": f"?token={token}" if token else "",
            "links": self._links, "beside_weights": "", "secret_field": FIELD, "asset": ASSETS.address
        }  # fmt: skip

    def add_installed(self) -> list[BaseRoute]:
        """Add the parts that installed packages bring for the served folder, and give their routes.

        Their templates are looked for after those of this package.
        """
        routes = list[BaseRoute]()
        for point in sorted(metadata.entry_points(group=GROUP), key=lambda point: point.name):
            make: Callable[[Path, Pages], PagePart] = point.load()
            part = make(self._folder, self)
            self._links.append(part.link)
            self._loader.searchpath.append(str(part.templates))
            if part.beside_weights:
                self._environment.globals["beside_weights"] = part.beside_weights
            routes += part.routes
        return routes

    def page(self, request: Request, template: str, code: int = 200, *, fragment: str = "", **facts: Any) -> Response:
        """A template filled with the facts; the template `fragment`, if there is one, for a request of the script.

        Work that is not `done` answers 204 where the script has its `version`: nothing is new.
        """
        is_fragment = wants_fragment(request)
        known = request.query_params.get("version") == str(facts.get("version"))
        if is_fragment and known and not facts.get("done", True):
            return Response(status_code=204)
        text = self.text(
            fragment if fragment and is_fragment else template, secret=request.scope.get("secret", ""),
            path=request.url.path, site=str(request.base_url).rstrip("/"), is_fragment=is_fragment, **facts,
        )  # fmt: skip
        return HTMLResponse(text, code)

    def text(self, template: str, **facts: Any) -> str:
        """A template filled with the facts."""
        return self._environment.get_template(template).render(**facts)


def _date(seconds: float) -> str:
    try:
        at = time.localtime(seconds)
        return time.strftime("today %H:%M" if at[:3] == time.localtime()[:3] else "%d %b %H:%M", at).lstrip("0")
    except (ValueError, OverflowError, OSError):  # from a log that somebody else wrote
        return "date unknown"


def wants_fragment(request: Request) -> bool:
    """Whether the page's script asks for a fragment, rather than the browser for a whole page."""
    return request.headers.get("hx-request") == "true"


def in_one_line(problems: Sequence[str], what: str) -> list[str]:
    """Problems, most likely with one cause, as one line: the first, and the number of others."""
    if len(problems) < 2:
        return list(problems)
    return [f"{problems[0]}; {len(problems) - 1} more of the latest {what} cannot be shown"]


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
    if not same_secret(fields.pop(FIELD, ""), request.scope.get("secret", "")):
        raise HTTPException(403, "this page is not one that the server has given to this browser: load it again")
    return fields


def same_secret(sent: str, expected: str) -> bool:
    """Whether the expected secret was sent, compared in constant time; never if none is expected."""
    return bool(expected) and hmac.compare_digest(sent.encode(), expected.encode())


def post(path: str, answer: Callable[[Request, Mapping[str, str]], Response]) -> Route:
    """A route that reads a form, and answers in a thread: `answer` may play games and open files."""

    async def endpoint(request: Request) -> Response:
        return await run_in_threadpool(answer, request, await form_of(request))

    return Route(path, endpoint, methods=["POST"])


def whole_number(fields: Mapping[str, str], name: str, low: int, high: int, default: int | None = None) -> int:
    """A field of a form or an address as a whole number from `low` to `high`; `default` if it is empty.

    Raises:
        UsageError: it is something else.
    """
    text = fields.get(name, "").strip()
    if not text and default is not None:
        return default
    try:
        return int(Range(low, high, whole=True).read(text))
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from None
