"""The page as one ASGI application."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, MutableMapping
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from rulebots.errors import UsageError
from rulebots.kernel.user_code import in_users_terms
from rulebots.web.forms import Refused
from rulebots.web.ladder import Ladder
from rulebots.web.manners import Guard, Manners
from rulebots.web.opponents import Opponents
from rulebots.web.pages import STATIC, Pages, wants_part
from rulebots.web.parts import page_parts
from rulebots.web.play import Play
from rulebots.web.tables import NoTable, Tables
from rulebots.web.tune import Tune

#: Seconds between two looks for searches and tables that nobody needs any more.
TIDY = 2.0


class Static(StaticFiles):
    """Files that a browser keeps, and asks each time whether they have changed."""

    async def get_response(self, path: str, scope: MutableMapping[str, Any]) -> Response:
        """The file."""
        answer = await super().get_response(path, scope)
        answer.headers["cache-control"] = "no-cache"
        return answer


class UsersMistakes:
    """Answers with a line where a person's own law, rules or drawing fail in the middle of a request."""

    def __init__(self, app: ASGIApp, told: Callable[[Request, Exception], Response]) -> None:
        self.app = app
        self.told = told

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        try:
            await self.app(scope, receive, send)
        except Exception as error:
            line = in_users_terms(error)
            if line is None or scope["type"] != "http":  # a bug keeps its traceback
                raise
            await self.told(Request(scope, receive), UsageError(line))(scope, receive, send)


def new_app(opponents: Opponents, manners: Manners, most_thinkers: int | None = None) -> Starlette:
    """The page for a folder and its players, with those manners."""
    tables = Tables(opponents, most_thinkers)
    pages = Pages(("/", "Play"), ("/tune", "Tune"), ("/ladder", "Ladder"))
    play, tune, ladder = Play(tables, pages), Tune(opponents, pages), Ladder(tables, pages)
    brought = [route for part in page_parts(opponents.folder, pages) for route in part.routes]

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        tidying = asyncio.create_task(_tidy(tables))
        try:
            yield
        finally:
            tidying.cancel()
            tables.close()
            ladder.close()

    def told(request: Request, error: Exception) -> Response:
        """A mistake of the user's, or of a player's, as a line on the page."""
        status = _status(error)
        message = error.detail if isinstance(error, HTTPException) else str(error)
        template = "message.html" if wants_part(request) else "error.html"
        answer = pages.page(request, template, status, message=message, status=status)
        # The part of the page that asked stays, with the line in it: the next answer takes its place.
        answer.headers["hx-reswap"] = "innerHTML"
        return answer

    kinds = (UsageError, Refused, HTTPException)
    handlers: Mapping[Any, Callable[[Request, Exception], Response | Awaitable[Response]]] = dict.fromkeys(kinds, told)
    app = Starlette(
        routes=[*play.routes, *tune.routes, *ladder.routes, *brought, Mount("/static", Static(directory=STATIC))],
        middleware=[Middleware(Guard, manners=manners), Middleware(UsersMistakes, told=told)],
        exception_handlers=handlers,
        lifespan=lifespan,
    )
    app.state.tables = tables
    return app


def _status(error: Exception) -> int:
    if isinstance(error, HTTPException):
        return error.status_code
    if isinstance(error, Refused):
        return error.status
    return 404 if isinstance(error, NoTable) else 422


async def _tidy(tables: Tables) -> None:
    while True:
        await asyncio.sleep(TIDY)
        await asyncio.to_thread(tables.tidy)
