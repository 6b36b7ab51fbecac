"""A server of the quiz in a thread, and how its games end, for tests of both sides."""

from __future__ import annotations

import queue
import re
import threading
from typing import Any

from rulebots.servers.quiz_host import HostSettings, host


class Hosting:
    """A server in a thread: where it listens, and what it has said."""

    def __init__(self, **terms: Any) -> None:
        self.said: list[str] = []
        self._first = queue.Queue[str]()
        self.thread = threading.Thread(target=host, args=(HostSettings(port=0, say=self._hear, **terms),), daemon=True)
        self.thread.start()
        found = re.search(r"listening at ([\d.]+):(\d+) ", self._first.get(timeout=60))
        assert found
        self.address = found[1], int(found[2])

    def _hear(self, line: str) -> None:
        self.said.append(line)
        self._first.put(line)

    def games(self) -> list[tuple[int, int]]:
        """The points of each game, ours first, in the order of the games' numbers."""
        self.thread.join(60)
        assert not self.thread.is_alive()
        found = [re.match(r"game (\d+): .*, (-?\d+) to (-?\d+)", line) for line in self.said]
        return [(int(f[2]), int(f[3])) for f in sorted(filter(None, found), key=lambda f: int(f[1]))]


def final(lines: list[str]) -> tuple[int, int]:
    assert lines[-3] == "Game over."
    found = re.fullmatch(r"Final Score:  (-?\d+) \(You\) vs\. (-?\d+) \(Opponent\)\.", lines[-2])
    assert found
    mine, other = int(found[1]), int(found[2])
    result = "The game is a draw." if mine == other else "I'm sorry, you lose."
    assert lines[-1] == ("Congratulations, you win." if mine > other else result)
    return mine, other
