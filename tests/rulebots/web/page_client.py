"""A server of the page on a port of its own, and a browser without a screen to ask it."""

from __future__ import annotations

import asyncio
import gzip
import html
import http.client
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlencode

import uvicorn.server

from rulebots.web.served_folder import ServedFolder
from rulebots.web.server import Access, listening_on, new_app, server_of
from rulebots.web.sessions import Sessions

# uvicorn looks ten times a second whether it should end, and then waits a tenth of one: too long for a server a test.
uvicorn.server.asyncio = SimpleNamespace(**{**vars(asyncio), "sleep": lambda seconds: asyncio.sleep(seconds / 20)})  # type: ignore[attr-defined]


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    text: str
    #: The bytes of the body as they came.
    size: int = 0

    @property
    def location(self) -> str:
        return self.headers["location"]

    def field(self, name: str) -> str:
        """The value of a hidden field."""
        found = re.search(rf'name="{name}" value="([^"]*)"', self.text)
        assert found, f"no field {name} in {self.text}"
        return html.unescape(found[1])

    @property
    def status_line(self) -> str:
        found = re.search(r'id="status"[^>]*>.*?<strong>(.*?)</strong>', self.text, re.DOTALL)
        assert found, self.text
        return html.unescape(found[1])

    @property
    def places(self) -> list[str]:
        """The places that can be chosen."""
        found = re.findall(r'<button name="place" value="([^"]*)" class="[^"]*"( disabled)?', self.text)
        return [html.unescape(name) for name, disabled in found if not disabled]

    @property
    def moves(self) -> list[str]:
        """The numbers of the moves that are buttons."""
        return re.findall(r'<button name="move" value="(\d+)"', self.text)


class Client:
    """What asks a server on this machine, and keeps its cookies as a browser does."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[str, str] = {}

    @property
    def secret(self) -> str | None:
        return self.cookies.get(f"rulebots-secret-{self.port}")

    def ask(
        self, method: str, path: str, body: str | bytes | None = None, headers: dict[str, str] | None = None
    ) -> Answer:
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = {"Host": f"127.0.0.1:{self.port}"}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent |= headers or {}
        link.request(method, path, body, {name: value for name, value in sent.items() if value})
        answer = link.getresponse()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.partition(";")[0]
        body = answer.read()
        text = (gzip.decompress(body) if answer.getheader("content-encoding") == "gzip" else body).decode(
            "utf-8", "replace"
        )
        link.close()
        return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, text, len(body))

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})

    def post(self, path: str, fields: dict[str, object] | None = None, headers: dict[str, str] | None = None) -> Answer:
        """A form of the page: with the secret and the origin, unless told otherwise."""
        if self.secret is None:
            self.get("/")
        sent = {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://127.0.0.1:{self.port}"}
        given = {"secret": self.secret, **(fields or {})}
        return self.ask("POST", path, urlencode(given), {**sent, **(headers or {})})

    def act(self, path: str, **fields: object) -> Answer:
        """A form sent as the script of the page sends it: the answer is the part of the page."""
        return self.post(path, dict(fields), {"HX-Request": "true"})

    def begin(self, game: str, **fields: object) -> str:
        """A new game; gives its address."""
        answer = self.post(f"/new/{game}", {name.replace("_", "-"): value for name, value in fields.items()})
        assert answer.status == 303, answer.text
        return answer.location


class Site(Client):
    """A client of a server in this process, whose folder and tables can be looked at."""

    def __init__(self, port: int, folder: Path, sessions: Sessions, close: Callable[[], None] = lambda: None) -> None:
        super().__init__(port)
        self.folder = folder
        self.sessions = sessions
        self.close = close


@contextmanager
def serving(folder: Path, token: str = "", **opponents: object) -> Iterator[Site]:
    listening = listening_on("127.0.0.1", 0)
    port = listening.getsockname()[1]
    app = new_app(ServedFolder(folder, **opponents), Access(port, "127.0.0.1", token))  # type: ignore[arg-type]
    server = server_of(app)
    thread = threading.Thread(target=lambda: server.run(sockets=[listening]), daemon=True)
    thread.start()

    def close() -> None:
        server.should_exit = True
        thread.join(10)
        listening.close()
        assert not thread.is_alive()

    try:
        yield Site(port, folder, app.state.sessions, close)
    finally:
        close()


def settled(site: Site, address: str) -> Answer:
    """The game's page once nobody is thinking."""
    for _ in range(1200):
        page = site.get(address)
        assert page.status == 200, page.text
        if not any(word in page.status_line for word in ("thinking", "Preparing", "Chance decides")):
            return page
        time.sleep(0.05)
    raise AssertionError(page.status_line)
