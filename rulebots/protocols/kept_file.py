"""What a developer may want to read later, in a file that has a limit: a program's stderr, our own tracebacks."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from pathlib import Path

#: Bytes that are kept.
MOST_KEPT = 1_000_000
#: Characters of the name that the file's own has.
_NAME = 60


class KeptFile:
    """A temporary file that is made when there is something to keep, and keeps its first bytes.

    `name` becomes a part of its own, `rulebots-NAME-....txt`.
    """

    def __init__(self, name: str) -> None:
        self._name = re.sub(r"[^\w.-]", "_", name)[:_NAME]
        self._handle: int | None = None
        self.path: Path | None = None
        #: Bytes that have come.
        self.size = 0

    def add(self, data: bytes) -> None:
        """Keep some more. A full disk stops no game."""
        with contextlib.suppress(OSError):
            if self.path is None:
                self._handle, name = tempfile.mkstemp(".txt", f"rulebots-{self._name}-")
                self.path = Path(name)
            if self._handle is not None and self.size < MOST_KEPT:
                os.write(self._handle, data[: MOST_KEPT - self.size])
        self.size += len(data)

    def close(self) -> None:
        """Nothing more comes."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
