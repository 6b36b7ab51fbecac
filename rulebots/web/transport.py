"""What travels to a browser: files under names that change with them, and of a page only what has changed."""

from __future__ import annotations

import difflib
import hashlib
import threading
import zlib
from collections import OrderedDict
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from rulebots.web.security import STATIC_PATH

#: The header in which the page's script says which part of a page it holds, and the one that names the part it gets.
HOLDS, PART = "rulebots-holds", "rulebots-part"
#: Parts that are remembered, compressed: some kilobytes each.
MOST_PARTS = 256
#: What a browser may do with a file whose name changes with it.
FOR_GOOD = "private, max-age=31536000, immutable"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:32]


class Assets(StaticFiles):
    """The files of a folder, each also under a name that changes with it: browsers keep those without asking again."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder)
        self._folder = folder
        self._hashed = {
            file.name: f"{file.stem}.{_digest(file.read_bytes())[:12]}{file.suffix}" for file in folder.iterdir()
        }
        self._names = {hashed: name for name, hashed in self._hashed.items()}

    def address(self, name: str) -> str:
        """Where a file is. Raises KeyError for one that is not there."""
        return f"{STATIC_PATH}/{self._hashed[name]}"

    def text(self, name: str) -> str:
        """What a file says."""
        return (self._folder / name).read_text("utf-8")

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, or that a browser's copy of it is still good."""
        answer = await super().get_response(self._names.get(path, path), scope)
        if path in self._names:
            answer.headers["cache-control"] = FOR_GOOD
        return answer


ASSETS = Assets(Path(__file__).parent / "static")


class Parts:
    """The latest parts of pages that were sent, each by its digest: the next one is sent as changes of the one before.

    A part holds its browser's secret, so nobody else knows its digest.
    """

    def __init__(self) -> None:
        self._parts: OrderedDict[str, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def answer(self, request: Request, whole: Response) -> Response:
        """What to send of a part of a page to the script that asks: all of it, or what has changed.

        Changes are a list in JSON: a text is new, and [FIRST, END] are lines of the part that the script holds.
        """
        text = bytes(whole.body).decode()
        digest, held = _digest(text.encode()), request.headers.get(HOLDS, "")
        with self._lock:
            before = self._parts.get(held)
            self._parts[digest] = zlib.compress(text.encode())
            self._parts.move_to_end(digest)
            if len(self._parts) > MOST_PARTS:
                self._parts.popitem(last=False)
        if before is None:
            whole.headers[PART] = digest
            return whole
        changes = changed(zlib.decompress(before).decode().split("\n"), text.split("\n"))
        return JSONResponse(changes, headers={PART: digest})


def changed(old: list[str], new: list[str]) -> list[str | tuple[int, int]]:
    """How to make the new lines of the old ones: texts, and (first, end) of lines that stay."""
    pieces = list[str | tuple[int, int]]()
    for what, first, end, begin, stop in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what == "equal":
            pieces.append((first, end))
        elif begin < stop:
            pieces.append("\n".join(new[begin:stop]))
    return pieces
