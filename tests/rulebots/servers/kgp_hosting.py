"""A practice server of the Kalah Game Protocol in a thread, for tests of both sides."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from typing import Any

from rulebots.packages import load_game
from rulebots.servers.kgp.host import host
from rulebots.servers.serving import HostSettings

KALAH = load_game("kalah")
SMALL = {"pits": 3, "stones": 2}


class Served:
    """A server in a thread, and what it says."""

    def __init__(self, serve: Callable[[HostSettings], None] = host, **terms: Any) -> None:
        self.said: list[str] = []
        settled = {"port": 0, "options": SMALL, "seed": 3, "say": self.said.append, **terms}
        self.thread = threading.Thread(target=serve, args=(HostSettings(**settled),), daemon=True)
        self.thread.start()
        self.port = int(re.search(r":(\d+) for", self.line("listening"))[1])  # type: ignore[index]

    def line(self, wanted: str) -> str:
        """The first line that has the words, once it is said."""
        for _ in range(500):
            if found := [line for line in self.said if wanted in line]:
                return found[0]
            time.sleep(0.02)
        raise AssertionError(f"no line with '{wanted}' in {self.said}")

    @property
    def address(self) -> str:
        return f"kgp://127.0.0.1:{self.port}"
