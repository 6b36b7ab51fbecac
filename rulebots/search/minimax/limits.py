"""When a search stops, and how it looks at the clock."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import ClassVar

from rulebots.errors import UsageError
from rulebots.files.ranges import check_numbers, optional_number
from rulebots.search.transposition import UNLIMITED_DEPTH

#: The deepest search that an entry of the transposition table has room for.
MOST_DEPTH = UNLIMITED_DEPTH - 1
#: Seconds between two looks at the clock. The first slice of a search is one node, because an evaluation by rollouts
#: may take milliseconds; slices double until they take this long.
SLICE_SECONDS = 0.002
#: Nodes of a slice of a search without a time limit: Ctrl-C waits for its end.
LONG_SLICE = 1 << 20


@dataclass(frozen=True)
class Limits:
    """When a search stops: the first limit reached ends it.

    Raises:
        UsageError: no limit at all, or one out of range.
    """

    #: What a message calls the search.
    kind: ClassVar[str] = "minimax"

    depth: int | None = optional_number(int, 1, MOST_DEPTH, "plies to look ahead")
    nodes: int | None = optional_number(int, 1, 10**12, "positions visited per decision")
    seconds: float | None = optional_number(float, 1e-6, 1e6, "seconds per decision")

    def __post_init__(self) -> None:
        check_numbers(self, self.kind)
        if self.depth is None and self.nodes is None and self.seconds is None:
            raise UsageError(f"{self.kind}: a search needs a limit: give depth, nodes or seconds")


class Budget:
    """Divides a search into slices of nodes, short enough to stop within its limits, or once `stopped` is set."""

    def __init__(self, limits: Limits, began: float, stopped: threading.Event) -> None:
        self.nodes = 0
        self._stopped = stopped
        self._most_nodes = limits.nodes
        self._deadline = None if limits.seconds is None else began + limits.seconds
        self._slice = LONG_SLICE if self._deadline is None else 1
        self._slice_began = began

    def next_slice(self) -> int:
        """The number of nodes to visit before the next look at the clock; 0 to stop."""
        if self._stopped.is_set():
            return 0
        nodes = self._slice if self._most_nodes is None else max(min(self._slice, self._most_nodes - self.nodes), 0)
        self._slice_began = time.perf_counter()
        return nodes if self._deadline is None or self._slice_began < self._deadline else 0

    def spend(self, nodes: int) -> None:
        """Count the nodes visited, and adapt the length of slices to the time they took."""
        self.nodes += nodes
        if self._deadline is not None and nodes >= self._slice:
            taken = max(time.perf_counter() - self._slice_began, 1e-6)
            self._slice = int(min(self._slice * 2, LONG_SLICE, max(1, nodes * SLICE_SECONDS / taken)))
