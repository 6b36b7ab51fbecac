"""The files of the page, each under a name that changes with its content."""

from __future__ import annotations

import hashlib
from pathlib import Path

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from rulebots.web.security import STATIC_PATH

#: What a browser may do with a file whose name changes with it.
FOREVER = "private, max-age=31536000, immutable"


class Assets(StaticFiles):
    """The files of a folder, each also under a name that changes with it: browsers keep those without asking again."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder)
        self._folder = folder
        self._hashed = {
            file.name: f"{file.stem}.{hashlib.sha256(file.read_bytes()).hexdigest()[:12]}{file.suffix}"
            for file in folder.iterdir()
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
            answer.headers["cache-control"] = FOREVER
        return answer


ASSETS = Assets(Path(__file__).parent / "static")
