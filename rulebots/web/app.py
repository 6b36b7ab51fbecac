"""The page as one ASGI application."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.types import ASGIApp, Receive, Scope, Send

from rulebots.errors import UsageError
from rulebots.kernel.user_code import in_users_terms
from rulebots.web.assets import ASSETS
from rulebots.web.home import HomePages
from rulebots.web.ladders import LadderPages
from rulebots.web.pages import Pages
from rulebots.web.play import PlayPages
from rulebots.web.review import ReviewPages
from rulebots.web.security import STATIC_PATH, Access, AccessMiddleware
from rulebots.web.served_folder import NotFound, ServedFolder
from rulebots.web.sessions import Sessions, give_back
from rulebots.web.setting_up import SetUpPages
from rulebots.web.tune import TunePages

#: Seconds between two looks for searches and sessions that nobody needs any more.
TIDY = 2.0


class UserMistakes:
    """Answers with a line where a user's law, rules or drawing fail in the middle of a request.

    A handler of `Exception` would have Starlette raise it again, as it must where the page itself has a bug.
    """

    def __init__(self, app: ASGIApp, answer_mistake: Callable[[Request, Exception], Response]) -> None:
        self.app = app
        self.answer_mistake = answer_mistake

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        try:
            await self.app(scope, receive, send)
        except Exception as error:
            line = in_users_terms(error)
            if line is None or scope["type"] != "http":  # a bug keeps its traceback
                raise
            await self.answer_mistake(Request(scope, receive), UsageError(line))(scope, receive, send)


def new_app(served: ServedFolder, access: Access, most_searches: int | None = None) -> Starlette:
    """The page for a folder and its players, for those who have access."""
    sessions = Sessions(served, most_searches)
    pages = Pages(served.folder, ("/", "Play"), ("/tune", "Tune"), ("/ladder", "Ladder"))
    home = HomePages(sessions, pages)
    play = PlayPages(sessions, pages, access.token)
    tune = TunePages(served, pages)
    ladder = LadderPages(sessions, pages)
    installed = pages.add_installed()

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
        if isinstance(error, HTTPException):
            status = error.status_code
            message = "there is no page at this address" if status == 404 else error.detail
        else:
            status = 404 if isinstance(error, NotFound) else 422
            message = str(error)
        answer = pages.page(request, "error.html", status, fragment="message.html", message=message, status=status)
        # The part of the page that asked stays, with the line in it: the next answer takes its place.
        answer.headers["hx-reswap"] = "innerHTML"
        return answer

    handlers: Mapping[Any, Callable[[Request, Exception], Response | Awaitable[Response]]]
    handlers = {UsageError: answer_mistake, HTTPException: answer_mistake}
    app = Starlette(
        routes=[
            *home.routes,
            *play.routes,
            *SetUpPages(pages, play.advise).routes,
            *ReviewPages(sessions, pages).routes,
            *tune.routes,
            *ladder.routes,
            *installed,
            Mount(STATIC_PATH, ASSETS),
        ],
        middleware=[
            Middleware(GZipMiddleware, compresslevel=6),
            Middleware(AccessMiddleware, access=access),
            Middleware(UserMistakes, answer_mistake=answer_mistake),
        ],
        exception_handlers=handlers,
        lifespan=lifespan,
    )
    app.state.sessions = sessions
    return app


async def _tidy(sessions: Sessions) -> None:
    while True:
        await asyncio.sleep(TIDY)
        if await asyncio.to_thread(sessions.tidy):
            await asyncio.to_thread(give_back)
